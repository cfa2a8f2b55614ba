// Numbers for readers: three significant digits or all digits before the decimal point, as in reports
// (`report/src/units.rs`), with units, and thin spaces between thousands. Dialogs, tooltips and exports have exact values.

const THIN = "\u2009";
const MINUS = "\u2212";

/**
 * `value` to `digits` significant digits, or all digits before the decimal point, never with an exponent: 1234.5 → "1235",
 * 0.0123 → "0.0123".
 */
function significant(value, digits = 3) {
  if (value === 0) return "0";
  const size = Math.abs(value);
  const rounded = Number(size.toPrecision(digits));
  const places = Math.max(0, digits - 1 - Math.floor(Math.log10(rounded)));
  return (value < 0 ? MINUS : "") + grouped((places === 0 ? size : rounded).toFixed(Math.min(places, 12)));
}

/** A decimal number with spaces between thousands, if it has more than four digits before the decimal point. */
function grouped(text) {
  const [whole, part] = String(text).split(".");
  const apart = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, THIN) : whole;
  return part === undefined ? apart : `${apart}.${part}`;
}

/** Whole numbers in full: 65922 → "65 922". */
function formatCount(value) {
  if (!Number.isInteger(value)) return significant(value);
  return (value < 0 ? MINUS : "") + grouped(Math.abs(value));
}

/** 0.0123 → "12.3 ms". */
function formatSeconds(value) {
  const size = Number(Math.abs(value).toPrecision(3));
  if (size === 0) return "0 s";
  if (size < 1e-3) return `${significant(value * 1e6)}${THIN}µs`;
  if (size < 1) return `${significant(value * 1e3)}${THIN}ms`;
  return `${significant(value)}${THIN}s`;
}

/** 9580544 → "9.14 MiB". */
function formatBytes(value) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let at = 0;
  let rest = value;
  while (Math.abs(rest) >= 1023.5 && at < units.length - 1) {
    rest /= 1024;
    at += 1;
  }
  return `${significant(rest)}${THIN}${units[at]}`;
}

/** A value of an axis or column; `unit` as in charts: seconds, bytes, count, plain. */
function formatValue(value, unit) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : `${MINUS}∞`;
  if (unit === "seconds") return formatSeconds(value);
  if (unit === "bytes") return formatBytes(value);
  if (unit === "count") return formatCount(value);
  return significant(value);
}

/** A p-value: never "0". */
function formatP(p) {
  if (p === null || p === undefined || Number.isNaN(p)) return "–";
  return p < 0.001 ? "< 0.001" : p.toPrecision(2).replace(/^(\d)$/, "$1.0");
}

/** A value with its sign, for differences. */
function formatSigned(value, unit) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  return (value > 0 ? "+" : "") + formatValue(value, unit);
}

/** The unit of a column's numbers, which follows from its name. */
function unitOf(name) {
  if (name.endsWith("_s")) return "seconds";
  if (name.endsWith("_bytes")) return "bytes";
  if (name.startsWith("work_") || name === "limits_work") return "count";
  return "plain";
}

/** A cell of a record, for display. */
function formatCell(name, value) {
  if (value === null || value === undefined) return "";
  if (typeof value !== "number") return String(value);
  const unit = unitOf(name);
  if (unit === "plain") return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)));
  return formatValue(value, unit);
}

/** The unrounded text of a cell, in the unit that the column's name gives; "" unless the value is a number. */
function exactCell(name, value) {
  if (typeof value !== "number") return "";
  // Single-precision numbers have no more than seven digits.
  const text = String(Number(value.toPrecision(7)));
  const unit = unitOf(name);
  return unit === "seconds" ? `${text} s` : unit === "bytes" ? `${value} bytes` : text;
}
