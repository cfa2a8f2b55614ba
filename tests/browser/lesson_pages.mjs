// The lessons of the set for a class, as the program wrote them, in `PAGES/lessons`. `run` makes them.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = join(resolve(process.env.PAGES ?? join(root, "target/pages")), "lessons");
const program = process.env.PROGRAM ?? join(root, "target/debug/counterpoint");

/** The pages with the inputs from which they were made. */
export const LESSONS = [
  { name: "flip-2x2", input: "flip-2x2.txt", rules: ["-r", "size=2x2"] },
  { name: "flip-3x3", input: "flip-3x3.txt", rules: ["-r", "size=3x3"] },
  { name: "ships-3x3", input: "ships-3x3.txt", rules: ["-r", "fleet=domino-and-tromino.txt"] },
  { name: "spot-2x2", input: "spot-2x2.txt", rules: [] },
  { name: "spot-2x2-squares", input: "spot-2x2.txt", rules: [] },
];

/** Runs the program in the folder of the boards, and returns its output. */
export const counterpoint = (...args) => execFileSync(program, args, { cwd: join(root, "examples/lessons"), encoding: "utf8" });

const file = (name) => join(folder, `${name}.html`);
export const text = (name) => readFileSync(file(name), "utf8");
export const address = (name) => pathToFileURL(file(name)).href;

/** The data in a page. */
export const data = (name) => JSON.parse(/<script type="application\/json" id="data">([\s\S]*?)<\/script>/.exec(text(name))[1]);

