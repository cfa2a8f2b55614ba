// Encodings view: time to build and to solve a formula, against its size.

/** The titles of the panels, with their columns. */
const STAGES = [["building", "build_cpu_s"], ["solving", "solve_cpu_s"]];

function buildEncodings(data, selection, options) {
  const { rows, notes } = supportedRows(data, selection), clauses = numbersOf(data, "work_clauses"), size = numbersOf(data, options.x);
  const measured = rows.filter((row) => clauses(row) > 0 && !Number.isNaN(size(row)));
  const label = columnLabel(data, options.x);
  const panels = facetsOf(data, measured, options.facet).flatMap((part) => STAGES.map(([stage, name]) => {
    const measure = stageOf(data, name);
    const series = byEngine(data, part.rows).map(([index, own]) => {
      const groups = [...groupRows(own, size)].sort((g, h) => g[0] - h[0]);
      const points = groups.map(([x, group]) => encodingPoint(data, `${label} ${shortDigits(x)}`, group, measure, clauses));
      return engineSeries(data, index, "line", points.filter((point) => point !== null));
    });
    const title = part.title ? `${part.title}, ${stage}` : stage;
    return { title, x: axisOf("clauses", "count", "log"), y: axisOf("CPU time", "seconds", "log", "low"), series, guides: [] };
  })).filter(({ series }) => series.some(({ points }) => points.length > 0));
  const said = panels.length === 2 ? encodingsFinding(panels[1]) : [];
  return { name: "encodings", title: "Clauses against time", panels, notes: [...said, ...notes] };
}

/**
 * The measure of one stage of a run. Its limit is that of the whole run, because stages have no limits of their own.
 */
function stageOf(data, name) {
  return { name, value: numbersOf(data, name), limit: measureOf(data, "cpu_s").limit };
}

/**
 * The medians of a group, with clauses as x and seconds as y. The time of building is known even for runs that were not
 * solved.
 */
function encodingPoint(data, label, rows, measure, clauses) {
  const known = rows.filter((row) => !Number.isNaN(measure.value(row)));
  if (measure.name === "build_cpu_s") {
    if (known.length === 0) return null;
    return measuredPoint(middleOf(known, clauses), middleOf(known, measure.value), known, { label });
  }
  const values = censoredValues(data, rows, measure), median = censoredMedian(values);
  const ends = ofAtLimit(values.length - finiteIn(values), values.length), said = ends ? `${label}, ${ends}` : label;
  const limit = limitOf(rows, measure);
  if (median === null) return limit > 0 ? limitPoint(middleOf(rows, clauses), limit, rows, { label: said }) : null;
  return measuredPoint(middleOf(known, clauses), median, known, { label: said });
}

/** The median of the values of some rows, all of which must have one. */
function middleOf(rows, value) {
  return quantileOf(ascending(rows.map(value)), 0.5);
}

function encodingsFinding({ series }) {
  const last = series.map(({ name, points }) => ({ name, point: points.at(-1) })).filter(({ point }) => point?.end === "measured");
  if (last.length < 2) return [];
  last.sort((a, b) => a.point.y - b.point.y);
  const [best, worst] = [last[0], last.at(-1)];
  const factor = shortDigits(worst.point.y / best.point.y);
  return [`At the largest size ${best.name} solves fastest; ${worst.name} takes ${factor} times as long.`];
}

registerView({
  id: "encodings", title: "Encodings",
  needs: (data) => {
    if (!data.has("work_clauses") || !data.has("build_cpu_s")) return "no engine built a formula";
    return sizeChoices(data).length > 0 ? true : "no parameter that is a number varies";
  },
  options: (data) => [sizeOption(data, "encodings"), facetOption(data, "encodings")],
  build: buildEncodings,
  understanding: `<p>Each line is a SAT engine, and each point is a size of instances. The horizontal axis is the median number
    of clauses; the vertical axis is the median time, on the left for <b>building</b> the formula, on the right for
    <b>solving</b> it. Both panels have the same axes, so heights can be compared.</p>
    <p class="better">Better: <b>↓ low</b>; further left is a smaller formula, which need not be an easier one.</p>
    <p>An encoding that is larger but solved faster may help the solver to propagate. ${CENSORED}</p>`,
});
