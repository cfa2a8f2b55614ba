// Small tables of numbers: heads, cells with exact values behind them, and a frame that scrolls by itself.

/** A table that scrolls sideways where the window is narrow; `label` names it. */
function wideTable(label, head, body, foot = null) {
  return h("div", { class: "wide", tabindex: 0, role: "region", "aria-label": label },
    h("table", { class: "data" }, h("thead", {}, head), h("tbody", {}, body), foot ? h("tfoot", {}, foot) : null));
}

/** A head; `hint` is its tooltip. */
function headCell(words, hint = null, more = {}) {
  return h("th", { scope: "col", title: hint, ...more }, words);
}

/** A number with its unit and its exact value behind it; "–" where there is none. */
function numberCell(value, unit, { best = false, faded = false, signed = false } = {}) {
  const none = value === null || value === undefined || Number.isNaN(value);
  const words = signed ? formatSigned(value, unit) : formatValue(value, unit);
  const exact = none || !Number.isFinite(value) ? null : `${Number(value.toPrecision(7))}${unit === "seconds" ? " s" : ""}`;
  return h("td", { class: `number${best ? " best" : ""}${faded ? " faded" : ""}`, title: exact }, words);
}

/** A row's name. */
const rowHead = (...words) => h("th", { scope: "row" }, words);
