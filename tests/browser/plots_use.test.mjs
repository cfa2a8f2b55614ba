// What readers do with plots: point, step by keyboard, open records, hide engines, save. Also tests the plots of a page
// with many records.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { launch, open } from "./page.mjs";
import { LARGE, address, find } from "./pages.mjs";

const show = (page, view, options = {}) => page.evaluate((id, values) => {
  state.options = new Map([[id, new Map(Object.entries(values))]]);
  go(() => { state.view = id; });
}, view, options);
const tip = (page) => page.$eval(".tip", (element) => (element.hidden ? null : element.innerText));

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

test("a point under the pointer shows its value, and a click opens its records", async () => {
  const { page, said } = await open(browser, address(find("007")));
  await show(page, "crossover");
  const place = await page.evaluate(() => {
    const box = document.querySelector(".figure > svg").getBoundingClientRect();
    const chart = views.get("crossover").build(shown.data, shown.selection, optionValues(views.get("crossover"), shown.data).values);
    const { hits } = figureOf(chart, { width: document.querySelector(".chart").clientWidth - 300, palette: SCREEN });
    const hit = hits.find(({ point, series }) => series.name === "search:algebra" && point.x === 19);
    return { x: box.left + hit.x, y: box.top + hit.y, runs: hit.point.rows.length };
  });
  await page.mouse.move(place.x + 2, place.y - 2);
  const words = await tip(page);
  assert.match(words, /^search:algebra\nn 19\.?0?\nCPU time [\d.]+.[µm]s \([\d.e-]+ s\)\ninterval /);
  assert.match(words, new RegExp(`opens ${place.runs} records$`));
  await page.evaluate(() => { globalThis.opened = []; openRecords = (rows) => opened.push(rows); });
  await page.mouse.click(place.x, place.y);
  assert.equal(await page.evaluate(() => opened[0].length), place.runs);
  await page.mouse.move(5, 5);
  assert.equal(await tip(page), null);
  assert.deepEqual(said, []);
  await page.close();
});

test("arrow keys step through points and announce them, Enter opens a point, Escape closes it", async () => {
  const { page, said } = await open(browser, address(find("012")));
  for (const view of ["quantile", "scatter", "crossover", "heat", "spread"]) {
    await show(page, view);
    await page.evaluate(() => { globalThis.opened = []; openRecords = (rows) => opened.push(rows); });
    await page.focus(".figure");
    await page.keyboard.press("ArrowRight");
    const first = await tip(page);
    await page.keyboard.press("ArrowRight");
    const second = await tip(page);
    assert.ok(first && second && first !== second, view);
    assert.equal(await page.$eval("#live", (element) => element.textContent), second.replaceAll("\n", ", "));
    await page.keyboard.press("Enter");
    assert.ok(await page.evaluate(() => opened[0].length >= 1), view);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("End");
    assert.ok(await tip(page));
    await page.keyboard.press("Escape");
    assert.equal(await tip(page), null);
  }
  assert.deepEqual(said, []);
  await page.close();
});

test("tooltips stay within the figure, even if it is narrow", async () => {
  const { page } = await open(browser, address(find("006")), { width: 360 });
  for (const view of ["quantile", "scatter", "crossover", "encodings", "heat", "spread"]) {
    await show(page, view);
    await page.focus(".figure");
    for (let step = 0; step < 25; step++) {
      await page.keyboard.press(step % 5 === 4 ? "ArrowDown" : "ArrowRight");
      const out = await page.evaluate(() => {
        const [tip, figure] = [".tip", ".figure"].map((name) => document.querySelector(name).getBoundingClientRect());
        return [figure.left - tip.left, tip.right - figure.right, figure.top - tip.top, tip.bottom - figure.bottom].filter((by) => by > 1);
      });
      assert.deepEqual(out, [], `${view}, point ${step}`);
    }
  }
  await page.close();
});

test("the legend hides and shows an engine; the axes follow", async () => {
  const { page, said } = await open(browser, address(find("007")));
  await show(page, "crossover");
  const names = () => page.$$eval(".figure g.series", (groups) => groups.map((group) => group.dataset.name));
  const before = await names();
  await page.click(".legend-entry");
  assert.deepEqual(await names(), before.slice(1));
  assert.equal(await page.$eval(".legend-entry", (entry) => entry.getAttribute("aria-pressed")), "false");
  await page.click(".legend-entry");
  assert.deepEqual(await names(), before);
  assert.deepEqual(said, []);
  await page.close();
});

test("saved drawings are self-contained: well-formed, in the light theme, without variables and references", async () => {
  const { page, said } = await open(browser, address(find("012")), { theme: "dark" });
  for (const view of ["quantile", "scatter", "crossover", "heat", "spread"]) {
    await show(page, view);
    const found = await page.evaluate((id) => {
      const chart = views.get(id).build(shown.data, shown.selection, optionValues(views.get(id), shown.data).values);
      const text = chartSvg(chart, { width: 760 }), parsed = new DOMParser().parseFromString(text, "image/svg+xml");
      const rows = chartRows(chart), points = chart.panels.flatMap((panel) => panel.series.flatMap((series) => series.points)).length;
      return { text, broken: parsed.querySelector("parsererror") !== null, head: rows[0], rows: rows.length - 1, points, cells: new Set(rows.map((row) => row.length)).size };
    }, view);
    assert.ok(!found.broken, view);
    assert.doesNotMatch(found.text, /var\(|href="(?!data:)|class="ring"|NaN|undefined/, view);
    assert.match(found.text, /<rect fill="#ffffff"/);
    assert.deepEqual(found.head, ["panel", "series", "x", "y", "low", "high", "value", "end", "label"]);
    assert.equal(found.rows, found.points);
    assert.equal(found.cells, 1);
  }
  assert.deepEqual(said, []);
  await page.close();
});

test("colours on paper are those of the light theme", () => {
  const css = readFileSync(new URL("../../report/src/page/style/charts.css", import.meta.url), "utf8");
  const js = readFileSync(new URL("../../report/src/page/js/chart-style.js", import.meta.url), "utf8");
  const light = [...css.matchAll(/--series-\d: light-dark\((#\w+)/g)].map(([, colour]) => colour);
  assert.deepEqual(light, JSON.parse(/PRINT_SERIES = (\[.*\])/.exec(js)[1]));
});

test("with 100,000 records, plots have few elements, and points can still be found", async () => {
  const { page, said } = await open(browser, address(LARGE));
  for (const view of ["quantile", "scatter", "crossover", "encodings", "heat", "spread"]) {
    await show(page, view, { of: "seeds" });
    const elements = await page.$eval(".figure", (figure) => figure.querySelectorAll("*").length);
    assert.ok(elements < 1500, `${view}: ${elements} elements`);
    await page.focus(".figure");
    await page.keyboard.press("End");
    assert.ok(await tip(page), view);
  }
  assert.deepEqual(said, []);
  await page.close();
});
