// Functions of the page that need no document: numbers as words, expressions, addresses, columns, sorting.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { troubled } from "./altered.mjs";
import { made, records } from "./made.mjs";
import { find } from "./pages.mjs";
import { all, load, records as recordsOf } from "./scripts.mjs";

const thin = (text) => text.replaceAll("_", "\u2009");

test("numbers have three digits and units", () => {
  const { formatSeconds, formatBytes, formatCount, formatP, formatSigned, formatValue } = load("formatSeconds", "formatBytes", "formatCount", "formatP", "formatSigned", "formatValue");
  for (const [value, words] of [[0, "0 s"], [1.21e-6, "1.21_µs"], [0.00099999, "1.00_ms"], [0.0123456, "12.3_ms"], [0.99996, "1.00_s"], [1, "1.00_s"], [145.83, "146_s"], [86400, "86_400_s"], [-0.2, "−200_ms"]]) {
    assert.equal(formatSeconds(value), thin(words));
  }
  assert.equal(formatBytes(9580544), thin("9.14_MiB"));
  assert.equal(formatBytes(1023.9), thin("1.00_KiB"));
  assert.equal(formatCount(65922), thin("65_922"));
  assert.equal(formatCount(7188), "7188");
  assert.equal(formatCount(1234567), thin("1_234_567"));
  assert.equal(formatSigned(0.2, "seconds"), thin("+200_ms"));
  assert.equal(formatP(0.00004), "< 0.001");
  assert.equal(formatP(0.0412), "0.041");
  assert.equal(formatP(1), "1.0");
  assert.equal(formatValue(Infinity, "seconds"), "∞");
  assert.equal(formatValue(null, "seconds"), "–");
});

test("valid expressions are read, and others are refused", () => {
  const { compileTerm } = load("compileTerm");
  const holds = (text, kind, value) => compileTerm(text, kind)(value);
  assert.ok(holds(">0.5", "numbers", 0.6) && !holds(">0.5", "numbers", 0.5));
  assert.ok(holds(">= 20 ms", "numbers", 0.02) && !holds("< 20ms", "numbers", 0.02));
  assert.ok(holds("1..10", "numbers", 10) && !holds("1..10", "numbers", 10.5) && holds("1ms..2ms", "numbers", 0.0015));
  assert.ok(holds(">1, <2", "numbers", 1.5) && !holds(">1, <2", "numbers", 3));
  assert.ok(holds("0.1458", "numbers", Math.fround(0.1458)) && holds("!=1", "numbers", 2));
  assert.ok(holds("> 2 MiB", "numbers", 3e6) && holds("> 1k", "numbers", 1001));
  assert.ok(!holds(">0", "numbers", null) && holds("none", "numbers", null) && !holds("any", "words", null));
  assert.ok(holds("LADDER", "words", "sat:owner/amo=ladder") && !holds("!ladder", "words", "sat:owner/amo=ladder"));
  assert.ok(holds("=yes", "words", "yes") && !holds("=yes", "words", "yes, 3"));
  assert.ok(holds(">8", "words", 10) && !holds(">8", "words", 8) && holds("8", "words", 8));
  for (const text of ["> x", "fast", "1..", ">", "=>3"]) assert.equal(compileTerm(text, "numbers"), null, text);
});

test("an address contains the whole state and can be read back", async () => {
  const { state, readAddress, addressOf } = load("state", "readAddress", "addressOf");
  const data = await recordsOf(find("003"));
  const address = "#view=crossover&engine=sat:owner|sat:owner/amo=ladder&params_n=8|10&cpu_s~=%3E0.5&x=params_n&off=sat:owner&sort=cpu_s:desc|engine:asc&columns=engine|cpu_s&record=e40309905&theme=dark";
  readAddress(address, data);
  assert.deepEqual([...state.words.get("engine")], ["sat:owner", "sat:owner/amo=ladder"]);
  assert.equal(state.terms.get("cpu_s"), ">0.5");
  assert.equal(state.options.get("crossover").get("x"), "params_n");
  assert.equal(addressOf(state), address);
  readAddress("#view=table&engine=a%7Cb&nosuch=1&%ZZ&=&params_n~=%26%7C%25", data);
  assert.deepEqual([...state.words.get("engine")], ["a", "b"]);
  assert.equal(state.terms.get("params_n"), "&|%");
  const again = addressOf(state);
  readAddress(again, data);
  assert.equal(addressOf(state), again);
  readAddress("", data);
  assert.equal(addressOf(state), "#view=summary");
});

test("an address may use the earlier name of a column", () => {
  const { state, readAddress, addressOf } = load("state", "readAddress", "addressOf");
  const data = made(records([[4, 1, 0.1, 0.2]]).map((record, i) => ({ ...record, encoding: ["a", "b"][i] })));
  readAddress("#view=crossover&model=a|b&model~=a&facet=model&sort=model:desc&columns=model|engine", data);
  const address = addressOf(state);
  assert.equal(address, "#view=crossover&encoding=a|b&encoding~=a&facet=encoding&sort=encoding:desc&columns=encoding|engine");
  readAddress(address, data);
  assert.equal(addressOf(state), address);
});

test("every cell is decoded to the value that was encoded", async () => {
  const { rowOfKey } = load("rowOfKey"), name = find("005"), data = await recordsOf(name);
  const set = new URL(`../../experiments/${name}/results/main/`, import.meta.url);
  const lines = readdirSync(set).filter((file) => file.endsWith(".jsonl")).flatMap((file) => readFileSync(new URL(file, set), "utf8").trim().split("\n"));
  assert.equal(data.count, lines.length);
  const rows = lines.map((line) => JSON.parse(line)).map((record) => {
    const row = rowOfKey(data, record.key);
    assert.ok(record.key.startsWith(data.get("key", row)));
    assert.equal(data.get("engine", row), record.engine);
    assert.equal(data.get("params_n", row), record.params.n);
    assert.equal(data.get("cpu_s", row), Math.fround(Number(record.cpu_s.toPrecision(4))));
    assert.equal(data.get("work_conflicts", row), record.work.conflicts ?? null);
    assert.equal(data.get("nosuch", row), null);
    return row;
  });
  assert.equal(new Set(rows).size, data.count);
  assert.equal(rowOfKey(data, "nokey"), null);
});

test("a cell with several tags passes the filter of each", () => {
  const { selectRows, facets, facetChoices } = load("selectRows", "facets", "facetChoices");
  const tags = ["hard big", "hard", undefined, "hardest"];
  const data = made(records([[4, 1, 0.1, 0.2], [4, 2, 0.1, 0.2]]).map((record, i) => (tags[i] ? { ...record, tags_family: tags[i] } : record)));
  const passing = (...words) => [...selectRows(data, { words: new Map([["tags_family", new Set(words)]]), terms: new Map() })];
  assert.deepEqual(passing("hard"), [0, 1]);
  assert.deepEqual(passing("big", "hardest"), [0, 3]);
  assert.deepEqual(passing(""), [2]);
  assert.ok([...facets(data)].some(({ name }) => name === "tags_family"));
  assert.ok([...facetChoices(data, /^tags_/)].some(({ value }) => value === "tags_family"));
});

test("several filters apply together, and sorting puts absent values last", async () => {
  const { selectRows, sortRows } = load("selectRows", "sortRows"), data = await recordsOf(find("002"));
  const whole = selectRows(data, { words: new Map(), terms: new Map() });
  assert.deepEqual([...whole], [...all(data)]);
  const filter = { words: new Map([["family", new Set(["hard"])], ["axes_amo", new Set(["", "sequential"])]]), terms: new Map([["cpu_s", "< 0.1"]]) };
  const some = [...selectRows(data, filter)];
  const expected = [...whole].filter((row) => data.get("family", row) === "hard" && [null, "sequential"].includes(data.get("axes_amo", row)) && data.get("cpu_s", row) < 0.1);
  assert.deepEqual(some, expected);
  assert.ok(some.length > 0 && some.length < data.count);
  const eight = selectRows(data, { words: new Map(), terms: new Map([["seed", "8"]]) });
  assert.ok(eight.length > 0 && eight.every((row) => data.get("seed", row) === 8));
  for (const way of ["asc", "desc"]) {
    const values = sortRows(data, whole, [["build_cpu_s", way]]).map((row) => data.get("build_cpu_s", row));
    const from = values.indexOf(null);
    assert.ok(from > 0 && values.slice(from).every((value) => value === null), way);
    assert.ok(values.slice(1, from).every((value, i) => (way === "asc" ? value >= values[i] : value <= values[i])));
  }
  const twofold = sortRows(data, whole, [["engine", "asc"], ["cpu_s", "desc"]]);
  for (let i = 1; i < twofold.length; i += 1) {
    const [a, b] = [twofold[i - 1], twofold[i]];
    if (data.get("engine", a) === data.get("engine", b)) assert.ok(data.get("cpu_s", a) >= data.get("cpu_s", b));
  }
});

test("sums for engines equal those computed by hand", async () => {
  const { decode, engineRows, instanceCells, virtualBestRow, singleBest, ranksOfGroups } = load("decode", "engineRows", "instanceCells", "virtualBestRow", "singleBest", "ranksOfGroups");
  const data = await decode(troubled()), rows = engineRows(data, all(data));
  for (const { index, runs, solved, par2, rows: own } of rows) {
    const mine = [...all(data)].filter((row) => data.get("engine", row) === data.engines[index] && data.get("verdict", row) !== "unsupported");
    const good = mine.filter((row) => data.get("check", row) === "checked" && !data.get("contradicts", row));
    assert.deepEqual([runs, solved, own.length], [mine.length, good.length, mine.length]);
    const sum = mine.reduce((total, row) => total + (good.includes(row) ? data.get("cpu_s", row) : 2 * data.get("limits_cpu_s", row)), 0);
    assert.ok(Math.abs(par2 - sum / mine.length) < 1e-9 * sum);
  }
  const cells = instanceCells(data, rows), virtual = virtualBestRow(cells), best = singleBest(rows, cells);
  assert.equal(virtual.instances, new Set([...all(data)].map((row) => data.get("instance", row))).size);
  assert.ok(virtual.par2 <= best.par2);
  // An engine is not better because it was not run on the hard instance.
  const few = made(records([[4, 1, 1, 2], [8, 1, 9, 3]]).filter(({ engine, params_n: n }) => engine === "sat:b" || n === 4));
  const sums = engineRows(few, all(few)), found = singleBest(sums, instanceCells(few, sums));
  assert.deepEqual([sums[0].par2, found.index, found.instances, found.par2], [1, 1, 2, 2.5]);
  assert.equal(JSON.stringify([...ranksOfGroups([{ rank: 1, engines: [0, 3] }, { rank: 2, engines: [1] }, { rank: 3, engines: [2] }, { rank: 3, engines: [4] }])]), JSON.stringify([[0, "1 ="], [3, "1 ="], [1, "2"], [2, "3 ="], [4, "3 ="]]));
});

test("a comparison is reversed if its sides are swapped", () => {
  const { pairsOf, pairVerdict } = load("pairsOf", "pairVerdict");
  const block = { pairs: [{ a: 0, b: 1, delta_par2_s: -1, low: -2, high: -0.5, holm_p: 0.01, wins: 9, losses: 1, ties: 0 }] };
  const [seen] = pairsOf(block, 1);
  assert.deepEqual([seen.other, seen.delta_par2_s, seen.low, seen.high, seen.wins], [0, 1, 0.5, 2, 1]);
  assert.equal(pairVerdict(seen).words, "slower");
  assert.equal(pairVerdict(block.pairs[0]).words, "faster");
  assert.equal(pairVerdict({ ...seen, holm_p: 0.4 }).words, "they disagree: slower by the interval only");
  assert.equal(pairVerdict({ ...seen, wins: 9, losses: 1 }).words, "they disagree: slower by the interval, faster by the test");
  assert.equal(pairVerdict({ ...seen, low: -1, holm_p: 0.4 }).words, "no difference shown");
  assert.equal(pairVerdict({ ...seen, low: null, high: null, holm_p: null }).words, "too few instances");
});

test("too few instances for so many pairs are named", () => {
  const { tooFew } = load("tooFew"), pairs = (count, instances) => Array.from({ length: count }, () => ({ instances }));
  assert.equal(tooFew(pairs(1, 6)), "");
  assert.equal(tooFew(pairs(15, 10)), "");
  assert.match(tooFew(pairs(15, 6)), /with 6 instances and 15 pairs, .*at least 10 instances/);
});

test("engines that support no instance are listed", () => {
  const { unsupportedEngines } = load("unsupportedEngines"), list = records([[4, 1, 1, 2], [8, 1, 9, 3]]);
  list.filter(({ engine }) => engine === "sat:b").forEach((record) => { record.verdict = "unsupported"; });
  const data = made(list), [found, ...more] = unsupportedEngines(data, all(data));
  assert.deepEqual([found.index, found.runs, found.unsupported, more.length], [1, 0, 2, 0]);
  list[1].verdict = "decided";
  assert.equal(unsupportedEngines(made(list), all(made(list))).length, 0);
});

test("comparisons of different builds or processors are counted by instance", () => {
  const { acrossOrigins, originsOf } = load("acrossOrigins", "originsOf");
  for (const name of ["build", "cpu_model"]) {
    const list = records([[4, 1, 1, 2], [8, 1, 9, 3], [8, 2, 9, 3]]);
    list.forEach((record, i) => { record[name] = i < 2 ? "old" : ["old", "new"][i % 2]; });
    delete list[4][name];
    const data = made(list);
    assert.deepEqual(JSON.parse(JSON.stringify(acrossOrigins(data, name, all(data)))), { count: 2, of: 3 });
    assert.equal(originsOf(data, name, all(data)).join(), "new,old,unknown");
  }
});
