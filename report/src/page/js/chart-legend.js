// The legend: beside or below a drawing on the page, where its entries hide and show engines, and within a drawing that
// is saved. It never covers the data.

/** A series for each name. None if the horizontal axis shows the names, or if there is only one name. */
function legendEntries(chart) {
  const entries = new Map();
  for (const panel of chart.panels) {
    if (panel.x.scale === "band") return [];
    for (const series of panel.series) if (!entries.has(series.name)) entries.set(series.name, series);
  }
  return entries.size > 1 ? [...entries.values()] : [];
}

/** A sample of a series on 26 × 12 pixels. */
function drawSwatch(group, series, palette) {
  const colour = colourOf(series, palette), hollow = series.variant === "second";
  if (series.shape === "line" || series.shape === "step") strokePath(group, "M0 6H26", series, colour);
  group.append("path").call(attrs, {
    d: markerPath(series.style, 13, 6, 3.4), fill: hollow ? palette.paper : colour, stroke: hollow ? colour : "none",
    "stroke-width": 1.4,
  });
}

/** The legend on the page, with a switch for each series. */
function legendOf(chart, hidden, onToggle, onPoint) {
  const entries = legendEntries(chart);
  if (entries.length === 0) return null;
  return h("div", { class: "legend", role: "group", "aria-label": "Series shown" }, entries.map((series) => {
    const swatch = d3.create("svg").call(attrs, { width: 26, height: 12, "aria-hidden": "true" });
    drawSwatch(swatch, series, SCREEN);
    const button = h("button", {
      type: "button", class: "legend-entry", "aria-pressed": String(!hidden.has(series.name)), title: series.name,
      onclick: () => onToggle(series.name),
      onpointerenter: () => onPoint(series.name), onpointerleave: () => onPoint(null),
      onfocus: () => onPoint(series.name), onblur: () => onPoint(null),
    }, swatch.node(), h("span", {}, brokenName(series.name)));
    return button;
  }));
}

/** Adds the legend below a drawing for a file; returns the height of the legend. */
function drawLegend(svg, chart, hidden, width, top, palette) {
  const entries = legendEntries(chart).filter(({ name }) => !hidden.has(name));
  let x = 0, y = top;
  for (const series of entries) {
    const name = fitText(series.name, TICK, width - 34), size = 34 + textWidth(name, TICK) + 18;
    if (x > 0 && x + size - 18 > width) { x = 0; y += 17; }
    const group = svg.append("g").attr("transform", `translate(${round1(x)}, ${round1(y)})`);
    drawSwatch(group, series, palette);
    svgText(group, 33, 10, name, palette.ink);
    x += size;
  }
  return entries.length === 0 ? 0 : y + 17 - top;
}
