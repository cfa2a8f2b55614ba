// The page's data from an experiment's records, as the report writes it: for tests that need no build of the program.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { statistics } from "./fixture_statistics.mjs";

const root = new URL("../../experiments/", import.meta.url).pathname;

/** The names of all experiments. */
export const experiments = () => readdirSync(root).filter((name) => /^\d/.test(name)).sort();

/** The page's data of one experiment; `change(records)` may alter the records first. */
export function fixture(name, change = (records) => records) {
  const folder = join(root, name);
  const set = join(folder, "results", "main");
  const files = readdirSync(set);
  const records = change(files.filter((f) => f.endsWith(".jsonl")).flatMap((f) =>
    readFileSync(join(set, f), "utf8").trim().split("\n").map((line) => JSON.parse(line))));
  const surroundings = Object.fromEntries(files.filter((f) => f.startsWith("surroundings-"))
    .map((f) => [f.slice(13, -5), JSON.parse(readFileSync(join(set, f), "utf8"))]));
  return fromRecords(records, {
    experiment: name,
    about: about(readFileSync(join(folder, "README.md"), "utf8")),
    plan: readFileSync(join(folder, "plan.toml"), "utf8"),
    surroundings,
  });
}

/** The page's data of records in memory. */
export function fromRecords(records, { experiment, about, plan, surroundings }) {
  const rows = records.map(flat);
  const first = Math.min(...records.map((r) => Date.parse(r.start)));
  rows.forEach((row, i) => { row.start_s = (Date.parse(records[i].start) - first) / 1000; });
  const engines = [...new Set(rows.map((row) => row.engine))];
  const sizes = ["params_n", "rules_limit", "params_ships"].filter((name) => new Set(rows.map((r) => r[name])).size > 1);
  const { columns, payload } = pack(rows, engines);
  return {
    format: 1,
    program: "counterpoint 0.1.0",
    experiment,
    set: "main",
    problem: rows[0].problem,
    about,
    plan,
    planned: rows.length,
    defaults: { x: sizes[0] ?? null, figures: [] },
    engines,
    count: rows.length,
    columns,
    payload,
    statistics: statistics(rows, engines, sizes[0]),
    baseline: null,
    surroundings,
    wrong: wrong(rows),
    pictures: [],
    command: `counterpoint run ${experiment} --repeat`,
  };
}

function about(readme) {
  const part = (word) => (readme.match(new RegExp(`\\*\\*${word}\\.\\*\\* ([\\s\\S]*?)(?=\\n\\n\\*\\*|\\n\\n\`\`\`|$)`)) ?? [])[1] ?? "";
  return {
    title: (readme.match(/^# (.*)/) ?? [])[1] ?? "",
    question: part("Question"), method: part("Method"), finding: part("Finding"),
  };
}

/** A record as a row of a table: fields that hold others become a column each. */
function flat(record) {
  const row = {};
  for (const [name, value] of Object.entries(record)) {
    if (["attempt", "instance_hash", "answer", "start", "process_wall_s"].includes(name)) continue;
    if (value !== null && typeof value === "object") {
      for (const [inner, deep] of Object.entries(value)) row[`${name}_${inner}`] = deep;
    } else row[name] = value;
  }
  row.instance = [record.family, ...Object.entries(record.params ?? {}).map(([k, v]) => `${k}=${v}`), `seed ${record.seed}`,
    ...Object.entries(record.rules ?? {}).map(([k, v]) => `${k}=${v}`)].join(" ");
  return row;
}

const NUMBERS = /(_s|_bytes|_percent)$|^work_|^load$/;
const WORDS = /^(params|rules|axes|limits)_/;
const FIRST = ["key", "instance", "family", "seed", "engine"];

function pack(rows, engines) {
  const names = [...new Set([...FIRST, ...rows.flatMap((row) => Object.keys(row))])].filter((name) => name !== "problem");
  const columns = [];
  const parts = [];
  let at = 0;
  const put = (column, bytes) => {
    columns.push({ ...column, at });
    parts.push(bytes);
    at += bytes.length;
  };
  for (const name of names) {
    const cells = rows.map((row) => row[name] ?? null);
    if (name === "key") {
      put({ name, type: "hex6" }, planes(Buffer.concat(cells.map((key) => Buffer.from(key.slice(0, 12), "hex"))), 6));
    } else if (NUMBERS.test(name) && !WORDS.test(name)) {
      const numbers = Float32Array.from(cells, (value) => (value === null ? NaN : Number(value.toPrecision(name.endsWith("_s") ? 4 : 7))));
      put({ name, type: "f32" }, planes(Buffer.from(numbers.buffer), 4));
    } else {
      const values = name === "engine" ? engines : [null, ...new Set(cells.filter((value) => value !== null))];
      const codes = new Map(values.map((value, code) => [value, code]));
      const [type, Kind] = values.length <= 256 ? ["u8", Uint8Array] : values.length <= 65536 ? ["u16", Uint16Array] : ["u32", Uint32Array];
      const numbers = Kind.from(cells, (value) => codes.get(value));
      put({ name, type, values }, planes(Buffer.from(numbers.buffer), Kind.BYTES_PER_ELEMENT));
    }
  }
  return { columns, payload: deflateRawSync(Buffer.concat(parts), { level: 9 }).toString("base64") };
}

/** All first bytes of the elements, then all second bytes, and so on: they compress better so. */
function planes(bytes, size) {
  const count = bytes.length / size;
  const out = Buffer.alloc(bytes.length);
  for (let i = 0; i < count; i += 1) for (let plane = 0; plane < size; plane += 1) out[plane * count + i] = bytes[i * size + plane];
  return out;
}

function wrong(rows) {
  const found = [];
  rows.forEach((row, i) => {
    if (row.check === "wrong") found.push({ row: i, kind: "wrong", words: row.reason ?? "" });
    else if (row.contradicts) found.push({ row: i, kind: "contradiction", words: `contradicts run ${row.contradicts}` });
    else if (row.check === "open") found.push({ row: i, kind: "open", words: row.reason ?? "" });
    else if (row.verdict === "failed") found.push({ row: i, kind: "failed", words: row.reason ?? "" });
  });
  return found;
}
