// The functions of the page's scripts without a page, for tests that need no browser.

import vm from "node:vm";
import { d3, raw, scripts } from "./pages.mjs";

/** Runs the page's scripts except the last, which starts the page. Returns what they define under the given names. */
export function load(...names) {
  const text = scripts();
  const context = vm.createContext({ d3, Blob, Response, DecompressionStream, atob, Intl, URL });
  vm.runInContext(`"use strict";\n${text.slice(0, text.indexOf("// Starts the page"))}\nglobalThis.out = { ${names.join(", ")} };`, context);
  return context.out;
}

const { decode } = load("decode");

/** The records of a page. */
export const records = (name) => decode(raw(name));

/** The numbers of all rows. */
export const all = (data) => Uint32Array.from({ length: data.count }, (_, i) => i);
