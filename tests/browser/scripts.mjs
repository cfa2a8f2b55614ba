// The page's scripts without a page, for tests that need no browser.

import vm from "node:vm";
import { scripts } from "./build.mjs";

/** The page's scripts but for the last, which starts the page; what `names` lists comes out. */
export function load(...names) {
  const text = scripts();
  const context = vm.createContext({ Blob, Response, DecompressionStream, atob, Intl, URL });
  vm.runInContext(`"use strict";\n${text.slice(0, text.indexOf("// Starts the page"))}\nglobalThis.out = { ${names.join(", ")} };`, context);
  return context.out;
}
