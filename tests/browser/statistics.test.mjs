// Statistics and charts as pure functions, compared with values computed by hand and with counts obtained otherwise.

import assert from "node:assert/strict";
import { test } from "node:test";
import { made, records } from "./made.mjs";
import { experiments } from "./pages.mjs";
import { all, load, records as recordsOf } from "./scripts.mjs";

const page = load("views", "parK", "quantileOf", "censoredMedian", "medianInterval", "virtualBest", "crossoverOf", "engineRows");
const plain = (value) => JSON.parse(JSON.stringify(value));
const INF = Infinity;

test("PAR-k counts unsolved runs at k times their limit", () => {
  assert.equal(page.parK([1, 3, INF], [10, 10, 10], 2), 8);
  assert.equal(page.parK([1, 3, INF], [10, 10, 10], 10), 104 / 3);
  assert.equal(page.parK([INF, INF], [1, 3], 2), 4);
  assert.equal(page.parK([], [], 2), null);
});

test("quantiles of type 7", () => {
  // numpy.quantile([1, 2, 4, 8], [.25, .5, .75]) is [1.75, 3, 5].
  assert.deepEqual([0, 0.25, 0.5, 0.75, 1].map((p) => page.quantileOf([1, 2, 4, 8], p)), [1, 1.75, 3, 5, 8]);
  assert.equal(page.quantileOf([], 0.5), null);
});

test("a censored median is the mean of the two middle values, and exists only if more than half of the runs are solved", () => {
  assert.equal(page.censoredMedian([1, 2, 3, 4]), 2.5);
  assert.equal(page.censoredMedian([1, 2, INF]), 2);
  assert.equal(page.censoredMedian([1, 2, INF, INF]), null);
  assert.equal(page.censoredMedian([1, 2, 3, INF]), 2.5);
  assert.equal(page.censoredMedian([INF]), null);
  assert.equal(page.censoredMedian([]), null);
});

test("interval of the median by order statistics", () => {
  const ranks = (k) => {
    const found = page.medianInterval(Array.from({ length: k }, (_, i) => i + 1));
    return [found.low, found.high, Number(found.coverage.toFixed(4))];
  };
  // By the binomial distribution; five values have no interval of 95 %.
  assert.deepEqual(ranks(5), [1, 5, 0.9375]);
  assert.deepEqual(ranks(6), [1, 6, 0.9688]);
  assert.deepEqual(ranks(9), [2, 8, 0.9609]);
  assert.deepEqual(ranks(20), [6, 15, 0.9586]);
  assert.deepEqual(ranks(100), [40, 61, 0.9648]);
  assert.deepEqual(ranks(1), [1, 1, 0]);
  const [low, high, coverage] = ranks(5000);
  assert.deepEqual([low, high], [2431, 2570]);
  assert.ok(coverage >= 0.95 && coverage < 0.952);
  assert.deepEqual(plain(page.medianInterval([1, 2, 3, 4, INF, INF]).low), 1);
  assert.equal(page.medianInterval([1, 2, 3, 4, INF, INF]).high, INF);
});

test("the virtual best considers only engines that were run", () => {
  assert.deepEqual([...page.virtualBest([[3, 1, 2], [INF, 5, NaN], [NaN, NaN], [INF, INF]])], [1, 5, NaN, INF]);
});

function built(data, id, options = {}, selection = all(data)) {
  const view = page.views.get(id), values = {};
  for (const { key, initial } of view.options(data)) values[key] = initial;
  return view.build(data, selection, { ...values, ...options });
}

const TIMES = [[4, 1, 1, 2], [4, 2, 2, 1], [4, 3, 4, null], [8, 1, 3, null], [8, 2, null, null], [8, 3, null, 5]];

test("crossover: medians, intervals that reach the limit, and medians at the limit", async () => {
  const data = made(records(TIMES));
  const [a, b] = plain(built(data, "crossover", { x: "params_n" }).panels[0].series);
  assert.deepEqual(a.points.map(({ x, y, end, low, high, label }) => [x, y, end, low, high, label]), [
    [4, 2, "measured", 1, 4, ""], [8, 10, "limit", undefined, undefined, "2 of 3 reached a limit"]]);
  assert.deepEqual(b.points.map(({ x, y, end, low, high, label }) => [x, y, end, low, high, label]), [
    [4, 2, "measured", 1, 10, "1 of 3 reached a limit"], [8, 10, "limit", undefined, undefined, "2 of 3 reached a limit"]]);
});

test("quantile: solved runs in order, and the virtual best over both", async () => {
  const data = made(records(TIMES));
  const chart = built(data, "quantile");
  const series = plain(chart.panels[0].series);
  assert.deepEqual(series.map(({ name }) => name), ["search:a", "sat:b", "virtual best"]);
  assert.deepEqual(series.map(({ points }) => points.map(({ x, y }) => [x, y])), [
    [[1, 1], [2, 2], [3, 3], [4, 4]], [[1, 1], [2, 2], [3, 5]], [[1, 1], [2, 1], [3, 3], [4, 4], [5, 5]]]);
  assert.deepEqual([...chart.notes], ["Most runs are solved by search:a (4 of 6)."]);
  const twice = made([...records(TIMES), ...records(TIMES).map((r) => ({ ...r, repetition: 2, }))]);
  assert.deepEqual(plain(built(twice, "quantile").panels[0].series).length, 2);
});

test("scatter: runs at a limit are at the edges, and the wins of both engines are counted", async () => {
  const data = made(records(TIMES));
  const chart = built(data, "scatter", { a: "search:a", b: "sat:b" });
  const points = plain(chart.panels[0].series[0].points);
  assert.deepEqual(points.map(({ x, y, rim, end }) => [x, y, rim, end]), [[1, 2, "", "measured"], [2, 1, "", "measured"],
    [4, 10, "y", "limit"], [3, 10, "y", "limit"], [10, 10, "xy", "limit"], [10, 5, "x", "limit"]]);
  assert.deepEqual([...chart.notes], ["Of 6 instances 2 are below the diagonal (sat:b ahead), 3 above (search:a ahead).",
    "Limit reached by search:a alone on 1, by sat:b alone on 2, by both on 1."]);
});

test("heat: instances are sorted by their least time, the hardest last", async () => {
  const data = made(records(TIMES));
  const chart = built(data, "heat");
  assert.deepEqual([...chart.panels[0].y.bands], ["f n=4 seed 1", "f n=4 seed 2", "f n=8 seed 1", "f n=4 seed 3", "f n=8 seed 3", "f n=8 seed 2"]);
  const cells = plain(chart.panels[0].series[0].points);
  assert.equal(cells.length, 12);
  assert.deepEqual(cells.filter(({ y }) => y === 5).map(({ value, end }) => [value, end]), [[10, "limit"], [10, "limit"]]);
});

test("spread: times of runs divided by the instance's median, with the largest factor", async () => {
  const list = records([[4, 1, 1, 2]]);
  const data = made([1, 3, 8, 0.5].flatMap((factor, i) => list.map((r) => ({ ...r, shuffle: i, cpu_s: r.cpu_s * factor }))));
  const chart = built(data, "spread", { of: "runs" });
  assert.deepEqual(plain(chart.panels[0].series[0].points).map(({ y }) => y).sort(), [0.25, 0.5, 1.5, 4]);
  const [box] = plain(chart.panels[0].series[1].points);
  assert.deepEqual([box.low, box.y, box.high], [0.4375, 1, 2.125]);
  assert.deepEqual([...chart.notes], ["The largest factor between two runs of one instance is 16 (search:a, f n=4 seed 1)."]);
});

test("a wrong answer and a contradicted one are neither solved nor hidden", async () => {
  const list = records([[4, 1, 1, 2], [4, 2, 1, 2]]);
  list[0].check = "wrong";
  list[3].contradicts = "abc";
  const data = made(list);
  assert.deepEqual(plain(built(data, "quantile").panels[0].series).map(({ points }) => points.length), [1, 1, 2]);
  assert.deepEqual(plain(built(data, "heat").panels[0].series[0].points).map(({ end }) => end).sort(), ["measured", "measured", "wrong", "wrong"]);
  assert.deepEqual(plain(built(data, "scatter").panels[0].series[0].points).map(({ end }) => end), ["wrong", "wrong"]);
});

test("unsupported runs are counted, but in no view", async () => {
  const list = records([[4, 1, 1, 2], [8, 2, 1, 2]]);
  Object.assign(list[1], { verdict: "unsupported", check: undefined, cpu_s: undefined });
  const data = made(list);
  for (const id of ["quantile", "crossover", "heat"]) {
    assert.equal(built(data, id).notes.at(-1), "1 run is left out: its engine does not support the instance.", id);
  }
  assert.equal(plain(built(data, "heat").panels[0].series[0].points).length, 3);
});

test("the work of an engine that does not count it is unknown, not 0", async () => {
  const list = records([[4, 1, 1, 2], [4, 2, 1, 2], [8, 3, 1, 2]]);
  delete list[0].work_nodes;
  for (const record of list.filter(({ side }) => side === "sat")) delete record.work_nodes;
  const data = made(list);
  for (const [y, label] of [["work", "nodes and conflicts"], ["work_nodes", "nodes"]]) {
    for (const id of ["quantile", "crossover", "heat", "spread"]) {
      const chart = built(data, id, { y });
      assert.ok(chart.notes.includes(`Left out because they do not count ${label}: sat:b.`), id);
      assert.ok(!JSON.stringify(plain(chart.panels)).includes("sat:b"), id);
    }
    // A page stores only counters that are not zero.
    assert.deepEqual(plain(built(data, "quantile", { y }).panels[0].series[0].points).map((point) => point.y), [0, 7, 7], y);
  }
});

test("in every experiment each solved run is on its engine's quantile line, for every measure and facet", async () => {
  for (const name of experiments()) {
    const data = await recordsOf(name);
    const solved = [...all(data)].filter((row) => data.get("verdict", row) === "decided" && data.get("check", row) === "checked" && !data.get("contradicts", row)).length;
    for (const facet of page.views.get("quantile").options(data).find(({ key }) => key === "facet").choices) {
      const { panels } = built(data, "quantile", { facet: facet.value });
      const points = panels.flatMap(({ series }) => series).filter((one) => one.name !== "virtual best").flatMap((one) => one.points);
      assert.equal(points.length, solved, `${name} by ${facet.label}`);
    }
    for (const view of page.views.values()) {
      if (!view.build || view.needs(data) !== true) continue;
      for (const { key, choices } of view.options(data)) for (const { value } of choices) {
        const chart = built(data, view.id, { [key]: value });
        for (const panel of chart.panels) for (const { points } of panel.series) for (const point of points) {
          assert.ok(point.end !== "measured" || (Number.isFinite(point.x) && Number.isFinite(point.y)), `${name} ${view.id} ${key}=${value}`);
          assert.ok(point.rows.length > 0);
        }
      }
    }
  }
});

test("crossover: the size at which the better side changes", () => {
  const [first, second] = ["search:a", "sat:b"], flip = (times, options = {}) => {
    const { panels, notes } = built(made(records(times)), "crossover", options);
    return { guides: plain(panels.flatMap(({ guides }) => guides)), said: notes[0] };
  };
  // The ratio grows from 1/2 to 4, as in the program's own test.
  const known = flip([[1, 1, 1, 2], [1, 2, 1, 4], [1, 3, 3, 4], [2, 1, 8, 2], [2, 2, 8, 2], [2, 3, 8, 2]]);
  assert.equal(known.guides[0].label, "n* = 1.33");
  assert.ok(Math.abs(known.guides[0].line.upright.at - 4 / 3) < 1e-9);
  assert.match(known.said, /^From n\* = 1.33 on \(95 % interval 1.17 to 1.5, of the 100 % of resamples that cross\) sat:b is ahead of search:a\.$/);
  assert.deepEqual(flip([[1, 1, 1, 2], [2, 1, 1, 2]]), { guides: [], said: `${first} is ahead of ${second} at every size where both are known.` });
  // Nodes and conflicts cannot be compared.
  assert.deepEqual(flip([[1, 1, 1, 2], [2, 1, 2, 1]], { x: "params_n", y: "work" }), { guides: [], said: undefined });
  // Half of the ratios are bounds, so the crossover is a range, as in the program's own test.
  const open = flip([[1, 1, 1, 2], [1, 2, 1, 4], [1, 3, 3, 4], [2, 1, 8, 2], [2, 2, null, 5]]);
  assert.deepEqual(open, { guides: [], said: `Between n = 1 and 1.4 ${second} gets ahead of ${first}.` });
});

test("crossover: a bound below the median leaves the better side known", () => {
  const score = (value) => ({ solved: value !== null, value, limit: 100 });
  const size = (x, pairs) => ({ x, pairs: pairs.map((pair) => pair.map(score)) });
  const [change] = page.crossoverOf([size(6, [[1, null], [1, 10]]), size(8, [[10, 1]])]).changes;
  assert.deepEqual([change.earliest, change.latest, change.ahead], [6 + 2 * 1.5 / 2.5, 8, 1]);
});

test("controls begin with the plan's values if these are among the choices", async () => {
  const data = made(records(TIMES));
  data.raw.defaults.figures = [{ kind: "crossover", y: "work_nodes", facet: "side" }, { kind: "quantile", y: "nonsense", facet: "engine" }];
  const initial = (id) => page.views.get(id).options(data).map(({ key, initial }) => [key, initial]);
  assert.deepEqual(plain(initial("crossover")), [["x", "params_n"], ["y", "work_nodes"], ["facet", "side"]]);
  assert.deepEqual(plain(initial("quantile")), [["y", "cpu_s"], ["facet", ""]]);
});

test("summary: work that a solver never reports is empty, not 0", () => {
  const counted = (work) => page.engineRows(made(records([[1, 1, 1, 2], [1, 2, 1, 4]]).map((record) => {
    const { work_nodes: _, ...rest } = record;
    return { ...rest, ...work(record) };
  })), Uint32Array.of(0, 1)).map((row) => row.work);
  assert.deepEqual(plain(counted(() => ({}))), [0, null]);
  assert.deepEqual(plain(counted(({ side, seed }) => (side === "sat" && seed === 2 ? { work_conflicts: 3 } : {}))), [0, 0]);
});
