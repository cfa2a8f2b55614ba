// A chart on the page: drawing, legend, tooltips, pointer and keyboard.

/**
 * Fills `container` with a chart. `label` describes it in words. `hidden` has the names of series that are left out.
 * `onToggle(name)` is called when a reader clicks an entry of the legend, and `onPick(point)` when a reader clicks a
 * point or presses Enter on it.
 */
function draw(chart, { container, width, onPick, hidden = new Set(), onToggle = () => {}, label = chart.title }) {
  container.replaceChildren();
  if (chart.panels.length === 0) return;
  const named = legendEntries(chart).length, beside = width >= 900 && named > 0 && named <= 16 && chart.panels.length === 1;
  // Figures are scaled with the page's letters, which are larger on projectors.
  const scale = parseFloat(getComputedStyle(document.documentElement).fontSize) / 15 || 1;
  const { svg, hits, layout } = figureOf(chart, { width: (beside ? width - 300 : width) / scale, hidden, palette: SCREEN });
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("width", layout.width * scale);
  svg.setAttribute("height", layout.height * scale);
  const tip = h("div", { class: "tip", hidden: true });
  const plot = h("div", {
    class: "figure", role: "img", tabindex: "0", "aria-label": `${label} Arrow keys go from point to point, Enter opens the records of a point.`,
  }, svg, tip);
  const dim = (name) => {
    for (const group of svg.querySelectorAll("g.series")) group.classList.toggle("dim", name !== null && group.dataset.name !== name);
  };
  const legend = legendOf(chart, hidden, onToggle, dim);
  container.classList.toggle("beside", beside);
  container.append(plot, ...(legend ? [legend] : []));
  if (hits.length > 0) explore({ plot, svg, tip, hits, layout, onPick, scale });
}

/** Shows tooltips at the pointer, and at the points that the keyboard selects. */
function explore({ plot, svg, tip, hits, layout, onPick, scale }) {
  const tree = lazily(() => d3.quadtree(hits, (hit) => hit.x, (hit) => hit.y));
  const ring = d3.select(svg).append("g").call(attrs, { class: "ring", "pointer-events": "none" });
  let current = -1;
  const show = (hit) => {
    ring.selectAll("*").remove();
    tip.hidden = hit === null;
    if (hit === null) return;
    drawRing(ring, hit);
    tip.replaceChildren(...tipLines(hit));
    placeTip(tip, hit.x * scale, hit.y * scale, layout.height * scale, plot);
  };
  const near = (event) => {
    const box = svg.getBoundingClientRect(), x = (event.clientX - box.left) / scale, y = (event.clientY - box.top) / scale;
    return cellAt(layout, hits, x, y) ?? tree().find(x, y, 24) ?? null;
  };
  const step = (change) => {
    current = Math.max(0, Math.min(hits.length - 1, change(current)));
    scrollTo(plot, hits[current].x * scale);
    show(hits[current]);
    announce(tip.innerText.replaceAll("\n", ", "));
  };
  plot.addEventListener("pointermove", (event) => show(near(event)));
  plot.addEventListener("pointerleave", () => show(null));
  plot.addEventListener("click", (event) => {
    const hit = near(event);
    if (hit) onPick(hit.point);
  });
  plot.addEventListener("blur", () => show(null));
  plot.addEventListener("keydown", (event) => {
    const move = {
      ArrowRight: (at) => at + 1, ArrowLeft: (at) => at - 1, Home: () => 0, End: () => hits.length - 1,
      ArrowDown: (at) => seriesStart(hits, at, 1), ArrowUp: (at) => seriesStart(hits, at, -1),
    }[event.key];
    if (move) step(move);
    else if (event.key === "Enter" && current >= 0) onPick(hits[current].point);
    else if (event.key === "Escape") show(null);
    else return;
    event.preventDefault();
  });
}

function lazily(make) {
  let made;
  return () => (made ??= make());
}

/** The index of the first point of the next series (`step` = 1) or of the previous one (-1). */
function seriesStart(hits, at, step) {
  const series = hits[Math.max(0, at)].series;
  let next = Math.max(0, at);
  while (next >= 0 && next < hits.length && hits[next].series === series) next += step;
  if (next < 0 || next >= hits.length) return at;
  while (step < 0 && next > 0 && hits[next - 1].series === hits[next].series) next--;
  return next;
}

/** The cell of a heat map at a position, or null. */
function cellAt({ frames }, hits, x, y) {
  const frame = frames[0];
  if (frame.panel.y.scale !== "band") return null;
  const column = Math.round(frame.xScale.invert(x - frame.x)), row = Math.round(frame.yScale.invert(y - frame.y));
  frame.cells ??= new Map(hits.map((hit) => [`${hit.point.x} ${hit.point.y}`, hit]));
  return frame.cells.get(`${column} ${row}`) ?? null;
}

/** Marks a point by a ring and its interval, or a cell by a frame. */
function drawRing(ring, { x, y, point, series, frame }) {
  if (series.shape === "cells") {
    const width = frame.xScale(1) - frame.xScale(0), height = Math.max(3, frame.yScale(0) - frame.yScale(1));
    ring.append("rect").call(attrs, { x: x - width / 2, y: y - height / 2, width, height });
    return;
  }
  if (point.low !== undefined && series.shape === "line") {
    const [low, high] = [point.low, point.high].map((value) => frame.y + frame.yScale(value));
    ring.append("path").attr("d", `M${x - 4} ${low}h8m-4 0V${high}m-4 0h8`);
  }
  ring.append("circle").call(attrs, { cx: x, cy: y, r: 7 });
}

/** The lines of a point's tooltip: the engine, the values, and the number of runs. */
function tipLines({ point, series, frame }) {
  const { x, y, value } = frame.panel, lines = [];
  const said = (axis, number, limit) => {
    if (axis.scale === "band") return axis.bands[number];
    const short = axis.unit === "plain" ? shortDigits(number) : formatValue(number, axis.unit), exact = exactNumber(number);
    const precise = axis.unit === "seconds" && number > 0 ? ` (${exact} s)` : axis.unit === "bytes" ? ` (${exact})` : "";
    return `${limit ? "≥ " : ""}${short}${precise}`;
  };
  const rim = rimOf(point), met = point.end === "limit";
  const term = (name, words) => lines.push(h("div", {}, h("span", { class: "term" }, name), " ", words));
  if (series.shape === "cells") {
    term("engine", said(x, point.x));
    term("instance", said(y, point.y));
    term(value.label, said({ unit: value.unit }, point.value, met));
  } else {
    if (x.scale !== "band") term(x.label, said(x, point.x, rim.includes("x")));
    term(y.label, said(y, point.y, rim.includes("y")));
    if (point.low !== undefined) {
      term(series.shape === "boxes" ? "quartiles" : "interval", `${formatValue(point.low, y.unit)} to ${formatValue(point.high, y.unit)}`);
    }
  }
  if (point.end === "wrong") lines.push(h("div", { class: "bad" }, "wrong answer"));
  if (point.label) lines.push(h("div", {}, point.label));
  const runs = point.rows?.length ?? 0;
  if (runs > 0) lines.push(h("div", { class: "quiet" }, runs === 1 ? "opens its record" : `opens ${formatCount(runs)} records`));
  return series.shape === "cells" ? lines : [h("div", { class: "who" }, series.name), ...lines];
}

/** Puts the tooltip beside the point, within the figure. */
function placeTip(tip, x, y, height, plot) {
  const most = plot.clientWidth + plot.scrollLeft, wide = tip.offsetWidth, tall = tip.offsetHeight;
  const left = x + 14 + wide <= most ? x + 14 : Math.max(plot.scrollLeft, x - 14 - wide);
  const top = y + 14 + tall <= height ? y + 14 : Math.max(0, y - 14 - tall);
  tip.style.left = `${left}px`;
  tip.style.top = `${top}px`;
}

/** Scrolls the point that the keyboard selected into view. */
function scrollTo(plot, x) {
  if (x < plot.scrollLeft || x > plot.scrollLeft + plot.clientWidth) plot.scrollLeft = x - plot.clientWidth / 2;
}
