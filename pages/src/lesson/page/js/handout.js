// The handout: what is printed in place of the page. The first page has the board, the clauses by group and three exercises, the last
// page has the solutions.

/** The most lines of a group that are printed in full. Of a longer group, only the first few are. */
const MOST_LINES = 80, FEW_LINES = 12;

/** Writes the handout into its element. `elements` are the squares of the page; `solve` is null without a solver. */
function writeHandout(lesson, elements, solve) {
  const names = lesson.variables.map(({ name }) => name);
  const exercises = [whatFollows(lesson, names), whatIsLearnt(lesson, names), whatIsMissing(lesson, names, solve, elements)];
  const list = (of, title) => el("section", { class: title.toLowerCase() }, el("h2", {}, title),
    el("ol", {}, exercises.map((exercise) => el("li", {}, of(exercise)))));
  byId("handout").replaceChildren(
    el("h1", {}, byId("title").textContent), el("p", {}, byId("question").textContent),
    boardOn(lesson, elements, new Int8Array(names.length + 1)),
    el("section", { class: "lines" }, lesson.groups.flatMap((label, group) => linesOf(lesson, names, label, group))),
    list(({ question }) => question, "Exercises"), list(({ solution }) => solution, "Solutions"));
}

function linesOf(lesson, names, label, group) {
  const own = lesson.constraints.filter((constraint) => constraint.group === group);
  if (own.length === 0) return [];
  const shown = own.length <= MOST_LINES ? own : own.slice(0, FEW_LINES), more = own.length - shown.length;
  return [el("h2", {}, label), el("ul", {}, shown.map((constraint) => el("li", {}, textOf(constraintParts(constraint), names))),
    more > 0 ? [el("li", {}, `and ${more} more lines of this kind`)] : [])];
}

/** The boards of the page, with the squares as they are under these values. */
function boardOn(lesson, elements, values) {
  const copy = byId("boards").cloneNode(true), squares = new Map();
  copy.removeAttribute("id");
  for (const element of copy.querySelectorAll(".square")) {
    const { key } = element.dataset;
    element.setAttribute("tabindex", "-1");
    squares.set(key, { ...elements.get(key), element });
  }
  paintBoards(squares, lesson, values, new Set(), copy);
  return el("div", { class: "copy", "aria-hidden": "true" }, copy);
}

const allClauses = (lesson) => ({
  count: lesson.variables.length,
  clauses: lesson.constraints.flatMap(({ clauses }, constraint) => clauses.map((lits) => ({ lits, constraint }))),
});

const inWords = (lits, names) => lits.map((lit) => nameOf(names, lit)).join("; ");

/** A decision from which literals follow, at most eight if possible; if nothing follows from any decision, several decisions. */
function whatFollows(lesson, names) {
  const formula = allClauses(lesson), start = settle(startWalk(formula));
  const order = decisionOrder(lesson, squaresByVariable(lesson)).slice(0, formula.clauses.length > 2000 ? 10 : 60);
  const after = (decisions) => decisions.reduce((walk, lit) => (isStuck(walk) ? walk : settle(decideIn(walk, lit))), start);
  const exercise = (decisions) => {
    const there = after(decisions), { trail } = stateOf(there), last = trail.findLastIndex(({ reason }) => reason === null);
    const follows = trail.slice(last + 1).map(({ lit }) => lit);
    const isGood = !isStuck(there) && last >= 0 && follows.length > 0;
    return { decisions, follows, cost: !isGood ? Infinity : follows.length > 8 ? 1000 + follows.length : -follows.length };
  };
  const least = (all) => all.reduce((one, other) => (other.cost < one.cost ? other : one), { cost: Infinity });
  const open = () => order.filter((variable) => !stateOf(after(chosen)).trail.some(({ lit }) => Math.abs(lit) === variable));
  let chosen = [], best = least(order.flatMap((variable) => [variable, -variable]).map((lit) => exercise([lit])));
  while (best.cost === Infinity && chosen.length < 8 && !isStuck(after(chosen)) && open().length > 0) {
    const [variable] = open(), both = [variable, -variable].map((lit) => [...chosen, lit]);
    best = least(both.map(exercise));
    chosen = both.find((decisions) => !isStuck(after(decisions))) ?? both[0];
  }
  const there = after(chosen);
  if (best.cost === Infinity && chosen.length > 0 && isStuck(there)) {
    const { trail, event } = stateOf(there), last = trail.findLastIndex(({ reason }) => reason === null);
    return {
      question: `Decide: ${inWords(trail.slice(0, last + 1).filter(({ reason }) => reason === null).map(({ lit }) => lit), names)}. What follows by unit propagation, until a line is violated?`,
      solution: `${inWords(trail.slice(last + 1).map(({ lit }) => lit), names)}. Violated: ${textOf(clauseParts(event.clause.lits), names)}.`,
    };
  }
  if (best.cost === Infinity) return { question: "What follows by unit propagation, without any decision?", solution: `${inWords(stateOf(start).trail.map(({ lit }) => lit), names) || "Nothing"}.` };
  return { question: `Decide: ${inWords(best.decisions, names)}. What follows by unit propagation?`, solution: `${inWords(best.follows, names)}.` };
}

/** Decisions that lead to a conflict, and the clause that is learnt from it. */
function whatIsLearnt(lesson, names) {
  const shown = squaresByVariable(lesson);
  const lits = decisionOrder(lesson, shown).filter((variable) => shown[variable - 1].length > 0).flatMap((variable) => [variable, -variable]);
  const walk = toConflict(allClauses(lesson), lits);
  if (walk === null) return { question: "Make decisions until there is a conflict.", solution: "Unit propagation derives everything here, so there is hardly ever a conflict." };
  const end = settle(walk), decisions = stateOf(end).trail.filter(({ reason }) => reason === null).map(({ lit }) => lit);
  const learnt = forward(end), { event } = stateOf(learnt ?? end);
  const violated = `Violated: ${textOf(clauseParts(stateOf(end).event.clause.lits), names)}.`;
  const why = (event.used ?? []).map(({ lits: all }) => el("li", {}, textOf(clauseParts(all), names)));
  const clause = event.kind === "learnt" ? `Learnt: ${textOf(clauseParts(event.clause.lits), names)}.` : "So the clauses contradict each other, and no board satisfies them.";
  return {
    question: decisions.length === 0 ? "Without any decision, unit propagation ends in a conflict. Which line is violated?"
      : `Decide, in this order: ${inWords(decisions, names)}. Propagate after each decision. Which line is violated? Which clause is learnt?`,
    solution: [`${violated} ${clause} It follows from:`, el("ul", {}, why)],
  };
}

/** A group without which there is a wrong solution. Without such a group: the number of boards. */
function whatIsMissing(lesson, names, solve, elements) {
  if (solve === null) return { question: "Find values of all variables that satisfy all lines, or explain why there are none.", solution: "Use the button Solve on the page." };
  const used = new Set(lesson.constraints.map(({ group }) => group));
  for (const [group, label] of used.size > 1 ? lesson.groups.entries() : []) {
    const { value: model } = boardsOf(solve, lesson, (other) => other !== group).next();
    const [line] = model ? broken(lesson, model) : [];
    if (line) {
      return {
        question: `Forget the lines of “${label}”. Draw a board that satisfies all other lines, but is wrong.`,
        solution: ["For example:", boardOn(lesson, elements, model), `This line is violated: ${textOf(constraintParts(line), names)}.`],
      };
    }
  }
  const found = boardsOf(solve, lesson, () => true).next();
  return {
    question: "Find values of all variables that satisfy all lines, or explain why there are none.",
    solution: found.done ? "There are none: the lines contradict each other." : ["For example:", boardOn(lesson, elements, found.value)],
  };
}
