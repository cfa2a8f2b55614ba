// The methods that search for a model, each as a function from a state to the next: backtracking, DPLL and CDCL.
//
// Backtracking and DPLL learn nothing. Their states have two more kinds of events:
//   { kind: "other", lit, level }   the other value of the last decision of which only one value was tried
//   { kind: "exhausted" }           both values of every decision were tried: the formula is unsatisfiable
// The entry of such another value on the trail has no reason, and `isOther` is true.

const METHODS = {
  cdcl: { name: "CDCL", about: "CDCL propagates, learns a clause from each conflict, and goes back as far as this clause allows.", next },
  dpll: { name: "DPLL", about: "DPLL propagates like CDCL, but learns nothing: after a conflict, it tries the other value of the last decision.", next: nextOfDpll },
  backtracking: { name: "backtracking", about: "Backtracking decides every variable: it neither propagates nor learns. It only notices that a clause is violated.", next: nextOfBacktracking },
};

/** Takes back decisions up to the last one of which only one value was tried, and tries its other value. */
function tryOther(state) {
  const at = state.trail.findLastIndex(({ reason, isOther }) => reason === null && !isOther);
  if (at < 0) return { ...state, event: { kind: "exhausted" } };
  const { lit, level } = state.trail[at];
  const entry = { lit: -lit, level, reason: null, isOther: true };
  return { ...state, trail: [...state.trail.slice(0, at), entry], event: { kind: "other", lit: -lit, level } };
}

function nextOfDpll(formula, state) {
  const { kind } = state.event;
  return kind === "exhausted" ? null : kind === "conflict" ? tryOther(state) : next(formula, state);
}

function nextOfBacktracking(formula, state) {
  const { kind } = state.event;
  if (kind === "exhausted") return null;
  if (kind === "conflict") return tryOther(state);
  const values = valuesOf(formula.count, state.trail), clause = countsAt(formula, state.trail).first();
  return clause?.lits.every((lit) => valueOf(values, lit) === -1) ? { ...state, event: { kind: "conflict", clause } } : null;
}

/** The first literal of a list that has no value; null if there is none. */
function firstOpenOf(state, lits) {
  const settled = new Set(state.trail.map(({ lit }) => Math.abs(lit)));
  return lits.find((lit) => !settled.has(Math.abs(lit))) ?? null;
}

/** Runs a method to the end. Decides the first unassigned literal of `order` when nothing else follows. Returns the number of
 * nodes of the search tree, of conflicts and of propagated literals; and how it ended: "model", "none", or null if it was stopped
 * because it had looked at `most` clauses. */
function totalsOf(formula, method, order, most = 2e7) {
  const found = { nodes: 0, conflicts: 0, implied: 0, end: null };
  const counted = { decision: "nodes", other: "nodes", back: "nodes", conflict: "conflicts", unit: "implied" };
  for (let state = START, looked = 0; looked < most; looked += formula.clauses.length + state.learnt.length) {
    let there = METHODS[method].next(formula, state);
    if (there === null) {
      const isOver = ["refuted", "exhausted"].includes(state.event.kind), lit = firstOpenOf(state, order);
      if (isOver || lit === null) return { ...found, end: isOver ? "none" : "model" };
      there = decide(state, lit);
    }
    state = there;
    if (state.event.kind in counted) found[counted[state.event.kind]] += 1;
  }
  return found;
}
