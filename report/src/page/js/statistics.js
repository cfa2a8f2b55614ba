// Statistics that follow the filter: PAR-k, quantiles, the censored median and its interval, the virtual best. All
// functions are pure functions of arrays. An unsolved run is Infinity, and NaN stands for an engine that was not run.

/** The mean of the times, in which an unsolved run counts as `k` times its limit; null if there are no times. */
function parK(times, limits, k) {
  if (times.length === 0) return null;
  let sum = 0;
  for (let i = 0; i < times.length; i++) sum += times[i] === Infinity ? k * limits[i] : times[i];
  return sum / times.length;
}

/** Mean of the finite values; null if there is none. */
function meanOf(values) {
  let sum = 0, count = 0;
  for (const value of values) if (Number.isFinite(value)) { sum += value; count++; }
  return count === 0 ? null : sum / count;
}

/** Ascending copy of the values. */
function ascending(values) {
  return Float64Array.from(values).sort();
}

/**
 * The p-quantile of ascending values by linear interpolation (type 7 of Hyndman and Fan 1996); null if there are no
 * values.
 */
function quantileOf(sorted, p) {
  if (sorted.length === 0) return null;
  const at = p * (sorted.length - 1), low = Math.floor(at), high = Math.ceil(at);
  const [below, above] = [sorted[low], sorted[high]];
  return below === above || !Number.isFinite(below) ? below : below + (at - low) * (above - below);
}

/**
 * The middle value, or the mean of the two in the middle; null unless more than half of the values are finite. The
 * program has the same function (`statistics/src/order.rs`).
 */
function censoredMedian(sorted) {
  const median = quantileOf(sorted, 0.5);
  return Number.isFinite(median) ? median : null;
}

/** The number of finite values among ascending values. */
function finiteIn(sorted) {
  let count = sorted.length;
  while (count > 0 && sorted[count - 1] === Infinity) count--;
  return count;
}

/**
 * The narrowest interval from the r-th smallest to the r-th largest value that contains the median with a probability
 * of at least 95 %, by the binomial distribution. If there is none, it is the range of all values. Its upper end may be
 * Infinity. Null if there are no values.
 */
function medianInterval(sorted) {
  const k = sorted.length;
  if (k === 0) return null;
  // The probabilities are computed from logarithms, because 2^-k is 0 in floating point from k = 1075 on.
  let term = -k * Math.LN2, below = Math.exp(term), r = 1, coverage = 1 - 2 * below;
  for (let next = 2; 2 * next <= k + 1; next++) {
    term += Math.log((k - next + 2) / (next - 1));
    below += Math.exp(term);
    if (1 - 2 * below < 0.95) break;
    r = next;
    coverage = 1 - 2 * below;
  }
  return { low: sorted[r - 1], high: sorted[k - r], coverage: Math.max(0, coverage) };
}

/** The least number of each row that is not NaN; NaN if there is none. */
function virtualBest(rows) {
  return rows.map((row) => {
    let best = NaN;
    for (const value of row) if (!Number.isNaN(value) && !(best <= value)) best = value;
    return best;
  });
}
