// The filter: sets of values, which readers choose in the bar above all views, and expressions, which they enter in the
// header of the table.

/** The columns that the bar offers, in its order: those with 2 to 60 different values. */
function facets(data) {
  const known = [/^family$/, /^tags_/, /^params_/, /^rules_/, /^engine$/, /^side$/, /^encoding$/, /^axes_/, /^solver$/, /^verdict$/, /^limit$/, /^outcome$/, /^check$/, /^shuffle$/, /^solver_seed$/, /^repetition$/, /^build$/, /^node$/, /^cpu_model$/];
  return known.flatMap((pattern) => data.names.filter((name) => pattern.test(name))).map((name) => data.column(name))
    .filter((column) => column.codes && presentCodes(column).length > 1 && presentCodes(column).length <= 60);
}

const presence = new WeakMap();

/**
 * The codes that occur in a column: numbers in ascending order, then words in the order of the list of values, then the
 * absent value.
 */
function presentCodes(column) {
  if (!presence.has(column)) {
    const counts = new Uint32Array(column.values.length);
    for (const code of column.codes) counts[code] += 1;
    const codes = [...counts.keys()].filter((code) => counts[code] > 0);
    const rank = (code) => (column.values[code] === null ? 2 : typeof column.values[code] === "number" ? 0 : 1);
    codes.sort((a, b) => rank(a) - rank(b) || (rank(a) === 0 ? column.values[a] - column.values[b] : a - b));
    presence.set(column, codes);
  }
  return presence.get(column);
}

/** The text of a word column's value in the address and in the check boxes. */
const wordOf = (value) => (value === null ? "" : String(value));

/** The texts by which readers choose a value. A cell with tags can have several. */
const choicesOf = (name, value) => (name.startsWith("tags_") && value !== null ? value.split(" ") : [wordOf(value)]);

/**
 * The rows that pass `words` (a map from column names to sets of words) and `terms` (a map from column names to
 * expressions). The column `except` is not tested.
 */
function selectRows(data, { words, terms }, except = null) {
  const pass = new Uint8Array(data.count).fill(1);
  for (const [name, wanted] of words) {
    if (name === except || !data.has(name)) continue;
    keepCodes(pass, data.column(name), (value) => choicesOf(name, value).some((word) => wanted.has(word)));
  }
  for (const [name, text] of terms) {
    if (name !== except && data.has(name)) keepTerm(pass, data, data.column(name), text);
  }
  const rows = new Uint32Array(data.count);
  let length = 0;
  for (let row = 0; row < data.count; row += 1) if (pass[row]) rows[length++] = row;
  return rows.subarray(0, length);
}

function keepTerm(pass, data, column, text) {
  const test = compileTerm(text, isNumber(column) ? "numbers" : "words");
  if (!test) return;
  if (column.codes) keepCodes(pass, column, test);
  else if (column.numbers) {
    for (let row = 0; row < pass.length; row += 1) {
      const value = column.numbers[row];
      if (!test(Number.isNaN(value) ? null : value)) pass[row] = 0;
    }
  } else {
    for (let row = 0; row < pass.length; row += 1) if (pass[row] && !test(data.get(column.name, row))) pass[row] = 0;
  }
}

function keepCodes(pass, column, test) {
  const keep = column.values.map((value) => (test(value) ? 1 : 0));
  for (let row = 0; row < pass.length; row += 1) if (!keep[column.codes[row]]) pass[row] = 0;
}
