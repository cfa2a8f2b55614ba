// Which squares show which variables. The key of a square is its place "row.board.index" in the lesson's scene, counted from 0.

/** The lesson with a list of its variables by name in place of boards, if the problem draws none. Helper variables are left out, unless
 * there are no others. Each entry of the list is a square with a name. */
function withScene(lesson) {
  if (lesson.scene.length > 0) return lesson;
  const all = lesson.variables.map((_, i) => i + 1), named = all.filter((variable) => !isHelper(lesson, variable));
  const squares = (named.length > 0 ? named : all).map((lit) => ({
    name: lesson.variables[lit - 1].name, ground: "plain", turned: [], marks: [{ lit, shape: "none", tone: 0, own: true }],
  }));
  return { ...lesson, scene: [{ title: "", boards: [{ title: "", lit: null, rows: squares.length, columns: 1, squares }] }] };
}

/** Every square of the scene with its key and its board. */
const squaresOf = (scene) => scene.flatMap((row, r) => row.boards.flatMap((board, b) =>
  board.squares.map((square, i) => ({ key: `${r}.${b}.${i}`, board, square, index: i }))));

/** The literals that a square shows by marks, and the literal of its board. */
const marked = ({ board, square }) => [...(board.lit ? [board.lit] : []), ...square.marks.flatMap(({ lit }) => (lit ? [lit] : []))];

/** For each variable, the keys of the squares that show it; variable 1 has index 0. */
function squaresByVariable(lesson) {
  const keys = lesson.variables.map(() => []);
  for (const place of squaresOf(lesson.scene)) {
    for (const lit of marked(place)) keys[Math.abs(lit) - 1].push(place.key);
  }
  return keys;
}

/** For each variable, the keys of the squares that are highlighted for it; variable 1 has index 0. If no square shows a variable,
 * these are the squares that show the other variables of its constraints. Constraints with another variable that no square
 * shows are left out. */
function lightByVariable(lesson, shownBy) {
  const linesOf = shownBy.map(() => []);
  for (const { lits } of lesson.constraints) {
    const line = lits.map(Math.abs);
    for (const variable of line) if (shownBy[variable - 1].length === 0) linesOf[variable - 1].push(line);
  }
  return shownBy.map((keys, i) => {
    if (keys.length > 0) return keys;
    const others = linesOf[i].map((line) => line.filter((variable) => variable !== i + 1)).filter((line) => line.every((variable) => shownBy[variable - 1].length > 0));
    return [...new Set(others.flat().flatMap((variable) => shownBy[variable - 1]))];
  });
}

/** The keys of the squares to highlight for several literals: the squares of each literal; and, on each board, the squares that are
 * flipped by all those variables of the literals that flip anything on this board, and by no other variable. */
function lightOf(lesson, litBy, lits) {
  const variables = new Set(lits.map(Math.abs));
  const keys = new Set([...variables].flatMap((variable) => litBy[variable - 1]));
  for (const { key, board, square } of squaresOf(lesson.scene)) {
    const turning = new Set(square.turned.map(Math.abs));
    const flipping = new Set(board.squares.flatMap(({ turned }) => turned.map(Math.abs)).filter((variable) => variables.has(variable)));
    if (turning.size > 0 && turning.size === flipping.size && [...turning].every((variable) => flipping.has(variable))) keys.add(key);
  }
  return keys;
}

/** The colour of a square: its initial colour, flipped by each true literal of `turned`. */
function groundOf(square, values) {
  const odd = square.turned.filter((lit) => valueOf(values, lit) === 1).length % 2 === 1;
  if (!odd) return square.ground;
  return square.ground === "white" ? "black" : "white";
}

/** The literals that a click may decide. The literal of the square's board comes first. */
const decidable = (place) => marked(place);

/** All variables in a natural order for decisions: first those that the scene shows, then the rest. */
function decisionOrder(lesson, shownBy) {
  const numbers = lesson.variables.map((_, i) => i + 1);
  const isShown = (variable) => shownBy[variable - 1].length > 0;
  return [...numbers.filter(isShown), ...numbers.filter((variable) => !isShown(variable))];
}
