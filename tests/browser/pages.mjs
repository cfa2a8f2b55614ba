// The pages that the tests open. The program wrote them, with one folder for each experiment, into the folder `PAGES`
// (by default `target/pages` of the repository). `run` makes them.

import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const within = (path) => fileURLToPath(new URL(path, import.meta.url));
const folder = resolve(process.env.PAGES ?? within("../../target/pages"));
const source = within("../../report/src/page/");
export const d3 = createRequire(import.meta.url)(join(source, "vendor/d3.min.js"));

/** The names of all experiments. */
export const experiments = () => readdirSync(folder).filter((name) => /^\d/.test(name)).sort();

/** The name of the experiment whose name begins with `start`. */
export const find = (start) => experiments().find((name) => name.startsWith(start));

const file = (name) => join(folder, name, "report.html");

/** The address of a page. */
export const address = (name) => pathToFileURL(file(name)).href;

/** The page of a hundred thousand records. */
export const LARGE = "large";

const DATA = /(<script type="application\/json" id="data">)([\s\S]*?)(<\/script>)/;

/** The data in a page. */
export const raw = (name) => JSON.parse(DATA.exec(readFileSync(file(name), "utf8"))[2]);

/** Writes the page of an experiment with other data, and returns its address. */
export function altered(name, title, data) {
  const pages = within("pages/");
  mkdirSync(pages, { recursive: true });
  const text = JSON.stringify(data).replaceAll("<", "\\u003c");
  const path = join(pages, `${title}.html`);
  writeFileSync(path, readFileSync(file(name), "utf8").replace(DATA, (_, head, __, tail) => head + text + tail));
  return pathToFileURL(path).href;
}

/** A table that the program wrote beside the page. Each row is an object. */
export const table = (name, path) => d3.csvParse(readFileSync(join(folder, name, path), "utf8"));

/** The names of the figures beside a page. */
export const figures = (name) => readdirSync(join(folder, name, "figures")).filter((one) => one.endsWith(".csv")).map((one) => one.slice(0, -4));

/** The scripts of the repository in their order, as one text. */
export const scripts = () => readFileSync(join(source, "js/order.txt"), "utf8").trim().split("\n")
  .map((name) => readFileSync(join(source, "js", name), "utf8")).join("\n");

/** Whether a page contains the current scripts of the repository, because it was made after their last change. */
export const isFresh = (name) => readFileSync(file(name), "utf8").includes(scripts());
