// Saves a chart as files: the drawing on white with title, legend and notes, and its points as rows.

/**
 * The drawing as an SVG file that is complete in itself: as on the page, but in light colours, with title, legend and
 * notes.
 */
function chartSvg(chart, { width, hidden = new Set() }) {
  const { svg, layout } = figureOf(chart, { width, hidden, palette: PRINT });
  const margin = 14, whole = Math.max(width, layout.width), frame = d3.create("svg");
  frame.call(attrs, { xmlns: "http://www.w3.org/2000/svg", "font-family": FONT, "font-size": TICK });
  const back = frame.append("rect").attr("fill", PRINT.paper);
  const body = frame.append("g").attr("transform", `translate(${margin}, ${margin})`);
  const title = svgText(body, 0, 14, fitText(chart.title, 15, whole), PRINT.ink).call(attrs, {
    "font-size": 15, "font-weight": 600,
  });
  title.append("title").text(chart.title);
  const drawing = body.append(() => svg).call(attrs, { x: 0, y: 30 });
  drawing.call(attrs, { xmlns: null, "font-family": null });
  let y = 30 + layout.height + 10;
  y += drawLegend(body, chart, hidden, whole, y, PRINT);
  for (const line of chart.notes.flatMap((note) => wrapped(note, whole))) {
    y += 16;
    svgText(body, 0, y, line, PRINT.soft);
  }
  const size = [whole + 2 * margin, y + 2 * margin];
  frame.call(attrs, { width: size[0], height: size[1], viewBox: `0 0 ${size[0]} ${size[1]}` });
  back.call(attrs, { width: size[0], height: size[1] });
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(frame.node())}\n`;
}

/** A sentence broken into lines that fit the width. */
function wrapped(words, width) {
  const lines = [];
  let line = "";
  for (const word of words.split(" ")) {
    const longer = line ? `${line} ${word}` : word;
    if (line && textWidth(longer, TICK) > width) { lines.push(line); line = word; } else line = longer;
  }
  return line ? [...lines, line] : lines;
}

/**
 * The points as rows of unrounded values, below a row of column names. A position in a band is written as the name of
 * the band.
 */
function chartRows(chart) {
  const rows = [["panel", "series", "x", "y", "low", "high", "value", "end", "label"]];
  const place = (axis, value) => (axis.scale === "band" ? axis.bands[value] : exactNumber(value));
  for (const panel of chart.panels) for (const series of panel.series) for (const point of series.points) {
    const { low, high, value } = point;
    const places = [place(panel.x, point.x), place(panel.y, point.y), ...[low, high, value].map(exactNumber)];
    rows.push([panel.title, series.name, ...places, point.end, point.label]);
  }
  return rows;
}

/** A number with seven digits, because single-precision numbers have no more. */
function exactNumber(value) {
  return value === undefined || !Number.isFinite(value) ? "" : Number(value.toPrecision(7));
}
