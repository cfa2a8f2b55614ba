// The labels of plots in a browser: in every view of every experiment, at any width and in both themes, no label
// touches another one or the data.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { NAME, troubled } from "./altered.mjs";
import { launch, open } from "./page.mjs";
import { address, altered, experiments } from "./pages.mjs";

const VIEWS = ["quantile", "scatter", "crossover", "encodings", "heat", "spread"];
const WIDTHS = [360, 520, 768, 1024, 1280, 1600];

/** Experiments with many engines, long names, many panels or few runs: tested at every width and with every choice. */
const TELLING = /^(006|008|009|013)/;

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

/** Runs in the page: finds pairs of texts whose boxes overlap, and texts that cover data or leave the drawing. */
function faults() {
  const found = [];
  for (const svg of document.querySelectorAll(".figure > svg")) {
    const whole = svg.getBoundingClientRect();
    const texts = [...svg.querySelectorAll("text")].map((text) => ({ words: text.textContent, box: text.getBoundingClientRect() }));
    const frames = [...svg.querySelectorAll(".marks")].flatMap((marks) => [...marks.querySelectorAll("path, rect, image")].map((mark) => mark.getBoundingClientRect()));
    const meet = (a, b) => a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5;
    texts.forEach((one, i) => {
      for (const other of texts.slice(i + 1)) if (meet(one.box, other.box)) found.push(`"${one.words}" overlaps "${other.words}"`);
      const { left, right, top, bottom } = one.box;
      if (left < whole.left - 1 || right > whole.right + 1 || top < whole.top - 1 || bottom > whole.bottom + 1) found.push(`"${one.words}" leaves the drawing`);
      // The box of a text is taller than its letters.
      const letters = { left: left + 1, right: right - 1, top: top + 3, bottom: bottom - 3 };
      if (frames.some((box) => meet(letters, box))) found.push(`"${one.words}" covers data`);
    });
    if (/NaN|undefined|Infinity/.test(svg.outerHTML.replace(/data:image[^"]*/g, ""))) found.push("a coordinate is not a number");
  }
  return found;
}

/** Opens every view at a width and asserts that it has no fault. */
async function inspect(address, { width, theme = "light" }) {
  const { page, said } = await open(browser, address, { width, theme });
  for (const view of VIEWS) {
    await page.evaluate((id) => go(() => { state.view = id; }), view);
    assert.deepEqual(await page.evaluate(faults), [], `${view}, ${width} pixels, ${theme}`);
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wider <= 0, `${view}, ${width} pixels: the page is ${wider} pixels too wide`);
  }
  assert.deepEqual(said, []);
  await page.close();
}

/** Like `inspect`, with every choice of every control, on the narrowest page. */
async function inspectChoices(address) {
  const { page, said } = await open(browser, address, { width: 360 });
  const choices = await page.evaluate((ids) => ids.map((id) => views.get(id)).filter((view) => view.needs(shown.data) === true)
    .flatMap((view) => view.options(shown.data).flatMap((option) => option.choices.map(({ value }) => [view.id, option.key, String(value)]))), VIEWS);
  for (const [view, key, value] of choices) {
    await page.evaluate((id, name, chosen) => {
      state.options = new Map([[id, new Map([[name, chosen]])]]);
      go(() => { state.view = id; }, "replace");
    }, view, key, value);
    assert.deepEqual(await page.evaluate(faults), [], `${view}, ${key}=${value}`);
  }
  assert.deepEqual(said, []);
  await page.close();
}

for (const name of experiments()) {
  test(`labels of ${name}`, async () => {
    for (const width of TELLING.test(name) ? WIDTHS : [360, 1280]) await inspect(address(name), { width });
    if (TELLING.test(name)) await inspectChoices(address(name));
  });
}

test("labels in the dark theme, and of an experiment in which much went wrong", async () => {
  const trouble = altered(NAME, "troubled-plots", troubled());
  await inspect(trouble, { width: 1280, theme: "dark" });
  for (const width of WIDTHS) await inspect(trouble, { width });
});
