// The search tree of a walk: one node for each decision, for each other value that was tried, and for each learnt clause.

/** The nodes in the order in which they were made, of which the first is the root. A node is { parent, depth, kind, lit, implied, end,
 * isOn }: `kind` is "root", "decision", "other" or "learnt"; `lit` the literal that became true; `implied` the number of literals
 * that were propagated at the node; `end` is "conflict", "none", "model" or null; and `isOn` says whether the node is on the
 * current path. */
function treeOf(states, isModel) {
  const node = (parent, kind, lit) => ({ parent, depth: parent === null ? 0 : parent.depth + 1, kind, lit, implied: 0, end: null, isOn: false });
  const root = node(null, "root", null), nodes = [root];
  // For each level, its last node.
  let path = [root];
  const grow = (kind, lit) => {
    nodes.push(node(path.at(-1), kind, lit));
    return nodes.at(-1);
  };
  for (const { event } of states) {
    if (event.kind === "decision") path = [...path, grow("decision", event.lit)];
    else if (event.kind === "unit") path.at(-1).implied += 1;
    else if (event.kind === "conflict") path.at(-1).end = "conflict";
    else if (event.kind === "other") {
      path = path.slice(0, event.level);
      path = [...path, grow("other", event.lit)];
    } else if (event.kind === "back") {
      path = path.slice(0, event.level + 1);
      path = [...path.slice(0, -1), grow("learnt", event.clause.lits[0])];
    } else if (["refuted", "exhausted"].includes(event.kind)) root.end = "none";
  }
  if (isModel) path.at(-1).end = "model";
  for (let one = path.at(-1); one !== null; one = one.parent) one.isOn = true;
  return nodes;
}
