// Marks: lines, staircases, points, boxes. There is one path for each series and kind of end, never an element for each
// run. More than 5,000 points are painted on a canvas, which becomes an image in the drawing.

const CANVAS_FROM = 5000;

/** Places of all points of a panel in pixels: `{ x, y, point, series }`. */
function placesOf(frame, series) {
  const { panel, rims, xScale, yScale } = frame, band = panel.x.scale === "band" ? xScale(1) - xScale(0) : 0;
  const atRim = { x: xScale(xScale.domain()[1]), y: yScale(yScale.domain()[1]) };
  const crowd = rimCrowd(series, band, xScale);
  return series.map((one, index) => one.points.map((point, k) => {
    const rim = rimOf(point), low = panel.y.scale === "log" && !(point.y > 0);
    let x = rims.x && rim.includes("x") ? atRim.x : xScale(point.x);
    const y = rims.y && rim.includes("y") ? atRim.y : yScale(low ? yScale.domain()[0] : point.y);
    if (band > 0 && one.shape === "points") x += jitter(k) * Math.min(band * 0.66, 90);
    if (one.shape === "line" && point.end === "limit") x += crowd(point.x, index);
    return { x, y, point, series: one };
  }));
}

/**
 * A shift for the k-th point, between -0.5 and 0.5. Multiples of the golden ratio are spread evenly for any number of
 * points, and do not change when the chart is drawn again.
 */
function jitter(k) {
  return ((k * 0.6180339887498949) % 1) - 0.5;
}

/** Horizontal shifts, so that the marks of engines that reach a limit at the same size are side by side. */
function rimCrowd(series, band, scale) {
  const met = new Map();
  series.forEach(({ shape, points }, index) => {
    if (shape === "line") for (const { x, end } of points) if (end === "limit") met.set(x, [...(met.get(x) ?? []), index]);
  });
  const sizes = [...met.keys()].map((x) => scale(x)).sort((a, b) => a - b);
  const gap = d3.min(d3.pairs(sizes), ([a, b]) => b - a) ?? 120;
  return (x, index) => {
    const who = met.get(x), step = Math.min(10, (gap * 0.8) / who.length);
    return (who.indexOf(index) - (who.length - 1) / 2) * step;
  };
}

/**
 * Whether intervals are drawn as bands. More than six bands would hide each other; tooltips still show the intervals.
 */
function showsIntervals(series) {
  return series.filter(({ shape, points }) => shape === "line" && points.some(({ low }) => low !== undefined)).length <= 6;
}

/** Draws the series of a panel into `layer`. */
function drawSeries(layer, frame, series, places, palette) {
  const bands = showsIntervals(series);
  const cloud = d3.sum(series, ({ shape, points }) => (shape === "points" ? points.length : 0));
  const canvas = cloud > CANVAS_FROM ? canvasLayer(layer, frame) : null;
  series.forEach((one, i) => {
    const group = layer.append("g").call(attrs, { class: "series", "data-name": one.name });
    const colour = colourOf(one, palette);
    if (one.shape === "boxes") drawBoxes(group, frame, places[i], palette, colour);
    if (one.shape === "line" && bands) drawBand(group, frame, places[i], colour);
    if (one.shape === "line") drawLine(group, one, places[i], colour);
    if (one.shape === "step") drawStep(group, one, places[i], colour);
    if (one.shape !== "boxes") drawMarkers(group, one, places[i], palette, colour, one.shape === "points" ? canvas : null);
  });
  canvas?.done();
}

/** Sequences of measured points; points that reached a limit separate them. */
function stretches(places) {
  const parts = [[]];
  for (const place of places) {
    if (place.point.end === "measured") parts.at(-1).push(place);
    else if (parts.at(-1).length > 0) parts.push([]);
  }
  return parts.filter((part) => part.length > 0);
}

function drawLine(group, series, places, colour) {
  const line = d3.line((p) => round1(p.x), (p) => round1(p.y));
  const path = stretches(places).filter((part) => part.length > 1).map((part) => line(part)).join("");
  if (path) strokePath(group, path, series, colour);
}

function drawBand(group, frame, places, colour) {
  const area = d3.area().x((p) => round1(p.x)).y0((p) => round1(frame.yScale(p.point.low))).y1((p) => round1(frame.yScale(p.point.high)));
  const parts = stretches(places).map((part) => part.filter(({ point }) => point.low !== undefined));
  const path = parts.filter((part) => part.length > 1).map((part) => area(part)).join("");
  if (path) group.append("path").call(attrs, { class: "band", d: path, fill: colour, "fill-opacity": 0.12 });
  const upright = ([{ x, point }]) => `M${round1(x)} ${round1(frame.yScale(point.low))}V${round1(frame.yScale(point.high))}`;
  const alone = parts.filter((part) => part.length === 1).map(upright).join("");
  if (alone) group.append("path").call(attrs, { d: alone, stroke: colour, "stroke-opacity": 0.3, "stroke-width": 5 });
}

/**
 * Draws a staircase: horizontal up to each point, then vertical to its height. Steps below half a pixel are left out.
 */
function drawStep(group, series, places, colour) {
  let path = "", last = null;
  for (const { x, y } of places) {
    if (last === null) path = `M${round1(x)} ${round1(y)}`;
    else if (Math.abs(x - last.x) < 0.5 && Math.abs(y - last.y) < 0.5) continue;
    else path += `H${round1(x)}V${round1(y)}`;
    last = { x, y };
  }
  if (path) strokePath(group, path, series, colour);
}

function strokePath(group, path, series, colour) {
  group.append("path").call(attrs, {
    class: "line", d: path, fill: "none", stroke: colour, "stroke-width": 1.6, "stroke-linejoin": "round",
    "stroke-dasharray": dashOf(series),
  });
}

/**
 * Draws markers, one path for each kind of end. A staircase has about ten, so that its line stays visible, at positions
 * that differ between engines.
 */
function drawMarkers(group, series, places, palette, colour, canvas) {
  const every = series.shape === "step" ? Math.max(1, Math.ceil(places.length / 10)) : 1, last = places.length - 1;
  const shift = Math.floor(((series.style * 0.382) % 1) * every);
  const shown = every === 1 ? places : places.filter((_, k) => k === last || (k % every === shift && last - k > every / 2));
  const radius = series.shape !== "points" ? 3.4 : shown.length > 1000 ? 2 : shown.length > 200 ? 2.6 : 3.2;
  const hollow = series.variant === "second";
  const outline = (end, path) => shown.filter(({ point }) => point.end === end).map(path).join("");
  const paint = canvas ? canvas.paint : (d, fill, line, width) => {
    const element = group.append("path").call(attrs, { class: "mark", d, fill, stroke: line, "stroke-width": width });
    if (series.shape === "points" && fill === colour) element.attr("fill-opacity", 0.8);
  };
  const measured = outline("measured", ({ x, y }) => markerPath(series.style, x, y, radius));
  if (measured) paint(measured, hollow ? palette.paper : colour, hollow ? colour : palette.paper, hollow ? 1.4 : 0.7);
  const limits = outline("limit", ({ x, y, point }) => limitPath(x, y, Math.max(radius, 3), rimOf(point)));
  if (limits) paint(limits, palette.paper, colour, 1.4);
  const wrong = outline("wrong", ({ x, y }) => wrongPath(x, y, 4));
  if (wrong) paint(wrong, "none", palette.bad, 2.2);
}

/** Draws a box for the middle half of the values, with a line at the median. */
function drawBoxes(group, frame, places, palette, colour) {
  const band = Math.min(70, Math.max(6, (frame.xScale(1) - frame.xScale(0)) * 0.62));
  for (const { x, point } of places) {
    const low = frame.yScale(point.low), high = frame.yScale(point.high), middle = frame.yScale(point.y);
    group.append("rect").call(attrs, {
      x: round1(x - band / 2), width: round1(band), y: round1(high), height: Math.max(1, round1(low - high)),
      fill: colour, "fill-opacity": 0.12, stroke: palette.ink, "stroke-width": 1,
    });
    group.append("path").call(attrs, {
      d: `M${round1(x - band / 2)} ${round1(middle)}h${round1(band)}`, stroke: palette.ink, "stroke-width": 2.2,
    });
  }
}

/**
 * A canvas that covers the panel, with twice its resolution. Colours of the theme are looked up when they are painted.
 */
function canvasLayer(layer, frame) {
  const scale = 2, canvas = document.createElement("canvas");
  canvas.width = Math.ceil(frame.width * scale);
  canvas.height = Math.ceil((frame.height + 8) * scale);
  const context = canvas.getContext("2d"), image = layer.append("image").attr("class", "cloud");
  context.scale(scale, scale);
  return {
    paint(d, fill, line, width) {
      const path = new Path2D(d);
      context.globalAlpha = 0.7;
      if (fill !== "none") { context.fillStyle = literalColour(fill); context.fill(path); }
      context.globalAlpha = 1;
      context.lineWidth = width;
      context.strokeStyle = literalColour(line);
      context.stroke(path);
    },
    context,
    done() {
      image.call(attrs, { width: canvas.width / scale, height: canvas.height / scale, href: canvas.toDataURL() });
    },
  };
}

/** The present value of a colour that may be a variable of the style sheet. */
function literalColour(colour) {
  if (!colour.startsWith("var(")) return colour;
  const probe = h("span", { style: `color: ${colour}` });
  document.body.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}
