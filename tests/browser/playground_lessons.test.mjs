// Lessons that are opened from a playground: they count what the playground counts, and a large board has one, too. A
// problem without drawings of its own, such as that of examples/queens, gets a list of its variables.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { loadLesson } from "./lesson_made.mjs";
import { address, asker, queens } from "./playground_made.mjs";
import { ready, solve } from "./playground_page.mjs";
import { isFirefox, launch, visit } from "./page.mjs";

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const FLIP = { problem: "flip", text: "bbbw\nbbbb\nwbbw\nbbbw\n" };
const SIX = { problem: "ships", text: "6 6\n......\n..x...\n......\n...o..\n.x....\n......\n0 0\n" };

/** The data of the lesson about a board that an engine solved. */
const lessonOf = (ask, board, engine) => ask({ ask: "lesson", board, engine, answer: ask({ ask: "solve", board, engine }).answer });
const clausesOf = ({ constraints, minimised }) => constraints.filter(({ group }) => minimised?.group !== group).flatMap(({ clauses }) => clauses);
/** Opens the lesson of an engine, and calls `use` with its page. */
const teach = async (page, side, use) => {
  const lesson = new Promise((resolve) => { browser.once("targetcreated", (target) => resolve(target.page())); });
  await page.click(`[aria-label='Engine ${side}'] .teach`);
  const taught = await lesson;
  await taught.waitForSelector("html[data-ready]");
  await use(taught);
  await taught.close();
};

test("a playground and its lesson count the same clauses, with and without parities", async () => {
  const ask = await asker();
  const cases = [[FLIP, "sat:presses/xor=native"], [FLIP, "sat:presses/xor=cut3"], [FLIP, "sat:nullspace"], [SIX, "sat:placement"],
    [{ problem: "spot", text: "2\n? ? ?\n? ? ?\n? ? ?\n? ? ?\n0\n" }, "sat:path"]];
  for (const [board, engine] of cases) {
    const size = ask({ ask: "size", board, engine }), lesson = lessonOf(ask, board, engine), clauses = clausesOf(lesson);
    assert.deepEqual([size.clauses, size.literals, size.parities], [clauses.length, clauses.flat().length, lesson.parities], engine);
    assert.equal(size.variables, lesson.variables.length, engine);
  }
  const { clauses, parities } = ask({ ask: "size", board: FLIP, engine: "sat:presses/xor=native" });
  assert.deepEqual([clauses, parities.lines, parities.in_full], [288, 16, 288]);
  // What the solver gets is the formula that the program writes without native parities.
  const cut = ask({ ask: "size", board: FLIP, engine: "sat:presses/xor=cut4" });
  assert.deepEqual([parities.in_pieces, parities.connecting], [cut.clauses, cut.variables - 17]);
});

test("both pages say in the same words what the solver gets for a parity", async () => {
  const { parityWords } = loadLesson("parityWords");
  assert.equal(parityWords({ lines: 1, in_full: 32, in_pieces: 16, connecting: 1 }),
    "1 line says that an even or an odd number of variables is true. It stands for 32 clauses. The solver gets the same in shorter pieces, which 1 helper variable connects: 16 clauses.");
  assert.equal(parityWords(null), "");
  await visit(browser, address, {}, async (page) => {
    await ready(page);
    await page.$eval("#text", (area, text) => {
      area.value = text;
      area.dispatchEvent(new Event("input"));
    }, FLIP.text);
    await page.waitForFunction(() => document.querySelectorAll("#squares button").length === 16 && !document.getElementById("solve").disabled);
    await page.$eval("[aria-label='Engine B'] .axes", (axes) => {
      axes.open = true;
      const xor = [...axes.querySelectorAll("select")].find((select) => [...select.options].some(({ value }) => value === "native"));
      xor.value = "native";
      xor.dispatchEvent(new Event("change"));
    });
    await solve(page);
    const side = "[aria-label='Engine B']";
    await page.click(`${side} .more details:nth-of-type(2) summary`);
    await page.waitForSelector(`${side} .more table`);
    const [size, words] = await page.$$eval(`${side} .more details:nth-of-type(2) p`, (all) => all.map(({ textContent }) => textContent));
    assert.match(size, /, 288 clauses, /);
    assert.match(words, /^16 lines say .* They stand for 288 clauses\. The solver gets the same in shorter pieces, .*: 192 clauses\.$/);
    await teach(page, "B", async (taught) => {
      const group = await taught.$eval("#groups .group", ({ textContent }) => textContent);
      assert.ok(group.includes(words), group);
      assert.ok(group.includes("16 lines, 288 clauses"), group);
    });
  });
});

test("the lesson for a search on a large board has a formula that fits", async () => {
  const ask = await asker(), lesson = lessonOf(ask, SIX, "search");
  assert.match(lesson.engine, /^sat:/);
  assert.ok(clausesOf(lesson).length <= 20_000);
});

test("a problem without drawings has a playground, and a lesson with its variables by name", { skip: isFirefox }, async () => {
  await visit(browser, queens, {}, async (page) => {
    await page.click("#problems [value=queens]");
    await page.waitForFunction(() => document.querySelector("#problems [value=queens]").getAttribute("aria-pressed") === "true");
    await ready(page);
    assert.match(await page.$eval("#edit", ({ textContent }) => textContent), /no squares to click/);
    await page.$eval("#text", (area) => {
      area.value = "....\n....\n....\n....\n";
      area.dispatchEvent(new Event("input"));
    });
    await page.waitForFunction(() => document.getElementById("text").dataset.read > 1 && !document.getElementById("solve").disabled);
    await solve(page);
    const found = await page.$$eval(".result .outcome", (all) => all.map(({ textContent }) => textContent));
    assert.deepEqual(found, ["completed checked", "completed checked"]);
    await teach(page, "A", async (taught) => {
      assert.equal(await taught.$eval("html", (html) => html.dataset.solver ?? "runs"), "runs");
      assert.match(await taught.$eval("#question", ({ textContent }) => textContent), /^The task: complete a board to n queens/);
      const names = await taught.$$eval(".square.named", (all) => all.map(({ textContent }) => textContent));
      assert.deepEqual(names, Array.from({ length: 16 }, (_, i) => `queen r${Math.floor(i / 4) + 1}c${i % 4 + 1}`));
      const story = () => taught.$eval("#story", ({ textContent }) => textContent);
      const values = () => taught.$$eval(".square.named", (all) => all.map(({ className }) => /is-(\w+)/.exec(className)[1]));
      // A decision, then what follows from it: the other squares of the row, the column and the diagonals.
      await taught.click(".square.named");
      assert.match(await story(), /^Decision: queen r1c1/);
      await taught.keyboard.press("ArrowDown");
      const after = await values();
      assert.deepEqual([after[0], after[1], after[4], after[5]], ["true", "false", "false", "false"]);
      assert.equal(await taught.$eval(".square.named", (one) => one.getAttribute("aria-label")), "queen r1c1, true");
      // Pointing at a clause marks its variables.
      await taught.$eval("#groups .list", (list) => { list.open = true; });
      await taught.hover("#groups .constraint > p");
      assert.ok((await taught.$$(".square.lit")).length > 0);
      await taught.keyboard.press("c");
      await taught.keyboard.press("n");
      assert.match(await story(), /^Conflict!/);
      await taught.keyboard.press("ArrowRight");
      assert.match(await story(), /^Learnt: /);
      await taught.keyboard.press("s");
      assert.match(await story(), /^Solution 1, found by varisat: every line holds\./);
      assert.equal((await values()).filter((value) => value === "true").length, 4);
      await taught.evaluate(() => dispatchEvent(new Event("beforeprint")));
      assert.equal(await taught.$$eval("#handout .solutions > ol > li", (all) => all.length), 3);
      const wide = await taught.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `${wide} px too wide`);
    });
  });
});
