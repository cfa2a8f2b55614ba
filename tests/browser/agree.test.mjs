// The page and the program compute the same. For every experiment and every kind of figure, the points on the page
// equal those of the program's figure, and the numbers of the summary equal those of the program's table. The page
// keeps four digits.

import assert from "node:assert/strict";
import { test } from "node:test";
import { d3, experiments, figures, table } from "./pages.mjs";
import { all, load, records } from "./scripts.mjs";

const page = load("views", "chartRows", "selectRows", "engineRows", "instanceCells", "virtualBestRow", "singleBest", "ranksOfGroups");

/** The figure of the plan that a file such as `crossover-2` shows, or the default figure if the plan has none. */
function figureOf(data, file) {
  const [, kind, place = "1"] = /^([a-z]+)(?:-(\d+))?$/.exec(file);
  return data.raw.defaults.figures.filter((figure) => figure.kind === kind)[Number(place) - 1] ?? { kind, engines: [], only: {} };
}

/** The points of a figure on the page, with the options and the runs that the plan selects. */
function pointsOf(data, { kind, engines, only, ...wanted }) {
  const view = page.views.get(kind);
  assert.equal(view.needs(data), true);
  const plain = { ...data, raw: { ...data.raw, defaults: { ...data.raw.defaults, figures: [] } } };
  const options = Object.fromEntries(view.options(plain).map(({ key, initial }) => [key, initial]));
  for (const key of ["x", "y", "facet"]) if (wanted[key]) options[key] = wanted[key];
  if (kind === "scatter" && engines.length > 0) [options.a, options.b] = engines;
  const words = new Map(Object.entries(only).map(([name, values]) => [name, new Set(values)]));
  if (engines.length > 0) words.set("engine", new Set(engines));
  const [head, ...rows] = page.chartRows(view.build(data, page.selectRows(data, { words, terms: new Map() }), options));
  return rows.map((row) => Object.fromEntries(row.map((cell, i) => [head[i], String(cell)])));
}

test("a plot begins as the plan's first figure of its kind", async () => {
  for (const name of experiments()) {
    const data = await records(name), seen = new Set();
    for (const { kind, engines, ...wanted } of data.raw.defaults.figures.filter(({ kind }) => !seen.has(kind) && seen.add(kind))) {
      const initial = Object.fromEntries(page.views.get(kind).options(data).map(({ key, initial: value }) => [key, value]));
      for (const key of ["x", "y", "facet"]) if (wanted[key]) assert.equal(initial[key], wanted[key], `${name}: ${kind}: ${key}`);
      if (kind === "scatter" && engines.length > 0) assert.deepEqual([initial.a, initial.b], engines, name);
    }
  }
});

/** Whether two values, or two quotients of values, are equal except for the digits that the page leaves out. */
const alike = (one, other) => one === other || (one !== "" && other !== "" && Math.abs(one - other) <= 1.5e-3 * Math.abs(other));

/** Points grouped by the fields that do not depend on the number of digits. Each group is sorted by position. */
function inOrder(rows, kind) {
  const groups = d3.group(rows, ({ panel, series, end, label }) => [panel, series, end, kind === "quantile" ? "" : label].join("|"));
  const place = (a, b) => (Number.isNaN(a - b) ? (a < b ? -1 : a > b ? 1 : 0) : a - b);
  for (const group of groups.values()) group.sort((a, b) => place(a.x, b.x) || place(a.y, b.y) || place(a.value, b.value));
  return groups;
}

for (const name of experiments()) {
  test(`figures of ${name}`, async () => {
    const data = await records(name);
    for (const file of figures(name)) {
      const figure = figureOf(data, file), [mine, theirs] = [pointsOf(data, figure), table(name, `figures/${file}.csv`)].map((rows) => inOrder(rows, figure.kind));
      assert.deepEqual([...mine.keys()].sort(), [...theirs.keys()].sort(), file);
      for (const [key, points] of theirs) {
        assert.equal(mine.get(key).length, points.length, `${file}: ${key}`);
        points.forEach((point, i) => {
          for (const field of ["x", "y", "low", "high", "value"]) {
            assert.ok(alike(mine.get(key)[i][field], point[field]), `${file}: ${key}: ${field} is ${mine.get(key)[i][field]}, in the program's figure ${point[field]}`);
          }
        });
      }
    }
  });

  test(`engines of ${name}`, async () => {
    const data = await records(name), [block] = data.raw.statistics, rows = page.engineRows(data, all(data));
    const [best, ...theirs] = table(name, "tables/engines.csv").reverse(), ranks = page.ranksOfGroups(block.ranking);
    assert.deepEqual([...rows].map(({ index }) => data.engines[index]), theirs.reverse().map(({ engine }) => engine));
    const close = (one, other, what) => assert.ok(alike(String(one ?? ""), other ?? ""), `${what} is ${one}, in the program's table ${other}`);
    rows.forEach((row, i) => {
      const their = theirs[i];
      for (const [one, other] of [[row.runs, "runs"], [row.solved, "solved"], [row.par2, "PAR-2"], [row.par10, "PAR-10"], [row.median, "median CPU"], [row.memory, "memory, worst"],
        [block.solved_value.shapley[row.index], "Shapley, solved"], [block.seconds_value.shapley[row.index], "Shapley, time saved"],
        [parseInt(ranks.get(row.index), 10), "rank"]]) close(one, their[other], `${their.engine}: ${other}`);
      const calls = "solver calls, median";
      if (calls in their) close(row.calls, their[calls], `${their.engine}: ${calls}`);
    });
    const cells = page.instanceCells(data, rows), virtual = page.virtualBestRow(cells);
    for (const [one, other] of [[virtual.instances, "runs"], [virtual.solved, "solved"], [virtual.par2, "PAR-2"], [virtual.par10, "PAR-10"]]) close(one, best[other], `virtual best: ${other}`);
    const words = ({ scope }) => new Map(Object.entries(scope).map(([column, value]) => [column, new Set([value])]));
    for (const known of data.raw.statistics) {
      const shown = page.engineRows(data, page.selectRows(data, { words: words(known), terms: new Map() }));
      assert.equal(page.singleBest(shown, page.instanceCells(data, shown)).index, known.single_best, JSON.stringify(known.scope));
    }
  });
}
