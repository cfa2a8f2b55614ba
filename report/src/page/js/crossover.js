// The size at which the order of two engines changes, for the runs that pass the filter. The method is that of the
// program (`statistics/src/crossover.rs`), except that resampling uses another random number generator.

/** Smaller values count as this one, because CPU clocks are not finer, and zero has no logarithm. */
const LEAST_VALUE = 1e-6;

/**
 * Finds the sizes at which the order of two engines changes. `sizes` are ascending, each `{ x, pairs: [[score, score],
 * …] }` with scores `{ solved, value, limit }`. Returns all changes; the engine that is ahead at all sizes if there is
 * no change; the interval of the last change; and the share of resamples that have a change.
 */
function crossoverOf(sizes) {
  const bounds = sizes.map(({ x, pairs }) => ({ x, ratios: pairs.map(ratioBounds) }));
  const changes = changesOf(bounds.map(({ x, ratios }) => sizePoint(x, ratios)));
  const ahead = changes.length > 0 ? 0 : bounds.map(({ x, ratios }) => sizePoint(x, ratios).ahead).find((side) => side !== 0) ?? 0;
  const count = d3.sum(sizes, ({ pairs }) => pairs.length), resamples = Math.max(100, Math.min(2000, Math.floor(1e6 / Math.max(1, count))));
  const random = d3.randomLcg(0.5), earliest = [], latest = [];
  for (let i = 0; i < resamples; i++) {
    const last = changesOf(bounds.map(({ x, ratios }) => sizePoint(x, ratios.map(() => ratios[Math.floor(random() * ratios.length)])))).at(-1);
    if (last) { earliest.push(last.earliest); latest.push(last.latest); }
  }
  const interval = earliest.length > 0 ? [quantileOf(ascending(earliest), 0.025), quantileOf(ascending(latest), 0.975)] : null;
  return { changes, ahead, interval, share: earliest.length / resamples };
}

/**
 * The least and the greatest possible value of log10(first / second) on an instance; null if neither engine solved it.
 */
function ratioBounds([first, second]) {
  if (!first.solved && !second.solved) return null;
  const log = ({ solved, value, limit }) => Math.log10(Math.max(LEAST_VALUE, solved ? value : limit));
  const ratio = log(first) - log(second);
  return [second.solved ? ratio : -Infinity, first.solved ? ratio : Infinity];
}

/**
 * The least and the greatest possible median of the ratios, and the engine that is ahead: -1 for the first, 1 for the
 * second, 0 if it is unknown or neither is.
 */
function sizePoint(x, ratios) {
  const known = ratios.filter((ratio) => ratio !== null);
  const [least, greatest] = [0, 1].map((end) => quantileOf(ascending(known.map((ratio) => ratio[end])), 0.5));
  return { x, least, greatest, ahead: greatest !== null && greatest < 0 ? -1 : least !== null && least > 0 ? 1 : 0 };
}

/**
 * The changes of the engine that is ahead. Each has the range of x in which the ratio can be 1, by linear
 * interpolation.
 */
function changesOf(points) {
  const changes = [];
  let last = null, zeros = [];
  for (const point of points) {
    if (point.ahead === 0) {
      if (point.least !== null && point.least === point.greatest) zeros.push(point.x);
      continue;
    }
    if (last && last.ahead !== point.ahead) changes.push(changeBetween(last, point, zeros));
    zeros = [];
    last = point;
  }
  return changes;
}

function changeBetween(from, to, zeros) {
  const distances = ({ least, greatest }) => [Math.abs(least), Math.abs(greatest)].sort((a, b) => a - b);
  const [near, far] = [distances(from), distances(to)];
  const line = (a, b) => from.x + (to.x - from.x) * (a === Infinity ? 1 : a / (a + b));
  return { earliest: zeros[0] ?? line(near[0], far[1]), latest: zeros.at(-1) ?? line(near[1], far[0]), ahead: to.ahead };
}

/**
 * Engines of runs as `[index, rows]`, in descending order of solved runs; with equal numbers, in ascending order of
 * PAR-2.
 */
function rankedEngines(data, rows, measure) {
  const { status } = runsOf(data);
  const worth = (own) => {
    const times = own.map((row) => (status[row] === SOLVED ? measure.value(row) : Infinity)), limits = own.map(measure.limit);
    const known = own.map((_, i) => i).filter((i) => !Number.isNaN(times[i] === Infinity ? limits[i] : times[i]));
    const solved = known.filter((i) => times[i] !== Infinity).length;
    return { solved, par2: parK(known.map((i) => times[i]), known.map((i) => limits[i]), 2) ?? Infinity };
  };
  const engines = byEngine(data, rows).map((entry) => ({ entry, ...worth(entry[1]) }));
  return engines.sort((a, b) => b.solved - a.solved || a.par2 - b.par2).map(({ entry }) => entry);
}

/** The indices of the best search and the best SAT engine of runs; null unless there are both. */
function bestOfSides(data, rows, measure) {
  const ranked = rankedEngines(data, rows, measure).map(([index]) => index);
  const [search, sat] = ["search:", "sat:"].map((side) => ranked.find((index) => data.engines[index].startsWith(side)));
  return search === undefined || sat === undefined ? null : [search, sat];
}
