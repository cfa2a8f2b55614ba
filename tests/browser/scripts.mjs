// The page's scripts without a page: pure functions and builders of charts, for tests that need no browser.

import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";

const folder = new URL("../../src/report/page/js/", import.meta.url).pathname;
const PURE = ["format", "data", "statistics", "runs", "view-common", "view-quantile", "view-scatter", "view-crossover",
  "view-encodings", "view-heat", "view-spread"];

/** A scope that holds the functions; `views` maps the ids of views to what they registered. */
export function load() {
  const views = new Map();
  const scope = createContext({
    registerView: (view) => views.set(view.id, view), views, atob, Blob, DecompressionStream, Response, console,
  });
  runInContext(PURE.map((name) => readFileSync(`${folder}${name}.js`, "utf8")).join("\n"), scope);
  return scope;
}
