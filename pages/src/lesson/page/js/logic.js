// Unit propagation, conflicts and clause learning, one step at a time. States are immutable.
//
// A literal is the number of a variable, from 1, negative if it is negated. A clause is { lits, constraint };
// `constraint` is the index of the constraint to which the clause belongs, or null for a learnt clause. A formula is
// { count, clauses }, where `count` is the number of variables.
// A state contains a trail of { lit, level, reason }, where a decision has no reason; the learnt clauses; and the event
// that led to the state:
//   { kind: "start" }
//   { kind: "decision", lit }
//   { kind: "unit", lit, clause }       all other literals of the clause are false
//   { kind: "conflict", clause }        all literals of the clause are false
//   { kind: "learnt", clause, used, level, conflict }   the clause follows from those in `used`; the next step goes back to `level`
//   { kind: "back", level, clause }     the trail ends with this level, on which one literal of the learnt clause is not false
//   { kind: "refuted", used, conflict } a conflict without decisions: the formula is unsatisfiable

const START = { trail: [], learnt: [], event: { kind: "start" } };

/** The level of the last decision; 0 before the first decision. */
const levelOf = (state) => state.trail.at(-1)?.level ?? 0;

/** By variable: 1 if it is true, -1 if it is false, 0 if it is unassigned. */
function valuesOf(count, trail) {
  const values = new Int8Array(count + 1);
  for (const { lit } of trail) values[Math.abs(lit)] = Math.sign(lit);
  return values;
}

/** The value of a literal: 1, -1 or 0. */
const valueOf = (values, lit) => Math.sign(lit) * values[Math.abs(lit)];

/** Whether a clause is satisfied; if it is not, `open` has its unassigned literals. */
function standing(values, clause) {
  const open = [];
  for (const lit of clause.lits) {
    const value = valueOf(values, lit);
    if (value === 1) return { satisfied: true, open };
    if (value === 0) open.push(lit);
  }
  return { satisfied: false, open };
}

/** The only unassigned literal of a clause whose other literals are false; 0 if all literals are false; null otherwise. */
function onlyOpen(values, clause) {
  let open = 0;
  for (const lit of clause.lits) {
    const value = valueOf(values, lit);
    if (value === 1 || (value === 0 && open !== 0)) return null;
    if (value === 0) open = lit;
  }
  return open;
}

/** The next state; null if nothing follows without a decision. */
function next(formula, state) {
  const { kind } = state.event;
  if (kind === "refuted") return null;
  if (kind === "conflict") return learn(state);
  if (kind === "learnt") return backjump(state);
  const values = valuesOf(formula.count, state.trail), first = countsAt(formula, state.trail).first();
  let unit = null;
  // The clause learnt last comes first, so that its consequence is the next step.
  for (const clause of [...state.learnt].reverse().concat(first ?? [])) {
    const lit = onlyOpen(values, clause);
    if (lit === 0) return { ...state, event: { kind: "conflict", clause } };
    if (lit !== null) unit ??= { lit, clause };
  }
  if (unit === null) return null;
  const entry = { lit: unit.lit, level: levelOf(state), reason: unit.clause };
  return { ...state, trail: [...state.trail, entry], event: { kind: "unit", ...unit } };
}

/** A decision on a new level. */
function decide(state, lit) {
  const entry = { lit, level: levelOf(state) + 1, reason: null };
  return { ...state, trail: [...state.trail, entry], event: { kind: "decision", lit } };
}

/** Resolves the conflict clause with the reasons of its literals until a single literal of the last level is left, the first
 * unique implication point (Marques-Silva, Sakallah 1996). Literals of level 0 are resolved away, too. Returns the literals of the
 * learnt clause, the clauses that were used, and the level to go back to. */
function analyse(trail, conflict) {
  const at = new Map(trail.map(({ lit }, i) => [Math.abs(lit), i]));
  const level = (lit) => trail[at.get(Math.abs(lit))].level;
  const lits = new Set(conflict.lits), used = [conflict];
  const top = Math.max(0, ...conflict.lits.map(level));
  const atTop = () => [...lits].filter((lit) => level(lit) === top).length;
  for (const { lit, level: here, reason } of [...trail].reverse()) {
    if (!lits.has(-lit) || !(here === 0 || (here === top && atTop() > 1))) continue;
    lits.delete(-lit);
    reason.lits.filter((other) => other !== lit).forEach((other) => lits.add(other));
    used.push(reason);
  }
  const kept = [...lits].sort((a, b) => level(b) - level(a));
  return { lits: kept, used, level: kept.length > 1 ? level(kept[1]) : 0 };
}

function learn(state) {
  const conflict = state.event.clause;
  const { lits, used, level } = analyse(state.trail, conflict);
  if (lits.length === 0) return { ...state, event: { kind: "refuted", used, conflict } };
  return { ...state, event: { kind: "learnt", clause: { lits, constraint: null }, used, level, conflict } };
}

function backjump(state) {
  const { clause, level } = state.event;
  const trail = state.trail.filter((entry) => entry.level <= level);
  return { trail, learnt: [...state.learnt, clause], event: { kind: "back", level, clause } };
}
