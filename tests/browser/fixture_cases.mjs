// Pages that no committed experiment gives: one where everything that can go wrong did, and one of a hundred thousand
// records.

import { fixture, fromRecords } from "./fixture.mjs";

const BOARD = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" fill="#eee"/><rect x="4" y="4" width="10" height="30" fill="#357"/></svg>`;

/** Wrong, contradicting, open, failed, limited and unsupported runs, two surroundings, a baseline and a picture. */
export function troubled() {
  const data = fixture("005-ships-adversaries", (records) => {
    Object.assign(records[3], { check: "wrong", reason: "square b4 is covered by no ship" });
    Object.assign(records[10], { outcome: "yes", contradicts: records[20].key });
    Object.assign(records[11], { check: "open", reason: "no proof of minimality" });
    Object.assign(records[30], { verdict: "failed", outcome: undefined, check: undefined, reason: "the solver ended with signal 11" });
    for (const record of records.slice(40, 60)) Object.assign(record, { verdict: "limit", limit: "cpu", outcome: undefined, check: undefined, cpu_s: record.limits.cpu_s });
    Object.assign(records[70], { verdict: "unsupported", outcome: undefined, check: undefined, reason: "<b>no hidden</b> squares & no \"hits\"" });
    for (const record of records.slice(100)) record.surroundings = "77f00ba4c0de";
    return records;
  });
  const [first] = Object.values(data.surroundings);
  data.surroundings["77f00ba4c0de"] = { ...first, cpu_model: "another processor", jobs: 2 };
  data.planned += 12;
  const keyed = new Map(data.columns.map((column) => [column.name, column]));
  const instance = keyed.get("instance").values[1];
  data.pictures = [{ instance, text: "x..\n.o.\n", svg: BOARD, by: data.engines[0], outcome: "no", words: "The ship at b2 may lie across.\nSo b4 is no miss." }];
  data.baseline = {
    name: "005 set before", pairs: 300, only_here: 0, only_there: 4,
    changed: [
      { engine: data.engines[1], instance, before: "checked: yes", after: "limit: cpu", key: "000000000000" },
      { engine: data.engines[0], instance, before: "limit: cpu", after: "checked: no", key: "111111111111" },
    ],
    deltas: [
      { engine: data.engines[0], instances: 30, par2_before: 1.2, par2_after: 1, delta_s: -0.2, low: -0.31, high: -0.1, wilcoxon_p: 0.001, holm_p: 0.004 },
      { engine: data.engines[1], instances: 30, par2_before: 1, par2_after: 1.01, delta_s: 0.01, low: -0.1, high: 0.12, wilcoxon_p: 0.4, holm_p: 0.8 },
      { engine: data.engines[2], instances: 30, par2_before: 1, par2_after: 1.1, delta_s: 0.1, low: 0.02, high: 0.2, wilcoxon_p: 0.3, holm_p: 0.6 },
    ],
    surroundings: [{ field: "cpu_model", before: "a processor", after: "another processor" }],
  };
  return data;
}

/** So many records, made by an arithmetic that repeats. */
export function synthetic(count) {
  let seed = 1;
  const random = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
  const engines = ["search:cover", "search:forward", ...["pairwise", "ladder", "sequential", "product"].map((amo) => `sat:owner/amo=${amo}`), "sat:placement", "sat:placement/amo=ladder"];
  const sizes = [8, 10, 12, 14, 16];
  const records = Array.from({ length: count }, (_, i) => {
    const [engine, board] = [i % engines.length, Math.floor(i / engines.length)];
    const n = sizes[board % sizes.length];
    const family = board % 2 === 0 ? "hard" : "random";
    const time = Number((1e-4 * 2 ** (n / 1.5) * (0.2 + random()) * (1 + engine)).toPrecision(9));
    const done = time < 2;
    return {
      key: i.toString(16).padStart(24, "0").split("").reverse().join(""), surroundings: "40ad5f9de848", problem: "ships", family, params: { n, hidden: 0.3 }, seed: board,
      engine: engines[engine], side: engine < 2 ? "search" : "sat", axes: engine < 2 ? {} : { amo: engines[engine].split("=")[1] ?? "none" }, solver: engine < 2 ? undefined : "varisat",
      repetition: 1, shuffle: 0, limits: { cpu_s: 2, memory_bytes: 2 ** 31 }, verdict: done ? "decided" : "limit", limit: done ? undefined : "cpu",
      outcome: done ? (random() < 0.5 ? "yes" : "no") : undefined, check: done ? "checked" : undefined, cpu_s: Math.min(2, time), wall_s: Math.min(2, time) * (1 + random()),
      build_cpu_s: engine < 2 ? undefined : time / 9, solve_cpu_s: engine < 2 ? undefined : time * 8 / 9, peak_bytes: 4096 * Math.floor(2000 + 500 * random()),
      work: engine < 2 ? { nodes: Math.floor(time * 1e6) } : { conflicts: Math.floor(time * 1e4), clauses: n * n * 40, variables: n * n * 9 },
      process_cpu_s: time + 0.004, start: new Date(1.8e12 + 500 * i).toISOString(), load: 2, pressure_percent: 10 * random(),
    };
  });
  return fromRecords(records, { experiment: "900-many", about: { title: "Many records", question: "Does it open?", method: "", finding: "" }, plan: "problem = \"ships\"\n", surroundings: {} });
}
