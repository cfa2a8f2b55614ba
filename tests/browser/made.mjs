// A few records written by hand, in the form that the views read. Records that the program packed are tested with its
// pages.

/** Runs of two engines, a and b. An entry is `[n, seed, seconds of a, seconds of b]`; null means the limit of 10 s. */
export function records(times) {
  return times.flatMap(([n, seed, ...both]) => both.map((cpu_s, i) => ({
    instance: `f n=${n} seed ${seed}`, family: "f", params_n: n, seed, engine: ["search:a", "sat:b"][i], side: ["search", "sat"][i],
    repetition: 1, shuffle: 0, limits_cpu_s: 10, work_nodes: 7,
    ...(cpu_s === null ? { verdict: "limit", limit: "cpu", cpu_s: 10 } : { verdict: "decided", check: "checked", cpu_s }),
  })));
}

/** Stores the records by column, as the page does. */
export function made(list) {
  const names = [...new Set(list.flatMap((record) => Object.keys(record)))];
  const columns = new Map(names.map((name) => {
    const values = [null, ...new Set(list.map((record) => record[name]).filter((value) => value !== undefined))];
    const codes = Uint16Array.from(list, (record) => (record[name] === undefined ? 0 : values.indexOf(record[name])));
    return [name, { name, label: name.replace(/^(params|work)_/, ""), values, codes }];
  }));
  const engines = [...new Set(list.map(({ engine }) => engine))];
  return {
    raw: { columns: names.map((name) => ({ name })), engines, defaults: { x: "params_n", figures: [] }, statistics: [] },
    count: list.length, engines, names, has: (name) => columns.has(name), column: (name) => columns.get(name),
    get: (name, row) => list[row][name] ?? null,
  };
}
