// Scatter view: two engines, instance by instance.

function buildScatter(data, selection, options) {
  const measure = measureOf(data, options.y), { rows, notes } = supportedRows(data, selection, measure), { engine } = runsOf(data);
  const a = data.engines.indexOf(options.a), b = data.engines.indexOf(options.b);
  const title = `${options.b} against ${options.a}`;
  if (a < 0 || b < 0 || a === b) return { name: "scatter", title, panels: [], notes: ["Choose two engines that differ."] };
  const both = rows.filter((row) => engine[row] === a || engine[row] === b);
  const panels = panelsOf(facetsOf(data, both, options.facet), (part) => ({
    title: part.title,
    x: axisOf(`${measure.label} of ${options.a}`, measure.unit, "log", "low"),
    y: axisOf(`${measure.label} of ${options.b}`, measure.unit, "log", "low"),
    square: true,
    series: [{ name: title, style: b, shape: "points", variant: "first", points: scatterPoints(data, part.rows, measure, a, b) }],
    guides: [[1, ""], [10, "10×"], [0.1, "10×"]].map(([diagonal, label]) => ({ line: { diagonal }, label })),
  }));
  const points = panels.flatMap((panel) => panel.series[0].points);
  return { name: "scatter", title, panels, notes: [...scatterFinding(points, options, measure), ...notes] };
}

function scatterPoints(data, rows, measure, a, b) {
  const { instance, instances, engine, status } = runsOf(data), points = [];
  for (const own of groupRows(rows, (row) => instance[row]).values()) {
    const sides = [a, b].map((index) => own.filter((row) => engine[row] === index));
    if (sides.some((side) => side.length === 0)) continue;
    const [x, y] = sides.map((side) => {
      const median = censoredMedian(censoredValues(data, side, measure));
      return median === null ? { at: limitOf(side, measure), limit: true } : { at: median, limit: false };
    });
    if (Number.isNaN(x.at) || Number.isNaN(y.at)) continue;
    const wrong = own.some((row) => status[row] === WRONG);
    points.push({
      x: x.at, y: y.at, rows: own, label: instances[instance[own[0]]],
      end: wrong ? "wrong" : x.limit || y.limit ? "limit" : "measured",
      rim: `${x.limit ? "x" : ""}${y.limit ? "y" : ""}`,
    });
  }
  return points;
}

function scatterFinding(points, { a, b }, measure) {
  if (points.length === 0) return [`No instance has ${measure.label} of both engines.`];
  const rims = points.map(({ rim }) => rim);
  const second = points.filter((p) => p.rim === "x" || (p.rim === "" && p.y < p.x)).length;
  const first = points.filter((p) => p.rim === "y" || (p.rim === "" && p.x < p.y)).length;
  const ends = ["x", "y", "xy"].map((rim) => rims.filter((r) => r === rim).length);
  const notes = [`Of ${counted(points.length, "instance")} ${second} are below the diagonal (${b} ahead), ${first} above (${a} ahead).`];
  if (ends.some((count) => count > 0)) {
    notes.push(`Limit reached by ${a} alone on ${ends[0]}, by ${b} alone on ${ends[1]}, by both on ${ends[2]}.`);
  }
  return notes;
}

const scatterPairs = new WeakMap();

function scatterPair(data) {
  if (!scatterPairs.has(data)) scatterPairs.set(data, firstPair(data));
  return scatterPairs.get(data);
}

/**
 * The two engines that are shown first: those that the plan names, otherwise the best search and the best SAT engine,
 * otherwise the best two.
 */
function firstPair(data) {
  const named = data.raw.defaults?.figures?.find((figure) => figure.kind === "scatter")?.engines;
  if (named?.length >= 2) return named;
  const { rows } = supportedRows(data, Uint32Array.from({ length: data.count }, (_, i) => i)), time = measureOf(data, "cpu_s");
  const pair = bestOfSides(data, rows, time) ?? rankedEngines(data, rows, time).map(([index]) => index);
  return pair.slice(0, 2).map((index) => data.engines[index]);
}

registerView({
  id: "scatter", title: "Scatter",
  needs: (data) => (data.engines.length >= 2 ? true : "there is only one engine"),
  options: (data) => {
    const choices = data.engines.map((value) => ({ value, label: value })), [first, second] = scatterPair(data);
    return [
      { key: "a", label: "across", choices, initial: first },
      { key: "b", label: "up", choices, initial: second },
      measureOption(data, "scatter"), facetOption(data, "scatter", INSTANCE_COLUMNS),
    ];
  },
  build: buildScatter,
  understanding: `<p>Each point is an instance that both engines support. Below the diagonal, the engine on the vertical axis is
    faster; above it, the other engine. On the thin lines, one takes ten times as long as the other.</p>
    <p class="better">Better: <b>↓ low</b> for the engine on the vertical axis, <b>← left</b> for the one on the horizontal axis.</p>
    <p>Open triangles on the rim are instances on which an engine reached its limit: it would have needed at least that much.
    Several runs of an instance give one point. ${CENSORED}</p>`,
});
