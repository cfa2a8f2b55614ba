// Comparison with an earlier set of records: changed results, then times with tests, then differences between the
// environments.

registerView({
  id: "baseline", title: "Baseline",
  show(panel, data) {
    const { baseline } = data.raw;
    const lacking = [[baseline.only_here, "only here"], [baseline.only_there, "only there"]].filter(([count]) => count > 0).map(([count, words]) => `${grouped(count)} ${words}`);
    panel.replaceChildren(
      h("p", { class: "prose" }, `Compared with ${baseline.name}: ${grouped(baseline.pairs)} runs are in both`, lacking.length > 0 ? ` (${lacking.join(", ")})` : "", ". Differences are these records minus the earlier ones, so a negative number means faster now. The filter has no effect here."),
      changedSection(data, baseline.changed), deltaSection(baseline.deltas), differenceSection(baseline.environment));
  },
});

function changedSection(data, changed) {
  if (changed.length === 0) return h("p", { class: "all-well" }, h("span", { "aria-hidden": "true" }, "✓ "), "No verdict changed.");
  const better = ({ before, after }) => (after.startsWith("checked") && !before.startsWith("checked") ? "gained" : before.startsWith("checked") && !after.startsWith("checked") ? "lost" : "changed");
  return h("section", {}, h("h2", {}, `${grouped(changed.length)} ${changed.length === 1 ? "verdict" : "verdicts"} changed`),
    wideTable("Changed verdicts", h("tr", {}, headCell("engine"), headCell("instance"), headCell("before"), headCell("now"), headCell("change")),
      changed.map((change) => {
        const row = rowOfKey(data, change.key);
        const kind = better(change);
        return h("tr", { class: `verdict-${kind}` }, rowHead(change.engine), h("td", {}, change.instance), h("td", {}, change.before), h("td", {}, h("strong", {}, change.after)),
          h("td", {}, kind, " ", row === null ? null : h("button", { type: "button", class: "link", "aria-label": `record of ${change.engine} on ${change.instance}`, onclick: () => openRecords([row]) }, "record")));
      })));
}

function deltaSection(deltas) {
  if (deltas.length === 0) return null;
  const reach = Math.max(...deltas.flatMap(({ low, high, delta_par2_s: delta }) => [low, high, delta].map((value) => Math.abs(value ?? 0))));
  const hasMemory = deltas.some((delta) => delta.memory_before !== null && delta.memory_after !== null);
  const memoryHeads = [headCell("memory before", "the largest peak memory of a run", { class: "number" }), headCell("now", "the largest peak memory of a run", { class: "number" })];
  return h("section", {}, h("h2", {}, hasMemory ? "Times and memory" : "Times"),
    wideTable("Changes of PAR-2", h("tr", {}, headCell("engine"), headCell("instances", null, { class: "number" }), hasMemory ? memoryHeads : null, headCell("PAR-2 before", null, { class: "number" }), headCell("now", null, { class: "number" }),
      headCell("difference", null, { class: "number" }), headCell("95 % interval", "paired bootstrap over instances", { class: "number" }), headCell("← faster · slower →", null, { class: "forest" }),
      headCell("p", "Wilcoxon's signed-rank test after Holm's correction", { class: "number" }), headCell("now")),
    deltas.map((delta) => {
      // Wins and losses are not known here, so the sign of the mean difference gives the test's direction.
      const { words, kind } = pairVerdict({ ...delta, wins: delta.delta_par2_s < 0 ? 1 : 0, losses: delta.delta_par2_s > 0 ? 1 : 0 });
      return h("tr", {}, rowHead(delta.engine), numberCell(delta.instances, "count"), hasMemory ? [numberCell(delta.memory_before, "bytes"), numberCell(delta.memory_after, "bytes")] : null, numberCell(delta.par2_before, "seconds"), numberCell(delta.par2_after, "seconds"),
        numberCell(delta.delta_par2_s, "seconds", { signed: true }), h("td", { class: "number" }, `${formatSigned(delta.low, "seconds")} … ${formatSigned(delta.high, "seconds")}`),
        h("td", { class: "forest" }, forest(delta, reach)),
        h("td", { class: "number", title: `before Holm's correction ${formatP(delta.wilcoxon_p)}` }, formatP(delta.holm_p)), h("td", { class: `pair-${kind}` }, words));
    })));
}

function differenceSection(differences) {
  if (differences.length === 0) return h("p", { class: "quiet" }, "The environment was the same.");
  return h("section", {}, h("h2", {}, "Differences of the environment"),
    wideTable("Differences of the environment", h("tr", {}, headCell("field"), headCell("before"), headCell("now")),
      differences.map(({ field, before, after }) => h("tr", { class: "differs" }, rowHead(field.replaceAll("_", " ")), h("td", { class: "free" }, environmentWords(field, before)), h("td", { class: "free" }, environmentWords(field, after))))));
}
