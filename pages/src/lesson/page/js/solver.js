// The SAT solver of the page, a WebAssembly module, and calls of it.

/** Starts the solver from its deflated bytes in base64. Returns a function that calls it as `ask` does. */
async function startSolver(packed) {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const { instance } = await WebAssembly.instantiate(await new Response(stream).arrayBuffer());
  return (count, clauses, assumed) => ask(instance.exports, count, clauses, assumed);
}

/** A model of the clauses under assumptions; null if there is none. The entry of a variable is 1 if it is true, -1 if it is false;
 * variables count from 1. */
function ask(solver, count, clauses, assumed = []) {
  solver.begin(count);
  for (const clause of clauses) {
    clause.forEach((lit) => solver.literal(lit));
    solver.literal(0);
  }
  assumed.forEach((lit) => solver.assume(lit));
  const result = solver.solve();
  if (result > 1) throw new Error(result === 2 ? "the solver reached its limit" : "the formula is malformed");
  return result === 0 ? null : Int8Array.from({ length: count + 1 }, (_, variable) => (variable === 0 ? 0 : solver.value(variable) ? 1 : -1));
}

/** The constraints of a lesson that a model violates. */
const broken = (lesson, model) => lesson.constraints.filter(({ clauses }) =>
  clauses.some((lits) => lits.every((lit) => valueOf(model, lit) === -1)));

/** Models of the groups that are on. Any two differ in the variables that determine the answer. If there are models that violate a
 * clause that is off, only these are generated; otherwise, all models are. */
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
