// The table's columns: which ones are shown by default, their widths, and the order of their values.

/** The columns that the table shows by default: words that vary, and the main numbers. */
function usualColumns(data) {
  const parts = /^(problem|family|params_.*|seed|side|encoding|axes_.*|solver|limits_.*|surroundings|key|rules_.*|reason|contradicts|core)$/;
  const wanted = ["cpu_s", "wall_s", "build_cpu_s", "solve_cpu_s", "peak_bytes", "work_nodes", "work_conflicts", "work_clauses"];
  const words = data.names.filter((name) => data.column(name).codes && !parts.test(name) && presentCodes(data.column(name)).length > 1);
  const first = ["instance", "engine"].filter((name) => data.has(name));
  return [...new Set([...first, ...words, "verdict", "check", ...wanted, "reason", "contradicts"])].filter((name) => data.has(name) && occurs(data.column(name)));
}

/** Whether a column has a value in some row. */
function occurs(column) {
  if (column.codes) return presentCodes(column).some((code) => column.values[code] !== null);
  return column.numbers ? !column.numbers.every(Number.isNaN) : true;
}

/** The groups in which the menu offers columns and the dialog shows the fields of a record. */
const COLUMN_GROUPS = [
  ["instance", /^(problem|instance|family|params_.*|seed|rules_.*|tags_family)$/],
  ["engine", /^(engine|side|encoding|axes_.*|solver|tags_engine)$/],
  ["run", /^(key|repetition|shuffle|solver_seed|limits_.*)$/],
  ["answer", /^(verdict|limit|outcome|check|reason|contradicts)$/],
  ["time", /^(cpu_s|wall_s|build_cpu_s|solve_cpu_s|check_cpu_s|prove_cpu_s|process_.*)$/],
  ["memory and proof", /_bytes$/],
  ["work", /^work_/],
  ["environment", /./],
];

/** The columns by group. A column belongs to the first group whose pattern matches. */
function groupedColumns(data) {
  const left = new Set(data.names);
  return COLUMN_GROUPS.map(([title, pattern]) => {
    const names = [...left].filter((name) => pattern.test(name));
    names.forEach((name) => left.delete(name));
    return { title, names };
  }).filter(({ names }) => names.length > 0);
}

const isNumber = (column) => Boolean(column.numbers) || (Boolean(column.codes) && column.values.every((value) => value === null || typeof value === "number"));

/**
 * The width of a column in characters: that of its header or of its widest value, from 6 to 34. If the column has many
 * different values, 200 rows are examined.
 */
function widthOf(data, column, rows) {
  const words = column.codes && column.values.length <= 2000 ? presentCodes(column).map((code) => formatCell(column.name, column.values[code]))
    : Array.from({ length: Math.min(200, rows.length) }, (_, i) => formatCell(column.name, data.get(column.name, rows[Math.floor(i * rows.length / Math.min(200, rows.length))])));
  const widest = words.reduce((most, word) => Math.max(most, word.length), 0);
  return Math.min(34, Math.max(widest, column.label.length + 2, 6));
}

const collator = new Intl.Collator("en", { numeric: true });

/** Rows sorted by keys [name, "asc" | "desc"]. Absent values always come last. */
function sortRows(data, selection, keys) {
  const rows = Array.from(selection);
  if (keys.length === 0) return rows;
  const orders = keys.map(([name, way]) => ({ rank: ranksOf(data.column(name)), sign: way === "desc" ? -1 : 1 }));
  return rows.sort((a, b) => {
    for (const { rank, sign } of orders) {
      const [x, y] = [rank(a), rank(b)];
      if (x === y || (Number.isNaN(x) && Number.isNaN(y))) continue;
      if (Number.isNaN(x)) return 1;
      if (Number.isNaN(y)) return -1;
      return sign * (x - y);
    }
    return a - b;
  });
}

/** A function that gives each row a number with the sort order of its cell; NaN for an absent value. */
function ranksOf(column) {
  if (column.numbers) return (row) => column.numbers[row];
  if (column.hex) return (row) => column.hex.subarray(row * column.size, row * column.size + 6).reduce((sum, byte) => sum * 256 + byte, 0);
  const ranks = new Float64Array(column.values.length).fill(NaN);
  column.values.map((value, code) => ({ value, code })).filter(({ value }) => value !== null)
    .sort((a, b) => (typeof a.value === "number" && typeof b.value === "number" ? a.value - b.value : collator.compare(String(a.value), String(b.value))))
    .forEach(({ code }, rank) => { ranks[code] = rank; });
  return (row) => ranks[column.codes[row]];
}
