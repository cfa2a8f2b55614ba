// Tests whether two builds of the module contain the same functions and texts: `node same.mjs FILE FILE`. The order of
// the functions depends on parts of the library that are not in the module. So the order is ignored. So are the numbers
// by which functions call each other; the linker writes each of these numbers in five bytes. Of the data, only the texts are
// compared, because the rest includes the numbers of source lines, for messages about panics.

import { readFileSync } from "node:fs";

const TYPES_OF_FUNCTIONS = 3, EXPORTS = 7, TABLE = 9, FUNCTIONS = 10, DATA = 11;

/** Decodes the number at a position, with seven bits in each byte. Returns the number and the position of its end. */
function number(bytes, at) {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    value += (byte & 127) * 2 ** shift;
    if (byte < 128) return [value, at];
  }
}

/** The sections by number, each as a list of strings: one for each function, or one for the whole section. */
function sections(file) {
  const bytes = readFileSync(file), found = new Map();
  if (bytes.readUInt32LE(0) !== 0x6d736100) throw new Error(`${file} is not a WebAssembly module`);
  for (let at = 8; at < bytes.length;) {
    const kind = bytes[at], [length, start] = number(bytes, at + 1);
    at = start + length;
    const content = bytes.toString("latin1", start, at);
    found.set(kind, kind === FUNCTIONS ? functions(bytes, start) : kind === DATA ? texts(content) : [content]);
  }
  return found;
}

/** The texts in the data: all sequences of at least four printable characters. */
const texts = (content) => content.match(/[\x20-\x7e]{4,}/g) ?? [];

/** The bodies of the functions, sorted, without the numbers that are written in five bytes. */
function functions(bytes, start) {
  let [count, at] = number(bytes, start);
  const bodies = [];
  for (; count > 0; count -= 1) {
    const [length, from] = number(bytes, at);
    at = from + length;
    bodies.push(bytes.toString("latin1", from, at).replace(/([\x10\x41])[\x80-\xff]{4}[\x00-\x7f]/g, "$1"));
  }
  return bodies.sort();
}

const [one, other] = process.argv.slice(2, 4).map(sections);
// These sections contain numbers of functions, which depend on the order.
const differing = [...one.keys()].filter((kind) => ![TYPES_OF_FUNCTIONS, EXPORTS, TABLE].includes(kind)
  && JSON.stringify(one.get(kind)) !== JSON.stringify(other.get(kind)));
if (one.size !== other.size || differing.length > 0) {
  console.error(`${process.argv[2]} and ${process.argv[3]} differ in section ${differing.join(", ") || "count"}; run examples/wasm/build to rebuild the module`);
  process.exit(1);
}
