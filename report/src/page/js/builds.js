// Builds of the program: which engine was measured with which build, and whether engines that are compared were
// measured with different builds. The page has a column for builds only if there are several.

/** The builds of some rows, by name. */
function buildsOf(data, rows) {
  const words = new Set(Array.from(rows, (row) => data.get("build", row) ?? "unknown"));
  return [...words].sort(collator.compare);
}

/**
 * The number of instances in the selection (`of`), and of those on which engines with runs of different builds are
 * compared (`count`).
 */
function acrossBuilds(data, selection) {
  const { instance } = runsOf(data);
  const instances = [...groupRows(supportedRows(data, selection).rows, (row) => instance[row])];
  const mixed = instances.filter(([, rows]) => new Set(byEngine(data, rows).map(([, own]) => buildsOf(data, own).join(" "))).size > 1);
  return { count: mixed.length, of: instances.length };
}

/** A warning if engines with runs of different builds are compared; otherwise null. */
function buildWarning(data, selection) {
  if (!data.has("build")) return null;
  const { count, of } = acrossBuilds(data, selection);
  if (count === 0) return null;
  return h("p", { class: "trouble-kind kind-open builds" }, `On ${grouped(count)} of ${grouped(of)} instances, engines are compared that were measured with different builds of the program, so a difference may be due to the build. Use the filter “build” to keep the runs of one build.`);
}
