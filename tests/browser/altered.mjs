// A page that no committed experiment has: a page that the program wrote, with its records altered so that everything
// that can go wrong did go wrong.

import { deflateRawSync, inflateRawSync } from "node:zlib";
import { find, raw } from "./pages.mjs";

const BOARD = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" fill="#eee"/><rect x="4" y="4" width="10" height="30" fill="#357"/></svg>`;
const BYTES = { u8: 1, u16: 2, u32: 4, f32: 4, f64: 8 };

/**
 * Calls `change` with a writer of the data's records, `set(row, { column: value, … })`, and a reader,
 * `get(row, column)`. An absent value is null.
 */
function alter(data, change) {
  const bytes = inflateRawSync(Buffer.from(data.payload, "base64")), { count } = data;
  const parts = data.columns.map((column) => {
    const size = BYTES[column.type] ?? Number(column.type.slice(3));
    return { column, size, planes: Buffer.from(bytes.subarray(column.at, column.at + count * size)) };
  });
  const read = ({ size, planes }, row) => Buffer.from(Array.from({ length: size }, (_, plane) => planes[plane * count + row]));
  const write = ({ size, planes }, row, element) => { for (let plane = 0; plane < size; plane += 1) planes[plane * count + row] = element[plane]; };
  const part = (name) => {
    let found = parts.find(({ column }) => column.name === name);
    if (!found) parts.push(found = { column: { name, type: "u8", values: [null] }, size: 1, planes: Buffer.alloc(count) });
    return found;
  };
  const set = (row, values) => {
    for (const [name, value] of Object.entries(values)) {
      const found = part(name), { column, size } = found, element = Buffer.alloc(size);
      if (column.values) {
        if (!column.values.includes(value)) column.values.push(value);
        element.writeUIntLE(column.values.indexOf(value), 0, size);
      } else element.writeFloatLE(value ?? NaN, 0);
      write(found, row, element);
    }
  };
  const get = (row, name) => {
    const found = part(name), element = read(found, row);
    if (found.column.values) return found.column.values[element.readUIntLE(0, found.size)];
    return found.column.type === "f32" ? element.readFloatLE(0) : element.toString("hex");
  };
  change(set, get);
  let at = 0;
  data.columns = parts.map(({ column, planes }) => {
    const placed = { ...column, at };
    at += planes.length;
    return placed;
  });
  data.payload = deflateRawSync(Buffer.concat(parts.map(({ planes }) => planes))).toString("base64");
  return data;
}

/** The experiment whose page is altered. */
export const NAME = find("005");

/** The data in which the runs of every second engine have other values in some columns than those of the first. */
function divided(first, others) {
  const data = raw(NAME), second = new Set(data.engines.filter((_, i) => i % 2 === 1));
  return alter(data, (set, get) => {
    for (let row = 0; row < data.count; row += 1) set(row, second.has(get(row, "engine")) ? others : first);
  });
}

/** The data in which the runs of every second engine come from another build of the program. */
export const rebuilt = () => divided({ build: "6c8f1ee80000" }, { build: "77f00ba4c0de" });

/** The data in which the runs of every second engine come from another node with another processor. */
export const elsewhere = () => ({
  ...divided({ node: "n1", cpu_model: "EPYC" }, { node: "n2", cpu_model: "Xeon" }),
  nodes: "the node explains a part of the differences between times: those on n2 took 1.5 times as long",
});

/**
 * The data with wrong, contradicting, open, failed and unsupported runs, runs that reached a limit, two environments,
 * a baseline and a picture.
 */
export function troubled() {
  const none = { outcome: null, check: null };
  let instance;
  const data = alter(raw(NAME), (set, get) => {
    instance = get(1, "instance");
    const contradicted = [9, 11].find((row) => get(row, "instance") === get(10, "instance"));
    set(3, { check: "wrong", reason: "square b4 is covered by no ship" });
    set(10, { outcome: get(10, "outcome") === "yes" ? "no" : "yes", contradicts: get(contradicted, "key") });
    set(25, { check: "open", reason: "no proof of minimality" });
    set(30, { ...none, verdict: "failed", reason: "the solver ended with signal 11" });
    for (let i = 40; i < 60; i += 1) set(i, { ...none, verdict: "limit", limit: "cpu", cpu_s: get(i, "limits_cpu_s") });
    set(70, { ...none, verdict: "unsupported", reason: "<b>no hidden</b> squares & no \"hits\"" });
    for (let i = 100; i < 300; i += 1) set(i, { surroundings: "77f00ba4c0de" });
  });
  const [first] = Object.values(data.surroundings), { engines } = data;
  data.surroundings["77f00ba4c0de"] = { ...first, cpu_model: "another processor", jobs: 2 };
  data.planned += 12;
  data.wrong = [
    { row: 3, kind: "wrong", words: "square b4 is covered by no ship" },
    { row: 10, kind: "contradiction", words: "contradicts another run" },
    { row: 25, kind: "open", words: "no proof of minimality" },
    { row: 30, kind: "failed", words: "the solver ended with signal 11" },
  ];
  data.pictures = [{ instance, text: "x..\n.o.\n", svg: BOARD, by: engines[0], outcome: "no", words: "The ship at b2 may lie across.\nSo b4 is no miss." }];
  data.baseline = {
    name: "005 set before", pairs: 300, only_here: 0, only_there: 4,
    changed: [
      { engine: engines[1], instance, before: "checked: yes", after: "limit: cpu", key: "000000000000" },
      { engine: engines[0], instance, before: "limit: cpu", after: "checked: no", key: "111111111111" },
    ],
    deltas: [
      { engine: engines[0], instances: 30, par2_before: 1.2, par2_after: 1, memory_before: 8388608, memory_after: 9437184, delta_par2_s: -0.2, low: -0.31, high: -0.1, wilcoxon_p: 0.001, holm_p: 0.004 },
      { engine: engines[1], instances: 30, par2_before: 1, par2_after: 1.01, memory_before: 8388608, memory_after: 8388608, delta_par2_s: 0.01, low: -0.1, high: 0.12, wilcoxon_p: 0.4, holm_p: 0.8 },
      { engine: engines[2], instances: 30, par2_before: 1, par2_after: 1.1, memory_before: null, memory_after: 4194304, delta_par2_s: 0.1, low: 0.02, high: 0.2, wilcoxon_p: 0.3, holm_p: 0.6 },
    ],
    environment: [{ field: "cpu_model", before: "a processor", after: "another processor" }],
  };
  return data;
}
