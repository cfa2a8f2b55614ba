// Watched literals: in each clause, a solver watches two literals that are not false. It looks at a clause only when one of them
// becomes false (Moskewicz, Madigan, Zhao, Zhang, Malik 2001).
//
// A clause begins with its first two literals. If a watched literal becomes false, the watch moves to another literal that is not
// false, unless the other watched literal is true. If there is no such literal, the clause is unit or violated. Watches stay where
// they are when the trail is cut back.

/** The watched literals after the first `at` steps of a walk, by clause; the moves { clause, from, to } of the last step; and
 * the number of clauses at which it looked. */
function watchesAt({ formula, states }, at) {
  const watched = new Map(), watching = new Map();
  const among = (lit) => watching.get(lit) ?? watching.set(lit, new Set()).get(lit);
  const watch = (clause, pair) => {
    watched.set(clause, pair);
    pair.forEach((lit) => among(lit).add(clause));
  };
  formula.clauses.forEach((clause) => watch(clause, clause.lits.slice(0, 2)));
  let moves = [], looked = 0;
  for (let i = 1; i <= at; i += 1) {
    const { trail, learnt } = states[i], added = trail.at(-1);
    moves = [];
    looked = 0;
    for (const clause of learnt) if (!watched.has(clause)) watch(clause, clause.lits.slice(0, 2));
    const before = states[i - 1].trail;
    if (added === undefined || before.includes(added)) continue;
    const values = valuesOf(formula.count, trail);
    for (const clause of [...among(-added.lit)]) {
      const pair = watched.get(clause), which = pair.indexOf(-added.lit);
      looked += 1;
      if (pair.some((lit) => valueOf(values, lit) === 1)) continue;
      const to = clause.lits.find((lit) => valueOf(values, lit) !== -1 && !pair.includes(lit));
      if (to === undefined) continue;
      moves.push({ clause, from: pair[which], to });
      among(-added.lit).delete(clause);
      watch(clause, pair.map((lit, k) => (k === which ? to : lit)));
    }
  }
  return { watched, moves, looked };
}
