// Small tables of numbers: headers, cells whose tooltips have exact values, and a frame that scrolls on its own.

/** A table that scrolls sideways if the window is narrow. `label` is its name for screen readers. */
function wideTable(label, head, body, foot = null) {
  return h("div", { class: "wide", tabindex: 0, role: "region", "aria-label": label },
    h("table", { class: "data" }, h("thead", {}, head), h("tbody", {}, body), foot ? h("tfoot", {}, foot) : null));
}

/** The header of a column. `hint` is its tooltip. */
function headCell(words, hint = null, more = {}) {
  return h("th", { scope: "col", title: hint, ...more }, words);
}

/** A cell with a number and its unit. Its tooltip has the exact value. "–" if there is no number. */
function numberCell(value, unit, { best = false, faded = false, signed = false } = {}) {
  const none = value === null || value === undefined || Number.isNaN(value);
  const words = signed ? formatSigned(value, unit) : formatValue(value, unit);
  const exact = none || !Number.isFinite(value) ? null : `${Number(value.toPrecision(7))}${unit === "seconds" ? " s" : ""}`;
  return h("td", { class: `number${best ? " best" : ""}${faded ? " faded" : ""}`, title: exact }, words);
}

/** The header of a row. */
const rowHead = (...words) => h("th", { scope: "row" }, words);
