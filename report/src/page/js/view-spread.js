// Spread view: how much times vary between runs of one instance, or between instances of one size.

function buildSpread(data, selection, options) {
  const measure = measureOf(data, options.y), { rows, notes } = supportedRows(data, selection, measure);
  const runs = options.of === "runs", size = numbersOf(data, options.x);
  const sizes = [...new Set(rows.map(size))].filter((value) => !Number.isNaN(value)).sort((g, h) => g - h);
  const wanted = Number(options.at), at = options.at !== "" && sizes.includes(wanted) ? wanted : sizes.at(-1);
  const shown = runs || at === undefined ? rows : rows.filter((row) => size(row) === at);
  const engines = byEngine(data, shown).map(([index]) => index), samples = [];
  const title = runs || at === undefined ? "" : ` at ${columnLabel(data, options.x)} ${at}`;
  const label = runs ? `${measure.label} relative to the instance's median` : measure.label;
  const x = axisOf("engine", "plain", "band", null, engines.map((index) => data.engines[index]));
  const y = runs ? axisOf(label, "plain", "log") : measureAxis(measure);
  const panels = panelsOf(facetsOf(data, shown, options.facet), (part) => ({
    title: part.title, x, y, guides: runs ? [{ line: { level: 1 }, label: "" }] : [],
    series: byEngine(data, part.rows).flatMap(([index, own]) => {
      const place = engines.indexOf(index), points = runs ? relativePoints(data, own, measure) : ownPoints(data, own, measure);
      for (const point of points) point.x = place;
      samples.push({ index, points });
      return [engineSeries(data, index, "points", points), engineSeries(data, index, "boxes", boxOf(place, points))];
    }),
  }));
  const none = runs ? "No engine has two runs of one instance with a known median." : "No run is left.";
  const finding = panels.length > 0 ? spreadFinding(data, samples, runs) : [none];
  return { name: "spread", title: upperFirst(label) + title, panels, notes: [...finding, ...(runs ? idleNotes(data, shown, measure) : []), ...notes] };
}

/** The runs of instances with at least two runs, divided by the instance's median. */
function relativePoints(data, rows, measure) {
  const { instance } = runsOf(data), points = [];
  for (const own of groupRows(rows, (row) => instance[row]).values()) {
    const median = own.length < 2 ? null : censoredMedian(censoredValues(data, own, measure));
    if (!(median > 0)) continue;
    for (const row of own) points.push(spreadPoint(data, row, measure, median));
  }
  return points.filter(isKnown);
}

/** A note on runs that are left out because the median of their instance is 0. */
function idleNotes(data, rows, measure) {
  const { instance } = runsOf(data);
  const clusters = byEngine(data, rows).flatMap(([, own]) => [...groupRows(own, (row) => instance[row]).values()]);
  const idle = clusters.filter((own) => own.length > 1 && censoredMedian(censoredValues(data, own, measure)) === 0);
  return idle.length === 0 ? [] : [`Left out because the median of their instance is 0: ${d3.sum(idle, (own) => own.length)} runs.`];
}

/** Whether a point has a known value. A limit of 0 says nothing. */
function isKnown({ end, y }) {
  return y > 0 || (y === 0 && end === "measured");
}

function ownPoints(data, rows, measure) {
  return rows.map((row) => spreadPoint(data, row, measure, 1)).filter(isKnown);
}

/** The point of a run, whose value or limit is divided by `unit`. */
function spreadPoint(data, row, measure, unit) {
  const { instance, instances, status } = runsOf(data), more = { label: instances[instance[row]], group: instance[row] };
  if (status[row] === SOLVED) return measuredPoint(0, measure.value(row) / unit, [row], more);
  return limitPoint(0, measure.limit(row) / unit, [row], more);
}

/**
 * The quartiles of all runs, with unsolved runs above all others. None if a quartile lies among the unsolved runs, or
 * if there are fewer than four runs.
 */
function boxOf(x, points) {
  const values = ascending(points.map((point) => (point.end === "measured" ? point.y : Infinity)));
  if (values.length < 4) return [];
  const [low, y, high] = [0.25, 0.5, 0.75].map((p) => quantileOf(values, p));
  if (!Number.isFinite(high)) return [];
  const rows = points.flatMap((point) => point.rows);
  return [measuredPoint(x, y, rows, { low, high, label: `quartiles of ${counted(values.length, "run")}` })];
}

/** The largest factor between two runs of one instance, or between two instances. */
function spreadFinding(data, samples, runs) {
  let most = { factor: 0 };
  for (const { index, points } of samples) {
    const solved = points.filter((point) => point.end === "measured");
    for (const group of runs ? groupRows(solved, (point) => point.group).values() : [solved]) {
      const values = ascending(group.map((point) => point.y)), factor = values[0] > 0 ? values.at(-1) / values[0] : 0;
      if (factor > most.factor) most = { factor, index, label: group[0].label };
    }
  }
  if (most.factor === 0) return [];
  const engine = data.engines[most.index], factor = shortDigits(most.factor);
  return [runs ? `The largest factor between two runs of one instance is ${factor} (${engine}, ${most.label}).`
    : `The largest factor between two instances for one engine is ${factor} (${engine}).`];
}

/** Whether the records have several shuffles, several solver seeds or several repetitions. */
function hasRepeats(data) {
  const values = (name) => data.column(name)?.values?.filter((value) => value !== null).length ?? 0;
  return values("shuffle") > 1 || data.has("solver_seed") || values("repetition") > 1;
}

registerView({
  id: "spread", title: "Spread",
  needs: (data) => (data.has("cpu_s") ? true : "no times are recorded"),
  options: (data) => {
    const repeats = hasRepeats(data), sizes = sizeChoices(data), x = sizes[0]?.value ?? "";
    const values = x ? data.column(x).values?.filter((value) => value !== null).map(Number).sort((g, h) => h - g) ?? [] : [];
    const options = [
      { key: "of", label: "between", choices: [
        ...(repeats ? [{ value: "runs", label: "runs of an instance" }] : []),
        { value: "seeds", label: "instances of a size" }], initial: repeats ? "runs" : "seeds" },
      measureOption(data, "spread"),
    ];
    if (x) options.push({ key: "x", label: "size", choices: [sizes[0]], initial: x });
    const words = values.map((value) => ({ value: String(value), label: String(value) }));
    const of = state.options.get("spread")?.get("of") ?? options[0].initial;
    if (words.length > 1 && of !== "runs") options.push({ key: "at", label: columnLabel(data, x), choices: words, initial: words[0].value });
    return [...options, facetOption(data, "spread", INSTANCE_COLUMNS)];
  },
  build: buildSpread,
  understanding: `<p>Each point is a run. Each box holds the middle half of an engine's solved runs, with a line at their
    median. Points are moved sideways only so that they do not hide each other.</p>
    <p><b>Runs of an instance</b>: each run divided by the median of the engine's runs of the same instance. Repetitions show
    the noise of the machine; shuffled formulas show the solver's run-to-run variance. If an engine's box spans a factor of
    two, a single run of each engine cannot show that another is 1.5 times as fast. An engine with one run per instance has
    no points. Searches have no formula to shuffle, so only repetitions give them more runs.</p>
    <p><b>Instances of a size</b>: the times themselves. Limits and medians hide a long upper tail.</p>
    <p class="better">Better: <b>↓ low</b>, and narrow.</p>`,
});
