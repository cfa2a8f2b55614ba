// The runs in the form that views use: their results, measures, limits, instances and groups.

const UNSUPPORTED = 0, SOLVED = 1, WRONG = 2, UNSOLVED = 3;

const runsRead = new WeakMap();

/**
 * For each row, `status` (one of the four above), `engine` (an index into `data.engines`) and `instance` (an index into
 * `instances`, the labels).
 */
function runsOf(data) {
  if (!runsRead.has(data)) runsRead.set(data, readRuns(data));
  return runsRead.get(data);
}

function readRuns(data) {
  const count = data.count, status = new Uint8Array(count), engine = new Uint16Array(count);
  const verdict = wordsOf(data, "verdict"), check = wordsOf(data, "check"), contradicts = wordsOf(data, "contradicts");
  const ids = wordsOf(data, "engine"), places = new Map(data.engines.map((id, i) => [id, i]));
  for (let row = 0; row < count; row++) {
    engine[row] = places.get(ids(row)) ?? 0;
    if (verdict(row) === "unsupported") status[row] = UNSUPPORTED;
    else if (check(row) === "wrong" || contradicts(row) !== null) status[row] = WRONG;
    else if (verdict(row) === "decided" && check(row) === "checked") status[row] = SOLVED;
    else status[row] = UNSOLVED;
  }
  const labels = data.has("instance") ? data.column("instance") : null;
  return {
    status, engine,
    instance: labels?.codes ?? new Uint16Array(count),
    instances: (labels?.values ?? [""]).map((value) => String(value ?? "")),
  };
}

/** A function from rows to the values of a column; null for absent values. */
function wordsOf(data, name) {
  if (!data.has(name)) return () => null;
  const column = data.column(name);
  if (column.values) return (row) => column.values[column.codes[row]] ?? null;
  return (row) => data.get(name, row);
}

/** A function from rows to the values of a column as numbers; NaN for absent values. */
function numbersOf(data, name) {
  if (!data.has(name)) return () => NaN;
  const column = data.column(name);
  if (column.numbers) return (row) => column.numbers[row];
  const values = column.values.map((value) => (value === null || value === "" ? NaN : Number(value)));
  return (row) => values[column.codes[row]];
}

/** The measures that a reader can choose. */
function measureChoices(data) {
  const counters = data.raw.columns.map((column) => column.name).filter((name) => name.startsWith("work_"));
  const choices = [{ value: "cpu_s", label: "CPU time" }];
  if (data.has("work_nodes") || data.has("work_conflicts")) choices.push({ value: "work", label: "nodes and conflicts" });
  for (const name of counters) choices.push({ value: name, label: name.slice("work_".length) });
  if (data.has("peak_bytes")) choices.push({ value: "peak_bytes", label: "memory" });
  return choices;
}

/**
 * The measure with a name. `value(row)` is a run's value, and `limit(row)` is a lower bound on what an unsolved run
 * needs: its limit on the measure or, if it has none, its value. A counter also has `counting`, the set of engines that
 * report it in some record. Records contain only counters that are not zero, so if an engine counts, its decided runs
 * without the counter had 0.
 */
function measureOf(data, name) {
  if (/^work(_|$)/.test(name)) return countOf(data, name);
  const value = numbersOf(data, name);
  if (name === "cpu_s") return { name, label: "CPU time", unit: "seconds", value, limit: orElse(numbersOf(data, "limits_cpu_s"), value) };
  const unit = name.endsWith("_s") ? "seconds" : name.endsWith("_bytes") ? "bytes" : "count";
  const label = name === "peak_bytes" ? "memory" : name.replace(/_(s|bytes)$/, "").replaceAll("_", " ");
  return { name, label, unit, value, limit: value };
}

function countOf(data, name) {
  const { engine } = runsOf(data), all = name === "work", verdict = wordsOf(data, "verdict");
  const count = all ? nodesAndConflicts(data) : numbersOf(data, name), counting = all ? enginesThatCount(data) : enginesWith(data, count);
  const value = (row) => {
    if (!counting.has(engine[row])) return NaN;
    return Number.isNaN(count(row)) && verdict(row) === "decided" ? 0 : count(row);
  };
  const label = all ? "nodes and conflicts" : name.slice("work_".length).replaceAll("_", " ");
  return { name, label, unit: "count", counting, value, limit: all ? orElse(numbersOf(data, "limits_work"), value) : value };
}

/** A function from rows to nodes plus conflicts; NaN for a run that reported neither. */
function nodesAndConflicts(data) {
  const nodes = numbersOf(data, "work_nodes"), conflicts = numbersOf(data, "work_conflicts");
  return (row) => (Number.isNaN(nodes(row)) && Number.isNaN(conflicts(row)) ? NaN : (nodes(row) || 0) + (conflicts(row) || 0));
}

/** The set of engines for which some row has such a number. */
function enginesWith(data, number) {
  const { engine } = runsOf(data), found = new Set();
  for (let row = 0; row < data.count; row += 1) if (!Number.isNaN(number(row))) found.add(engine[row]);
  return found;
}

function orElse(first, second) {
  return (row) => (first(row) > 0 ? first(row) : second(row));
}

/**
 * Numeric parameters and rules that vary, so they can be used as sizes. The experiment's default comes first, then
 * those with the most values.
 */
function sizeChoices(data) {
  const names = data.raw.columns.map(({ name }) => name).filter((name) => /^(params|rules)_/.test(name) && isNumeric(data, name));
  const values = (name) => data.column(name).values?.filter((value) => value !== null).length ?? Infinity, own = data.raw.defaults?.x;
  return names.filter((name) => values(name) > 1).sort((a, b) => (b === own) - (a === own) || values(b) - values(a))
    .map((name) => ({ value: name, label: columnLabel(data, name) }));
}

function isNumeric(data, name) {
  const column = data.column(name);
  if (!column.values) return Boolean(column.numbers);
  const present = column.values.filter((value) => value !== null);
  return present.length > 0 && present.every((value) => value !== "" && Number.isFinite(Number(value)));
}

/** Columns that may divide a figure into panels: those of instances, and those of instances or engines. */
const INSTANCE_COLUMNS = /^(params_|rules_|family$|tags_family$)/, ALL_COLUMNS = /^(axes_|params_|rules_|family$|tags_|side$|encoding$|solver$)/;

function facetChoices(data, wanted) {
  const choices = [{ value: "", label: "none" }];
  for (const { name } of data.raw.columns) {
    const values = wanted.test(name) ? data.column(name).values : undefined;
    // A rule that is not set counts as a value, because the judge's rule holds.
    const present = values?.filter((value) => value !== null || name.startsWith("rules_")).length ?? 0;
    if (present >= 2 && present <= 16) choices.push({ value: name, label: columnLabel(data, name) });
  }
  return choices;
}

/** The name of a column for readers. */
function columnLabel(data, name) {
  return data.column(name).label;
}

/**
 * Groups rows by the values of a column, ascending, with absent values last. Without a column, there is one group
 * without a title, which has all rows.
 */
function facetsOf(data, rows, name) {
  if (!name || !data.has(name)) return [{ title: "", rows }];
  const word = wordsOf(data, name), label = columnLabel(data, name);
  const parts = groupRows(rows, word);
  const values = [...parts.keys()].sort(byValue);
  return values.map((value) => ({ title: value === null ? absentWords(name, label) : `${label} ${value}`, rows: parts.get(value) }));
}

/** The title of the runs without a value in a column. If a rule is not set, the judge's rule holds. */
function absentWords(name, label) {
  return name.startsWith("rules_") ? `judge's ${label}` : `no ${label}`;
}

/** Compares values: numbers by size, words alphabetically, absent values last. */
function byValue(a, b) {
  if (a === null || b === null) return (a === null) - (b === null);
  const difference = Number(a) - Number(b);
  if (!Number.isNaN(difference)) return difference;
  return String(a).localeCompare(String(b), "en", { numeric: true });
}

/** Groups rows by the value of `key`, in order of first appearance. */
function groupRows(rows, key) {
  const groups = new Map();
  for (const row of rows) {
    const value = key(row), group = groups.get(value);
    if (group) group.push(row); else groups.set(value, [row]);
  }
  return groups;
}

/**
 * Rows that are supported, and notes on those that are left out. For a counter, engines that never report it are also
 * left out.
 */
function supportedRows(data, selection, measure = null) {
  const { status } = runsOf(data);
  const rows = Array.from(selection).filter((row) => status[row] !== UNSUPPORTED);
  const left = selection.length - rows.length, notes = [];
  if (left > 0) {
    notes.push(left === 1 ? "1 run is left out: its engine does not support the instance."
      : `${left} runs are left out: their engines do not support the instances.`);
  }
  const silent = byEngine(data, rows).map(([index]) => index).filter((index) => measure?.counting && !measure.counting.has(index));
  if (silent.length === 0) return { rows, notes };
  notes.push(`Left out because they do not count ${measure.label}: ${silent.map((index) => data.engines[index]).join(", ")}.`);
  return { rows: rows.filter((row) => !silent.includes(runsOf(data).engine[row])), notes };
}

/** Rows of each engine, in the experiment's order: `[index, rows]`. */
function byEngine(data, rows) {
  const { engine } = runsOf(data);
  return [...groupRows(rows, (row) => engine[row])].sort((a, b) => a[0] - b[0]);
}

/** The values of runs in ascending order. An unsolved run counts as Infinity. */
function censoredValues(data, rows, measure) {
  const { status } = runsOf(data);
  return ascending(rows.map((row) => {
    const value = status[row] === SOLVED ? measure.value(row) : Infinity;
    return Number.isNaN(value) ? Infinity : value;
  }));
}

/** The greatest limit of runs, which is a lower bound for those that were not solved; NaN if no run has one. */
function limitOf(rows, measure) {
  let most = NaN;
  for (const row of rows) {
    const limit = measure.limit(row);
    if (!Number.isNaN(limit) && !(limit <= most)) most = limit;
  }
  return most;
}

/**
 * The precomputed statistics for exactly these rows, which must be all rows or all rows of a family; otherwise null.
 */
function statisticsOver(data, selection) {
  const known = data.raw.statistics ?? [];
  if (selection.length === data.count) return known.find((entry) => Object.keys(entry.scope).length === 0) ?? null;
  if (selection.length === 0 || !data.has("family")) return null;
  const family = wordsOf(data, "family"), name = family(selection[0]);
  for (const row of selection) if (family(row) !== name) return null;
  let all = 0;
  for (let row = 0; row < data.count; row++) if (family(row) === name) all++;
  if (all !== selection.length) return null;
  return known.find((entry) => entry.scope.family === name) ?? null;
}

/** A number with its noun, such as `1 run` or `3 runs`. */
function counted(count, one, many = `${one}s`) {
  return `${count} ${count === 1 ? one : many}`;
}
