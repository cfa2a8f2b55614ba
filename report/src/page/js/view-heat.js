// Heat view: every engine on every instance.

function buildHeat(data, selection, options) {
  const measure = measureOf(data, options.y), { rows, notes } = supportedRows(data, selection, measure);
  const { instance, instances, status } = runsOf(data), engines = byEngine(data, rows).map(([index]) => index);
  const place = new Map(engines.map((index, i) => [index, i]));
  const lines = [...groupRows(rows, (row) => instance[row])].map(([code, own]) => {
    const all = byEngine(data, own).map(([index, runs]) => heatCell(data, place.get(index), runs, measure, status));
    const cells = all.filter(({ value }) => !Number.isNaN(value));
    const best = Math.min(Infinity, ...cells.filter((cell) => cell.end === "measured").map((cell) => cell.value));
    return { name: instances[code], cells, best };
  });
  lines.sort((g, h) => (g.best < h.best ? -1 : g.best > h.best ? 1 : 0));
  lines.forEach(({ cells }, y) => cells.forEach((cell) => { cell.y = y; }));
  const panel = {
    title: "",
    x: axisOf("engine", "plain", "band", null, engines.map((index) => data.engines[index])),
    y: axisOf("instance", "plain", "band", null, lines.map((line) => line.name)),
    value: { label: measure.label, unit: measure.unit },
    series: [{ name: measure.label, style: 0, shape: "cells", variant: "first", points: lines.flatMap((line) => line.cells) }],
    guides: [],
  };
  const panels = lines.length === 0 ? [] : [panel];
  if (lines.length > 1100) notes.push("There are more instances than lines of pixels; filter them to see some apart.");
  const title = `${upperFirst(measure.label)} of every engine on every instance`;
  return { name: "heat", title, panels, notes: [...heatFinding(lines), ...notes] };
}

function heatCell(data, x, rows, measure, status) {
  const values = censoredValues(data, rows, measure), median = censoredMedian(values);
  const label = ofAtLimit(values.length - finiteIn(values), values.length);
  const wrong = rows.some((row) => status[row] === WRONG), value = median ?? limitOf(rows, measure);
  return { x, y: 0, value, end: wrong ? "wrong" : median === null ? "limit" : "measured", label, rows };
}

function heatFinding(lines) {
  if (lines.length === 0) return [];
  const none = lines.filter((line) => line.best === Infinity).length, hardest = lines.findLast((line) => line.best < Infinity);
  const said = none === 0 ? "Every instance is solved by some engine." : `${none} of ${lines.length} instances are solved by no engine.`;
  return [hardest ? `${said} The hardest solved instance is ${hardest.name}.` : said];
}

registerView({
  id: "heat", title: "Heat map",
  needs: (data) => (data.has("cpu_s") ? true : "no times are recorded"),
  options: (data) => [measureOption(data, "heat")],
  build: buildHeat,
  understanding: `<p>A row is an instance, a column an engine. Instances are sorted by the least time that any engine needs:
    the easiest below, the hardest on top. The colour is logarithmic.</p>
    <p class="better">Better: <b>bright</b> is fast, dark is slow.</p>
    <p>Hatched: a limit was reached. Red with a cross: a wrong answer. Empty: not run, or the engine does not support the
    instance. A row of one colour is an instance that no choice of engine makes easier. If some rows are dark in only one
    column, these instances are hard for that engine alone.</p>`,
});
