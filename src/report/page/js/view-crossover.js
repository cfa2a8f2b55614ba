// Crossover view: time against size, and the size from which the other side is faster.

function buildCrossover(data, selection, options) {
  const measure = measureOf(data, options.y), { rows, notes } = servedRows(data, selection), size = numbersOf(data, options.x);
  const sized = rows.filter((row) => !Number.isNaN(size(row)));
  const without = rows.length - sized.length;
  if (without > 0) notes.push(`${counted(without, "run")} without ${columnLabel(data, options.x)} left out.`);
  const panels = panelsOf(facetsOf(data, sized, options.facet), (part) => ({
    title: part.title, x: null, y: measureAxis(measure), guides: [],
    series: byEngine(data, part.rows).map(([index, own]) => {
      const groups = [...groupRows(own, size)].sort((g, h) => g[0] - h[0]);
      const points = groups.map(([x, group]) => crossoverPoint(data, x, group, measure));
      return engineSeries(data, index, "line", points.filter((point) => point !== null));
    }),
  }));
  const axis = sizeAxis(data, options.x, panels);
  for (const panel of panels) panel.x = axis;
  const label = columnLabel(data, options.x), said = crossoverFinding(data, selection, options, label, panels);
  return { name: "crossover", title: `${upperFirst(measure.label)} against ${label}`, panels, notes: [...said, ...notes] };
}

/** The median of runs of one size with its interval; the limit, if it is known, where half or more are not solved. */
function crossoverPoint(data, x, rows, measure) {
  const values = censoredValues(data, rows, measure), median = censoredMedian(values), limit = limitOf(rows, measure);
  const label = ofAtLimit(values.length - finiteIn(values), values.length);
  if (median === null) return limit > 0 ? limitPoint(x, limit, rows, { label }) : null;
  const { low, high } = medianInterval(values);
  return measuredPoint(x, median, rows, { low, high: high === Infinity && limit > 0 ? limit : high, label });
}

/** Says where the order flips, and marks it in the panel it was computed for. */
function crossoverFinding(data, selection, options, label, panels) {
  if (options.y !== "cpu_s") return [];
  const entry = statisticsOver(data, selection), found = entry?.crossover;
  if (!entry) return ["n* is computed for all records and for each family, not for this filter."];
  if (!found || found.x !== options.x) return [];
  const names = `${entry.engines[found.a]} and ${entry.engines[found.b]}`;
  if (found.n === null || found.n === undefined) return [found.words];
  if (panels.length === 1) {
    const { n: at, low = at, high = at } = found, interval = low < high ? ` [${shortDigits(low)}, ${shortDigits(high)}]` : "";
    panels[0].guides.push({ line: { upright: { at, low, high } }, label: `${label}* = ${shortDigits(at)}${interval}` });
  }
  return [found.words || `${names} change places at ${label} = ${shortDigits(found.n)}.`];
}

function upperFirst(text) {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

registerView({
  id: "crossover", title: "Crossover",
  needs: (data) => (sizeChoices(data).length > 0 ? true : "no parameter that is a number varies"),
  options: (data) => [sizeOption(data, "crossover"), measureOption(data, "crossover"), facetOption(data, "crossover")],
  build: buildCrossover,
  understanding: `<p>Each line is an engine: the median over its runs of each size, in a band that holds the true median with
    95 % certainty (order statistics; with few runs the band is their whole range). On the logarithmic axis a straight line
    is exponential growth, and its slope is the base.</p>
    <p class="better">Better: <b>↓ low</b>.</p>
    <p>Open triangles on the rim: half or more of the runs of this size met a limit, so there is no median; lines stop
    before them. <b>n*</b> is the size at which the best SAT engine and the best search change places, its band the 95 %
    interval over resampled instances. ${CENSORED}</p>`,
});
