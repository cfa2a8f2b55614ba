// The comparisons that the plan asks for: along an axis, or of chosen pairs of engines.

/** A section for each comparison. */
function pairedSections(data, selection) {
  const faded = selection.length !== data.count;
  return (data.raw.paired ?? []).map((found) => pairedSection(found, faded));
}

function pairedSection({ along, caption, rows }, faded) {
  const reach = Math.max(...rows.flatMap(({ low, high, delta_par2_s: delta }) => [low, high, delta].map((v) => Math.abs(v ?? 0))));
  const tone = faded ? " faded" : "";
  const title = along ? `Pairs along ${along}` : "Chosen pairs";
  const head = (side) => (along ? `${along} ${side}` : side);
  return h("section", {}, h("h2", {}, title), caption ? h("div", { class: "prose" }, markdown(caption)) : null, faded ? h("p", {}, outOfScope()) : null,
    wideTable(title, h("tr", {}, headCell(head("a")), headCell(head("b")),
      along ? headCell("pairs of engines", `engines that differ only in ${along}`, { class: "number" }) : null, headCell("instances", "on which such engines were both run", { class: "number" }),
      headCell("ΔPAR-2", "a minus b; negative: a is faster", { class: "number" }), headCell("95 % interval", "paired bootstrap over instances", { class: "number" }),
      headCell("← a faster · slower →", null, { class: "forest" }), headCell("p", "Wilcoxon's signed-rank test after Holm's correction for the rows of this table", { class: "number" }),
      headCell("won / tied / lost", "runs of a against runs of b", { class: "number" }), headCell("a is")),
    rows.map((row) => {
      const { words, kind } = pairVerdict(row);
      return h("tr", {}, rowHead(brokenName(row.a)), h("td", {}, brokenName(row.b)), along ? numberCell(row.engines, "count", { faded }) : null, numberCell(row.instances, "count", { faded }),
        numberCell(row.delta_par2_s, "seconds", { signed: true, faded }), h("td", { class: `number${tone}` }, `${formatSigned(row.low, "seconds")} … ${formatSigned(row.high, "seconds")}`),
        h("td", { class: `forest${tone}` }, forest(row, reach)), h("td", { class: `number${tone}`, title: `before Holm's correction ${formatP(row.wilcoxon_p)}` }, formatP(row.holm_p)),
        h("td", { class: `number${tone}` }, `${row.wins} / ${row.ties} / ${row.losses}`), h("td", { class: `pair-${kind}${tone}` }, words));
    })),
    along ? h("p", { class: "quiet small-print" }, `Engines are matched if they differ only in ${along}. An instance counts once in ΔPAR-2, its interval and the test, with the mean over its matched engines.`) : null);
}
