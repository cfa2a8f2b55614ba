// One engine against all others: the difference of PAR-2 with its interval, and the rank test. Both are shown because
// they answer different questions and may disagree.

const LEVEL = 0.05;

/** The comparisons of the engine `chosen` with others. Differences, wins and losses are those of `chosen`. */
function pairsOf(block, chosen) {
  return block.pairs.filter(({ a, b }) => a === chosen || b === chosen).map((pair) => (pair.a === chosen ? { ...pair, other: pair.b } : {
    ...pair, other: pair.a, delta_par2_s: -pair.delta_par2_s, low: negated(pair.high), high: negated(pair.low), wins: pair.losses, losses: pair.wins,
  }));
}

const negated = (value) => (value === null || value === undefined ? null : -value);

/** The verdict of a comparison, from the interval and from the test. */
function pairVerdict({ low, high, holm_p: p, wins, losses }) {
  const byInterval = low === null || high === null ? null : low > 0 ? "slower" : high < 0 ? "faster" : "none";
  const byTest = p === null || p === undefined ? null : p >= LEVEL ? "none" : wins > losses ? "faster" : "slower";
  if (byInterval === null || byTest === null) return { words: "too few instances", kind: "quiet" };
  if (byInterval === byTest) return byTest === "none" ? { words: "no difference shown", kind: "quiet" } : { words: byTest, kind: byTest };
  const only = byTest === "none" ? `${byInterval} by the interval only` : byInterval === "none" ? `${byTest} by the test only` : `${byInterval} by the interval, ${byTest} by the test`;
  return { words: `they disagree: ${only}`, kind: "disagree" };
}

/**
 * A warning if no pair can be significant after Holm's correction: on n instances, Wilcoxon's test gives at least
 * 2 / 2^n, and the correction multiplies the least p-value by the number of pairs.
 */
function tooFew(pairs) {
  const most = Math.max(...pairs.map(({ instances }) => instances)), least = (n) => pairs.length * 2 ** (1 - n);
  if (least(most) <= LEVEL) return "";
  let enough = most;
  while (least(enough) > LEVEL) enough += 1;
  return ` There are too few instances for so many pairs: with ${grouped(most)} instances and ${grouped(pairs.length)} pairs, no p-value can be below ${LEVEL} after Holm's correction; use at least ${grouped(enough)} instances.`;
}

/** The comparisons of one engine, with a control that chooses it. */
function pairwiseSection(data, block, fits, best) {
  if (!block || block.pairs.length === 0) return null;
  const ids = block.engines;
  const stated = state.options.get("summary")?.get("against");
  const chosen = Math.max(0, ids.indexOf(stated ?? best));
  const pairs = pairsOf(block, chosen);
  const reach = Math.max(...pairs.flatMap(({ low, high, delta_par2_s: delta }) => [low, high, delta].map((v) => Math.abs(v ?? 0))));
  const faded = !fits;
  const choose = h("select", { id: "option-against", onchange: (event) => setOption("summary", "against", event.target.value) },
    ids.map((id, i) => h("option", { value: id, selected: i === chosen }, id)));
  const rows = pairs.map((pair) => {
    const { words, kind } = pairVerdict(pair);
    const tone = faded ? " faded" : "";
    return h("tr", {}, rowHead(engineName(ids[pair.other], data.engines.indexOf(ids[pair.other]))), numberCell(pair.instances, "count", { faded }), numberCell(pair.delta_par2_s, "seconds", { signed: true, faded }),
      h("td", { class: `number${tone}` }, `${formatSigned(pair.low, "seconds")} … ${formatSigned(pair.high, "seconds")}`),
      h("td", { class: `forest${tone}` }, forest(pair, reach)),
      h("td", { class: `number${tone}`, title: pair.wilcoxon_p === null ? null : `before Holm's correction ${formatP(pair.wilcoxon_p)}` }, formatP(pair.holm_p)),
      h("td", { class: `number${tone}` }, `${pair.wins} / ${pair.ties} / ${pair.losses}`),
      h("td", { class: `pair-${kind}${tone}` }, words));
  });
  return h("section", {},
    h("h2", {}, "One engine against all others"),
    h("div", { class: "controls" }, h("label", { class: "option" }, "engine", choose), faded ? outOfScope() : null),
    wideTable("Comparisons of pairs", h("tr", {}, headCell("against"), headCell("instances", "that both engines support", { class: "number" }),
      headCell("ΔPAR-2", "chosen engine minus the other; negative: the chosen one is faster", { class: "number" }), headCell("95 % interval", "paired bootstrap over instances", { class: "number" }),
      headCell("← faster · slower →", null, { class: "forest" }), headCell("p", "Wilcoxon's signed-rank test after Holm's correction", { class: "number" }),
      headCell("won / tied / lost", "instances", { class: "number" }), headCell([...brokenName(ids[chosen]), " is"])), rows),
    h("p", { class: "quiet small-print" }, `ΔPAR-2 weighs every second; the rank test counts how often each engine is ahead (level ${LEVEL} after Holm's correction). “They disagree” means that one of the two shows a difference, and the other shows none or the opposite.${tooFew(block.pairs)}`));
}

const outOfScope = () => h("span", { class: "out-of-scope" }, "for all records; not for this filter");

/** Draws an interval as a bar on an axis with zero in the middle. */
function forest({ low, high, delta_par2_s: delta }, reach) {
  const x = (value) => 60 + (reach > 0 ? 54 * value / reach : 0);
  const picture = hs("svg", { viewBox: "0 0 120 16", width: 120, height: 16, "aria-hidden": "true" }, hs("line", { x1: 60, x2: 60, y1: 0, y2: 16, class: "zero" }));
  if (low !== null && high !== null && low !== undefined) picture.append(hs("line", { x1: x(low), x2: x(high), y1: 8, y2: 8, class: "bar" }));
  picture.append(hs("circle", { cx: x(delta), cy: 8, r: 3.2, class: "dot" }));
  return picture;
}
