// The state of a lesson: which groups are on, the current walk, and the boards of the solver. Every change is drawn at once.

function startLesson(lesson, solve) {
  const names = lesson.variables.map(({ name }) => name), shownBy = squaresByVariable(lesson), litBy = lightByVariable(lesson, shownBy);
  const order = decisionOrder(lesson, shownBy), off = new Set();
  const isOn = (group) => !off.has(group);
  const formula = () => ({
    count: lesson.variables.length,
    clauses: lesson.constraints.flatMap(({ group, clauses }, constraint) => (isOn(group) ? clauses.map((lits) => ({ lits, constraint })) : [])),
  });
  let walk = startWalk(formula()), solving = null, solved = null, chosen = null, message = null;

  const elements = drawBoards(lesson, { pointed: pointAtSquare, chosen: choose });
  drawGroups(lesson, { switched });

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
    for (const line of document.querySelectorAll("#groups .constraint[data-number]")) {
      const { lits } = lesson.constraints[Number(line.dataset.number)];
      line.classList.toggle("touched", lits.some((lit) => variables.includes(Math.abs(lit))));
    }
  }

  function draw() {
    const state = stateOf(walk), { event } = state;
    const values = solved?.model ?? valuesOf(lesson.variables.length, state.trail);
    const wrong = new Set((solved?.wrong ?? []).flatMap(({ lits }) => [...lightOf(lesson, litBy, lits)]));
    paintBoards(elements, lesson, values, wrong);
    const used = new Set((solved ? [] : event.used ?? (event.clause ? [event.clause] : [])).map(({ constraint }) => constraint));
    const isComplete = !solved && state.trail.length === lesson.variables.length && forwardIsNone();
    byId("story").replaceChildren(...describe(event, lesson, { solved, message, isComplete }));
    drawTrail(solved ? [] : state.trail, names);
    paintGroups(lesson, values, { isOn, learnt: state.learnt, used });
    drawChoices(values);
    for (const number of [...used].filter((one) => one !== null).slice(0, 1)) showLine(number);
    byId("back").disabled = solved === null && walk.at === 0;
    byId("start").disabled = byId("back").disabled;
    byId("step").textContent = `step ${walk.at}`;
    point(null);
  }

  const forwardIsNone = () => forward(walk) === null;

  /** Continues with the walk `there`. If `there` is null or the current walk, shows the message `why`. */
  function go(there, why) {
    message = there === null || there === walk ? why : null;
    solved = null;
    if (there !== null) walk = there;
    draw();
  }

  function switched(group, on) {
    if (on) off.delete(group); else off.add(group);
    solving = null;
    go(startWalk(formula()));
  }

  const undecided = "Unit propagation derives nothing more. To decide a variable, click a square or press D.";
  const nothingLeft = () => (stateOf(walk).event.kind === "refuted" ? "This is the end: no board satisfies all constraints that are switched on."
    : stateOf(walk).trail.length === lesson.variables.length ? "Every variable has a value, and every line holds." : undecided);

  function decideLit(lit) {
    const before = stateOf(walk).trail.find((entry) => Math.abs(entry.lit) === Math.abs(lit));
    if (solved !== null || before === undefined) return go(decideIn(walk, lit), "There is a conflict. Step forward to learn from it.");
    if (before.reason !== null) return go(null, `${nameOf(names, before.lit)}: this follows already.`);
    // Deciding the same literal again undoes the decision; deciding its negation replaces it.
    const taken = takeBack(walk, Math.abs(lit));
    return go(before.lit === lit ? taken : decideIn(taken, lit));
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
      const button = (word, of) => el("button", { type: "button", "aria-pressed": String(value === (of === lit ? 1 : -1)), click: () => decideLit(of) }, word);
      return el("span", { class: "choice", "data-lit": lit },
        el("span", { class: "what" }, nameOf(names, lit)), button("yes", lit), button("no", -lit));
    }));
  }

  function solveOn() {
    if (solve === null) return go(null, "This browser does not support WebAssembly, which the solver needs.");
    solving ??= { boards: boardsOf(solve, lesson, isOn), number: 0, first: null };
    const found = solving.boards.next();
    if (found.done) {
      const none = solving.number === 0;
      solving = null;
      return go(null, none ? "No board satisfies all constraints that are switched on." : "There are no more boards. Solve again to see the first one.");
    }
    solving.number += 1;
    message = null;
    solved = { model: found.value, number: solving.number, wrong: broken(lesson, found.value) };
    solved.unbroken = off.size > 0 && solved.wrong.length === 0;
    draw();
  }

  const actions = {
    start: () => go({ ...walk, at: 0 }),
    back: () => (solved ? go(walk) : go(backward(walk), "This is the start.")),
    forward: () => (solved ? go(walk) : go(forward(walk), nothingLeft())),
    onward: () => go(onward(walk), nothingLeft()),
    rewind: () => go(rewind(walk)),
    decide: () => {
      const there = settle(walk), lit = firstOpen(there, order);
      go(lit === null || stateOf(there).event.kind === "conflict" ? there : decideIn(there, lit), nothingLeft());
    },
    conflict: () => {
      const seen = order.filter((variable) => shownBy[variable - 1].length > 0);
      const there = toConflict(formula(), seen.flatMap((variable) => [variable, -variable]));
      if (there === null) return go(null, "No conflict was found in many tries. Here, unit propagation seems to derive everything.");
      go(there);
      message = `A conflict is ${plural(there.states.length - 1, "step")} from here. Decisions that lead to it replace yours. Step forward.`;
      return draw();
    },
    solve: solveOn,
  };
  drawControls(actions);
  addEventListener("beforeprint", () => writeHandout(lesson, elements, solve));
  byId("print").addEventListener("click", () => print());
  foldToFit();
  document.addEventListener("click", (event) => {
    const literal = event.target.closest(".literal");
    if (literal) decideLit(Number(literal.dataset.lit));
  });
  document.addEventListener("pointerover", ({ target }) => point(literalsAt(target)));
  document.documentElement.addEventListener("pointerleave", () => point(null));
  for (const [type, of] of [["focusin", literalsAt], ["focusout", () => null]]) {
    byId("groups").addEventListener(type, ({ target }) => point(of(target)));
  }

  /** The literals that an element stands for: one literal, or all literals of a line; null if it stands for none. */
  function literalsAt(element) {
    const { lit } = element.closest(".literal, .choice")?.dataset ?? {};
    if (lit !== undefined) return [Number(lit)];
    const { number, learnt } = element.closest(".constraint")?.dataset ?? {};
    if (learnt !== undefined) return stateOf(walk).learnt[Number(learnt)].lits;
    return number === undefined ? null : lesson.constraints[Number(number)].lits;
  }
  draw();
}

const KEYS = { ArrowRight: "forward", ArrowLeft: "back", ArrowDown: "onward", ArrowUp: "rewind", Home: "start", d: "decide", c: "conflict", s: "solve", Escape: "back" };

/** Creates the buttons and keys for the actions. */
function drawControls(actions) {
  const button = (id, label, about, key) => el("button", { type: "button", id, title: `${about} (${key})`, "aria-label": /\w/.test(label) ? null : about, "aria-keyshortcuts": key, click: actions[id] }, label);
  byId("controls").replaceChildren(
    el("span", { class: "steps" },
      button("start", "|◀", "To the start", "Home"), button("back", "◀", "A step back", "ArrowLeft"), el("output", { id: "step" }),
      button("forward", "▶", "A step forward", "ArrowRight"), button("onward", "▶|", "To the end of unit propagation", "ArrowDown")),
    button("decide", "Decide", "Decide the next unassigned variable", "D"), button("conflict", "Conflict", "From the start to a conflict", "C"),
    button("solve", "Solve", "Let the solver find a board", "S"));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const action = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (action === undefined) return;
    event.preventDefault();
    actions[action]();
  });
}
