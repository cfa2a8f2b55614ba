// Builds of the program: which engine was measured with which build, and whether engines that are compared were
// measured with different builds. The page has a column for builds only if there are several.

/** The builds of some rows, by name. */
function buildsOf(data, rows) {
  const words = new Set(Array.from(rows, (row) => data.get("build", row) ?? "unknown"));
  return [...words].sort(collator.compare);
}

/** On how many instances of the selection engines are compared whose runs are of different builds, and of how many. */
function acrossBuilds(data, selection) {
  const { instance } = runsOf(data);
  const instances = [...groupRows(supportedRows(data, selection).rows, (row) => instance[row])];
  const mixed = instances.filter(([, rows]) => new Set(byEngine(data, rows).map(([, own]) => buildsOf(data, own).join(" "))).size > 1);
  return { count: mixed.length, of: instances.length };
}

/** A warning before any comparison across builds; null where there is none. */
function buildWarning(data, selection) {
  if (!data.has("build")) return null;
  const { count, of } = acrossBuilds(data, selection);
  if (count === 0) return null;
  return h("p", { class: "trouble-kind kind-open builds" }, `On ${grouped(count)} of ${grouped(of)} instances, engines are compared that were measured with different builds of the program, so a difference may be due to the build. The filter “build” leaves the runs of one.`);
}
