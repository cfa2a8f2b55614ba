// Statistics that follow the filter: PAR-k, quantiles, the censored median and its interval, the virtual best.
// Pure functions of arrays; an unsolved run is Infinity, an engine that was not run NaN.

/** Mean of the times, where an unsolved run counts `k` times its limit; null of nothing. */
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

/** The value below which the share `p` lies, interpolated (type 7 of Hyndman and Fan 1996); null of nothing. */
function quantileOf(sorted, p) {
  if (sorted.length === 0) return null;
  const at = p * (sorted.length - 1), low = Math.floor(at), high = Math.ceil(at);
  const [below, above] = [sorted[low], sorted[high]];
  return below === above || !Number.isFinite(below) ? below : below + (at - low) * (above - below);
}

/**
 * The middle value, or the mean of the two in the middle; null unless more than half of the values are finite. The
 * program has the same (`statistics/order.rs`).
 */
function censoredMedian(sorted) {
  const median = quantileOf(sorted, 0.5);
  return Number.isFinite(median) ? median : null;
}

/** How many of ascending values are finite. */
function finiteIn(sorted) {
  let count = sorted.length;
  while (count > 0 && sorted[count - 1] === Infinity) count--;
  return count;
}

/**
 * The narrowest interval of order statistics (r, k + 1 - r) that holds the median with 95 %, by the binomial
 * distribution; the whole range if none does. Its upper end may be Infinity. Null of nothing.
 */
function medianInterval(sorted) {
  const k = sorted.length;
  if (k === 0) return null;
  // Sum of log-probabilities, since 2^-k vanishes from k = 1075 on.
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

/** Least value of each row, NaN of a row without any. */
function virtualBest(rows) {
  return rows.map((row) => {
    let best = NaN;
    for (const value of row) if (!Number.isNaN(value) && !(best <= value)) best = value;
    return best;
  });
}
