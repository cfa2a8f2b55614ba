// The playground in a browser: boards typed, drawn, generated and shared; solved by both sides, cancelled, taught; errors, layout,
// keyboard, accessibility.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { address, asker, html } from "./playground_made.mjs";
import { boardText, choose, ready, solve, textOf } from "./playground_page.mjs";
import { launch, visit } from "./page.mjs";

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

/** Opens the playground and calls `use` with its page. Afterwards, the page must have printed and requested nothing. */
const within = (options, use) => visit(browser, address, options, use);

const type = async (page, text) => {
  await page.$eval("#text", (area, text) => {
    area.value = text;
    area.dispatchEvent(new Event("input"));
  }, text);
};
/** The number of texts that were read. */
const read = (page) => page.$eval("#text", ({ dataset }) => dataset.read);
/** Waits until another text was read than before `act`. */
const reading = async (page, act) => {
  const before = await read(page);
  await act();
  await page.waitForFunction((before) => document.getElementById("text").dataset.read !== before, { timeout: 20_000 }, before);
};
const typed = async (page, text) => {
  await reading(page, () => type(page, text));
  await ready(page);
};
const square = (board, at) => `#squares .board:nth-child(${board}) button:nth-child(${at})`;
/** Waits until the text differs from `before`, and the board was read again. */
const changed = async (page, before) => {
  await page.waitForFunction((before) => document.getElementById("text").value !== before, { timeout: 20_000 }, before);
  await ready(page);
  return boardText(page);
};
const click = async (page, board, at) => {
  const before = await boardText(page);
  await page.click(square(board, at));
  return changed(page, before);
};

test("twenty boards are typed and solved by both sides, with the library's answers", async () => {
  const ask = await asker();
  const families = { flip: ["random", [["n", "3"]]], ships: ["random", []], spot: ["random", [["n", "3"]]] };
  await within({}, async (page) => {
    for (let i = 0; i < 20; i++) {
      const problem = Object.keys(families)[i % 3], [family, params] = families[problem];
      const { text } = ask({ ask: "generate", problem, family, params, seed: i });
      if (i % 7 < 3) await choose(page, problem);
      await choose(page, problem);
      await typed(page, text);
      const found = await solve(page);
      const expected = ["search", "sat"].map((engine) => ask({ ask: "solve", board: { problem, text }, engine }));
      assert.deepEqual(found, expected.map(({ outcome, verdict }) => `${outcome} ${verdict}`), text);
    }
  });
});

test("a board is drawn by clicks, drags and keys, and the text follows", async () => {
  await within({}, async (page) => {
    await choose(page, "flip");
    await typed(page, "ww\nww\n");
    assert.equal(await click(page, 1, 2), "wb\nww\n");
    assert.equal(await click(page, 1, 2), "ww\nww\n");
    // Clicks that come before the page has answered the first one.
    await page.evaluate(() => [...document.querySelectorAll("#squares button")].slice(1).forEach((square) => square.click()));
    await page.waitForFunction(() => document.getElementById("text").value === "wb\nbb\n");
    await typed(page, "ww\nww\n");
    await click(page, 1, 1);
    const [from, to] = await Promise.all([1, 4].map(async (at) => (await page.$(square(1, at))).boundingBox()));
    const middle = ({ x, y, width, height }) => [x + width / 2, y + height / 2];
    const before = await boardText(page);
    await page.mouse.move(...middle(from));
    await page.mouse.down();
    await page.mouse.move(...middle(to), { steps: 4 });
    await page.mouse.up();
    const dragged = await changed(page, before);
    assert.match(dragged, /^b.\n.b\n$/);
    await page.focus(square(1, 1));
    await page.keyboard.press("ArrowRight");
    const second = dragged[1] === "b" ? "w" : "b";
    await page.keyboard.press("Enter");
    assert.equal((await changed(page, dragged))[1], second);
    assert.equal(await page.evaluate(() => [...document.querySelectorAll("#squares button")].indexOf(document.activeElement)), 1);

    await choose(page, "ships");
    // The sample has a blank line before its end mark; a changed board does not.
    const ships = (await boardText(page)).replace("\n\n", "\n");
    const hit = await click(page, 1, 1);
    assert.equal(hit, ships.replace("10 10\n.", "10 10\nx"));
    assert.equal(await click(page, 1, 1), ships.replace("10 10\n.", "10 10\no"));

    await choose(page, "spot");
    await typed(page, "2\n1 1 +\n2 2 +\n2 2 -\n1 2 +\n0\n");
    assert.equal(await click(page, 2, 1), "2\n1 1 +\n1 1 -\n2 2 +\n1 2 +\n0\n");
  });
});

test("a state is shared by its address, and altered addresses are refused", async () => {
  let shared;
  await within({}, async (page) => {
    await choose(page, "flip");
    await typed(page, "bw\nww\n");
    await page.select("#engine-B", "sat:nullspace");
    await page.click("#share");
    await page.waitForFunction(() => location.hash.includes("check="));
    shared = await page.evaluate(() => location.hash);
    await solve(page);
  });
  await within({ hash: shared }, async (page) => {
    assert.equal(await boardText(page), "bw\nww\n");
    assert.equal(await page.$eval("#engine-B", ({ value }) => value), "sat:nullspace");
    assert.equal(await page.$eval("#notice", ({ hidden }) => hidden), true);
    assert.deepEqual(await solve(page), ["1 press checked", "1 press checked"]);
  });
  for (const hash of [shared.slice(0, -3), shared.replace("bw", "wb"), "#nonsense"]) {
    await within({ hash }, async (page) => assert.match(await textOf(page, "#notice"), /cut or altered/));
  }
});

test("errors are shown at their place, and a board of another problem is recognized", async () => {
  await within({}, async (page) => {
    await choose(page, "flip");
    await type(page, "bwwb\nbxwb\n");
    await page.waitForSelector("#error:not([hidden])");
    assert.match(await textOf(page, "#error"), /^line 2, column 2: /);
    assert.equal(await page.$eval("#solve", ({ disabled }) => disabled), true);
    await type(page, "2\n1 1 +\n2 2 +\n2 2 -\n1 2 +\n0\n");
    await page.waitForFunction(() => document.getElementById("error").textContent.includes("this looks like spot"));
    await type(page, "b".repeat(3 << 20));
    await page.waitForFunction(() => document.getElementById("error").textContent.includes("too many for a page"));
    await typed(page, "bw\nww\n");
    assert.equal(await page.$eval("#error", ({ hidden }) => hidden), true);
  });
});

test("a long computation is cancelled, and the page goes on", async () => {
  await within({}, async (page) => {
    await choose(page, "flip");
    await page.select("#engine-A", "search:bfs");
    await page.select("#engine-B", "sat:presses");
    const board = Array.from({ length: 14 }, (_, row) => Array.from({ length: 14 }, (_, column) => ((row * 7 + column * column * 3 + row * column) % 5 < 2 ? "b" : "w")).join("")).join("\n");
    await typed(page, `${board}\n`);
    await page.click("#solve");
    await page.waitForFunction(() => document.querySelector("[aria-label='Engine B'] .result").textContent.includes("solving"));
    assert.equal(await page.evaluate(() => 6 * 7), 42);
    // The end of the cancelled run must not end the new one.
    await page.click("#solve");
    await new Promise((resolve) => { setTimeout(resolve, 300); });
    assert.match(await textOf(page, "[aria-label='Engine B'] .result"), /^solving/);
    assert.equal(await page.$eval("#cancel", ({ disabled }) => disabled), false);
    await page.click("#cancel");
    await page.waitForFunction(() => document.querySelector("[aria-label='Engine B'] .failure")?.textContent === "cancelled");
    assert.equal(await page.$eval("#cancel", ({ disabled }) => disabled), true);
    await page.click("#sample");
    await ready(page);
    await page.select("#engine-A", "search:algebra");
    assert.deepEqual(await solve(page), ["4 presses checked", "4 presses checked"]);
  });
});

test("explanations, formulas and lessons open", async () => {
  await within({}, async (page) => {
    await choose(page, "ships");
    await solve(page);
    const side = "[aria-label='Engine B']";
    await page.click(`${side} .more details:nth-of-type(1) summary`);
    await page.waitForSelector(`${side} .words`);
    const first = await textOf(page, `${side} .stage`);
    await page.click(`${side} .steps button:last-child`);
    assert.notEqual(await textOf(page, `${side} .stage`), first);
    await page.click(`${side} .more details:nth-of-type(2) summary`);
    await page.waitForSelector(`${side} .more table`);
    await choose(page, "flip");
    await typed(page, "bw\nww\n");
    await solve(page);
    const lesson = new Promise((resolve) => { browser.once("targetcreated", (target) => resolve(target.page())); });
    await page.click("[aria-label='Engine A'] .teach");
    const taught = await lesson;
    await taught.waitForSelector("html[data-ready]");
    assert.equal(await taught.$eval("#title", ({ textContent }) => textContent), "Flip");
    assert.equal(await taught.$eval("html", (page) => page.dataset.solver ?? "runs"), "runs");
    await taught.evaluate(() => dispatchEvent(new Event("beforeprint")));
    assert.equal(await taught.$$eval("#handout .solutions > ol > li", (all) => all.length), 3);
    // The lesson leads back to the playground, which still has its board.
    const closed = new Promise((resolve) => { taught.once("close", resolve); });
    await taught.click("#return");
    await closed;
    assert.equal(await boardText(page), "bw\nww\n");
  });
});

test("a rule with several lines is shared, and each problem keeps its state", async () => {
  let shared;
  const fleet = "xx\n\nxxx";
  await within({}, async (page) => {
    await choose(page, "ships");
    await typed(page, "3 3\n...\n.x.\n...\n0 0\n");
    await page.click("#rules summary");
    await page.$eval("#rule-list textarea", (area, fleet) => {
      area.value = fleet;
      area.dispatchEvent(new Event("change"));
    }, fleet);
    // The first click counts, although the board is being read again.
    const found = await solve(page);
    assert.equal(found[0], found[1]);
    await choose(page, "flip");
    await choose(page, "ships");
    assert.equal(await boardText(page), "3 3\n...\n.x.\n...\n0 0\n");
    assert.deepEqual(await solve(page), found);
    await page.click("#share");
    await page.waitForFunction(() => location.hash.includes("check="));
    shared = await page.evaluate(() => location.hash);
    await page.$eval("#rule-list textarea", (area) => {
      area.value = "xx xxx";
      area.dispatchEvent(new Event("change"));
    });
    await page.waitForSelector("#error:not([hidden])");
    assert.match(await textOf(page, "#error"), /^rule fleet:1:1: /);
  });
  await within({ hash: shared }, async (page) => {
    assert.equal(await page.$eval("#rule-list textarea", ({ value }) => value), fleet);
    assert.equal(await page.$eval("#rules", ({ open }) => open), true);
  });
});

test("a generated board is solved", async () => {
  await within({}, async (page) => {
    await choose(page, "spot");
    await page.click("#generator summary");
    await page.select("#family", "smudged");
    const before = await boardText(page);
    // A parameter that is not allowed leaves the board as it is.
    const enter = (value) => page.$eval("#generator .fields input", (input, value) => {
      input.value = value;
      input.dispatchEvent(new Event("change"));
    }, value);
    await enter("99999");
    await page.click("#generator .field:last-child button");
    await page.waitForFunction(() => document.getElementById("error").textContent.includes("parameter n has no value"));
    assert.equal(await page.$eval("#solve", ({ disabled }) => disabled), false);
    assert.equal(await boardText(page), before);
    await enter("3");
    await page.click("#generator .field:last-child button");
    const text = await changed(page, before);
    assert.match(text, /\?/);
    const found = await solve(page);
    assert.ok(found.every((each) => each.endsWith(" checked")), found.join());
  });
});

test("after the first key, nothing of the former board is shown as its result", async () => {
  await within({}, async (page) => {
    await choose(page, "flip");
    await solve(page);
    const shown = () => page.$$eval(".verdict, .outcome, .more > *", ({ length }) => length);
    assert.ok(await shown() >= 4);
    // In one task, because the page reads the text after a pause.
    const left = await page.$eval("#text", (area) => {
      area.value = `w${area.value}`;
      area.dispatchEvent(new Event("input"));
      return document.querySelectorAll(".verdict, .outcome, .more > *").length;
    });
    assert.equal(left, 0);
    assert.equal(await shown(), 0);
  });
});

test("a board that is generated too late changes neither another problem nor an edited text", async () => {
  await within({}, async (page) => {
    // Each list of clicks is one task, so the board is generated after it, but before the next text is read.
    const click = (...selectors) => page.evaluate((selectors) => selectors.forEach((selector) => document.querySelector(selector).click()), selectors);
    const [generate, next] = [1, 2].map((i) => `#generator .field:last-child button:nth-of-type(${i})`);
    await choose(page, "ships");
    const ships = await boardText(page);
    await choose(page, "flip");
    const flip = await boardText(page);
    await reading(page, () => click(generate, "#problems [value=ships]"));
    assert.equal(await boardText(page), ships);
    assert.equal(await page.$eval("#error", ({ hidden }) => hidden), true);
    await choose(page, "flip");
    assert.equal(await boardText(page), flip);
    await reading(page, () => page.evaluate((generate) => {
      document.querySelector(generate).click();
      const text = document.getElementById("text");
      text.value = "bw\nwb\n";
      text.dispatchEvent(new Event("input"));
    }, generate));
    assert.equal(await boardText(page), "bw\nwb\n");
    // The last of several boards is shown.
    await click(generate);
    const first = await changed(page, "bw\nwb\n");
    await click(generate, next);
    assert.notEqual(await changed(page, first), first);
  });
});

test("the page fits its screen, and axe finds nothing, in light and dark", async () => {
  const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  for (const [width, theme] of [[390, "light"], [1280, "dark"], [1920, "light"]]) {
    await within({ width, height: 800, theme }, async (page) => {
      for (const problem of ["ships", "spot", "flip"]) {
        await choose(page, problem);
        await solve(page);
        await page.$$eval("details:not(#about)", (all) => all.forEach((details) => { details.open = true; }));
        await page.waitForFunction(() => document.querySelectorAll(".words").length === 2);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${problem} at ${width}: ${wide} px too wide`);
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() => globalThis.axe.run());
        assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`), [], `${problem} ${width} ${theme}`);
      }
    });
  }
});

test("the folder is small, and nothing in it points elsewhere", () => {
  const page = html();
  assert.ok(page.length <= 3_000_000, `${page.length} bytes`);
  assert.ok(!/\b(?:src|href)\s*=\s*["']?(?:https?:)?\/\//.test(page.replace(/<script type="application\/json"[\s\S]*?<\/script>/, "")));
});
