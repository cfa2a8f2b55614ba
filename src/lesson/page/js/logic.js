// Unit propagation, conflicts and what is learnt from them, one step at a time; no state is ever changed.
//
// A literal is a variable's number from 1, negative for its negation. A clause is { lits, constraint }, and
// `constraint` is null if it was learnt. A formula is { count, clauses }, `count` being that of its variables.
// A state holds a trail of { lit, level, reason }, where a decision has no reason; the clauses learnt so far; and
// the event that led to it:
//   { kind: "start" }
//   { kind: "decision", lit }
//   { kind: "unit", lit, clause }       all other literals of the clause are false
//   { kind: "conflict", clause }        all of its literals are
//   { kind: "learnt", clause, used, level, conflict }   what the clauses in `used` say together; back to `level` next
//   { kind: "back", level, clause }     where the learnt clause has one literal that is not false
//   { kind: "refuted", used, conflict } a conflict without a decision: there is no model

const START = { trail: [], learnt: [], event: { kind: "start" } };

/** The level of the last decision; 0 before the first. */
const levelOf = (state) => state.trail.at(-1)?.level ?? 0;

/** By variable: 1 true, -1 false, 0 open. */
function valuesOf(count, trail) {
  const values = new Int8Array(count + 1);
  for (const { lit } of trail) values[Math.abs(lit)] = Math.sign(lit);
  return values;
}

/** The value of a literal, as above. */
const valueOf = (values, lit) => Math.sign(lit) * values[Math.abs(lit)];

/** How a clause stands: { satisfied } or the literals of it that are open. */
function standing(values, clause) {
  const open = [];
  for (const lit of clause.lits) {
    const value = valueOf(values, lit);
    if (value === 1) return { satisfied: true, open };
    if (value === 0) open.push(lit);
  }
  return { satisfied: false, open };
}

/** The next state; null where nothing follows without a decision. */
function next(formula, state) {
  const { kind } = state.event;
  if (kind === "refuted") return null;
  if (kind === "conflict") return learn(state);
  if (kind === "learnt") return backjump(state);
  const values = valuesOf(formula.count, state.trail);
  let unit = null;
  // What was learnt last comes first, so that its consequence is the next thing to see.
  for (const clause of [...state.learnt].reverse().concat(formula.clauses)) {
    const { satisfied, open } = standing(values, clause);
    if (satisfied) continue;
    if (open.length === 0) return { ...state, event: { kind: "conflict", clause } };
    if (open.length === 1) unit ??= { lit: open[0], clause };
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

/** Resolves a conflict with the reasons of its literals until one literal of the last level is left, the first
 * unique implication point (Marques-Silva, Sakallah 1996), and with those of level 0. */
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
