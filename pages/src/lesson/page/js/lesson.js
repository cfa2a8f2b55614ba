// The state of a lesson: which groups are on, the current walk, and the boards of the solver. Every change is drawn at once.

function startLesson(lesson, solve) {
  const names = lesson.variables.map(({ name }) => name), shownBy = squaresByVariable(lesson), litBy = lightByVariable(lesson, shownBy);
  const { bound } = lesson, helpers = helperGroups(lesson), off = new Set(bound === null ? [] : [bound.group]);
  const isOn = (group) => !off.has(group);
  /** The lesson without the clauses that count if no bound is chosen. */
  const active = () => (bound !== null && !isOn(bound.group) ? withoutBound(lesson) : lesson);
  const count = () => (bound !== null && !isOn(bound.group) ? bound.first : names.length);
  const order = () => decisionOrder(lesson, shownBy).filter((variable) => variable <= count());
  const formula = () => ({
    count: count(),
    clauses: lesson.constraints.flatMap(({ group, clauses }, constraint) => (isOn(group) ? clauses.map((lits, part) => ({ lits, constraint, part })) : [])),
  });
  let walk = startWalk(formula()), solving = null, solved = null, chosen = null, message = null, pointed = null;
  // The walks before each change, the fewest presses found, and what each method needed.
  let past = [], fewest = null, totals = null, isTree = false, isWatching = false;
  const stops = new Set();

  const elements = drawBoards(lesson, { pointed: pointAtSquare, chosen: choose });
  const sections = drawGroups(lesson, { switched, helpers, boundControls: boundControls(lesson, { bounded, fewer }) });
  const showView = drawTabs((id) => {
    isTree = id === "tree-view";
    draw();
  });

  /** Highlights the squares of literals; with null, the squares of the current step. */
  function point(lits) {
    if (lits !== null) return lightBoards(elements, lightOf(lesson, litBy, lits));
    const { event } = stateOf(walk);
    if (solved !== null || event.kind === "start") return lightBoards(elements, new Set());
    const here = event.lit !== undefined ? [event.lit] : event.clause?.lits ?? [];
    const why = (event.used ?? (event.clause && [event.clause]) ?? []).flatMap(({ lits: all }) => all);
    lightBoards(elements, lightOf(lesson, litBy, here), new Set(why.flatMap((lit) => litBy[Math.abs(lit) - 1])));
  }

  function pointAtSquare(key) {
    const variables = key === null ? [] : marked(elements.get(key)).map(Math.abs);
    for (const { lines } of sections.values()) {
      for (const [number, line] of lines) line.classList.toggle("touched", lesson.constraints[number].lits.some((lit) => variables.includes(Math.abs(lit))));
    }
    const lits = key === null ? [] : [...new Set(decidable(elements.get(key)))];
    pointed = lits.length === 0 ? null : Math.abs(lits[0]);
    preview(lits.length === 1 ? lits[0] : null);
  }

  /** Shows what would follow from a decision; with null, or if the literal has a value, shows nothing. */
  function preview(lit) {
    const state = stateOf(walk), now = valuesOf(names.length, state.trail);
    if (lit === null || solved !== null || isStuck(walk) || valueOf(now, lit) !== 0 || Math.abs(lit) > count()) {
      previewBoards(elements, now, null);
      byId("preview").textContent = "";
      return;
    }
    const there = settle(decideIn(walk, lit)), { trail } = stateOf(there);
    previewBoards(elements, now, valuesOf(names.length, trail));
    const follows = trail.slice(state.trail.length).filter((entry) => entry.lit !== lit).map((entry) => nameOf(names, entry.lit));
    const some = follows.slice(0, 6).join(", ") + (follows.length > 6 ? ", …" : "");
    byId("preview").textContent = `If ${nameOf(names, lit)}: ${isStuck(there) ? `a conflict, after ${plural(follows.length, "implied literal")}` : follows.length === 0 ? "nothing else follows" : `${follows.length} follow${follows.length === 1 ? "s" : ""}: ${some}`}.`;
  }

  const isComplete = () => solved === null && !isStuck(walk) && stateOf(walk).trail.length === count() && forward(walk) === null;

  function draw() {
    const state = stateOf(walk), { event } = state;
    const values = solved?.model ?? valuesOf(names.length, state.trail);
    const wrong = new Set((solved?.wrong ?? []).flatMap(({ lits }) => [...lightOf(lesson, litBy, lits)]));
    paintBoards(elements, lesson, values, wrong);
    for (const place of elements.values()) place.element.classList.toggle("stops", marked(place).some((lit) => stops.has(Math.abs(lit))));
    const clauses = solved ? [] : event.used ?? (event.clause ? [event.clause] : []), used = new Map();
    for (const clause of clauses) if (clause.constraint !== null) used.set(clause.constraint, [...used.get(clause.constraint) ?? [], clause]);
    const present = solved ? null : event.conflict ?? event.clause ?? null, watches = isWatching && !solved ? watchesAt(walk, walk.at) : null;
    byId("story").replaceChildren(...describe(event, lesson, { solved, message, isComplete: isComplete(), notes: solved ? [] : notesOn(event, watches) }));
    drawTrail(solved ? [] : state.trail, names);
    paintGroups(lesson, values, { sections, isOn, learnt: state.learnt, used, present });
    paintWatches(sections, state.learnt, watches);
    drawChoices(values);
    drawPictures(state);
    showClause(present, state.learnt);
    byId("back").disabled = solved === null && walk.at === 0;
    byId("start").disabled = byId("back").disabled;
    byId("undo").disabled = past.length === 0;
    byId("step").textContent = `step ${walk.at}`;
    point(null);
    preview(null);
  }

  /** Explains helper variables at the step at which they first appear, the work of the watched literals, and a breakpoint. */
  function notesOn(event, watches) {
    const litsOf = (one) => [...(one.lit === undefined ? [] : [one.lit]), ...(one.clause?.lits ?? [])].map(Math.abs);
    const before = new Set(walk.states.slice(0, walk.at).flatMap((state) => litsOf(state.event)));
    const fresh = [...new Set(litsOf(event))].filter((variable) => helpers.has(variable) && !before.has(variable));
    return [
      ...(event.lit !== undefined && stops.has(Math.abs(event.lit)) ? [`Breakpoint: ${nameOf(names, Math.abs(event.lit))} has a value.`] : []),
      ...fresh.map((variable) => helperWords(lesson, helpers, variable)),
      ...(watches !== null && event.lit !== undefined ? [`Watched literals: looked at ${plural(watches.looked, "clause")}, moved ${watches.moves.length === 1 ? "1 watch" : `${watches.moves.length} watches`}${moveWords(watches.moves)}.`] : []),
    ];
  }

  /** The first moves of watches in words. */
  const moveWords = (moves) => {
    const some = moves.slice(0, 2).map(({ from, to }) => `${nameOf(names, from)} ⇢ ${nameOf(names, to)}`).join("; ");
    return moves.length === 0 ? "" : ` (${some}${moves.length > 2 ? "; …" : ""})`;
  };

  /** Draws the graph of a conflict and, if it is shown, the search tree. */
  function drawPictures(state) {
    const { event } = state, isConflict = ["conflict", "learnt", "refuted"].includes(event.kind);
    byId("graph").hidden = solved !== null || !isConflict || walk.method !== "cdcl" || isTree;
    if (!byId("graph").hidden) drawGraph(state.trail, event.conflict ?? event.clause, names);
    if (!isTree) return;
    byId("method").value = walk.method;
    byId("method-about").textContent = METHODS[walk.method].about;
    drawTree(treeOf(walk.states.slice(0, walk.at + 1), isComplete()), names);
    if (isComplete() || isOver(walk)) compare();
    else if (totals === null) byId("totals").replaceChildren();
  }

  /** Runs each method to the end, with the same order of decisions. */
  function compare() {
    const given = formula();
    totals ??= Object.fromEntries(Object.keys(METHODS).reverse().map((method) => [method, totalsOf(given, method, order(), 4e6)]));
    drawTotals(totals);
  }

  /** Continues with the walk `there`. If `there` is null or the current walk, shows the message `why`. */
  function go(there, why) {
    message = there === null || there === walk ? why : null;
    solved = null;
    if (there !== null) walk = there;
    draw();
  }

  /** Like `go`, for a walk that replaces steps; the walk before it can be brought back. */
  function change(there, why) {
    if (there !== null && there.states !== walk.states) past = [...past, walk].slice(-100);
    go(there, why);
  }

  /** Starts again with the present groups and bound. */
  function restart() {
    solving = null;
    totals = null;
    past = [];
    go(startWalk(formula(), walk.method));
  }

  function switched(group, on) {
    if (on) off.delete(group); else off.add(group);
    fewest = null;
    if (group === bound?.group) byId("bound").value = on ? bound.least + bound.atMost.indexOf(lesson.constraints[bound.line].lits[0]) : "";
    restart();
  }

  /** Demands at most `most`; with null, removes the bound. */
  function bounded(most) {
    document.querySelector(`.group[data-group="${bound.group}"] .switch input`).checked = most !== null;
    byId("bound").value = most ?? "";
    if (most === null) off.add(bound.group);
    else {
      off.delete(bound.group);
      setBound(lesson, most);
      const { lines } = sections.get(bound.group), line = lineOf(lesson, bound.line);
      lines.get(bound.line).replaceWith(line);
      lines.set(bound.line, line);
    }
    restart();
  }

  /** Looks for a board below the one that is shown, or for a board within the present bound. */
  function fewer() {
    if (solve === null) return go(null, noSolver);
    const shown = solved?.count;
    if (shown !== undefined && shown === bound.least) return go(null, `There are at least ${bound.least} ${bound.noun} in any case, so this is the fewest.`);
    if (shown !== undefined) bounded(shown - 1);
    solveOn();
  }

  const noSolver = "This browser does not support WebAssembly, which the solver needs.";

  const undecided = () => `${walk.method === "backtracking" ? "No line is violated" : "Unit propagation derives nothing more"}. To decide a variable, click a square or press D.`;
  const nothingLeft = () => (isOver(walk) ? "This is the end: no board satisfies all constraints that are switched on."
    : stateOf(walk).trail.length === count() ? "Every variable has a value, and every line holds." : undecided());

  function decideLit(lit) {
    const before = stateOf(walk).trail.find((entry) => Math.abs(entry.lit) === Math.abs(lit));
    if (solved !== null || before === undefined) return change(decideIn(walk, lit), "There is a conflict. Step forward to learn from it.");
    if (before.reason !== null) return go(null, `${nameOf(names, before.lit)}: this follows already.`);
    // Deciding the same literal again undoes the decision; deciding its negation replaces it.
    const taken = takeBack(walk, Math.abs(lit));
    return change(before.lit === lit ? { ...taken, states: taken.states.slice(0, taken.at + 1) } : decideIn(taken, lit));
  }

  function choose(key) {
    const lits = [...new Set(decidable(elements.get(key)))];
    if (lits.length === 1) {
      chosen = null;
      const before = stateOf(walk).trail.find((entry) => Math.abs(entry.lit) === Math.abs(lits[0]));
      // The first click decides "true", the second "false", and the third undoes the decision.
      const isNo = before?.lit === -lits[0] && before.reason === null;
      return decideLit(isNo || (before?.lit === lits[0] && before.reason === null) ? -lits[0] : lits[0]);
    }
    chosen = chosen === key || lits.length === 0 ? null : key;
    return draw();
  }

  /** Shows the choices of a square with several variables. */
  function drawChoices(values) {
    const host = byId("choices");
    for (const [key, { element }] of elements) element.classList.toggle("chosen", key === chosen);
    host.hidden = chosen === null;
    if (chosen === null) return host.replaceChildren();
    const lits = [...new Set(decidable(elements.get(chosen)))].sort((a, b) => Math.abs(b) - Math.abs(a));
    return host.replaceChildren(...lits.map((lit) => {
      const value = valueOf(values, lit);
      const button = (word, of) => el("button", { type: "button", "aria-pressed": String(value === (of === lit ? 1 : -1)), "data-lit": of, click: () => decideLit(of) }, word);
      return el("span", { class: "choice", "data-lit": lit },
        el("span", { class: "what" }, nameOf(names, lit)), button("yes", lit), button("no", -lit));
    }));
  }

  function solveOn() {
    if (solve === null) return go(null, noSolver);
    solving ??= { boards: boardsOf(solve, active(), isOn), number: 0 };
    const found = solving.boards.next(), isBounded = bound !== null && isOn(bound.group);
    if (found.done) {
      const isNone = solving.number === 0, most = isBounded ? Number(byId("bound").value) : null;
      solving = null;
      if (!isNone) return go(null, "There are no more boards. Solve again to see the first one.");
      if (!isBounded) return go(null, "No board satisfies all constraints that are switched on.");
      return go(null, `No board with at most ${most} ${bound.noun} satisfies the constraints that are switched on.${fewest === most + 1 ? ` So ${fewest} is the fewest.` : ""}`);
    }
    solving.number += 1;
    message = null;
    const amount = bound === null ? undefined : numberIn(solve, lesson, found.value);
    solved = { model: found.value, number: solving.number, wrong: broken(active(), found.value), count: amount };
    if (amount !== undefined) {
      fewest = Math.min(fewest ?? Infinity, amount);
      solved.amount = ` Number of ${bound.noun}: ${amount}.`;
    }
    solved.unbroken = solved.wrong.length === 0 && [...off].some((group) => group !== bound?.group);
    draw();
  }

  const actions = {
    start: () => go({ ...walk, at: 0 }),
    back: () => (solved ? go(walk) : go(backward(walk), "This is the start.")),
    forward: () => (solved ? go(walk) : go(forward(walk), nothingLeft())),
    onward: () => go(onward(walk, isStop), nothingLeft()),
    nextConflict: () => go(toNextConflict(walk, order(), isStop), nothingLeft()),
    undo: () => {
      if (past.length === 0) return;
      const before = past.at(-1);
      past = past.slice(0, -1);
      go(before);
    },
    turnPage: () => showView(isTree ? "clause-view" : "tree-view"),
    watch: () => byId("watching").click(),
    stopHere: () => {
      if (pointed !== null) stopAt(pointed);
    },
    rewind: () => go(rewind(walk)),
    decide: () => {
      const there = settle(walk), lit = firstOpen(there, order());
      change(lit === null || stateOf(there).event.kind === "conflict" ? there : decideIn(there, lit), nothingLeft());
    },
    conflict: () => {
      const seen = order().filter((variable) => shownBy[variable - 1].length > 0);
      const there = toConflict(formula(), seen.flatMap((variable) => [variable, -variable]));
      if (there === null) return go(null, "No conflict was found in many tries. Here, unit propagation seems to derive everything.");
      change(there);
      message = `A conflict is ${plural(there.states.length - 1, "step")} from here. Decisions that lead to it replace yours. Step forward.`;
      return draw();
    },
    solve: solveOn,
  };
  const isStop = ({ event }) => event.lit !== undefined && stops.has(Math.abs(event.lit));

  /** Sets or removes a breakpoint on a variable. */
  function stopAt(variable) {
    if (!stops.delete(variable)) stops.add(variable);
    drawStops();
    draw();
  }

  function drawStops() {
    const options = order().map((variable) => el("option", { value: variable }, names[variable - 1]));
    byId("stops").replaceChildren(
      el("select", { id: "stop", "aria-label": "Stop when a variable gets a value", change: (event) => stopAt(Number(event.target.value)) }, el("option", { value: "" }, "Stop at…"), options),
      ...[...stops].map((variable) => el("button", { type: "button", class: "stop", title: "Remove this breakpoint", click: () => stopAt(variable) }, `${names[variable - 1]} ×`)));
  }

  byId("tools").replaceChildren(
    el("label", { title: "Marks the two literals of each clause that a solver watches (W)" }, el("input", { type: "checkbox", id: "watching", change: (event) => {
      isWatching = event.target.checked;
      draw();
    } }), " Watched literals"),
    el("span", { id: "stops" }));
  byId("methods").replaceChildren(
    el("select", { id: "method", "aria-label": "Method", change: (event) => {
      past = [];
      go(startWalk(formula(), event.target.value));
    } }, Object.entries(METHODS).reverse().map(([method, { name }]) => el("option", { value: method }, name))),
    el("button", { type: "button", id: "compare", title: "Runs each method to the end, with the same order of decisions", click: compare }, "Compare all three"),
    el("p", { id: "method-about" }));
  drawControls(actions);
  drawStops();
  addEventListener("beforeprint", () => writeHandout(withoutBound(lesson), elements, solve));
  byId("print").addEventListener("click", () => print());
  showView("clause-view");
  foldToFit();
  addEventListener("resize", () => drawPictures(stateOf(walk)));
  document.addEventListener("click", (event) => {
    const literal = event.target.closest(".literal");
    if (literal) decideLit(Number(literal.dataset.lit));
  });
  document.addEventListener("pointerover", ({ target }) => pointAt(target));
  document.documentElement.addEventListener("pointerleave", () => point(null));
  for (const id of ["groups", "choices"]) {
    byId(id).addEventListener("focusin", ({ target }) => pointAt(target));
    byId(id).addEventListener("focusout", () => point(null));
  }
  // The literals of a line can be reached with the tab key while the line has the focus.
  byId("groups").addEventListener("focusin", ({ target }) => {
    for (const literal of document.querySelectorAll("#groups .literal[tabindex='0']")) literal.tabIndex = -1;
    for (const literal of target.closest(".constraint")?.querySelectorAll(".literal") ?? []) literal.tabIndex = 0;
  });

  /** Highlights the squares of the literals for which an element stands, and previews the decision of one. */
  function pointAt(element) {
    if (element.closest(".square")) return point(null);
    const lits = literalsAt(element), { lit } = element.closest(".literal, .choice button")?.dataset ?? {};
    point(lits);
    pointed = lit === undefined ? null : Math.abs(Number(lit));
    return preview(lit === undefined ? null : Number(lit));
  }

  /** The literals that an element stands for: one literal, or all literals of a line; null if it stands for none. */
  function literalsAt(element) {
    const { lit } = element.closest(".literal, .choice, .node[data-lit]")?.dataset ?? {};
    if (lit !== undefined) return [Number(lit)];
    const { number, learnt } = element.closest(".constraint")?.dataset ?? {};
    if (learnt !== undefined) return stateOf(walk).learnt[Number(learnt)].lits;
    return number === undefined ? null : lesson.constraints[Number(number)].lits;
  }
  draw();
}
