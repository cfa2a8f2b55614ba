// Pictures in SVG: the implication graph of a conflict, and the search tree.

/** Creates an SVG element with attributes and children. */
function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(byId("svg").namespaceURI, tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null) element.setAttribute(name, value);
  element.append(...children.flat(2));
  return element;
}

/** Breaks a text at blanks into lines of at most `most` letters, if its words allow. */
function wrap(text, most) {
  const lines = [];
  for (const word of text.split(" ")) {
    if (lines.length > 0 && lines.at(-1).length + word.length < most) lines.push(`${lines.pop()} ${word}`);
    else lines.push(word);
  }
  return lines;
}

/** The lines of a node of the implication graph: its name, and a remark. */
function linesOfNode({ lit, level, isDecision, isFirst, members = [] }, names) {
  if (members.length > 1) return { name: [`${members.length} literals`], remark: level === 0 ? "always" : `level ${level}` };
  if (lit === null) return { name: ["✗ conflict"], remark: null };
  const remark = level === 0 ? "always" : `${isDecision ? "decision" : "level"} ${level}`;
  return { name: wrap(nameOf(names, lit), 17), remark: isFirst ? `${remark}, first UIP` : remark };
}

/** Draws the graph of a conflict into its figure. */
function drawGraph(trail, conflict, names) {
  const host = byId("graph");
  host.hidden = false;
  const whole = conflictGraph(trail, conflict), graph = grouped(whole), em = parseFloat(getComputedStyle(host).fontSize), { nodes, edges } = graph;
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `600 ${em}px ${getComputedStyle(host).fontFamily}`;
  const wide = (text, scale = 1) => pen.measureText(text).width * scale;
  const texts = nodes.map((node) => linesOfNode(node, names));
  const size = (_, i) => {
    const { name, remark } = texts[i];
    return { width: Math.max(...name.map((line) => wide(line)), remark ? wide(remark, 0.85) : 0) + 1.1 * em, height: (name.length * 1.2 + (remark ? 1.1 : 0) + 0.5) * em };
  };
  const room = byId("graph-scroll").clientWidth - 2 * em;
  const placed = layout(graph, size, { widest: room, gap: 0.8 * em, rise: 1.35 * em });
  // The names of the two sides are beside the graph if there is room.
  const beside = placed.width + 9 * em < room ? 8.5 * em : 0;
  const width = placed.width + 2 * beside, height = placed.height, shift = beside, pad = 0.4 * em;
  const curve = (points) => points.map(({ x, y }, i) => {
    if (i === 0) return `M ${x} ${y}`;
    const before = points[i - 1], half = (before.y + y) / 2;
    return `C ${before.x} ${half} ${x} ${half} ${x} ${y}`;
  }).join(" ");
  const box = ({ x, y, width: w, height: h }, i) => {
    const node = nodes[i], { name, remark } = texts[i], left = x - w / 2, top = y - h / 2;
    const kind = ["node", node.side, node.isDecision && "is-decision", node.isLearnt && "is-learnt", node.isFirst && "is-first", node.lit === null && "is-conflict"].filter(Boolean).join(" ");
    const frame = (by, extra) => svg("rect", { class: extra, x: left + by, y: top + by, width: w - 2 * by, height: h - 2 * by, rx: node.isDecision ? h / 2 : 0.25 * em });
    // Nodes of the conflict side have a double frame.
    const isMany = node.members?.length > 1;
    return svg("g", { class: kind, "data-lit": isMany ? null : node.lit }, isMany ? svg("title", {}, node.members.map((lit) => nameOf(names, lit)).join("\n")) : [], frame(0, "frame"), node.side === "conflict" && node.lit !== null ? frame(0.18 * em, "inner") : [],
      name.map((line, k) => svg("text", { x, y: top + (1.15 + 1.2 * k) * em }, line)),
      remark ? svg("text", { class: "remark", x, y: top + (1.1 + 1.2 * name.length) * em }, remark) : []);
  };
  const cut = placed.cut === null ? [] : [
    svg("line", { class: "cut", x1: -shift - pad, x2: width - shift + pad, y1: placed.cut, y2: placed.cut }),
    ...[["reason side ↑", -0.35], ["conflict side ↓", 1]].flatMap(([words, below]) => [
      svg("rect", { class: "side-paper", x: -shift - pad, y: placed.cut + (below - 0.85) * em, width: wide(words, 0.9) + 2 * pad, height: 1.05 * em }),
      svg("text", { class: "side-name", x: -shift, y: placed.cut + below * em }, words)])];
  const { lits } = analyse(trail, conflict), learnt = lits.length > 12 ? `a clause of ${lits.length} literals` : textOf(clauseParts(lits), names);
  // A graph that is too large is drawn smaller, but with letters of at least 10 px. A larger one is scrolled.
  const scale = Math.max(Math.min(1, 10.2 / em), 0.66, Math.min(1, (room + 2 * em) / (width + 2 * pad)));
  const picture = svg("svg", {
    viewBox: `${-shift - pad} ${-pad} ${width + 2 * pad} ${height + 2 * pad}`, width: scale * (width + 2 * pad), height: scale * (height + 2 * pad), role: "img",
    "aria-label": `Implication graph: ${nodes.map(({ lit, side }, i) => (lit === null ? "" : `${texts[i].name.join(" ")} (${texts[i].remark}, ${side} side)`)).filter(Boolean).join("; ")}.`,
  }, svg("defs", {}, svg("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 0.55 * em, markerHeight: 0.55 * em, markerUnits: "userSpaceOnUse", orient: "auto" }, svg("path", { class: "head", d: "M0 0 L8 4 L0 8 z" }))),
  placed.lines.map((points, i) => svg("path", { class: edges[i].crosses ? "edge crosses" : "edge", d: curve(points), "marker-end": "url(#arrow)" })),
  cut, placed.boxes.map(box));
  const isDrawn = nodes.length <= MOST_BOXES, shown = whole.nodes.length - 1;
  byId("graph-scroll").replaceChildren(...(isDrawn ? [picture] : [el("p", {}, `This conflict follows from ${graph.total} literals, too many to draw.`)]));
  const part = (!isDrawn || shown === graph.total ? "" : ` Shown are the ${shown} literals that the learnt clause needs, of ${graph.total} from which the conflict follows.`)
    + (isDrawn && nodes.length < whole.nodes.length ? " Literals with the same arrows are drawn as one." : "");
  byId("graph-words").textContent = graph.isCut
    ? `The bold arrows cross the cut. The literals from which they start, negated, are the learnt clause: ${learnt}.${part}`
    : `The conflict follows without a decision, so no clause is learnt: the formula is unsatisfiable.${part}`;
}

/** The most nodes of a search tree that are drawn. */
const MOST_ROWS = 300;

/** Draws a search tree, one node in a row, below and to the right of its parent. */
function drawTree(nodes, names) {
  const host = byId("tree-scroll"), em = parseFloat(getComputedStyle(host).fontSize), row = 1.55 * em, indent = 1.15 * em;
  const first = Math.max(0, nodes.length - MOST_ROWS), rows = nodes.slice(first), at = new Map(rows.map((node, i) => [node, i]));
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `600 ${em}px ${getComputedStyle(host).fontFamily}`;
  const words = ({ kind, lit, implied, end }) => [
    kind === "root" ? "start" : { decision: "", other: "else ", learnt: "learnt: " }[kind] + nameOf(names, lit),
    implied > 0 ? `, ${implied} implied` : "", { conflict: "  ✗ conflict", model: "  ✓ model", none: "  ✗ no model" }[end] ?? ""];
  const x = ({ depth }) => (depth + 0.6) * indent, y = (node) => (at.get(node) + 0.6) * row, r = 0.36 * em;
  const dot = (node) => (node.kind === "learnt" ? svg("path", { class: "dot", d: `M ${x(node)} ${y(node) - r * 1.3} l ${r * 1.3} ${r * 1.3} l ${-r * 1.3} ${r * 1.3} l ${-r * 1.3} ${-r * 1.3} z` })
    : svg("circle", { class: "dot", cx: x(node), cy: y(node), r }));
  const line = (node) => {
    if (node.parent === null) return [];
    const from = at.has(node.parent) ? y(node.parent) + r : 0;
    return [svg("path", { class: node.isOn ? "branch is-on" : "branch", d: `M ${x(node.parent)} ${from} V ${y(node)} H ${x(node) - r}` })];
  };
  const label = (node) => {
    const [name, implied, end] = words(node);
    return svg("text", { x: x(node) + 0.8 * em, y: y(node) + 0.35 * em }, svg("tspan", { class: "name" }, name), svg("tspan", { class: "implied" }, implied), svg("tspan", { class: `end ${node.end}` }, end));
  };
  const width = Math.max(...rows.map((node) => x(node) + em + pen.measureText(words(node).join("")).width)) + em;
  const height = rows.length * row + 0.4 * em;
  const count = (kind) => nodes.filter((node) => node.kind === kind).length, conflicts = nodes.filter(({ end }) => end === "conflict").length;
  host.replaceChildren(svg("svg", {
    width, height, viewBox: `0 0 ${width} ${height}`, role: "img",
    "aria-label": `Search tree: ${plural(count("decision"), "decision")}, ${plural(count("other"), "other value")}, ${plural(count("learnt"), "learnt clause")}, ${plural(conflicts, "conflict")}. Last node: ${words(nodes.at(-1)).join("")}.`,
  }, rows.map(line), rows.map((node) => svg("g", { class: `branch-node ${node.kind}${node.isOn ? " is-on" : ""}` }, dot(node), label(node)))));
  host.scrollTop = host.scrollHeight;
  byId("tree-words").textContent = `● decision  ○ other value  ◇ follows from a learnt clause${first > 0 ? ` (the first ${first} nodes are not drawn)` : ""}`;
}

/** A table of what each method needed. `totals` has an entry for each method. */
function drawTotals(totals) {
  const number = (count, end) => `${end === null ? "more than " : ""}${count.toLocaleString("en")}`;
  byId("totals").replaceChildren(el("table", {},
    el("thead", {}, el("tr", {}, ["method", "nodes", "conflicts", "implied", "result"].map((title) => el("th", { scope: "col" }, title)))),
    el("tbody", {}, Object.entries(totals).map(([method, { nodes, conflicts, implied, end }]) => el("tr", {},
      el("th", { scope: "row" }, METHODS[method].name), [nodes, conflicts, implied].map((count) => el("td", {}, number(count, end))),
      el("td", {}, { model: "model", none: "no model" }[end] ?? "stopped"))))));
}
