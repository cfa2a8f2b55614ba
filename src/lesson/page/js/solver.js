// The SAT solver that the page holds as WebAssembly, and questions to it.

/** Starts the solver from its deflated bytes in base64. */
async function startSolver(packed) {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const { instance } = await WebAssembly.instantiate(await new Response(stream).arrayBuffer());
  return (count, clauses, assumed) => ask(instance.exports, count, clauses, assumed);
}

/** A model of the clauses under assumptions, by variable 1 or -1; null if there is none. */
function ask(solver, count, clauses, assumed = []) {
  solver.begin(count);
  for (const clause of clauses) {
    clause.forEach((lit) => solver.literal(lit));
    solver.literal(0);
  }
  assumed.forEach((lit) => solver.assume(lit));
  const told = solver.solve();
  if (told > 1) throw new Error(told === 2 ? "the solver has given up" : "the solver was asked a malformed question");
  return told === 0 ? null : Int8Array.from({ length: count + 1 }, (_, variable) => (variable === 0 ? 0 : solver.value(variable) ? 1 : -1));
}

/** The constraints of a lesson that a model breaks. */
const broken = (lesson, model) => lesson.constraints.filter(({ clauses }) =>
  clauses.some((lits) => lits.every((lit) => valueOf(model, lit) === -1)));

/** Boards for the groups that are on, one after the other, no two alike in what the question shows: first such as
 * break a clause that is off, and if there is none of them, right ones. */
function* boardsOf(solve, lesson, isOn) {
  const count = lesson.variables.length, shown = lesson.shown ?? lesson.variables.map((_, i) => i + 1);
  const clauses = lesson.constraints.filter(({ group }) => isOn(group)).flatMap((constraint) => constraint.clauses);
  const off = lesson.constraints.filter(({ group }) => !isOn(group)).flatMap((constraint) => constraint.clauses);
  const seen = [];
  const all = function* (assumed) {
    for (let model; (model = solve(count, [...clauses, ...seen], assumed)) !== null;) {
      seen.push(shown.map((variable) => -variable * model[variable]));
      yield model;
    }
  };
  for (const lits of off) yield* all(lits.map((lit) => -lit));
  if (seen.length === 0) yield* all([]);
}
