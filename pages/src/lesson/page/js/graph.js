// The implication graph of a conflict, and where its nodes are drawn.
//
// Nodes are the true literals from which the conflict follows, and the conflict itself. Edges lead from the false literals of a
// reason (negated, so that they are true) to the literal that it implies. The cut separates the literals that conflict analysis
// resolved away from the others. The negated literals with an edge across the cut are the learnt clause.
//
// Layers go from top to bottom, as far down as edges allow. All nodes of the reason side are above all nodes of the conflict side,
// so the cut is a horizontal line. Long edges get a bend in each layer that they cross, and barycentres order each layer (Sugiyama,
// Tagawa, Toda 1981).

/** The most literals that are shown with all from which they follow. Of a larger graph, only what the learnt clause needs is. */
const MOST_NODES = 22;

/** The most nodes that are drawn one by one. In a larger graph, three or more nodes with the same neighbours are drawn as one; and if
 * there are still more than `MOST_BOXES`, nothing is drawn. */
const MOST_SINGLE = 30, MOST_BOXES = 60;

/** The graph in which one node stands for all nodes of a side that have the same neighbours, if there are at least three. Its member
 * `members` has their literals. Decisions and the first unique implication point stay alone. */
function grouped(graph) {
  const { nodes, edges } = graph;
  if (nodes.length <= MOST_SINGLE) return graph;
  const near = nodes.map((_, i) => edges.flatMap(({ from, to }) => (from === i ? [`>${to}`] : to === i ? [`<${from}`] : [])).sort().join());
  const byKey = new Map();
  nodes.forEach(({ side, level, lit, isFirst, isDecision, isLearnt }, i) => {
    const key = lit === null || isFirst || isDecision ? `own ${i}` : `${side} ${level} ${isLearnt} ${near[i]}`;
    byKey.set(key, [...byKey.get(key) ?? [], i]);
  });
  const head = new Map();
  for (const all of byKey.values()) for (const i of all) head.set(i, all.length < 3 ? i : all[0]);
  const kept = [...nodes.keys()].filter((i) => head.get(i) === i), at = new Map(kept.map((i, k) => [i, k]));
  const isKept = ({ from, to }) => head.get(from) === from && head.get(to) === to;
  const members = (i) => [...head].flatMap(([one, of]) => (of === i ? [nodes[one].lit] : []));
  return {
    ...graph, nodes: kept.map((i) => ({ ...nodes[i], members: members(i) })),
    edges: edges.filter(isKept).map((edge) => ({ ...edge, from: at.get(edge.from), to: at.get(edge.to) })),
  };
}

/** The graph { nodes, edges, total, isCut }. A node is { lit, level, side, isDecision, isLearnt, isFirst }: `lit` is null for the
 * conflict; `side` is "reason", "conflict", or "always" for level 0; `isFirst` marks the first unique implication point. An edge is
 * { from, to, crosses } with indices of nodes. `total` is the number of literals from which the conflict follows. Without a
 * decision there is no cut. */
function conflictGraph(trail, conflict) {
  const { lits: learnt, used } = analyse(trail, conflict);
  const top = Math.max(0, ...trail.filter(({ lit }) => conflict.lits.includes(-lit)).map(({ level }) => level));
  const needed = new Set(conflict.lits.map((lit) => -lit));
  for (const { lit, reason } of [...trail].reverse()) if (needed.has(lit)) reason?.lits.forEach((other) => other !== lit && needed.add(-other));
  const all = trail.filter(({ lit }) => needed.has(lit));
  const isResolved = (entry) => entry.reason !== null && used.includes(entry.reason);
  const isLearnt = ({ lit }) => learnt.includes(-lit);
  const shown = all.length <= MOST_NODES ? all : all.filter((entry) => isResolved(entry) || isLearnt(entry));
  const nodes = shown.map((entry) => ({
    lit: entry.lit, level: entry.level, isDecision: entry.reason === null, isLearnt: isLearnt(entry), isFirst: learnt[0] === -entry.lit,
    side: entry.level === 0 ? "always" : isResolved(entry) && entry.level === top ? "conflict" : "reason",
  }));
  nodes.push({ lit: null, level: top, side: top === 0 ? "always" : "conflict", isDecision: false, isLearnt: false, isFirst: false });
  const at = new Map(shown.map(({ lit }, i) => [lit, i]));
  const into = (reason, to) => (reason === null ? [] : reason.lits.flatMap((lit) => (at.has(-lit) ? [{ from: at.get(-lit), to }] : [])));
  const edges = [...shown.flatMap(({ reason }, i) => into(reason, i)), ...into(conflict, shown.length)]
    .map(({ from, to }) => ({ from, to, crosses: nodes[from].side === "reason" && nodes[to].side === "conflict" }));
  return { nodes, edges, total: all.length, isCut: top > 0 };
}

/** Places the nodes: { width, height, cut, boxes, lines }. `size` returns the size { width, height } of a node. A layer is at most
 * `widest` wide if possible. Boxes are centred at { x, y }; lines are lists of points, in the order of the edges; `cut` is the height
 * of the cut, or null. */
function layout({ nodes, edges, isCut }, size, { widest, gap, rise }) {
  const sizes = nodes.map(size), layer = nodes.map(() => 0), filled = [];
  const after = nodes.map((_, i) => edges.filter(({ from }) => from === i).map(({ to }) => to));
  let least = 0;
  const place = (i) => {
    let at = Math.max(least, ...after[i].map((to) => layer[to] + 1));
    while ((filled[at] ?? 0) > 0 && filled[at] + sizes[i].width + gap > widest) at += 1;
    layer[i] = at;
    filled[at] = (filled[at] ?? 0) + sizes[i].width + gap;
  };
  // Nodes are in the order of the trail, so all successors of a node are placed before it.
  const backwards = nodes.map((_, i) => i).reverse();
  backwards.filter((i) => !isCut || nodes[i].side === "conflict").forEach(place);
  const lastOfConflict = Math.max(...layer);
  least = lastOfConflict + 1;
  if (isCut) backwards.filter((i) => nodes[i].side !== "conflict").forEach(place);

  // Layers from top to bottom, with a point for each bend of a long edge.
  const count = Math.max(...layer) + 1, rows = Array.from({ length: count }, () => []);
  const items = nodes.map((_, i) => ({ width: sizes[i].width, height: sizes[i].height, near: [], at: count - 1 - layer[i], x: 0 }));
  items.forEach((item) => rows[item.at].push(item));
  const chains = edges.map(({ from, to }) => {
    const chain = [items[from]];
    for (let at = items[from].at + 1; at < items[to].at; at += 1) {
      chain.push({ width: 2, height: 0, near: [], at, x: 0 });
      rows[at].push(chain.at(-1));
    }
    chain.push(items[to]);
    chain.slice(1).forEach((item, k) => {
      item.near.push(chain[k]);
      chain[k].near.push(item);
    });
    return chain;
  });
  orderRows(rows, gap);
  const widths = rows.flatMap((row) => [row[0].x - row[0].width / 2, row.at(-1).x + row.at(-1).width / 2]);
  const left = Math.min(...widths), width = Math.max(...widths) - left;
  const tall = rows.map((row) => Math.max(...row.map(({ height }) => height)));
  const middle = [];
  let height = 0, cut = null;
  rows.forEach((_, at) => {
    const isBelowCut = isCut && at === count - 1 - lastOfConflict;
    if (at > 0) height += rise;
    if (isBelowCut) {
      cut = height;
      height += rise;
    }
    middle.push(height + tall[at] / 2);
    height += tall[at];
  });
  const point = ({ x, at }) => ({ x: x - left, y: middle[at] });
  return {
    width, height, cut,
    boxes: items.map((item) => ({ ...point(item), width: item.width, height: item.height })),
    lines: chains.map((chain) => {
      const points = chain.map(point);
      points[0].y += chain[0].height / 2;
      points.at(-1).y -= chain.at(-1).height / 2;
      return points;
    }),
  };
}

/** Orders the items of each row by the mean position of their neighbours, and places them without overlaps. */
function orderRows(rows, gap) {
  const mean = (numbers, otherwise) => (numbers.length === 0 ? otherwise : numbers.reduce((sum, number) => sum + number, 0) / numbers.length);
  const apart = (one, other) => (one.width + other.width) / 2 + (one.height === 0 || other.height === 0 ? gap * 0.6 : gap);
  /** Moves items as little as possible from where they want to be: the middle of packing them from the left and from the right. */
  const spread = (row, wanted) => {
    const left = [], right = [];
    row.forEach((item, i) => left.push(i === 0 ? wanted[i] : Math.max(wanted[i], left[i - 1] + apart(row[i - 1], item))));
    for (let i = row.length - 1; i >= 0; i -= 1) right[i] = i === row.length - 1 ? wanted[i] : Math.min(wanted[i], right[i + 1] - apart(row[i], row[i + 1]));
    row.forEach((item, i) => { item.x = (left[i] + right[i]) / 2; });
  };
  for (const row of rows) spread(row, row.map(() => 0));
  for (let round = 0; round < 12; round += 1) {
    const isDown = round % 2 === 0;
    for (const row of isDown ? rows : [...rows].reverse()) {
      const wants = new Map(row.map((item) => {
        const near = item.near.filter(({ at }) => (isDown ? at < item.at : at > item.at));
        return [item, mean((near.length > 0 ? near : item.near).map(({ x }) => x), item.x)];
      }));
      row.sort((a, b) => wants.get(a) - wants.get(b));
      spread(row, row.map((item) => wants.get(item)));
    }
  }
  // Straighten long edges: only bends move.
  for (let round = 0; round < 8; round += 1) {
    for (const row of rows) spread(row, row.map((item) => (item.height === 0 ? mean(item.near.map(({ x }) => x), item.x) : item.x)));
  }
}
