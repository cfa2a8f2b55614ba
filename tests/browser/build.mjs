// Fills the page's template as the program does, and writes pages of all experiments: `node build.mjs [EXPERIMENT…]`.

import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { experiments, fixture } from "./fixture.mjs";

const page = fileURLToPath(new URL("../../src/report/page/", import.meta.url));
export const pages = fileURLToPath(new URL("pages/", import.meta.url));

/** The scripts of the page in their order, as one text. */
export const scripts = () => readFileSync(join(page, "js/order.txt"), "utf8").trim().split("\n")
  .map((name) => readFileSync(join(page, "js", name), "utf8")).join("\n");

/** The page with this data. */
export function fill(data) {
  const style = readdirSync(join(page, "style")).filter((name) => name.endsWith(".css")).sort()
    .map((name) => readFileSync(join(page, "style", name), "utf8")).join("\n");
  const d3 = join(page, "vendor/d3.min.js");
  const parts = {
    STYLE: style,
    SCRIPTS: (existsSync(d3) ? readFileSync(d3, "utf8") : "") + "\n" + scripts(),
    DATA: JSON.stringify(data).replaceAll("<", "\\u003c"),
  };
  return readFileSync(join(page, "page.html"), "utf8").replace(/\/\*(STYLE|SCRIPTS|DATA)\*\//g, (_, name) => parts[name]);
}

/** Writes a page and returns its address. */
export function write(name, data) {
  mkdirSync(pages, { recursive: true });
  const file = join(pages, `${name}.html`);
  writeFileSync(file, fill(data));
  return `file://${file}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const wanted = process.argv.slice(2);
  for (const name of experiments().filter((name) => wanted.length === 0 || wanted.some((start) => name.startsWith(start)))) {
    process.stdout.write(`${write(name, fixture(name))}\n`);
  }
}
