// The number that a question minimises, such as that of presses, and the bound on it that the reader chooses.
//
// The lesson has the clauses that count in `minimised`, apart from the formula. `withBound` appends them as the last group, with
// one more line, the bound: a literal that demands at most so many. While no bound is chosen, this group is off.

/** The lesson with the counting group. Its member `bound` is { group, line, first, noun, least, atMost }: `line` is the index of the
 * constraint that is the bound, `first` the number of variables before those that count, and `atMost[i]` the literal that
 * demands at most `least + i`; null if the question minimises nothing. */
function withBound(lesson) {
  const { minimised, groups, variables, constraints } = lesson;
  const meanings = lesson.meanings ?? groups.map(() => null);
  if (!minimised) return { ...lesson, meanings, bound: null };
  const group = groups.length, { noun, least, at_most: atMost } = minimised, own = (one) => ({ ...one, group });
  const line = { group, kind: "clause", lits: [atMost[0]], clauses: [[atMost[0]]] };
  return {
    ...lesson, variables: [...variables, ...minimised.variables], groups: [...groups, minimised.group],
    meanings: [...meanings, minimised.meaning], constraints: [...constraints, line, ...minimised.constraints.map(own)],
    bound: { group, line: constraints.length, first: variables.length, noun, least, atMost },
  };
}

/** Changes the bound to at most `most`. */
function setBound({ bound, constraints }, most) {
  const lit = bound.atMost[most - bound.least];
  Object.assign(constraints[bound.line], { lits: [lit], clauses: [[lit]] });
}

/** The lesson without the counting group. */
const withoutBound = (lesson) => (lesson.bound === null ? lesson : { ...lesson, constraints: lesson.constraints.filter(({ group }) => group !== lesson.bound.group) });

/** How many presses, or whatever is minimised, a model has: the smallest bound that its board satisfies. */
function numberIn(solve, lesson, model) {
  const { bound, constraints, variables, shown } = lesson;
  const clauses = constraints.flatMap((constraint, i) => (i === bound.line ? [] : constraint.clauses));
  const board = (shown ?? model.map((_, variable) => variable).slice(1, bound.first + 1)).map((variable) => variable * model[variable]);
  const at = bound.atMost.findIndex((lit) => solve(variables.length, clauses, [...board, lit]) !== null);
  return bound.least + (at < 0 ? bound.atMost.length : at);
}

/** Whether a variable is a helper: an encoding added it, and it stands for no square of the board. */
const isHelper = (lesson, variable) => /^h\d+$/.test(lesson.variables[variable - 1].name);

/** For each helper variable, the group to which it belongs: that of the first constraint that contains it. */
function helperGroups(lesson) {
  const found = new Map();
  for (const { group, lits, clauses } of lesson.constraints) {
    for (const variable of [...lits, ...clauses.flat()].map(Math.abs)) {
      if (isHelper(lesson, variable) && !found.has(variable)) found.set(variable, group);
    }
  }
  return found;
}

/** A sentence about a helper variable. */
function helperWords(lesson, helpers, variable) {
  const { variables, groups, bound } = lesson, { name } = variables[variable - 1];
  const most = bound === null ? -1 : bound.atMost.indexOf(-variable);
  const what = most < 0 ? "" : ` It must be true if there are more than ${bound.least + most} ${bound.noun}.`;
  return `${name} is a helper variable of the group “${groups[helpers.get(variable)]}”. It stands for no square of the board.${what}`;
}

/** The helper variables of a group in words, such as "h1 to h12"; null if there are none. */
function helpersOf(lesson, helpers, group) {
  const own = [...helpers].flatMap(([variable, of]) => (of === group ? [Number(lesson.variables[variable - 1].name.slice(1))] : [])).sort((a, b) => a - b);
  const runs = [];
  for (const number of own) {
    if (runs.at(-1)?.[1] === number - 1) runs.at(-1)[1] = number;
    else runs.push([number, number]);
  }
  return runs.length === 0 ? null : runs.map(([from, to]) => (from === to ? `h${from}` : to === from + 1 ? `h${from}, h${to}` : `h${from} to h${to}`)).join(", ");
}
