// The layout of a chart: panels in a grid of one size, margins as wide as their labels, and labels above a panel in as
// many rows as they need, so that they do not touch each other or the data.

const TICK = 11, TITLE = 12, ROW = 16, GAP = 22;

/** The layout of a chart in `width` pixels: the position, size, scales and labels of every panel. */
function layoutOf(chart, width) {
  const first = chart.panels[0], cells = first.series.some(({ shape }) => shape === "cells");
  const columns = columnsFor(chart, width), outer = outerWidth(chart, width, columns);
  const shared = chart.panels.every(({ x, y }) => x.label === first.x.label && y.label === first.y.label);
  const frames = chart.panels.map((panel) => {
    const group = shared ? chart.panels : [panel], rims = rimsOf(group);
    const values = { x: valuesAlong(group, "x"), y: valuesAlong(group, "y") };
    const sizes = group.flatMap(({ series }) => series.flatMap(({ points }) => points.map(({ x }) => x)));
    const domains = { x: domainOf(panel.x, values.x, rims.x !== null), y: domainOf(panel.y, values.y, rims.y !== null) };
    if (panel.square) domains.x = domains.y = joined(domains.x, domains.y, rims);
    return { panel, rims, values, sizes, domains };
  });
  const height = cells ? bandHeight(first.y.bands.length) * first.y.bands.length : chart.panels.length > 1
    ? Math.round(Math.min(300, Math.max(190, outer * 0.62))) : Math.round(Math.min(500, Math.max(230, outer * 0.52)));
  for (const frame of frames) {
    const nominal = scaleOf(frame.panel.y, frame.domains.y, [height, 0]);
    frame.yTicks = cells ? bandTicks(frame.panel.y, nominal, Math.min(260, width * 0.4))
      : ticksOf(frame.panel.y, nominal, frame.values.y, () => 21);
  }
  const left = Math.ceil(d3.max(frames, ({ yTicks }) => d3.max(yTicks.major, ({ label }) => textWidth(label, TICK)) ?? 0)) + 12;
  const right = frames.some(({ panel }) => panel.guides.some(({ line, label }) => line.diagonal < 1 && label)) ? 34 : 20;
  const bands = d3.max(frames, ({ panel }) => panel.x.bands.length) ?? 0;
  let inner = Math.max(outer - left - right, bands * 14, 120);
  if (cells) inner = Math.min(inner, Math.max(bands * 112, 200));
  const tall = first.square ? Math.min(inner, 560) : height;
  if (first.square) inner = tall;
  for (const frame of frames) finishFrame(frame, inner, tall, left, right);
  const rows = d3.max(frames, ({ above }) => above.rows), titled = frames.some(({ panel }) => panel.title);
  const top = (titled ? 20 : 2) + rows * ROW + 7 + (cells ? colourBarHeight(inner + left) : 0);
  const bottom = d3.max(frames, ({ below }) => below);
  const cell = { width: left + inner + right, height: top + tall + bottom };
  frames.forEach((frame, i) => {
    frame.x = (i % columns) * (cell.width + GAP) + left;
    frame.y = Math.floor(i / columns) * (cell.height + GAP) + top;
    Object.assign(frame, { left, width: inner, height: tall, top });
  });
  const across = Math.min(columns, chart.panels.length), down = Math.ceil(chart.panels.length / columns);
  return { frames, width: across * (cell.width + GAP) - GAP, height: down * (cell.height + GAP) - GAP };
}

function columnsFor(chart, width) {
  const least = chart.panels[0].x.bands.length > 0 ? 460 : 290;
  const count = chart.panels.length, most = Math.max(1, Math.min(count, 4, Math.floor((width + GAP) / (least + GAP))));
  // Use one column less if that leaves fewer empty places in the last row.
  const holes = (columns) => (columns - (count % columns)) % columns;
  return most > 2 && holes(most - 1) < holes(most) ? most - 1 : most;
}

function outerWidth(chart, width, columns) {
  const share = Math.floor((width + GAP) / columns) - GAP;
  return chart.panels[0].x.bands.length > 0 ? share : Math.min(share, chart.panels.length === 1 ? 1240 : 760);
}

/**
 * For each axis, the greatest limit of points (`at`) and whether all limits are about equal (`same`); null if no point
 * has a limit there.
 */
function rimsOf(panels) {
  const ends = { x: [], y: [] };
  for (const { series } of panels) for (const { shape, points } of series) {
    if (shape === "cells") continue;
    for (const point of points) for (const direction of rimOf(point)) ends[direction].push(point[direction]);
  }
  const one = (values) => (values.length === 0 ? null : { at: d3.max(values), same: d3.min(values) > 0.999 * d3.max(values) });
  return { x: one(ends.x), y: one(ends.y) };
}

/** The axes on whose rims a point lies: "", "x", "y" or "xy". */
function rimOf(point) {
  return point.rim ?? (point.end === "limit" ? "y" : "");
}

function joined(a, b, rims) {
  const high = Math.max(a[1], b[1]);
  return [Math.min(a[0], b[0]), rims.x || rims.y ? Math.max(high, rims.x?.at ?? 0, rims.y?.at ?? 0) : high];
}

/** Adds scales, ticks and labels to a panel whose size is known. */
function finishFrame(frame, width, height, left, right) {
  const { panel, domains, rims, values } = frame, inset = (rim) => (rim ? 9 : 0);
  frame.xScale = scaleOf(panel.x, domains.x, [0, width - inset(rims.x)]);
  frame.yScale = scaleOf(panel.y, domains.y, [height, inset(rims.y)]);
  const cells = panel.y.scale === "band";
  if (!cells) frame.yTicks = ticksOf(panel.y, frame.yScale, values.y, () => 21);
  frame.xTicks = panel.x.scale === "band" ? engineTicks(panel.x, width)
    : ticksOf(panel.x, frame.xScale, frame.sizes, (label) => textWidth(label, TICK) + 10);
  const name = axisTitle(panel.x, "x");
  frame.xTitle = fitText(name.name, TITLE, width + left + right - 4 - textWidth(name.arrow, TITLE)) + name.arrow;
  // The title is centred below the panel, and shifted if it would extend beyond the margins.
  const half = textWidth(frame.xTitle, TITLE) / 2;
  frame.xMiddle = Math.min(Math.max(width / 2, half - left + 2), width + right - half - 2);
  frame.below = (frame.xTicks.depth ?? 14) + 12 + (frame.xTitle ? 18 : 0);
  frame.above = labelsAbove(frame, left, width, right);
}

/**
 * The labels above a panel: the name of the vertical axis, and the labels of guides and rims. Each is in the lowest row
 * with room for it.
 */
function labelsAbove({ panel, rims, xScale, yScale }, left, width, right) {
  const labels = [], taken = [], whole = left + width + right;
  const put = (text, at, anchor, kind) => {
    const said = fitText(text, TICK, whole - 4), size = textWidth(said, TICK) + 2;
    const start = Math.max(-left, Math.min(width + right - size, at - (anchor === "middle" ? size / 2 : anchor === "end" ? size : 0)));
    let row = 0;
    while (taken.some((other) => other.row === row && start < other.end + 8 && other.start < start + size + 8)) row++;
    taken.push({ row, start, end: start + size });
    labels.push({ text: said, x: start, row, kind });
  };
  const name = axisTitle(panel.y, "y"), title = name.name + name.arrow;
  if (title.trim()) put(title, -left, "start", "axis");
  for (const [direction, rim] of [["y", rims.y], ["x", rims.x]]) {
    const isLabelled = rim && !(direction === "x" && rims.y?.at === rim.at);
    const exact = rim?.same && panel[direction].unit === "seconds";
    if (isLabelled) put(exact ? `limit ${tickText(rim.at, "seconds")}` : "limit", width + right, "end", "rim");
  }
  for (const { line, label } of panel.guides) {
    if (!label) continue;
    if (line.upright) put(label, xScale(line.upright.at), "middle", "guide");
    const top = yScale.domain()[1] / line.diagonal;
    if (line.diagonal > 1 && inDomain(xScale, top)) put(label, xScale(top), "middle", "guide");
  }
  return { labels, rows: Math.max(0, ...labels.map(({ row }) => row + 1)) };
}

function inDomain(scale, value) {
  const [low, high] = scale.domain();
  return value >= low && value <= high;
}

/** The height of a row of cells. Rows with labels need 13 pixels; many rows are made to fit on a page. */
function bandHeight(count) {
  return count <= 40 ? 17 : count <= 110 ? 13 : Math.min(13, 1100 / count);
}

/** The names of rows. If not all fit below each other, only every k-th is shown. */
function bandTicks(axis, scale, width) {
  const step = Math.ceil(13 / Math.abs(scale(1) - scale(0)));
  const shown = axis.bands.map((name, at) => ({ at, name })).filter(({ at }) => at % step === 0);
  return { major: shown.map(({ at, name }) => ({ at, label: fitText(name, TICK, width) })), minor: [] };
}

/** The names of columns: horizontal, in several lines if needed, if that fits; otherwise vertical. */
function engineTicks(axis, width) {
  const room = width / axis.bands.length - 8, parts = axis.bands.map((name) => linesOf(name, room));
  if (parts.every((lines) => lines.length <= 5 && lines.every((line) => textWidth(line, TICK) <= room))) {
    const depth = 13 * d3.max(parts, (lines) => lines.length);
    return { major: parts.map((lines, at) => ({ at, label: lines.join(""), lines })), minor: [], depth };
  }
  const major = axis.bands.map((name, at) => ({ at, label: fitText(name, TICK, 300) }));
  return { major, minor: [], upright: true, depth: Math.ceil(d3.max(major, ({ label }) => textWidth(label, TICK))) };
}

/** An id in lines that are broken before `/` or `@`, if it does not fit in one line. */
function linesOf(name, width) {
  const lines = [""];
  for (const part of name.split(/(?=[/@])/)) {
    if (lines.at(-1) === "" || textWidth(lines.at(-1) + part, TICK) <= width) lines[lines.length - 1] += part;
    else lines.push(part);
  }
  return lines;
}
