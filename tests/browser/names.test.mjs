// The scripts of the page share one scope. So each top-level name is defined once. Each script is listed in
// `order.txt`, and no script is long.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { experiments, isFresh } from "./pages.mjs";

const folder = new URL("../../report/src/page/", import.meta.url).pathname;
const inside = (room, end) => readdirSync(folder + room).filter((name) => name.endsWith(end)).map((name) => ({ name, text: readFileSync(`${folder}${room}/${name}`, "utf8") }));

test("every script is listed in order.txt once", () => {
  const order = readFileSync(`${folder}js/order.txt`, "utf8").trim().split("\n");
  assert.deepEqual([...order].sort(), inside("js", ".js").map(({ name }) => name).sort());
});

test("no name is defined twice", () => {
  const homes = new Map();
  for (const { name, text } of inside("js", ".js")) {
    for (const line of text.split("\n")) {
      const found = /^(?:async )?(?:function|class) (\w+)/.exec(line) ? [/^(?:async )?(?:function|class) (\w+)/.exec(line)[1]]
        : /^(?:const|let) /.test(line) ? [...line.replace(/^(const|let) /, ", ").matchAll(/, (\w+) = /g)].map((match) => match[1]) : [];
      for (const word of found) homes.set(word, [...(homes.get(word) ?? []), name]);
    }
  }
  const twice = [...homes].filter(([, names]) => new Set(names).size > 1).map(([word, names]) => `${word}: ${names.join(", ")}`);
  assert.deepEqual(twice, []);
});

test("files are short and begin with their purpose", () => {
  for (const { name, text } of [...inside("js", ".js"), ...inside("style", ".css")]) {
    assert.ok(text.split("\n").length <= 401, `${name} has more than 400 lines`);
    assert.match(text, /^(\/\/ |\/\* )[A-Z]/, `${name} does not say what it is for`);
  }
});

test("no script uses the network, storage or the console", () => {
  for (const { name, text } of inside("js", ".js")) {
    assert.doesNotMatch(text, /\b(fetch|XMLHttpRequest|WebSocket|localStorage|sessionStorage|console|eval)\b[.(]/, name);
  }
});

test("the pages contain the current scripts", () => {
  assert.ok(experiments().length > 0, "no pages; `run` makes them");
  assert.deepEqual(experiments().filter((name) => !isFresh(name)), [], "these pages contain older scripts; `run` makes them again");
});
