// What the builders of charts share: axes, series, points and controls. Charts have the form of figures for papers
// (`report/src/chart/mod.rs`); points also have `rows`, the runs behind them.

/** An axis; `better` is "low", "high" or null. */
function axisOf(label, unit, scale, better = null, bands = []) {
  return { label, unit, scale, bands, better };
}

/** The axis of a measure. Smaller values are better. */
function measureAxis(measure) {
  return axisOf(measure.label, measure.unit, "log", "low");
}

/** A series of an engine. */
function engineSeries(data, index, shape, points) {
  return { name: data.engines[index], style: index, shape, variant: "first", points };
}

/** A point whose value was measured. */
function measuredPoint(x, y, rows, more = {}) {
  return { x, y, end: "measured", label: "", rows, ...more };
}

/** A point that reached a limit. */
function limitPoint(x, y, rows, more = {}) {
  return { x, y, end: "limit", label: "", rows, ...more };
}

/** The axis of sizes, which is logarithmic if they span more than a factor of 40. */
function sizeAxis(data, name, panels) {
  let least = Infinity, most = -Infinity;
  for (const panel of panels) for (const series of panel.series) for (const { x } of series.points) {
    least = Math.min(least, x);
    most = Math.max(most, x);
  }
  return axisOf(columnLabel(data, name), "plain", least > 0 && most / least > 40 ? "log" : "linear");
}

/** The panels of a facet, without those that have no points. */
function panelsOf(parts, build) {
  return parts.map((part) => build(part)).filter((panel) => panel.series.some((series) => series.points.length > 0));
}

/** A control for the measure. */
function measureOption(data, kind) {
  return optionOf(data, kind, "y", "measure", measureChoices(data), "cpu_s");
}

/** A control for the size. */
function sizeOption(data, kind) {
  const choices = sizeChoices(data);
  return optionOf(data, kind, "x", "size", choices, choices[0]?.value);
}

/** A control for the facet. */
function facetOption(data, kind, columns = ALL_COLUMNS) {
  return optionOf(data, kind, "facet", "panels by", facetChoices(data, columns), "");
}

/**
 * A control. Its initial value is that of the plan's first figure of this kind, if that is one of the choices;
 * otherwise `fallback`.
 */
function optionOf(data, kind, key, label, choices, fallback) {
  const wanted = data.raw.defaults?.figures?.find((figure) => figure.kind === kind)?.[key];
  return { key, label, choices, initial: choices.some(({ value }) => value === wanted) ? wanted : fallback };
}

/** A number with three significant digits, without trailing zeros, for sentences. */
function shortDigits(value) {
  const text = significant(value);
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** How many runs reached a limit, in words. */
function ofAtLimit(unsolved, all) {
  return unsolved === 0 ? "" : `${unsolved} of ${all} reached a limit`;
}

const CENSORED = `A <b>median</b> is shown only where more than half of the runs are solved; unsolved runs
  count as infinitely slow. The median of an even number of runs is the mean of the two in the middle.`;
