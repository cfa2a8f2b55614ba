// Quantile view (cactus plot): how many runs an engine solves within each time.

function buildQuantile(data, selection, options) {
  const measure = measureOf(data, options.y), { rows, notes } = supportedRows(data, selection, measure), { status, instance, instances } = runsOf(data);
  const panels = panelsOf(facetsOf(data, rows, options.facet), (part) => {
    const series = byEngine(data, part.rows).map(([index, own]) => {
      const solved = own.filter((row) => status[row] === SOLVED && !Number.isNaN(measure.value(row)));
      solved.sort((a, b) => measure.value(a) - measure.value(b));
      const point = (row, k) => measuredPoint(k + 1, measure.value(row), [row], { label: instances[instance[row]] });
      return engineSeries(data, index, "step", solved.map(point));
    });
    const best = virtualBestSeries(data, part.rows, measure);
    if (best) series.push(best);
    return { title: part.title, x: axisOf("runs solved", "count", "linear", "high"), y: measureAxis(measure), series, guides: [] };
  });
  return { name: "quantile", title: `Runs solved against ${measure.label}`, panels, notes: [...quantileFinding(data, rows), ...notes] };
}

/**
 * The virtual best: the smallest value on each instance. Null if there is only one engine, or if an engine has several
 * runs of an instance, because the horizontal axis counts runs.
 */
function virtualBestSeries(data, rows, measure) {
  const { instance, instances, engine, status } = runsOf(data), groups = [...groupRows(rows, (row) => instance[row]).values()];
  const several = new Set(rows.map((row) => engine[row])).size > 1;
  const single = groups.every((own) => new Set(own.map((row) => engine[row])).size === own.length);
  if (!several || !single) return null;
  const values = groups.map((own) => own.map((row) => (status[row] === SOLVED ? measure.value(row) : Infinity)));
  const points = virtualBest(values).flatMap((best, i) => {
    if (!Number.isFinite(best)) return [];
    const row = groups[i][values[i].indexOf(best)];
    return [measuredPoint(0, best, [row], { label: `${instances[instance[row]]}: ${data.engines[engine[row]]}` })];
  });
  points.sort((a, b) => a.y - b.y).forEach((point, k) => { point.x = k + 1; });
  return { name: "virtual best", style: data.engines.length, shape: "step", variant: "second", plain: true, points };
}

function quantileFinding(data, rows) {
  const { status } = runsOf(data);
  const counts = byEngine(data, rows).map(([index, own]) => ({
    name: data.engines[index], all: own.length, solved: own.filter((row) => status[row] === SOLVED).length,
  }));
  if (counts.length === 0) return [];
  if (counts.every(({ solved, all }) => solved === all)) return ["Every engine solves all its runs."];
  const share = ({ solved, all }) => solved / all, most = Math.max(...counts.map(share)), leaders = counts.filter((count) => share(count) === most);
  const what = counts.every(({ all }) => all === counts[0].all) ? "Most runs are" : "The largest share of runs is";
  return [`${what} solved by ${leaders.map(({ name, all, solved }) => `${name} (${solved} of ${all})`).join(", ")}.`];
}

registerView({
  id: "quantile", title: "Quantile",
  needs: (data) => (data.has("cpu_s") ? true : "no times are recorded"),
  options: (data) => [measureOption(data, "quantile"), facetOption(data, "quantile")],
  build: buildQuantile,
  understanding: `<p>Each line is an engine. Its solved runs are sorted by time: the line's height at <i>k</i> is the time
    within which <i>k</i> of its runs are solved (each run on its own, not summed up). Runs that are not solved are not on
    the line. So among engines with equally many runs, the one whose line <b>ends further right</b> solves more.</p>
    <p class="better">Better: <b>→ right</b> and <b>↓ low</b>.</p>
    <p>If two lines cross, one engine is faster on easy runs, the other on hard ones. Runs are sorted for each engine
    separately, so points above each other may be different instances; the scatter view pairs them.</p>
    <p>The <b>virtual best</b> takes for each instance the engine that is best on it: what a perfect choice among the
    engines would reach. It is shown only where every engine has one run of each instance.</p>`,
});
