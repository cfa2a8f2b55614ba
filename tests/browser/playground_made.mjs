// The library in a playground's page, without a page.

import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const file = join(resolve(process.env.PAGES ?? join(root, "target/pages")), "playground/index.html");
const module = process.env.SOLVER ?? join(root, "pages/src/module.wasm");

export const address = pathToFileURL(file).href;
/** The playground of examples/queens. */
export const queens = pathToFileURL(join(resolve(process.env.PAGES ?? join(root, "target/pages")), "queens/index.html")).href;
export const html = () => readFileSync(file, "utf8");

/** A function that asks the module. It returns the answer as the module wrote it. */
export async function library() {
  const { instance } = await WebAssembly.instantiate(readFileSync(module));
  const { feed, answer, byte } = instance.exports;
  return (request) => {
    for (const each of new TextEncoder().encode(typeof request === "string" ? request : JSON.stringify(request))) feed(each);
    const length = answer();
    return new TextDecoder().decode(Uint8Array.from({ length }, (_, at) => byte(at)));
  };
}

/** A function that asks the module, and throws if it refuses. */
export async function asker() {
  const ask = await library();
  return (request) => {
    const found = JSON.parse(ask(request));
    if (found.error !== undefined) throw Object.assign(new Error(found.error), found);
    return found;
  };
}
