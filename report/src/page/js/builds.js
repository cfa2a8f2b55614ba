// Builds of the program and processors: which engine was measured with which build, and whether engines that are compared
// were measured with different builds or on different processors. The page has these columns only if there are several.

/** What should be equal for engines that are compared: column, class of the warning, and its words. */
const ORIGINS = [
  ["build", "builds", "measured with different builds of the program", "the build", "of one build"],
  ["cpu_model", "processors", "measured on different processors", "the processor", "on one kind of processor"],
];

/** The values of a column in some rows. */
function originsOf(data, name, rows) {
  const words = new Set(Array.from(rows, (row) => data.get(name, row) ?? "unknown"));
  return [...words].sort(collator.compare);
}

/**
 * The number of instances in the selection (`of`), and of those on which engines are compared whose runs have different
 * values in a column (`count`).
 */
function acrossOrigins(data, name, selection) {
  const { instance } = runsOf(data);
  const instances = [...groupRows(supportedRows(data, selection).rows, (row) => instance[row])];
  const mixed = instances.filter(([, rows]) => new Set(byEngine(data, rows).map(([, own]) => originsOf(data, name, own).join(", "))).size > 1);
  return { count: mixed.length, of: instances.length };
}

/** Warnings if engines are compared that were measured with different builds or on different processors. */
function originWarnings(data, selection) {
  return ORIGINS.filter(([name]) => data.has(name)).map(([name, kind, how, what, one]) => {
    const { count, of } = acrossOrigins(data, name, selection);
    if (count === 0) return null;
    return h("p", { class: `trouble-kind kind-open ${kind}` }, `On ${grouped(count)} of ${grouped(of)} instances, engines are compared that were ${how}, so a difference may be due to ${what}. Use the filter “${labelOf(name)}” to keep the runs ${one}.`);
  });
}

/** A warning if the node explains a part of the differences between times in the whole set, whatever the filters select. */
function nodeWarning(data) {
  const { nodes } = data.raw;
  return nodes ? h("p", { class: "trouble-kind kind-open nodes" }, `In the whole set, ${nodes}.`) : null;
}
