// Scales and ticks: the domain of the values, their positions, and as many labels as fit.

/** All values along an axis, `"x"` or `"y"`: those of points, of guides, and of the ends of intervals and boxes. */
function valuesAlong(panels, direction) {
  const values = [];
  for (const panel of panels) {
    const intervals = showsIntervals(panel.series);
    for (const series of panel.series) for (const point of series.points) {
      values.push(point[direction]);
      if (direction === "y" && (series.shape === "boxes" || intervals)) {
        if (point.low !== undefined) values.push(point.low);
        if (point.high !== undefined) values.push(point.high);
      }
    }
    for (const { line } of panel.guides) {
      if (direction === "x" && line.upright) values.push(line.upright.at);
      if (direction === "y" && line.level) values.push(line.level);
    }
  }
  return values.filter(Number.isFinite);
}

/**
 * The least and the greatest value shown. If there is a rim, the domain ends there, because nothing is known beyond it.
 */
function domainOf(axis, values, hasRim) {
  if (axis.scale === "band") return [-0.5, axis.bands.length - 0.5];
  const usable = axis.scale === "log" ? values.filter((value) => value > 0) : values;
  let low = d3.min(usable) ?? 1;
  const high = d3.max(usable) ?? (axis.scale === "log" ? 10 : 1);
  if (axis.scale === "log") {
    const margin = Math.max(1.12, (high / low) ** 0.05, Math.sqrt(Math.max(1, (4 * low) / high)));
    return [low / margin, hasRim ? high : high * margin];
  }
  if (axis.unit === "count") low = Math.min(0, low);
  if (low === high) return [low - 1, high + 1];
  const margin = (high - low) * 0.04;
  return [axis.unit === "count" ? low : low - margin, hasRim ? high : high + margin];
}

/**
 * A scale that maps a domain to a range of pixels. A logarithmic scale maps zero and negative values to its lower end.
 */
function scaleOf(axis, domain, range) {
  if (axis.scale !== "log") return d3.scaleLinear(domain, range);
  return d3.scaleLog(domain, range).clamp(true);
}

/** Ticks of a scale: `major` with labels, `minor` without. `room(label)` is the number of pixels that a label needs. */
function ticksOf(axis, scale, values, room) {
  if (axis.scale === "log") return axis.unit === "bytes" ? powerTicks(scale, 2, room) : logTicks(axis, scale, room);
  const distinct = [...new Set(values)].sort((a, b) => a - b);
  const [low, high] = scale.domain(), length = Math.abs(scale(high) - scale(low));
  const wholes = axis.unit === "count" || distinct.every(Number.isInteger);
  const wanted = axis.unit !== "count" && distinct.length <= 16 ? distinct : d3.ticks(low, high, Math.max(2, Math.floor(length / 70)));
  const places = wanted.filter((value) => value >= low && value <= high && (!wholes || Number.isInteger(value)));
  return { major: spaced(places.map((at) => ({ at, label: tickText(at, axis.unit) })), scale, room), minor: [] };
}

/**
 * Ticks of a logarithmic scale: powers of ten and, if these are too few, their multiples by 3, or by 2 and 5. If there
 * is room, each decade has nine minor ticks.
 */
function logTicks(axis, scale, room) {
  const [low, high] = scale.domain(), decades = Math.log10(high / low), pixels = Math.abs(scale(high) - scale(low)) / decades;
  const first = Math.floor(Math.log10(low)), last = Math.ceil(Math.log10(high));
  const inside = (factors) => d3.range(first, last + 1).flatMap((power) => factors.map((factor) => Number(`${factor}e${power}`)))
    .filter((value) => value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9));
  const label = (values) => values.map((at) => ({ at, label: tickText(at, axis.unit) }));
  const minor = pixels > 24 ? inside([1, 2, 3, 4, 5, 6, 7, 8, 9]) : inside([1]);
  const decadic = [[1], [1, 3], [1, 2, 5]].map((factors) => label(inside(factors)));
  // If the domain is within a decade, even steps are easier to read than the few multiples of powers of ten.
  const even = [5, 4, 3, 2].map((count) => label(d3.ticks(low, high, count)));
  const good = [...decadic, ...even].find((ticks) => ticks.length >= 3 && fits(ticks, scale, room));
  const major = good ?? spaced(decadic.find((ticks) => ticks.length >= 2) ?? even.at(-1), scale, room);
  return { major, minor };
}

/** Ticks at powers of `base`, which is 2 for memory. */
function powerTicks(scale, base, room) {
  const [low, high] = scale.domain(), log = (value) => Math.log(value) / Math.log(base);
  const powers = d3.range(Math.ceil(log(low)), Math.floor(log(high)) + 1);
  const major = powers.map((power) => ({ at: base ** power, label: tickText(base ** power, "bytes") }));
  return { major: spaced(major, scale, room), minor: powers.map((power) => base ** power) };
}

/** Every k-th tick, for the least k at which labels do not touch. */
function spaced(ticks, scale, room) {
  for (let step = 1; step < ticks.length; step++) {
    const kept = ticks.filter((_, i) => i % step === 0);
    if (fits(kept, scale, room)) return kept;
  }
  return ticks.slice(0, 1);
}

function fits(ticks, scale, room) {
  return d3.pairs(ticks).every(([a, b]) => Math.abs(scale(b.at) - scale(a.at)) >= (room(a.label) + room(b.label)) / 2);
}

/** A tick's label: `10 µs`, `1 s`, `10 k`. */
function tickText(value, unit) {
  const whole = (words) => words.replace(/\.0+(?=\D)/, "");
  if (unit === "seconds") return value < 1e-6 && value > 0 ? `${shortNumber(value * 1e9)}${THIN}ns` : whole(formatSeconds(value));
  if (unit === "bytes") return whole(formatBytes(value));
  if (unit === "count" && value >= 1e3) return value >= 1e6 ? `${shortNumber(value / 1e6)}${THIN}M` : `${shortNumber(value / 1e3)}${THIN}k`;
  return shortNumber(value);
}

function shortNumber(value) {
  return grouped(String(Number(value.toPrecision(6)))).replace("-", MINUS);
}

/** The name of an axis, and an arrow that shows the better direction. */
function axisTitle(axis, direction) {
  const arrow = { x: { low: "← better", high: "→ better" }, y: { low: "↓ better", high: "↑ better" } }[direction][axis.better];
  return { name: axis.scale === "band" ? "" : axis.label, arrow: arrow ? `  ${arrow}` : "" };
}
