// The state of the page, which is stored only in the address: `#view=crossover&engine=a|b&params_n=8|10&cpu_s~=>0.5`.
// Therefore the browser's Back button works, and a link shows the same view to everyone.

const state = {
  view: "summary",
  /** Maps a column to the set of words that pass the filter. */
  words: new Map(),
  /** Maps a column to the expression that filters it. */
  terms: new Map(),
  /**
   * Maps a view to its options, and an option to its value. The address contains only the options of the view that is
   * shown.
   */
  options: new Map(),
  /** Names of series that the legend switched off. */
  off: new Set(),
  /** The sort keys of the table, as [column, "asc" | "desc"], the most important one first. */
  sort: [],
  /** Columns of the table, or null for the default ones. */
  columns: null,
  /** Key of the record in the dialog, or null. */
  record: null,
  /** "auto", "light" or "dark". */
  theme: "auto",
};

/** Former names of columns, which saved addresses may still use, each with the present name. */
const RENAMED = new Map([["model", "encoding"]]);
const currentName = (name) => RENAMED.get(name) ?? name;

const encodeWord = (text) => String(text).replace(/[%&|#\s"<>`\\^{}]/g, encodeURIComponent);

function decodeWord(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const encodeWords = (words) => [...words].map(encodeWord).join("|");

/** Splits a text at its bars. A program that passed the address on may have encoded the bars, too. */
function decodeWords(text) {
  const bars = text.includes("|") ? text.split("|") : text.split(/%7C/i);
  return bars.map(decodeWord);
}

function addressOf(s) {
  const parts = [`view=${encodeWord(s.view)}`];
  for (const [name, words] of s.words) parts.push(`${encodeWord(name)}=${encodeWords(words)}`);
  for (const [name, text] of s.terms) parts.push(`${encodeWord(name)}~=${encodeWord(text)}`);
  for (const [name, value] of s.options.get(s.view) ?? []) parts.push(`${encodeWord(name)}=${encodeWord(value)}`);
  if (s.off.size > 0) parts.push(`off=${encodeWords(s.off)}`);
  if (s.sort.length > 0) parts.push(`sort=${encodeWords(s.sort.map((key) => key.join(":")))}`);
  if (s.columns) parts.push(`columns=${encodeWords(s.columns)}`);
  if (s.record) parts.push(`record=${s.record}`);
  if (s.theme !== "auto") parts.push(`theme=${s.theme}`);
  return `#${parts.join("&")}`;
}

/**
 * Reads an address into the state. What the address does not say gets its default, except the options of other views,
 * which are kept.
 */
function readAddress(hash, data) {
  Object.assign(state, { view: "summary", words: new Map(), terms: new Map(), off: new Set(), sort: [], columns: null, record: null, theme: "auto" });
  const options = new Map();
  for (const part of hash.replace(/^#/, "").split("&")) {
    const at = part.indexOf("=");
    if (at < 1) continue;
    const given = decodeWord(part.slice(0, at));
    const isTerm = given.endsWith("~");
    const name = currentName(isTerm ? given.slice(0, -1) : given);
    const text = part.slice(at + 1);
    if (name === "view") state.view = decodeWord(text);
    else if (name === "off") state.off = new Set(decodeWords(text));
    else if (name === "sort") state.sort = decodeWords(text).map(readSort).filter(([column]) => data.has(column));
    else if (name === "columns") state.columns = decodeWords(text).map(currentName).filter((column) => data.has(column));
    else if (name === "record") state.record = decodeWord(text);
    else if (name === "theme") state.theme = ["light", "dark"].includes(text) ? text : "auto";
    else if (isTerm && data.has(name)) state.terms.set(name, decodeWord(text));
    else if (isTerm) options.set(given, decodeWord(text));
    else if (data.has(name) && data.column(name).codes) state.words.set(name, new Set(decodeWords(text)));
    else options.set(name, name === "facet" ? currentName(decodeWord(text)) : decodeWord(text));
  }
  if (state.columns?.length === 0) state.columns = null;
  if (options.size > 0) state.options.set(state.view, options);
  else state.options.delete(state.view);
}

function readSort(text) {
  const [, name, way] = /^(.*?)(?::(asc|desc))?$/.exec(text);
  return [currentName(name), way ?? "asc"];
}

/**
 * Writes the state into the address. "push" adds a step that the Back button undoes; "replace" does not, for example
 * while a reader types.
 */
function writeAddress(how) {
  const address = addressOf(state);
  if (address === location.hash) return;
  if (how === "replace") history.replaceState(null, "", address);
  else history.pushState(null, "", address);
}
