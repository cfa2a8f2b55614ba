// Helpers for tests of lessons: the functions of the page's scripts without a page, and a lesson written by hand.

import { readFileSync } from "node:fs";
import vm from "node:vm";
import { deflateRawSync } from "node:zlib";

const source = new URL("../../pages/src/lesson/page/", import.meta.url);
const read = (name) => readFileSync(new URL(name, source), "utf8");

export const order = () => read("js/order.txt").trim().split("\n");

/** The lesson's scripts in their order, as one text. */
export const lessonScripts = () => order().map((name) => read(`js/${name}`)).join("\n");

/** The bytes of the solver: of the file that the environment variable `SOLVER` names, or else of the one in lessons. */
export const solverBytes = () => readFileSync(process.env.SOLVER ?? new URL("../../module.wasm", source));

/** Runs the lesson's scripts except the last, which starts the page. Returns what they define under the given names. */
export function loadLesson(...names) {
  const context = vm.createContext({ Blob, Response, DecompressionStream, WebAssembly, atob });
  const text = order().slice(0, -1).map((name) => read(`js/${name}`)).join("\n");
  vm.runInContext(`"use strict";\n${text}\nglobalThis.out = { ${names.join(", ")} };`, context);
  return context.out;
}

/** Starts the solver as the page does. */
export const solver = () => loadLesson("startSolver").startSolver(deflateRawSync(solverBytes()).toString("base64"));

/** All models of clauses over `count` variables. A model maps each variable to 1 or -1. */
export function models(count, clauses) {
  const all = Array.from({ length: 2 ** count }, (_, bits) => [0, ...Array.from({ length: count }, (_, i) => (bits >> i & 1 ? 1 : -1))]);
  return all.filter((model) => clauses.every((lits) => lits.some((lit) => model[Math.abs(lit)] === Math.sign(lit))));
}

/** The clauses that say that an odd (or even) number of the literals is true. */
export function parity(lits, odd) {
  return Array.from({ length: 2 ** lits.length }, (_, flipped) => flipped)
    .filter((flipped) => (lits.filter((_, i) => flipped >> i & 1).length % 2 === 1) !== odd)
    .map((flipped) => lits.map((lit, i) => (flipped >> i & 1 ? -lit : lit)));
}

/** Flip on 2x2, `bw/ww`, as the program would write it. */
export function made() {
  const around = [[1, 2, 3, 5], [2, 1, 4, 5], [3, 1, 4, 5], [4, 2, 3, 5]], black = [true, false, false, false];
  const cells = ["r1c1", "r1c2", "r2c1", "r2c2"];
  const names = [...cells.map((cell) => `press ${cell}`), "black"];
  const square = (ground, turned, marks) => ({ ground, turned, marks });
  return {
    format: 1, program: "counterpoint", problem: "flip", about: "A board", engine: "sat:presses/xor=native",
    question: "the board can be made one colour", instance: "bw\nww\n", answer: { by: "search", outcome: "1 press", words: "Press r1c1." },
    variables: names.map((name) => ({ name })), shown: [1, 2, 3, 4], groups: ["parity of each square"],
    constraints: around.map((lits, i) => ({
      group: 0, kind: black[i] ? "odd" : "even", lits, clauses: parity(lits, black[i]),
    })),
    scene: [{ title: "", boards: [
      { title: "press here", lit: null, rows: 2, columns: 2, squares: black.map((is, i) => square(is ? "black" : "white", [], [{ lit: i + 1, shape: "disc", tone: 0, own: true }])) },
      { title: "goal", lit: null, rows: 1, columns: 1, squares: [square("white", [5], [{ lit: 5, shape: "none", tone: 0, own: true }])] },
      { title: "after the presses", lit: null, rows: 2, columns: 2, squares: black.map((is, i) => square(is ? "black" : "white", around[i].slice(0, -1), [])) },
    ] }],
    solver: deflateRawSync(solverBytes()).toString("base64"),
  };
}

/** The text of a lesson's page with this data. */
export function page(lesson) {
  const fill = { "/*STYLE*/": read("style/lesson.css"), "/*SCRIPTS*/": lessonScripts(), "/*DATA*/": JSON.stringify(lesson).replaceAll("<", "\\u003c") };
  return Object.entries(fill).reduce((text, [mark, part]) => text.replace(mark, () => part), read("page.html"));
}
