// About this report: the plan, the machine, how limits were enforced, and a glossary.

registerView({
  id: "about", title: "About",
  show(panel, data) {
    const { raw } = data;
    panel.replaceChildren(
      h("section", {}, h("h2", {}, "This report"), definitions([
        ["experiment", raw.experiment], ["set of records", raw.set], ["problem", raw.problem],
        ["runs", `${grouped(raw.sampled?.all ?? data.count)} of ${grouped(raw.planned)} planned have a record`], ["written by", raw.program],
        ["to repeat a run", [h("code", {}, `${raw.command} KEY`), "; the dialog of a run's record has this command with the key"]],
      ])),
      environmentSection(raw.surroundings),
      h("section", {}, h("h2", {}, "What the words mean"), h("dl", { class: "glossary" }, GLOSSARY.map(([word, meaning]) => [h("dt", {}, word), h("dd", {}, meaning)]))),
      h("section", {}, h("h2", {}, "Plan"), h("pre", { tabindex: 0, "aria-label": "plan.toml" }, h("code", {}, raw.plan))),
    );
  },
});

const definitions = (pairs) => h("dl", { class: "facts" }, pairs.map(([word, value]) => [h("dt", {}, word), h("dd", {}, value)]));

const TIERS = {
  rlimit: "each run has a process that enforces its own limits and is watched from outside; the kernel's resource limits are the fallback",
  "cgroup-v1": "each run has a control group, whose memory the kernel limits",
  "cgroup-v2": "each run has a control group; the kernel limits its memory, and all its processes end with the run",
};

/** The environments in which runs were made: a column for each, with differences marked. */
function environmentSection(all) {
  const hashes = Object.keys(all);
  if (hashes.length === 0) return null;
  const fields = [...new Set(hashes.flatMap((hash) => Object.keys(all[hash])))];
  const words = (hash, field) => environmentWords(field, all[hash][field]);
  const differing = fields.filter((field) => new Set(hashes.map((hash) => words(hash, field))).size > 1);
  const tiers = [...new Set(hashes.map((hash) => all[hash].limit_tier).filter((tier) => TIERS[tier]))];
  return h("section", {}, h("h2", {}, "Environment"),
    hashes.length > 1 ? h("p", { class: "prose" }, `Runs were made in ${hashes.length} environments, which differ in ${differing.map((field) => field.replaceAll("_", " ")).join(", ")}. Counters of work are still comparable; times may not be.`) : null,
    wideTable("Environment", h("tr", {}, headCell("field"), hashes.map((hash) => headCell(hash))),
      fields.map((field) => h("tr", { class: differing.includes(field) ? "differs" : null }, rowHead(field.replaceAll("_", " "), differing.includes(field) && h("span", { class: "mark" }, " differs")),
        hashes.map((hash) => h("td", { class: "free" }, words(hash, field)))))),
    tiers.map((tier) => h("p", { class: "prose" }, h("strong", {}, "How limits are enforced. "), `${tier}: ${TIERS[tier]}.`)));
}

function environmentWords(field, value) {
  if (value === undefined || value === null) return "–";
  if (field.endsWith("_bytes") && typeof value === "number") return formatBytes(value);
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map((item) => environmentWords("", item)).join("; ");
  if (typeof value === "object") return Object.entries(value).map(([name, inner]) => `${name} ${environmentWords(name, inner)}`).join(", ");
  return String(value);
}

const GLOSSARY = [
  ["run", "One engine on one instance, once. Runs on instances that an engine does not support are only counted."],
  ["solved", "Decided, every claim of the answer checked independently, and not contradicted by another run. An answer that is open or wrong is not solved."],
  ["CPU time", "The time of building and solving together, summed over all threads and external programs. The start of the process and the check are not included."],
  ["work", "Nodes of a search plus conflicts of a solver. This count repeats exactly on any machine, unless a limit on time ended the run."],
  ["instance", "A board with its rules. Several runs on it differ in engine, repetition, shuffle or solver seed."],
  ["shuffle", "The same formula with its variables renumbered, and its clauses and literals reordered; 0 is the formula as it is."],
  ["solver seed", "The seed that an external solver was given; absent if it used its default."],
  ["limit", "CPU time, wall time, memory or work at which a run was stopped. All that is known of such a run is that it needs more."],
  ["PAR-2, PAR-10", "Penalised average runtime: the mean CPU time, with a run that is not solved counted as 2 or 10 times its limit."],
  ["median", "The middle one of the times, or the mean of the two in the middle; unsolved runs count as infinite. It exists only if more than half of the runs are solved."],
  ["virtual best", "For each instance, the time of the engine that is fastest there: what a perfect choice among the engines would reach."],
  ["single best", "The one engine with the least PAR-2 over all instances; an instance on which it was not run counts as unsolved."],
  ["marginal contribution", "What all engines reach together, minus what they reach without this one."],
  ["Shapley value", "An engine's marginal contribution averaged over all orders in which a portfolio can be put together. The values sum to the worth of the whole portfolio, and equal engines have equal values."],
  ["ΔPAR-2", "Difference of two engines' PAR-2 over the instances that both support, with an interval from a paired bootstrap."],
  ["p", "The p-value of Wilcoxon's signed-rank test on the differences per instance, after Holm's correction for the number of pairs."],
  ["careful ranking", "Van Gelder's method: engines are compared in pairs. Times within 5 % or 50 µs of each other are ties, and engines that beat each other in a cycle share a rank."],
  ["n*", "The size at which the order of two engines' medians changes, interpolated between the measured sizes, with an interval from a bootstrap over instances."],
];
