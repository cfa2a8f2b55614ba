// A chart as SVG: frames, axes and guides around the marks.

let drawings = 0;

/**
 * The drawing of a chart and the places of its points, in the drawing's pixels. `hidden` names series that are left out,
 * `palette` says whether it is for the page or for a file.
 */
function figureOf(chart, { width, hidden = new Set(), palette }) {
  const panels = chart.panels.map((panel) => withVisible(panel, hidden));
  const layout = layoutOf({ ...chart, panels }, width), hatch = `hatch-${++drawings}`;
  const svg = d3.create("svg").attr("xmlns", "http://www.w3.org/2000/svg").attr("width", layout.width).attr("height", layout.height)
    .attr("viewBox", `0 0 ${layout.width} ${layout.height}`).attr("font-family", FONT).attr("font-size", TICK);
  defineHatch(svg, hatch, palette);
  const hits = [];
  for (const frame of layout.frames) {
    const group = svg.append("g").attr("class", "panel").attr("transform", `translate(${frame.x}, ${frame.y})`);
    const cells = frame.panel.series.some(({ shape }) => shape === "cells");
    drawGuides(group, frame, palette);
    drawAxes(group, frame, palette, cells);
    drawLabels(group, frame, palette);
    const marks = group.append("g").attr("class", "marks"), places = placesOf(frame, frame.panel.series);
    if (cells) {
      drawCells(marks, frame, palette, hatch);
      drawColourBar(group, frame, palette, hatch);
    } else drawSeries(marks, frame, frame.panel.series, places, palette);
    hits.push(...places.flat().map((place) => ({ ...place, x: place.x + frame.x, y: place.y + frame.y, frame })));
  }
  return { svg: svg.node(), hits, layout };
}

/** The panel without hidden series; all of them if that would leave none. */
function withVisible(panel, hidden) {
  const series = panel.series.filter(({ name }) => !hidden.has(name));
  return series.length > 0 ? { ...panel, series } : panel;
}

function svgText(group, x, y, words, fill, anchor = "start") {
  return group.append("text").attr("x", round1(x)).attr("y", round1(y)).attr("fill", fill).attr("text-anchor", anchor).text(words);
}

function drawAxes(group, frame, palette, cells) {
  const { width, height, xScale, yScale, xTicks, yTicks, panel } = frame, inside = (scale, ticks) => ticks.filter(({ at }) => at >= scale.domain()[0] && at <= scale.domain()[1]);
  if (!cells) {
    const across = panel.x.scale === "log" ? inside(xScale, xTicks.major).map(({ at }) => `M${round1(xScale(at))} 0V${height}`).join("") : "";
    const grid = inside(yScale, yTicks.major).map(({ at }) => `M0 ${round1(yScale(at))}H${width}`).join("") + across;
    group.append("path").attr("class", "grid").attr("d", grid).attr("stroke", palette.line).attr("stroke-width", 1).attr("fill", "none");
    group.append("path").attr("d", `M0 0V${height}H${width}`).attr("fill", "none").attr("stroke", palette.soft);
  }
  const small = yTicks.minor.map((at) => `M0 ${round1(yScale(at))}h-3`).join("") + xTicks.minor.map((at) => `M${round1(xScale(at))} ${height}v3`).join("");
  if (small) group.append("path").attr("class", "minor").attr("d", small).attr("stroke", palette.soft).attr("stroke-width", 0.7);
  for (const { at, label } of inside(yScale, yTicks.major)) {
    const y = round1(yScale(at));
    if (!cells) group.append("path").attr("d", `M0 ${y}h-5`).attr("stroke", palette.soft);
    svgText(group, -8, y + 3.8, label, palette.ink, "end").attr("class", "tick");
  }
  for (const { at, label, lines } of inside(xScale, xTicks.major)) {
    const x = round1(xScale(at));
    if (panel.x.scale !== "band") group.append("path").attr("d", `M${x} ${height}v5`).attr("stroke", palette.soft);
    if (xTicks.upright) svgText(group, 0, 0, label, palette.ink, "end").attr("class", "tick").attr("transform", `translate(${x + 3.8}, ${height + 6}) rotate(-90)`);
    else (lines ?? [label]).forEach((line, i) => svgText(group, x, height + 17 + 13 * i, line, palette.ink, "middle").attr("class", "tick"));
  }
  if (frame.xTitle) svgText(group, frame.xMiddle, height + frame.below - 5, frame.xTitle, palette.ink, "middle").attr("font-size", TITLE).attr("class", "title");
}

function drawLabels(group, frame, palette) {
  const { above, left, top, panel, rims } = frame, cells = panel.y.scale === "band";
  if (panel.title) svgText(group, -left, -top + 13, fitText(panel.title, TITLE + 1, left + frame.width), palette.ink).attr("font-size", TITLE + 1).attr("font-weight", 600).attr("class", "title");
  for (const { text: words, x, row, kind } of above.labels) {
    svgText(group, x, -11 - row * ROW, words, kind === "axis" ? palette.ink : palette.soft).attr("class", kind);
  }
  if (rims.y && !cells) dashed(group, `M0 ${round1(frame.yScale(frame.yScale.domain()[1]))}H${frame.width}`, palette.rim, "5 4");
  if (rims.x && !cells) dashed(group, `M${round1(frame.xScale(frame.xScale.domain()[1]))} 0V${frame.height}`, palette.rim, "5 4");
}

function drawGuides(group, frame, palette) {
  const { panel, xScale, yScale, width, height } = frame;
  for (const { line, label } of panel.guides) {
    if (line.upright) {
      const [low, high] = [line.upright.low, line.upright.high].map((at) => Math.max(0, Math.min(width, xScale(at))));
      group.append("rect").attr("class", "guide-band").attr("x", round1(low)).attr("width", round1(Math.max(0, high - low))).attr("height", height).attr("fill", palette.soft).attr("fill-opacity", 0.13);
      dashed(group, `M${round1(xScale(line.upright.at))} -4V${height}`, palette.soft, null);
    } else if (line.level !== undefined) {
      dashed(group, `M0 ${round1(yScale(line.level))}H${width}`, palette.soft, null);
    } else {
      const [from, to] = diagonalEnds(line.diagonal, xScale.domain(), yScale.domain());
      if (from >= to) continue;
      const place = (x) => `${round1(xScale(x))} ${round1(yScale(line.diagonal * x))}`;
      dashed(group, `M${place(from)}L${place(to)}`, palette.soft, line.diagonal === 1 ? null : "3 3");
      if (line.diagonal < 1 && label && to === xScale.domain()[1]) svgText(group, width + 4, yScale(line.diagonal * to) + 3.8, label, palette.soft).attr("class", "guide");
    }
  }
}

/** Where `y = factor · x` enters and leaves the panel. */
function diagonalEnds(factor, [xLow, xHigh], [yLow, yHigh]) {
  return [Math.max(xLow, yLow / factor), Math.min(xHigh, yHigh / factor)];
}

function dashed(group, d, colour, dash) {
  group.append("path").attr("class", "guide-line").attr("d", d).attr("fill", "none").attr("stroke", colour).attr("stroke-width", 1).attr("stroke-dasharray", dash);
}
