// The numbers of each engine for the runs that pass the filter: runs, solved, PAR-k, median and work; and the virtual
// best and the single best.

/** The engines that count their work: searches, and solvers that report conflicts in some record. */
function enginesThatCount(data) {
  const { engine } = runsOf(data), side = wordsOf(data, "side"), found = new Set();
  const nodes = numbersOf(data, "work_nodes"), conflicts = numbersOf(data, "work_conflicts");
  for (let row = 0; row < data.count; row += 1) {
    if (side(row) === "search" || nodes(row) > 0 || conflicts(row) > 0) found.add(engine[row]);
  }
  return found;
}

/** A row for each engine that has runs, in the experiment's order. */
function engineRows(data, selection) {
  const { rows } = supportedRows(data, selection);
  const { engine, status } = runsOf(data);
  const unsupported = data.engines.map(() => 0);
  for (const row of selection) if (status[row] === UNSUPPORTED) unsupported[engine[row]] += 1;
  const time = measureOf(data, "cpu_s");
  const work = measureOf(data, "work"), memory = numbersOf(data, "peak_bytes"), calls = numbersOf(data, "work_solves");
  const largest = (numbers) => numbers.reduce((most, number) => (number > (most ?? -1) ? number : most), null);
  return byEngine(data, rows).map(([index, own]) => {
    const times = own.map((row) => (status[row] === SOLVED ? time.value(row) : Infinity));
    const limits = own.map((row) => time.limit(row));
    const solved = own.filter((row) => status[row] === SOLVED);
    return {
      index, runs: own.length, unsupported: unsupported[index], solved: solved.length, rows: own,
      wrong: own.filter((row) => status[row] === WRONG).length,
      par2: parK(times, limits, 2), par10: parK(times, limits, 10),
      median: censoredMedian(ascending(times)),
      // The mean over all runs, including unsolved ones, because they do work, too.
      work: meanOf(own.map((row) => work.value(row))),
      memory: largest(own.map(memory)),
      calls: quantileOf(ascending(own.map(calls).filter((count) => !Number.isNaN(count))), 0.5), most: largest(own.map(calls)),
    };
  });
}

/** A row for each engine that supports no instance that was chosen: it has only a number of unsupported runs. */
function unsupportedEngines(data, selection) {
  const { engine, status } = runsOf(data), counts = new Map();
  for (const row of selection) {
    const known = counts.get(engine[row]) ?? { supported: 0, unsupported: 0 };
    known[status[row] === UNSUPPORTED ? "unsupported" : "supported"] += 1;
    counts.set(engine[row], known);
  }
  return [...counts].filter(([, { supported }]) => supported === 0).sort((a, b) => a[0] - b[0])
    .map(([index, { unsupported }]) => ({ index, runs: 0, unsupported, solved: 0, rows: [], wrong: 0, par2: null, par10: null, median: null, work: null, memory: null, calls: null, most: 0 }));
}

/**
 * For each instance, `times` and `limit`. `times` has for each engine the median of its runs on the instance, which is
 * Infinity if the engine has no median or was not run. `limit` is the longest limit of any engine.
 */
function instanceCells(data, engines) {
  const time = measureOf(data, "cpu_s"), { instance } = runsOf(data), cells = new Map();
  engines.forEach(({ rows }, place) => {
    for (const [code, own] of groupRows(rows, (row) => instance[row])) {
      if (!cells.has(code)) cells.set(code, { limit: 0, times: engines.map(() => Infinity) });
      const cell = cells.get(code);
      cell.times[place] = censoredMedian(censoredValues(data, own, time)) ?? Infinity;
      cell.limit = Math.max(cell.limit, limitOf(own, time) || 0);
    }
  });
  return [...cells.values()];
}

/** Statistics over instances, each with the time that `choose` selects from the times of the engines. */
function overInstances(cells, choose) {
  const times = cells.map((cell) => choose(cell.times)), limits = cells.map(({ limit }) => limit);
  return {
    instances: cells.length, solved: times.filter(Number.isFinite).length,
    par2: parK(times, limits, 2), par10: parK(times, limits, 10), median: censoredMedian(ascending(times)),
  };
}

/** The virtual best: the result of choosing the best engine for each instance. */
function virtualBestRow(cells) {
  return overInstances(cells, (times) => Math.min(...times));
}

/**
 * The single best engine, `{ index, … }`: the one with the least PAR-2 over all instances. An instance on which it was
 * not run counts as unsolved. Ties go to the engine that solves more instances, then to the earlier one. Null if there
 * is no engine.
 */
function singleBest(engines, cells) {
  const sums = engines.map(({ index }, place) => ({ index, ...overInstances(cells, (times) => times[place]) }));
  const ahead = (one, other) => one.par2 < other.par2 || (one.par2 === other.par2 && one.solved > other.solved);
  return sums.reduce((best, one) => (!best || ahead(one, best) ? one : best), null);
}

/**
 * The ranks of engines. A rank that several engines share is written "1 =". Groups without a common instance may share
 * a rank.
 */
function ranksOfGroups(groups) {
  const shared = new Map();
  for (const { rank, engines } of groups) shared.set(rank, (shared.get(rank) ?? 0) + engines.length);
  return new Map(groups.flatMap(({ rank, engines }) => engines.map((engine) => [engine, shared.get(rank) > 1 ? `${rank} =` : `${rank}`])));
}
