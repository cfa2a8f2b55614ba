// Helpers for elements of the document.

/** Creates an element with attributes and children. If the value of an attribute is a function, it becomes an event listener; true
 * sets the attribute without a value; false and null omit it. */
function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null) element.setAttribute(name, value);
  }
  element.append(...children.flat());
  return element;
}

const byId = (id) => document.getElementById(id);

/** Joins the lines that the library wrapped at 100 characters. Such a line is indented by two more blanks than the line before. */
function unwrap(text) {
  const found = [];
  let indent = 0;
  for (const line of text.trimEnd().split("\n")) {
    const words = line.trimStart(), blanks = line.length - words.length, last = found.at(-1);
    const isNext = last !== undefined && blanks === indent + 2 && last.end + 1 + words.split(" ")[0].length > 100;
    if (isNext) Object.assign(last, { text: `${last.text} ${words}`, end: line.length });
    else {
      found.push({ text: line, end: line.length });
      indent = blanks;
    }
  }
  return found.map(({ text: whole }) => whole).join("\n");
}

/** What parities become for a solver, in words; empty if it gets the clauses of the page, or if there are no parities. */
function parityWords(parities) {
  if (!parities) return "";
  const { lines, in_full: full, in_pieces: pieces, connecting } = parities, one = lines === 1, number = (many, noun) => `${many.toLocaleString("en")} ${noun}${many === 1 ? "" : "s"}`;
  return `${number(lines, "line")} say${one ? "s" : ""} that an even or an odd number of variables is true. ${one ? "It stands" : "They stand"} for ${number(full, "clause")}. `
    + `The solver gets the same in shorter pieces, which ${number(connecting, "helper variable")} connect${connecting === 1 ? "s" : ""}: ${number(pieces, "clause")}.`;
}

/** `1 clause`, `2 clauses`. */
const plural = (count, one) => `${count} ${one}${count === 1 ? "" : "s"}`;
