// Which squares show which variables. The key of a square is its place "row.board.index" in the lesson's scene.

/** Every square of the scene with its key and its board. */
const squaresOf = (scene) => scene.flatMap((row, r) => row.boards.flatMap((board, b) =>
  board.squares.map((square, i) => ({ key: `${r}.${b}.${i}`, board, square, index: i }))));

/** The literals that a square shows by marks, and the literal of its board. */
const marked = ({ board, square }) => [...(board.lit ? [board.lit] : []), ...square.marks.flatMap(({ lit }) => (lit ? [lit] : []))];

/** By variable, the keys of the squares that show it. */
function squaresByVariable(lesson) {
  const keys = lesson.variables.map(() => []);
  for (const place of squaresOf(lesson.scene)) {
    for (const lit of marked(place)) keys[Math.abs(lit) - 1].push(place.key);
  }
  return keys;
}

/** By variable, the keys of the squares that are highlighted for it. For a variable that no square shows, these are the squares of
 * the other variables in its constraints, provided that squares show all of them. */
function lightByVariable(lesson, shownBy) {
  return shownBy.map((keys, i) => {
    if (keys.length > 0) return keys;
    const lines = lesson.constraints.map(({ lits }) => lits.map(Math.abs)).filter((line) => line.includes(i + 1));
    const others = lines.map((line) => line.filter((variable) => variable !== i + 1)).filter((line) => line.every((variable) => shownBy[variable - 1].length > 0));
    return [...new Set(others.flat().flatMap((variable) => shownBy[variable - 1]))];
  });
}

/** The keys of the squares to highlight for several literals: those of each literal, and the squares that are flipped by exactly
 * these literals, among the literals that flip squares of the board. */
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

/** The colour of a square: its initial colour, flipped by each true literal. */
function groundOf(square, values) {
  const odd = square.turned.filter((lit) => valueOf(values, lit) === 1).length % 2 === 1;
  if (!odd) return square.ground;
  return square.ground === "white" ? "black" : "white";
}

/** The literals that a click may decide, that of the square's board first. */
const decidable = (place) => marked(place);

/** All variables in a natural order for decisions: first those that the scene shows, then the rest. */
function decisionOrder(lesson, shownBy) {
  const numbers = lesson.variables.map((_, i) => i + 1);
  const isShown = (variable) => shownBy[variable - 1].length > 0;
  return [...numbers.filter(isShown), ...numbers.filter((variable) => !isShown(variable))];
}
