// A table with a row for every run. The document contains only the visible rows, so a hundred thousand runs cost no
// more than a hundred.

const ROW_HEIGHT = 28;
const SPARE_ROWS = 8;
const table = { frame: null };

registerView({
  id: "table", title: "Table",
  show(panel, data, selection) {
    const columns = state.columns ?? usualColumns(data);
    const made = columns.join();
    // The header is not rebuilt while a reader types into the filter of a column.
    if (table.frame?.parentElement !== panel || table.made !== made) buildTable(panel, data, columns, selection);
    table.made = made;
    table.rows = sortRows(data, selection, state.sort);
    updateHeads(data);
    table.grid.setAttribute("aria-rowcount", table.rows.length + 2);
    table.none.hidden = table.rows.length > 0;
    table.active = Math.min(table.active, Math.max(0, table.rows.length - 1));
    table.drawn = null;
    drawRows();
  },
});

function buildTable(panel, data, columns, selection) {
  const described = columns.map((name) => data.column(name));
  const heads = described.map((column) => ({
    column,
    th: h("th", { scope: "col", class: isNumber(column) ? "number" : null, title: column.name },
      h("button", { type: "button", class: "head", onclick: (event) => sortBy(column.name, event.shiftKey) }, column.label, h("span", { class: "way", "aria-hidden": "true" }))),
    field: h("input", { type: "text", id: `where-${column.name}`, "aria-label": `filter by ${column.label}`, autocomplete: "off", spellcheck: "false",
      placeholder: isNumber(column) ? "> 0.5" : "text", oninput: (event) => whereBy(column.name, event.target.value) }),
  }));
  const widths = described.map((column) => widthOf(data, column, selection));
  const body = h("tbody");
  const grid = h("table", { class: "data runs", role: "grid", tabindex: 0, "aria-label": "Runs; arrow keys move, Enter opens a record", onkeydown: tableKey },
    h("colgroup", {}, widths.map((width) => h("col", { style: `width: calc(${width}ch + 1.3rem)` }))),
    h("thead", {}, h("tr", { "aria-rowindex": 1 }, heads.map(({ th }) => th)), h("tr", { class: "where", "aria-rowindex": 2 }, heads.map(({ field }) => h("td", {}, field)))), body);
  grid.style.width = `calc(${widths.reduce((sum, width) => sum + width, 0)}ch + ${widths.length * 1.3}rem)`;
  const scroll = h("div", { class: "scroll", onscroll: drawRows }, grid);
  const none = h("p", { class: "quiet", hidden: true }, "No run passes the filter.");
  const frame = h("div", { class: "table-frame" },
    h("div", { class: "controls" }, columnMenu(data, columns),
      h("button", { type: "button", class: "small", onclick: () => download(`${data.raw.experiment}-runs.csv`, "text/csv", csvText(tableRows(data, columns))) }, "CSV"),
      h("span", { class: "quiet hint" }, "Filters: > 0.5, 1..10, 20 ms, !word, =word, none. Shift-click sorts by a second column.")),
    scroll, none);
  panel.replaceChildren(frame);
  table.watch?.disconnect();
  Object.assign(table, { frame, scroll, grid, body, none, heads, columns: described, data, active: 0, drawn: null, rows: [] });
  table.watch = new ResizeObserver(drawRows);
  table.watch.observe(scroll);
}

/** Draws the visible rows, between two empty rows that are as high as all hidden ones. */
function drawRows() {
  const { rows, body, scroll, columns, data } = table;
  const first = Math.max(0, Math.floor(scroll.scrollTop / ROW_HEIGHT) - SPARE_ROWS);
  const last = Math.min(rows.length, first + Math.ceil(scroll.clientHeight / ROW_HEIGHT) + 2 * SPARE_ROWS);
  if (table.drawn === `${first} ${last}`) return;
  table.drawn = `${first} ${last}`;
  const gap = (count) => h("tr", { class: "gap", "aria-hidden": "true", style: `height: ${count * ROW_HEIGHT}px` });
  body.replaceChildren(gap(first), ...rows.slice(first, last).map((row, i) => rowElement(data, columns, row, first + i)), gap(rows.length - last));
  markActive();
}

function rowElement(data, columns, row, place) {
  const kind = rowKind(data, row);
  return h("tr", { id: `row-${place}`, "aria-rowindex": place + 3, class: kind, onclick: () => { table.active = place; openRecord(table.rows, place); } },
    columns.map((column) => {
      const value = data.get(column.name, row);
      const words = formatCell(column.name, value);
      return h("td", { class: isNumber(column) ? "number" : null, title: exactCell(column.name, value) || (words.length > 30 ? words : null) }, words);
    }));
}

/** The class that determines the colour of a row: wrong or failed, else open, else limit. */
function rowKind(data, row) {
  if (data.get("check", row) === "wrong" || data.get("contradicts", row) || data.get("verdict", row) === "failed") return "is-wrong";
  if (data.get("check", row) === "open") return "is-open";
  return data.get("verdict", row) === "decided" ? null : "is-limit";
}

function tableKey(event) {
  if (event.target !== table.grid) return;
  const page = Math.max(1, Math.floor(table.scroll.clientHeight / ROW_HEIGHT) - 4);
  const to = { ArrowDown: table.active + 1, ArrowUp: table.active - 1, PageDown: table.active + page, PageUp: table.active - page, Home: 0, End: Infinity }[event.key];
  if (event.key === "Enter" && table.rows.length > 0) {
    event.preventDefault();
    openRecord(table.rows, table.active);
  }
  if (to === undefined) return;
  event.preventDefault();
  table.active = Math.max(0, Math.min(table.rows.length - 1, to));
  const top = table.active * ROW_HEIGHT;
  const seen = table.scroll.clientHeight - table.grid.tHead.offsetHeight - ROW_HEIGHT;
  if (top < table.scroll.scrollTop) table.scroll.scrollTop = top;
  else if (top > table.scroll.scrollTop + seen) table.scroll.scrollTop = top - seen;
  drawRows();
  markActive();
}

function markActive() {
  for (const row of table.body.querySelectorAll("[id]")) row.setAttribute("aria-selected", String(row.id === `row-${table.active}`));
  const active = byId(`row-${table.active}`);
  if (active) table.grid.setAttribute("aria-activedescendant", active.id);
  else table.grid.removeAttribute("aria-activedescendant");
}

function sortBy(name, more) {
  go(() => {
    const at = state.sort.findIndex(([key]) => key === name);
    const way = at < 0 ? "asc" : state.sort[at][1] === "asc" ? "desc" : null;
    if (!more) state.sort = way ? [[name, way]] : [];
    else if (at < 0) state.sort = [...state.sort, [name, way]];
    else state.sort = state.sort.flatMap((key, i) => (i !== at ? [key] : way ? [[name, way]] : []));
  });
}

function whereBy(name, text) {
  go(() => {
    if (text.trim() === "") state.terms.delete(name);
    else state.terms.set(name, text);
  }, "replace");
}

function updateHeads() {
  for (const { column, th, field } of table.heads) {
    const at = state.sort.findIndex(([name]) => name === column.name);
    const way = at < 0 ? null : state.sort[at][1];
    th.setAttribute("aria-sort", way === null ? "none" : way === "asc" ? "ascending" : "descending");
    th.querySelector(".way").textContent = way === null ? "" : `${way === "asc" ? "▲" : "▼"}${state.sort.length > 1 ? at + 1 : ""}`;
    const text = state.terms.get(column.name) ?? "";
    if (field !== document.activeElement) field.value = text;
    const readable = text === "" || compileTerm(text, isNumber(column) ? "numbers" : "words");
    field.setAttribute("aria-invalid", String(!readable));
    field.title = readable ? "" : "not a valid filter; expected a form such as > 0.5, <= 20 ms, 1..10, = 3, none or any";
  }
}

function columnMenu(data, columns) {
  const chosen = new Set(columns);
  const choose = (name) => go(() => {
    if (!chosen.delete(name)) chosen.add(name);
    state.columns = data.names.filter((other) => chosen.has(other)).sort((a, b) => place(a) - place(b));
    table.reopen = `column-${name}`;
  }, "replace");
  const order = groupedColumns(data).flatMap(({ names }) => names);
  const place = (name) => (columns.includes(name) ? columns.indexOf(name) : columns.length + order.indexOf(name));
  const menu = popMenu("columns", h("div", { class: "pop" }, h("div", { class: "columns" },
    groupedColumns(data).map(({ title, names }) => h("fieldset", {}, h("legend", {}, title), names.map((name) => h("label", { class: "choice" },
      h("input", { type: "checkbox", id: `column-${name}`, checked: chosen.has(name), disabled: chosen.size === 1 && chosen.has(name), onchange: () => choose(name) }),
      h("span", { class: "choice-word" }, data.column(name).label)))))),
    h("button", { type: "button", class: "small", onclick: () => go(() => { state.columns = null; }, "replace") }, "default columns")));
  // The table is rebuilt with its columns, but the menu stays open, so that several columns can be chosen.
  if (table.reopen) {
    const id = table.reopen;
    table.reopen = null;
    queueMicrotask(() => {
      menu.open = true;
      byId(id)?.focus();
    });
  }
  return menu;
}

function tableRows(data, columns) {
  return [columns, ...table.rows.map((row) => columns.map((name) => {
    const value = data.get(name, row);
    return typeof value === "number" ? Number(value.toPrecision(7)) : value;
  }))];
}
