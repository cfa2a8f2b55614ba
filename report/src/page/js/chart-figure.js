// A chart as SVG: frames, axes and guides around the marks.

let drawings = 0;

/**
 * The drawing of a chart, and the positions of its points in the drawing's pixels. `hidden` has the names of series
 * that are left out. `palette` has the colours for the page or for a file.
 */
function figureOf(chart, { width, hidden = new Set(), palette }) {
  const panels = chart.panels.map((panel) => withVisible(panel, hidden));
  const layout = layoutOf({ ...chart, panels }, width), hatch = `hatch-${++drawings}`;
  const svg = d3.create("svg").call(attrs, {
    xmlns: "http://www.w3.org/2000/svg", width: layout.width, height: layout.height,
    viewBox: `0 0 ${layout.width} ${layout.height}`, "font-family": FONT, "font-size": TICK,
  });
  defineHatch(svg, hatch, palette);
  const hits = [];
  for (const frame of layout.frames) {
    const group = svg.append("g").call(attrs, { class: "panel", transform: `translate(${frame.x}, ${frame.y})` });
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

/** The panel without hidden series, or with all of its series if all are hidden. */
function withVisible(panel, hidden) {
  const series = panel.series.filter(({ name }) => !hidden.has(name));
  return series.length > 0 ? { ...panel, series } : panel;
}

function svgText(group, x, y, words, fill, anchor = "start") {
  return group.append("text").call(attrs, { x: round1(x), y: round1(y), fill, "text-anchor": anchor }).text(words);
}

function drawAxes(group, frame, palette, cells) {
  const { width, height, xScale, yScale, xTicks, yTicks, panel } = frame;
  const inside = (scale, ticks) => ticks.filter(({ at }) => inDomain(scale, at));
  if (!cells) {
    const level = inside(yScale, yTicks.major).map(({ at }) => `M0 ${round1(yScale(at))}H${width}`);
    const upright = panel.x.scale === "log" ? inside(xScale, xTicks.major).map(({ at }) => `M${round1(xScale(at))} 0V${height}`) : [];
    group.append("path").call(attrs, { class: "grid", d: [...level, ...upright].join(""), stroke: palette.line, "stroke-width": 1, fill: "none" });
    group.append("path").call(attrs, { d: `M0 0V${height}H${width}`, fill: "none", stroke: palette.soft });
  }
  const small = [
    ...yTicks.minor.map((at) => `M0 ${round1(yScale(at))}h-3`), ...xTicks.minor.map((at) => `M${round1(xScale(at))} ${height}v3`),
  ].join("");
  if (small) group.append("path").call(attrs, { class: "minor", d: small, stroke: palette.soft, "stroke-width": 0.7 });
  for (const { at, label } of inside(yScale, yTicks.major)) {
    const y = round1(yScale(at));
    if (!cells) group.append("path").call(attrs, { d: `M0 ${y}h-5`, stroke: palette.soft });
    svgText(group, -8, y + 3.8, label, palette.ink, "end").attr("class", "tick");
  }
  for (const { at, label, lines } of inside(xScale, xTicks.major)) {
    const x = round1(xScale(at));
    if (panel.x.scale !== "band") group.append("path").call(attrs, { d: `M${x} ${height}v5`, stroke: palette.soft });
    if (xTicks.upright) svgText(group, 0, 0, label, palette.ink, "end").call(attrs, {
      class: "tick", transform: `translate(${x + 3.8}, ${height + 6}) rotate(-90)`,
    });
    else (lines ?? [label]).forEach((line, i) => {
      svgText(group, x, height + 17 + 13 * i, line, palette.ink, "middle").attr("class", "tick");
    });
  }
  if (frame.xTitle) svgText(group, frame.xMiddle, height + frame.below - 5, frame.xTitle, palette.ink, "middle").call(attrs, {
    "font-size": TITLE, class: "title",
  });
}

function drawLabels(group, frame, palette) {
  const { above, left, top, panel, rims } = frame, cells = panel.y.scale === "band";
  if (panel.title) svgText(group, -left, -top + 13, fitText(panel.title, TITLE + 1, left + frame.width), palette.ink).call(attrs, {
    "font-size": TITLE + 1, "font-weight": 600, class: "title",
  });
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
      group.append("rect").call(attrs, {
        class: "guide-band", x: round1(low), width: round1(Math.max(0, high - low)), height, fill: palette.soft,
        "fill-opacity": 0.13,
      });
      dashed(group, `M${round1(xScale(line.upright.at))} -4V${height}`, palette.soft, null);
    } else if (line.level !== undefined) {
      dashed(group, `M0 ${round1(yScale(line.level))}H${width}`, palette.soft, null);
    } else {
      const [from, to] = diagonalEnds(line.diagonal, xScale.domain(), yScale.domain());
      if (from >= to) continue;
      const place = (x) => `${round1(xScale(x))} ${round1(yScale(line.diagonal * x))}`;
      dashed(group, `M${place(from)}L${place(to)}`, palette.soft, line.diagonal === 1 ? null : "3 3");
      if (line.diagonal < 1 && label && to === xScale.domain()[1]) {
        svgText(group, width + 4, yScale(line.diagonal * to) + 3.8, label, palette.soft).attr("class", "guide");
      }
    }
  }
}

/** The values of x at which the line `y = factor · x` enters and leaves the panel. */
function diagonalEnds(factor, [xLow, xHigh], [yLow, yHigh]) {
  return [Math.max(xLow, yLow / factor), Math.min(xHigh, yHigh / factor)];
}

function dashed(group, d, colour, dash) {
  group.append("path").call(attrs, {
    class: "guide-line", d, fill: "none", stroke: colour, "stroke-width": 1, "stroke-dasharray": dash,
  });
}
