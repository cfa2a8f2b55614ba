// The frame of a plot: its options, the figure, its explanation, and its points as files and as a table.
//
// The files chart-*.js draw: draw(chart, {container, width, onPick(point), hidden: Set of series names, onToggle(name),
// label}) fills the container (legend, figure with `label` as its name, tooltips, keyboard); chartSvg(chart,
// {width, hidden}) returns an SVG file; chartRows(chart) returns the points as rows below a header.

/**
 * The options of a view with their values. A value comes from the address if it is one of the choices; otherwise it is
 * the default (`initial`) or the first choice.
 */
function optionValues(view, data) {
  const stated = state.options.get(view.id) ?? new Map();
  const described = view.options ? view.options(data) : [];
  const values = {};
  for (const { key, choices, initial } of described) {
    const offered = choices.map(({ value }) => String(value));
    values[key] = offered.includes(stated.get(key)) ? stated.get(key) : String(initial ?? offered[0]);
  }
  return { described, values };
}

/** Whether a reader opened (true) or closed (false) the explanations; null if neither. */
let helpWanted = null;

/** Shows a plot in the panel. */
function showPlot(view, panel, data, selection) {
  const { described, values } = optionValues(view, data);
  const controls = described.filter(({ choices }) => choices.length > 1).map(({ key, label, choices }) => h("label", { class: "option" }, label,
    h("select", { id: `option-${key}`, onchange: (event) => setOption(view.id, key, event.target.value) },
      choices.map(({ value, label: words }) => h("option", { value: String(value), selected: String(value) === values[key] }, words)))));
  const container = h("div", { class: "chart" });
  const open = helpWanted ?? panel.clientWidth >= 900;
  const help = h("details", { class: "understanding", open, ontoggle: () => { if (help.open !== open) helpWanted = help.open; } }, h("summary", {}, "Understanding this plot"), h("div", { class: "prose" }));
  help.querySelector("div").innerHTML = view.understanding;
  const figure = h("figure", { class: "plot" });
  panel.replaceChildren(h("div", { class: "controls" }, controls), figure, help);

  if (selection.length === 0) return figure.replaceChildren(h("p", { class: "quiet" }, "No run passes the filter."));
  const chart = view.build(data, selection, values);
  const name = `${data.raw.experiment}-${chart.name}`;
  const table = h("div", { class: "points", hidden: true });
  const notes = h("ul", { class: "notes" }, chart.notes.map((note) => h("li", {}, note)));
  figure.replaceChildren(
    h("figcaption", {}, chart.title), container, notes,
    h("div", { class: "actions" },
      h("button", { type: "button", class: "small", onclick: () => download(`${name}.svg`, "image/svg+xml", chartSvg(chart, { width: 760, hidden: state.off })) }, "SVG"),
      h("button", { type: "button", class: "small", onclick: () => download(`${name}.csv`, "text/csv", csvText(chartRows(chart))) }, "CSV"),
      pointsButton(table, chart)),
    table);
  draw(chart, {
    container, width: container.clientWidth, hidden: state.off, label: [chart.title, ...chart.notes].filter(Boolean).join(". "),
    onPick: (point) => { if (point.rows?.length > 0) openRecords([...point.rows]); },
    onToggle: (series) => go(() => { if (!state.off.delete(series)) state.off.add(series); }, "replace"),
  });
  return chart;
}

/** The maximum number of points in the table. */
const SHOWN_POINTS = 500;

function pointsButton(table, chart) {
  const button = h("button", { type: "button", class: "small", "aria-expanded": "false", onclick: toggle }, "points as a table");
  function toggle() {
    table.hidden = !table.hidden;
    button.setAttribute("aria-expanded", String(!table.hidden));
    if (table.hidden || table.firstChild) return;
    const [head, ...rows] = chartRows(chart);
    table.append(
      h("table", { class: "data" }, h("thead", {}, h("tr", {}, head.map((cell) => h("th", { scope: "col" }, cell)))),
        h("tbody", {}, rows.slice(0, SHOWN_POINTS).map((row) => h("tr", {}, row.map((cell) => h("td", {}, typeof cell === "number" ? String(Number(cell.toPrecision(4))) : cell ?? "")))))),
      rows.length > SHOWN_POINTS ? h("p", { class: "quiet" }, `${formatCount(rows.length - SHOWN_POINTS)} more in the CSV file`) : "");
  }
  return button;
}

/** Sets an option of a view. Null removes it, so that the default holds. */
function setOption(view, key, value) {
  go(() => {
    if (!state.options.has(view)) state.options.set(view, new Map());
    if (value === null) state.options.get(view).delete(key);
    else state.options.get(view).set(key, value);
  });
}
