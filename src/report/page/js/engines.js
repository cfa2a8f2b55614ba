// What is said of each engine under the filter: runs, solved, PAR-k, median, work, and the best that a choice among all
// engines could reach.

/** A row an engine that has runs, in the experiment's order. */
function engineRows(data, selection) {
  const { rows } = servedRows(data, selection);
  const { engine, status } = runsOf(data);
  const unserved = data.engines.map(() => 0);
  for (const row of selection) if (status[row] === UNSERVED) unserved[engine[row]] += 1;
  const time = measureOf(data, "cpu_s");
  const work = measureOf(data, "work");
  return byEngine(data, rows).map(([index, own]) => {
    const times = own.map((row) => (status[row] === SOLVED ? time.value(row) : Infinity));
    const limits = own.map((row) => time.limit(row));
    const solved = own.filter((row) => status[row] === SOLVED);
    return {
      index, runs: own.length, unserved: unserved[index], solved: solved.length, rows: own,
      wrong: own.filter((row) => status[row] === WRONG).length,
      par2: parK(times, limits, 2), par10: parK(times, limits, 10),
      median: censoredMedian(ascending(times)),
      // Over all runs, unsolved ones too: work is spent either way.
      work: meanOf(own.map((row) => work.value(row))),
    };
  });
}

/** The least PAR-2; ties go to more solved, then to the earlier engine. */
function singleBest(engines) {
  return engines.reduce((best, engine) => (!best || engine.par2 < best.par2 || (engine.par2 === best.par2 && engine.solved > best.solved) ? engine : best), null);
}

/** Instance by instance, each engine by the median of its runs there: one engine alone, or the best of several. */
function perInstance(data, engines) {
  const time = measureOf(data, "cpu_s");
  const { instance } = runsOf(data);
  const best = new Map();
  for (const { rows } of engines) {
    for (const [code, own] of groupRows(rows, (row) => instance[row])) {
      const median = censoredMedian(censoredValues(data, own, time)) ?? Infinity;
      const before = best.get(code);
      best.set(code, { time: Math.min(median, before?.time ?? Infinity), limit: Math.max(limitOf(own, time), before?.limit ?? 0) });
    }
  }
  const cells = [...best.values()];
  const times = cells.map((cell) => cell.time);
  const limits = cells.map((cell) => cell.limit);
  return {
    instances: cells.length, solved: times.filter(Number.isFinite).length,
    par2: parK(times, limits, 2), par10: parK(times, limits, 10), median: censoredMedian(ascending(times)),
  };
}

/** Ranks out of groups of equals: [[0, 3], [1]] → 0: "1 =", 3: "1 =", 1: "3". */
function ranksOfGroups(groups) {
  const ranks = new Map();
  let above = 0;
  for (const group of groups) {
    for (const engine of group) ranks.set(engine, `${above + 1}${group.length > 1 ? " =" : ""}`);
    above += group.length;
  }
  return ranks;
}
