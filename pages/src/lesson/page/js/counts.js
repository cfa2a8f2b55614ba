// Which clauses are unit or violated, found without looking at all clauses.
//
// For each clause, the numbers of its true and of its false literals under a trail are kept. If they are needed for another trail,
// only the literals in which the two trails differ are counted again. (Solvers go further: see watched literals in watch.js.)

class Counts {
  constructor({ count, clauses }) {
    this.clauses = clauses;
    this.trues = new Int32Array(clauses.length);
    this.falses = new Int32Array(clauses.length);
    this.values = new Int8Array(count + 1);
    /** The indices of the clauses that contain a literal; those of the literal -n are at `count - n`. */
    this.having = Array.from({ length: 2 * count + 1 }, () => []);
    this.trail = [];
    /** The indices of the clauses without a true literal that have at most one open literal. */
    this.near = new Set();
    clauses.forEach(({ lits }, i) => {
      lits.forEach((lit) => this.having[count + lit].push(i));
      this.classify(i);
    });
  }

  classify(i) {
    if (this.trues[i] === 0 && this.falses[i] >= this.clauses[i].lits.length - 1) this.near.add(i);
    else this.near.delete(i);
  }

  /** Counts a true literal once more (`by` is 1) or once less (-1). */
  add(lit, by) {
    const zero = this.values.length - 1;
    this.values[Math.abs(lit)] = by === 1 ? Math.sign(lit) : 0;
    for (const i of this.having[zero + lit]) {
      this.trues[i] += by;
      this.classify(i);
    }
    for (const i of this.having[zero - lit]) {
      this.falses[i] += by;
      this.classify(i);
    }
  }

  push(lit) {
    this.trail.push(lit);
    this.add(lit, 1);
  }

  goTo(trail) {
    let same = 0;
    while (same < this.trail.length && trail[same]?.lit === this.trail[same]) same += 1;
    while (this.trail.length > same) this.add(this.trail.pop(), -1);
    for (let i = same; i < trail.length; i += 1) this.push(trail[i].lit);
  }

  /** The first violated clause or, if there is none, the first unit clause; null without either. */
  first() {
    let violated = Infinity, unit = Infinity;
    for (const i of this.near) {
      if (this.falses[i] === this.clauses[i].lits.length) violated = Math.min(violated, i);
      else unit = Math.min(unit, i);
    }
    return this.clauses[violated < Infinity ? violated : unit] ?? null;
  }

  /** Propagates in any order. Returns whether there is a conflict. */
  propagate() {
    for (const i of this.near) {
      const open = this.clauses[i].lits.find((lit) => this.values[Math.abs(lit)] === 0);
      if (open === undefined) return true;
      this.push(open);
    }
    return false;
  }

  /** Whether these decisions lead to a conflict. Propagates before each of them, and skips those that have a value then. */
  isConflict(decisions) {
    return this.propagate() || decisions.some((lit) => {
      if (this.values[Math.abs(lit)] === 0) this.push(lit);
      return this.propagate();
    });
  }
}

/** The counts of each formula. */
const COUNTS = new WeakMap();

/** The counts of a formula under a trail. */
function countsAt(formula, trail) {
  if (!COUNTS.has(formula)) COUNTS.set(formula, new Counts(formula));
  const counts = COUNTS.get(formula);
  counts.goTo(trail);
  return counts;
}
