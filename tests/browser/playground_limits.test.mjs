// The playground where something is missing or too large: a browser without WebAssembly or workers, a module that runs
// out of memory, a text of 200 MB, empty boards of any size, addresses that were cut or altered. The page must stay
// alive and say what is wrong.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { address, asker } from "./playground_made.mjs";
import { boardText, choose, ready, solve, textOf } from "./playground_page.mjs";
import { launch, visit } from "./page.mjs";

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

/** What the engines show: outcomes and failures. */
const RESULTS = ".result .outcome, .result .failure";
const within = (options, use) => visit(browser, address, options, use);
const saying = (page, id, words) => page.waitForFunction((id, words) => document.getElementById(id).textContent.includes(words), { timeout: 30_000 }, id, words);

test("without WebAssembly, workers or DecompressionStream, the page says what it needs", async () => {
  const missing = [() => { delete globalThis.WebAssembly; }, () => { delete globalThis.Worker; }, () => { delete globalThis.DecompressionStream; }];
  for (const before of missing) {
    await within({ before }, async (page) => {
      assert.match(await textOf(page, "#notice"), /cannot run the playground: it needs WebAssembly, workers and DecompressionStream/);
      assert.equal(await page.$eval("#notice", ({ hidden }) => hidden), false);
      // Nothing that would not work is shown.
      assert.equal(await page.$eval("main", ({ hidden }) => hidden), true);
      assert.equal(await page.$eval("#share", ({ hidden }) => hidden), true);
    });
  }
});

test("if the browser refuses the module or the worker, the reason is shown", async () => {
  await within({ before: () => { WebAssembly.compile = () => Promise.reject(new Error("no room for code")); } }, async (page) => {
    await saying(page, "error", "no room for code");
    assert.equal(await page.$eval("#solve", ({ disabled }) => disabled), true);
  });
  await within({ before: () => { globalThis.Worker = class { constructor() { throw new Error("no workers here"); } }; } }, async (page) => {
    await saying(page, "error", "no workers here");
  });
});

test("a module that runs out of memory is stopped, and the page goes on", async () => {
  // The workers of the two engines get a module whose `answer` takes memory until there is no more, then traps, as the library does.
  // The board's worker, and those that replace a failed one, get the library.
  await within({
    before: () => {
      const section = (id, ...bytes) => [id, bytes.length, ...bytes], name = (word) => [word.length, ...new TextEncoder().encode(word)];
      const body = (...code) => [code.length + 2, 0, ...code, 0x0b];
      const grow = [0x03, 0x40, 0x41, 16, 0x40, 0, 0x41, 0x7f, 0x47, 0x0d, 0, 0x0b, 0x00];
      const growing = new WebAssembly.Module(Uint8Array.from([
        0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
        ...section(1, 3, 0x60, 1, 0x7f, 0, 0x60, 0, 1, 0x7f, 0x60, 1, 0x7f, 1, 0x7f), // the types of the functions
        ...section(3, 3, 0, 1, 2),
        ...section(5, 1, 1, 1, 0x80, 0x80, 1), // memory from 1 to 16,384 pages: 1 GiB
        ...section(7, 3, ...name("feed"), 0, 0, ...name("answer"), 0, 1, ...name("byte"), 0, 2),
        ...section(10, 3, ...body(), ...body(...grow), ...body(0x41, 0)),
      ]));
      let modules = 0;
      const { postMessage } = Worker.prototype;
      Worker.prototype.postMessage = function post(message) {
        const isFirst = message instanceof WebAssembly.Module && (modules += 1) <= 2;
        return postMessage.call(this, isFirst ? growing : message);
      };
    },
  }, async (page) => {
    await ready(page);
    const found = await solve(page, RESULTS);
    found.forEach((each) => assert.match(each, /^the library stopped; it probably needed more than 1 GiB of memory \(RuntimeError/));
    const again = await solve(page, RESULTS);
    again.forEach((each) => assert.match(each, / checked$/));
  });
});

test("200 MB pasted or dropped do not get into the page", async () => {
  await within({}, async (page) => {
    await ready(page);
    const text = await boardText(page);
    for (const kind of ["paste", "drop"]) {
      const isRefused = await page.evaluate((kind) => {
        const data = new DataTransfer();
        data.setData("text/plain", "b".repeat(200 << 20));
        const event = kind === "paste" ? new ClipboardEvent(kind, { clipboardData: data, cancelable: true }) : new DragEvent(kind, { dataTransfer: data, cancelable: true });
        return !document.getElementById("text").dispatchEvent(event);
      }, kind);
      assert.equal(isRefused, true, kind);
      await saying(page, "error", "the pasted text has 209,715,200 characters, too many for a page; the maximum is 1,048,576");
    }
    assert.equal(await boardText(page), text);
    // A script or an extension may set the field itself.
    await page.$eval("#text", (area) => {
      area.value = "b".repeat(20 << 20);
      area.dispatchEvent(new Event("input"));
    });
    await saying(page, "error", "the text has 20,971,520 characters, too many for a page");
    await page.click("#sample");
    await ready(page);
    assert.equal((await solve(page)).filter((each) => each.endsWith(" checked")).length, 2);
  });
});

test("an address that was cut or altered is refused, and the open board stays", async () => {
  const ask = await asker();
  const { address: whole } = ask({ ask: "share", problem: "flip", rules: [["size", "2x2"]], engines: ["search", "sat"], game: 1, text: "bw\nww\n" });
  await within({}, async (page) => {
    await choose(page, "ships");
    const before = await boardText(page);
    const cuts = [3, 10, whole.indexOf("&game"), whole.indexOf("&check") + 3, whole.length - 1].map((end) => whole.slice(0, end));
    const altered = [whole.replace("bw", "wb"), `${whole}.`, `${whole})`, whole.toUpperCase(), whole.replaceAll("%", "%25"), whole.replace("flip", "ships"), "%", "&check=", "nonsense"];
    for (const hash of [...cuts, ...altered]) {
      await page.evaluate((hash) => {
        document.getElementById("notice").textContent = "";
        location.hash = hash;
      }, hash);
      await saying(page, "notice", "this address was cut or altered; ask for it again, or paste the board itself");
      assert.equal(await boardText(page), before, hash);
      assert.equal(await page.$eval("#problems [value=ships]", (button) => button.getAttribute("aria-pressed")), "true");
    }
    await page.evaluate((hash) => { location.hash = hash; }, whole);
    await page.waitForFunction(() => document.getElementById("text").value === "bw\nww\n");
  });
});

test("an empty board of the chosen size is drawn on, and one that is too large is refused before it is made", async () => {
  await within({}, async (page) => {
    const sizes = { flip: [["3", "2"], "www\nwww\n"], ships: [["3", "2"], "3 2\n...\n...\n0 0\n"], spot: [["1"], "1\n? ? ?\n? ? ?\n0\n"] };
    for (const [problem, [given, text]] of Object.entries(sizes)) {
      await choose(page, problem);
      await page.click("#empty summary");
      const make = async (values) => {
        for (const [i, value] of values.entries()) {
          await page.$eval(`#empty .field:nth-of-type(${i + 1}) input`, (input, value) => {
            input.value = value;
            input.dispatchEvent(new Event("change"));
          }, value);
        }
        await page.click("#empty button");
      };
      await make(given);
      await page.waitForFunction((text) => document.getElementById("text").value === text, { timeout: 20_000 }, text);
      await ready(page);
      await page.click("#squares .board:nth-child(1) button:nth-child(1)");
      await page.waitForFunction((text) => document.getElementById("text").value !== text, { timeout: 20_000 }, text);
      await ready(page);
      const before = await boardText(page);
      const refusals = { flip: [["16384", "16384"], "such a board has 268435456 squares to draw, too many for a page; the maximum is 2500"], ships: [["100", "2"], "parameter width has no value '100'; it takes a whole number from 2 to 32"], spot: [["11"], "such a board has 2662 squares to draw"] };
      const [large, why] = refusals[problem];
      await make(large);
      await saying(page, "error", why);
      assert.equal(await boardText(page), before, problem);
      assert.equal(await page.$eval("#solve", ({ disabled }) => disabled), false);
    }
  });
});
