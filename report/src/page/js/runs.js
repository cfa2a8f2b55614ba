// The runs in the form that views use: the result of each run, its measure and limit, its instance, its groups.

const UNSUPPORTED = 0, SOLVED = 1, WRONG = 2, UNSOLVED = 3;

const runsRead = new WeakMap();

/** Per row: `status` (one of the four above), `engine` (index into `data.engines`), `instance` (code of a label). */
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

/** Reads a column as words; null where absent. */
function wordsOf(data, name) {
  if (!data.has(name)) return () => null;
  const column = data.column(name);
  if (column.values) return (row) => column.values[column.codes[row]] ?? null;
  return (row) => data.get(name, row);
}

/** Reads a column as numbers; NaN where absent. */
function numbersOf(data, name) {
  if (!data.has(name)) return () => NaN;
  const column = data.column(name);
  if (column.numbers) return (row) => column.numbers[row];
  const values = column.values.map((value) => (value === null || value === "" ? NaN : Number(value)));
  return (row) => values[column.codes[row]];
}

/** What a view may measure, as choices of a control. */
function measureChoices(data) {
  const counters = data.raw.columns.map((column) => column.name).filter((name) => name.startsWith("work_"));
  const choices = [{ value: "cpu_s", label: "CPU time" }];
  if (data.has("work_nodes") || data.has("work_conflicts")) choices.push({ value: "work", label: "nodes and conflicts" });
  for (const name of counters) choices.push({ value: name, label: name.slice("work_".length) });
  if (data.has("peak_bytes")) choices.push({ value: "peak_bytes", label: "memory" });
  return choices;
}

/**
 * A measure by its name: `value(row)`, and `limit(row)`, a lower bound for a run that was not solved. If no limit was set
 * on the measure, that is what the run had used when it was stopped. A counter also has `counting`, the engines that report
 * it in some record. Records contain counters that are not zero, so a decided run of such an engine without it had 0.
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

/** NaN for a run that was killed before it reported anything. */
function nodesAndConflicts(data) {
  const nodes = numbersOf(data, "work_nodes"), conflicts = numbersOf(data, "work_conflicts");
  return (row) => (Number.isNaN(nodes(row)) && Number.isNaN(conflicts(row)) ? NaN : (nodes(row) || 0) + (conflicts(row) || 0));
}

/** The engines of which some record has such a number. */
function enginesWith(data, number) {
  const { engine } = runsOf(data), found = new Set();
  for (let row = 0; row < data.count; row += 1) if (!Number.isNaN(number(row))) found.add(engine[row]);
  return found;
}

function orElse(first, second) {
  return (row) => (first(row) > 0 ? first(row) : second(row));
}

/** Numeric columns that vary and so may serve as a size: the experiment's own first, then those with most values. */
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

/** Columns that may part a figure into panels, `none` first: those of instances or those of engines too. */
const INSTANCE_COLUMNS = /^(params_|rules_|family$)/, ALL_COLUMNS = /^(axes_|params_|rules_|family$|side$|encoding$|solver$)/;

function facetChoices(data, wanted) {
  const choices = [{ value: "", label: "none" }];
  for (const { name } of data.raw.columns) {
    const values = wanted.test(name) ? data.column(name).values : undefined;
    // A rule that is not set is a choice too: the judge's.
    const present = values?.filter((value) => value !== null || name.startsWith("rules_")).length ?? 0;
    if (present >= 2 && present <= 16) choices.push({ value: name, label: columnLabel(data, name) });
  }
  return choices;
}

/** What a column is called where people read it. */
function columnLabel(data, name) {
  return data.column(name).label;
}

/** Groups rows by the values of a column, ascending, with absent values last. Without a column, there is one group without a title. */
function facetsOf(data, rows, name) {
  if (!name || !data.has(name)) return [{ title: "", rows }];
  const word = wordsOf(data, name), label = columnLabel(data, name);
  const parts = groupRows(rows, word);
  const values = [...parts.keys()].sort(byValue);
  return values.map((value) => ({ title: value === null ? absentWords(name, label) : `${label} ${value}`, rows: parts.get(value) }));
}

/** A column without a value; a rule that is not set is as the judge has it. */
function absentWords(name, label) {
  return name.startsWith("rules_") ? `judge's ${label}` : `no ${label}`;
}

/** Numbers before words, absent ones last. */
function byValue(a, b) {
  if (a === null || b === null) return (a === null) - (b === null);
  const difference = Number(a) - Number(b);
  if (!Number.isNaN(difference)) return difference;
  return String(a).localeCompare(String(b), "en", { numeric: true });
}

/** Rows by what `key` says of them, in order of first appearance. */
function groupRows(rows, key) {
  const groups = new Map();
  for (const row of rows) {
    const value = key(row), group = groups.get(value);
    if (group) group.push(row); else groups.set(value, [row]);
  }
  return groups;
}

/** Rows that are supported, and notes on those that are left out. For a counter, engines that never report it are left out, too. */
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

/** Values of runs, ascending; Infinity where unsolved. */
function censoredValues(data, rows, measure) {
  const { status } = runsOf(data);
  return ascending(rows.map((row) => {
    const value = status[row] === SOLVED ? measure.value(row) : Infinity;
    return Number.isNaN(value) ? Infinity : value;
  }));
}

/** The greatest limit of runs, the end of what is known about those that were not solved. */
function limitOf(rows, measure) {
  let most = NaN;
  for (const row of rows) {
    const limit = measure.limit(row);
    if (!Number.isNaN(limit) && !(limit <= most)) most = limit;
  }
  return most;
}

/** The statistics that hold for exactly these rows, if any were computed. */
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

/** A grammatical count: `3 runs`. */
function counted(count, one, many = `${one}s`) {
  return `${count} ${count === 1 ? one : many}`;
}
