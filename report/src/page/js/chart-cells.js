// Cells of a heat map, their colours and the colour bar. The colours are viridis, which is perceptually uniform and
// does not need red and green to be distinguished. Cells of the same colour share a path.

const SHADES = 48, BAR = 170;

/**
 * The scale of colours: small values are bright. The darkest tenth is left out, because it could not be seen on a dark
 * page.
 */
function shadesOf(panel) {
  const measured = panel.series.flatMap(({ points }) => points).filter(({ end, value }) => end === "measured" && value > 0);
  const values = measured.map(({ value }) => value);
  const low = d3.min(values) ?? 1, high = d3.max(values) ?? 10, scale = d3.scaleLog([low, Math.max(high, low * 2)], [0, 1]).clamp(true);
  return {
    scale,
    shade: (value) => Math.round(scale(Math.max(value, low)) * (SHADES - 1)),
    colour: (shade) => d3.interpolateViridis(1 - (0.9 * shade) / (SHADES - 1)),
  };
}

/** Draws all cells of a panel. */
function drawCells(layer, frame, palette, hatch) {
  const { panel, xScale, yScale } = frame, shades = shadesOf(panel), points = panel.series.flatMap((series) => series.points);
  const width = xScale(1) - xScale(0), height = yScale(0) - yScale(1), gap = height > 6 && width > 6 ? 1 : 0;
  if (points.length > CANVAS_FROM) return paintCells(layer, frame, points, shades, palette, width, height);
  const paths = new Map();
  for (const point of points) {
    const kind = point.end === "measured" ? shades.shade(point.value) : point.end;
    const x = xScale(point.x) - width / 2, y = yScale(point.y) - height / 2;
    const d = `M${round2(x)} ${round2(y)}h${round2(width - gap)}v${round2(height - gap)}h${round2(gap - width)}z`;
    paths.set(kind, (paths.get(kind) ?? "") + d);
  }
  for (const [kind, d] of paths) {
    const fill = kind === "limit" ? `url(#${hatch})` : kind === "wrong" ? palette.bad : shades.colour(kind);
    // Between cells without gaps, smoothed edges would show as seams.
    const path = layer.append("path").call(attrs, { class: `cells ${kind}`, d, fill, "shape-rendering": gap ? null : "crispEdges" });
    if (kind === "limit") path.call(attrs, { stroke: palette.soft, "stroke-width": gap ? 0.5 : 0 });
  }
  const wrong = points.filter(({ end }) => end === "wrong");
  const crosses = wrong.map((point) => wrongPath(xScale(point.x), yScale(point.y), Math.min(width, height) / 4)).join("");
  if (crosses) layer.append("path").call(attrs, { d: crosses, stroke: palette.paper, "stroke-width": 1.5 });
}

function round2(value) {
  return Math.round(value * 100) / 100;
}

/**
 * Paints many cells as an image. Their edges are at half pixels, which are whole pixels of the canvas, so that no seams
 * show.
 */
function paintCells(layer, frame, points, shades, palette, width, height) {
  const ends = { wrong: literalColour(palette.bad), limit: literalColour(palette.soft) };
  const canvas = canvasLayer(layer, frame), { context } = canvas, half = (value) => Math.round(value * 2) / 2;
  for (const point of points) {
    const x = half(frame.xScale(point.x) - width / 2), right = half(frame.xScale(point.x) + width / 2);
    const y = half(frame.yScale(point.y) - height / 2), below = half(frame.yScale(point.y) + height / 2);
    context.fillStyle = ends[point.end] ?? shades.colour(shades.shade(point.value));
    context.fillRect(x, y, right - x, Math.max(0.5, below - y));
  }
  canvas.done();
}

/** The hatching that stands for a limit. */
function defineHatch(svg, id, palette) {
  const pattern = svg.append("defs").append("pattern").call(attrs, {
    id, width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)",
  });
  pattern.append("rect").call(attrs, { width: 5, height: 5, fill: palette.paper });
  pattern.append("rect").call(attrs, { width: 1.6, height: 5, fill: palette.soft });
}

/** The height of the colour bar and the keys above a map. On narrow maps, the keys are below the bar. */
function colourBarHeight(width) {
  return width < 430 ? 66 : 46;
}

/** Draws the colour bar with its ticks, and the keys that explain limits and wrong answers. */
function drawColourBar(layer, frame, palette, hatch) {
  const { panel } = frame, { scale, colour } = shadesOf(panel), points = panel.series.flatMap((series) => series.points);
  const whole = frame.left + frame.width, wide = frame.width >= 480;
  const bar = layer.append("g").attr("transform", `translate(${wide ? 0 : -frame.left}, ${-frame.top})`);
  svgText(bar, 0, 9, `${panel.value.label}, median`, palette.soft);
  for (let shade = 0; shade < SHADES; shade++) {
    bar.append("rect").call(attrs, {
      x: round2((shade * BAR) / SHADES), y: 15, width: round2(BAR / SHADES + 0.3), height: 10, fill: colour(shade), "shape-rendering": "crispEdges",
    });
  }
  const places = scale.copy().range([0, BAR]), axis = { scale: "log", unit: panel.value.unit };
  const ticks = ticksOf(axis, places, [], (label) => textWidth(label, TICK) + 8);
  for (const { at, label } of ticks.major) {
    const x = round2(places(at)), size = textWidth(label, TICK) / 2;
    bar.append("path").call(attrs, { d: `M${x} 15v13`, stroke: palette.ink });
    svgText(bar, Math.max(size, x), 38, label, palette.ink, "middle");
  }
  let [x, y] = whole < 430 ? [0, 58] : [BAR + 34, 24];
  const key = (fill, label, cross) => {
    bar.append("rect").call(attrs, { x, y: y - 9, width: 14, height: 11, fill, stroke: palette.soft, "stroke-width": 0.5 });
    if (cross) bar.append("path").call(attrs, { d: wrongPath(x + 7, y - 3.5, 3), stroke: palette.paper, "stroke-width": 1.5 });
    svgText(bar, x + 19, y, label, palette.ink);
    x += 19 + textWidth(label, TICK) + 18;
  };
  const limits = points.filter(({ end }) => end === "limit"), values = limits.map(({ value }) => value);
  if (limits.length > 0) {
    const one = d3.min(values) > 0.999 * d3.max(values) && panel.value.unit === "seconds";
    key(points.length > CANVAS_FROM ? palette.soft : `url(#${hatch})`, one ? `limit ${tickText(values[0], "seconds")}` : "limit");
  }
  if (points.some(({ end }) => end === "wrong")) key(palette.bad, "wrong", true);
}
