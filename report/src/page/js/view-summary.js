// The first view: problems with the records, question and finding, and a line for every engine.

registerView({
  id: "summary", title: "Summary",
  show(panel, data, selection) {
    const own = statisticsOver(data, selection);
    const engines = engineRows(data, selection), left = unsupportedEngines(data, selection);
    const block = data.raw.engines.length > 1 ? own ?? data.raw.statistics.find(({ scope }) => Object.keys(scope).length === 0) : null;
    const cells = instanceCells(data, engines), best = singleBest(engines, cells);
    panel.replaceChildren(...[trouble(data), totalsSection(data), ...originWarnings(data, selection), nodeWarning(data), aboutText(data.raw.about), engineSection(data, engines, left, { best, virtual: virtualBestRow(cells) }, block, own !== null),
      crossoverWords(block, own !== null), pairwiseSection(data, block, own !== null, best ? data.engines[best.index] : null), ...pairedSections(data, selection)].filter(Boolean));
  },
});

const TROUBLE = {
  wrong: ["answer is wrong", "answers are wrong"], contradiction: ["answer contradicts another", "answers contradict others"],
  dispute: ["instance is in dispute", "instances are in dispute"], failed: ["run failed", "runs failed"],
  open: ["answer is open: its proof is not complete", "answers are open: their proofs are not complete"],
};
const TROUBLE_SHOWN = 8;

/** Problems that a reader must know about before trusting any number. */
function trouble(data) {
  const { wrong, planned } = data.raw;
  const counts = data.raw.sampled?.trouble ?? {};
  const missing = planned - (data.raw.sampled?.all ?? data.count);
  const lacking = missing > 0 ? `${grouped(missing)} of ${grouped(planned)} planned runs have no record yet.` : `All ${grouped(planned)} planned runs have their records.`;
  const kinds = Object.entries(TROUBLE).map(([kind, words]) => ({ kind, words, found: wrong.filter((entry) => entry.kind === kind) }))
    .map((entry) => ({ ...entry, count: counts[entry.kind] ?? entry.found.length })).filter(({ count }) => count > 0);
  if (kinds.length === 0) {
    return h("p", { class: "all-well" }, h("span", { "aria-hidden": "true" }, "✓ "), `No answer is wrong, contradicted or open; no run failed. ${lacking}`);
  }
  return h("section", { class: "trouble", "aria-label": "What went wrong" }, kinds.map(({ kind, words, found, count }) => {
    const rows = found.map(({ row }) => row).filter((row) => row !== null);
    return h("div", { class: `trouble-kind kind-${kind}` },
      h("h2", {}, `${grouped(count)} ${words[count === 1 ? 0 : 1]}`),
      h("ul", {}, found.slice(0, TROUBLE_SHOWN).map((entry) => troubleLine(data, entry))),
      found.length > TROUBLE_SHOWN && rows.length > 0 ? h("button", { type: "button", class: "small", onclick: () => openRecords(rows) }, `all ${grouped(rows.length)}`) : null);
  }), h("p", { class: "quiet small-print" }, `${lacking} Only decided, checked and uncontradicted answers count as solved.`));
}

/** The exact results of all runs, if the page contains only some of them. */
function totalsSection(data) {
  const { sampled } = data.raw;
  if (!sampled) return null;
  const columns = [["runs", "count", "runs"], ["solved", "count", "solved"], ["open", "count", "open"], ["wrong", "count", "wrong"], ["limit reached", "count", "limit"], ["failed", "count", "failed"], ["unsupported", "count", "unsupported"], ["mean CPU time", "seconds", "mean_s"]]
    .filter(([, , key]) => ["runs", "solved"].includes(key) || sampled.engines.some((engine) => engine[key]));
  return h("section", {}, h("h2", {}, `All ${grouped(sampled.all)} runs`),
    wideTable("All runs", [h("tr", {}, headCell("engine"), columns.map(([name]) => headCell(name, "", { class: "number" })))],
      sampled.engines.map((engine, i) => h("tr", {}, rowHead(engineName(data.engines[i], i)), columns.map(([, unit, key]) => numberCell(engine[key], unit))))));
}

/** A line with a run's engine, instance and answer, and what is wrong with it. */
function troubleLine(data, { row, kind, words }) {
  if (row === null) return h("li", {}, words);
  const name = `${data.get("engine", row)} on ${data.get("instance", row)}`;
  const outcome = data.get("outcome", row);
  const other = kind === "contradiction" ? rowOfKey(data, String(data.get("contradicts", row))) : null;
  const said = other === null ? words && `: ${words}` : `, but ${data.get("engine", other)} says ${data.get("outcome", other)}`;
  return h("li", {}, h("button", { type: "button", class: "link", onclick: () => openRecords([row]) }, name), outcome ? ` says ${outcome}` : "", said);
}

function aboutText(about) {
  const parts = ["question", "method", "finding"].filter((part) => about[part]);
  return parts.length === 0 ? null : h("div", { class: "asked" }, parts.map((part) => h("section", { class: part }, h("h2", {}, part), h("div", { class: "prose" }, markdown(about[part])))));
}

const ENGINE_COLUMNS = [
  ["runs", "count", "runs on instances that the engine supports", (e) => e.runs],
  ["unsupported", "count", "runs on instances that the engine does not support; they are counted only here", (e) => e.unsupported],
  ["solved", "count", "decided, checked and not contradicted", (e) => e.solved, "high", (e) => e.solved / e.runs],
  ["PAR-2", "seconds", "mean CPU time, with an unsolved run counted as twice its limit", (e) => e.par2, "low"],
  ["PAR-10", "seconds", "mean CPU time, with an unsolved run counted as ten times its limit", (e) => e.par10, "low"],
  ["median", "seconds", "median CPU time; there is none unless more than half of the runs are solved", (e) => e.median, "low"],
  ["mean work", "count", "nodes and conflicts", (e) => e.work],
  ["memory", "bytes", "the largest peak memory of a run", (e) => e.memory, "low"],
  ["calls", "count", "solver calls of a run, median; only if some run has several", (e) => e.calls],
];

/** Columns that are shown only if some engine needs them. */
const OPTIONAL = { unsupported: ({ unsupported }) => unsupported > 0, memory: ({ memory }) => memory !== null, calls: ({ most }) => most > 1 };

const VALUES = [
  ["Shapley", "count", "solved_value", "shapley", "its fair share of the instances that at least one engine solves"],
  ["marginal", "count", "solved_value", "marginal", "instances that no other engine solves"],
  ["Shapley", "seconds", "seconds_value", "shapley", "its fair share of the seconds that the portfolio of all engines saves (twice the limit minus PAR-2)"],
  ["marginal", "seconds", "seconds_value", "marginal", "seconds of this saving that are lost without it"],
];

function engineSection(data, engines, left, { best, virtual }, block, fits) {
  const shown = [...engines, ...left];
  if (shown.length === 0) return h("p", { class: "quiet" }, "No run passes the filter.");
  const faded = !fits;
  const builds = data.has("build");
  const columns = ENGINE_COLUMNS.filter(([name]) => !OPTIONAL[name] || shown.some(OPTIONAL[name]));
  // Engines that do not support all instances are not compared, because they may support only easy ones.
  const supportsAll = ({ unsupported }) => unsupported === 0;
  const ranks = block ? ranksOfGroups(block.ranking) : new Map();
  const most = columns.map(([, , , read, better, rate = read]) => {
    const found = engines.filter(supportsAll).map(rate).filter((value) => value !== null && value !== undefined);
    // A value that all engines share is not marked as the best.
    return better && new Set(found).size > 1 ? (better === "low" ? Math.min(...found) : Math.max(...found)) : NaN;
  });
  const place = (index) => block?.engines.indexOf(data.engines[index]) ?? -1;
  const ordered = sortedEngines(shown);
  const line = (engine) => h("tr", { class: engine.wrong > 0 ? "has-wrong" : null }, rowHead(engineName(data.engines[engine.index], engine.index)),
    builds ? h("td", {}, originsOf(data, "build", engine.rows).join(", ")) : null, columns.map(([, unit, , read, , rate = read], i) => numberCell(read(engine), unit, { best: supportsAll(engine) && rate(engine) === most[i] })),
    block ? [VALUES.map(([, unit, value, kind]) => numberCell(block[value][kind][place(engine.index)], unit, { faded })),
      h("td", { class: `number${faded ? " faded" : ""}` }, ranks.get(place(engine.index)) ?? "–")] : null);
  const foot = (words, cells) => h("tr", {}, rowHead(words), builds ? h("td") : null, columns.map(([, unit, , read]) => (read(cells) === undefined ? h("td") : numberCell(read(cells), unit))), block ? h("td", { colspan: VALUES.length + 1 }) : null);
  return h("section", {},
    h("h2", {}, "Engines"), faded && block ? h("p", {}, "Contribution and rank: ", outOfScope()) : null,
    wideTable("Engines", [
      h("tr", { class: "over" }, h("td", { colspan: columns.length + (builds ? 2 : 1) }), block ? ["instances solved", "seconds saved"].map((words) => h("th", { colspan: 2, scope: "colgroup" }, words)) : null, block ? h("td") : null),
      h("tr", {}, headCell("engine"), builds ? headCell("build", "the build of the program that made the runs") : null, columns.map(engineHead),
        block ? [VALUES.map(([name, , , , hint]) => headCell(name, hint, { class: "number" })), headCell("rank", "careful ranking after Van Gelder: ties where the runs show no order", { class: "number" })] : null)],
    ordered.map(line),
    engines.length > 1 ? [foot(`virtual best, ${grouped(virtual.instances)} instances`, virtual), foot(`single best: ${data.engines[best.index]}, ${grouped(best.instances)} instances`, best)] : null),
    h("p", { class: "quiet small-print" }, engines.length < 2 ? null : "Best values are bold. Shapley and marginal values say what an engine contributes to the portfolio of all. In the last two rows, each instance counts once, with the median of an engine's runs on it. The virtual best is what choosing the best engine for each instance would reach. The single best is what one engine reaches; instances on which it was not run count as unsolved."));
}

/** An engine's id after its marker. */
function engineName(id, index) {
  return h("span", { class: "engine" }, swatch(index), h("span", {}, brokenName(id)));
}

function swatch(index) {
  const drawing = d3.create("svg").attr("viewBox", "6 0 14 12").attr("width", 14).attr("height", 12).attr("class", "swatch").attr("aria-hidden", "true");
  drawSwatch(drawing, { style: index, shape: "points", variant: "first" }, SCREEN);
  return drawing.node();
}

/** The engines in the experiment's order or, if a reader chose a column, sorted by it with the best first. */
function sortedEngines(engines) {
  const column = ENGINE_COLUMNS.find(([name]) => name === state.options.get("summary")?.get("by"));
  if (!column) return engines;
  const [, , , read, better] = column;
  const worst = better === "low" ? Infinity : -Infinity;
  return [...engines].sort((a, b) => (better === "low" ? 1 : -1) * ((read(a) ?? worst) - (read(b) ?? worst)) || a.index - b.index);
}

/** The header of a column. Pressing it sorts by the column; pressing it again restores the order. */
function engineHead([name, , hint, , better]) {
  const chosen = state.options.get("summary")?.get("by") === name;
  const sort = () => setOption("summary", "by", chosen ? null : name);
  return headCell(h("button", { type: "button", class: "head", onclick: sort }, name, h("span", { class: "way", "aria-hidden": "true" }, chosen ? (better === "low" ? "▲" : "▼") : "")), hint,
    { class: "number", "aria-sort": chosen ? (better === "low" ? "ascending" : "descending") : "none" });
}

function crossoverWords(block, fits) {
  if (!block?.crossover?.words) return null;
  return h("p", { class: fits ? "prose" : "prose faded" }, h("strong", {}, "Crossover. "), block.crossover.words, fits ? null : [" ", outOfScope()]);
}
