// A walk through states, forwards and backwards: { formula, method, states, at }. The current state is states[at]. If the walk has
// gone back, the states from which it came follow the current one.

const startWalk = (formula, method = "cdcl") => ({ formula, method, states: [START], at: 0 });

const stateOf = (walk) => walk.states[walk.at];

/** Drops the states after the current one, appends a state there, and goes to it. */
const append = (walk, state) => ({ ...walk, states: [...walk.states.slice(0, walk.at + 1), state], at: walk.at + 1 });

/** A step forward, to a state visited before or to a new one; null if nothing follows. */
function forward(walk) {
  if (walk.at + 1 < walk.states.length) return { ...walk, at: walk.at + 1 };
  const state = METHODS[walk.method].next(walk.formula, stateOf(walk));
  return state && append(walk, state);
}

/** A step back; null at the start. */
const backward = (walk) => (walk.at === 0 ? null : { ...walk, at: walk.at - 1 });

/** Goes forward to the next decision, conflict or refutation, to a state at which `isStop` holds, or until nothing follows. */
function onward(walk, isStop = () => false) {
  for (let there = forward(walk); there !== null; there = forward(walk)) {
    walk = there;
    if (isStuck(walk) || ["decision", "other"].includes(stateOf(walk).event.kind) || isStop(stateOf(walk))) break;
  }
  return walk;
}

/** Goes forward to the next conflict or refutation, to a state at which `isStop` holds, or to a model. Decides the first unassigned
 * literal of `lits` when nothing else follows. */
function toNextConflict(walk, lits, isStop = () => false, mostSteps = 20_000) {
  for (let steps = 0; steps < mostSteps; steps += 1) {
    let there = forward(walk);
    if (there === null) {
      const lit = isOver(walk) ? null : firstOpen(walk, lits);
      if (lit === null) return walk;
      there = append(walk, decide(stateOf(walk), lit));
    }
    walk = there;
    if (isStuck(walk) || isStop(stateOf(walk))) return walk;
  }
  return walk;
}

/** Goes back to the state before the last decision, or to the start. */
function rewind(walk) {
  let at = walk.at;
  while (at > 0 && walk.states[at].event.kind !== "decision") at -= 1;
  return { ...walk, at: Math.max(0, at - 1) };
}

/** Goes to the end of unit propagation, and then decides the literal if it is still unassigned and there is no conflict. Returns
 * the same walk if the literal has a value already. */
function decideIn(walk, lit) {
  const valued = (there) => stateOf(there).trail.some((entry) => Math.abs(entry.lit) === Math.abs(lit));
  if (valued(walk)) return walk;
  let there = { ...walk, states: walk.states.slice(0, walk.at + 1) };
  for (let on = forward(there); on !== null; on = forward(there)) {
    there = on;
    if (isStuck(there)) return there;
  }
  return valued(there) ? there : append(there, decide(stateOf(there), lit));
}

/** Goes back to the state before the decision on this variable. Returns the same walk if no such decision is on the trail. */
function takeBack(walk, variable) {
  for (let at = walk.at; at > 0; at -= 1) {
    const { event } = walk.states[at];
    const stands = stateOf(walk).trail.some((entry) => entry.reason === null && Math.abs(entry.lit) === variable);
    if (stands && event.kind === "decision" && Math.abs(event.lit) === variable) return { ...walk, at: at - 1 };
  }
  return walk;
}

/** The first unassigned literal of a list; null if there is none. */
const firstOpen = (walk, lits) => firstOpenOf(stateOf(walk), lits);

/** Searches for decisions among `lits` that lead from the start to a conflict. The tries are random, but the same in each call. A
 * try whose learnt clause has at least two literals is preferred, then one with fewer decisions, then one with a shorter learnt
 * clause. Large formulas get fewer tries. Returns the walk to the conflict, positioned at its start; null if no conflict was found. */
function toConflict(formula, lits, tries = Math.max(12, Math.min(300, Math.floor(2e5 / formula.clauses.length)))) {
  const start = settle(startWalk(formula));
  if (isStuck(start)) return { ...start, at: 0 };
  const decided = (decisions) => decisions.reduce((walk, lit) => (isStuck(walk) ? walk : settle(decideIn(walk, lit))), start);
  const counts = () => countsAt(formula, stateOf(start).trail), isConflict = (decisions) => counts().isConflict(decisions);
  // In a large formula, true literals lead to conflicts sooner, because they imply more.
  if (formula.clauses.length > 2000) lits = lits.filter((lit) => lit > 0);
  // The linear congruential generator of Numerical Recipes.
  let chance = 1;
  const below = (most) => Math.floor(((chance = (Math.imul(chance, 1664525) + 1013904223) >>> 0) / 2 ** 32) * most);
  let best = null;
  for (let round = 0; round < tries; round += 1) {
    const now = counts();
    let decisions = [], isFound = false;
    for (let open = lits; !isFound && open.length > 0;) {
      open = open.filter((lit) => now.values[Math.abs(lit)] === 0);
      if (open.length === 0) break;
      decisions.push(open[below(open.length)]);
      isFound = now.isConflict(decisions.slice(-1));
    }
    if (!isFound) continue;
    // Drop decisions that are not needed, starting with the first.
    for (const lit of [...decisions]) {
      const fewer = decisions.filter((other) => other !== lit);
      if (isConflict(fewer)) decisions = fewer;
    }
    const there = decided(decisions), { length } = analyse(stateOf(there).trail, stateOf(there).event.clause).lits;
    const cost = (length < 2 ? 1e6 : 0) + 1e3 * decisions.length + length;
    if (best === null || cost < best.cost) best = { cost, walk: there };
  }
  return best && { ...best.walk, at: 0 };
}

/** Whether the formula was found to be unsatisfiable. */
const isOver = (walk) => ["refuted", "exhausted"].includes(stateOf(walk).event.kind);

/** Whether the walk has reached a conflict. */
const isStuck = (walk) => stateOf(walk).event.kind === "conflict" || isOver(walk);

/** Goes forward until there is a conflict or nothing follows. */
function settle(walk) {
  while (!isStuck(walk)) {
    const there = forward(walk);
    if (there === null) break;
    walk = there;
  }
  return walk;
}
