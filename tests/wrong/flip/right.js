// Right: breadth-first search over all boards.
const board = require("fs").readFileSync(0, "utf8").split(/\s+/).slice(0, 4).join("");

function turned(square) {
  const [row, col] = [square >> 2, square & 3];
  let mask = 0;
  for (const [down, right] of [[0, 0], [-1, 0], [0, -1], [0, 1], [1, 0]]) {
    const [r, c] = [row + down, col + right];
    if (r >= 0 && r < 4 && c >= 0 && c < 4) mask ^= 1 << (4 * r + c);
  }
  return mask;
}

const start = [...board].reduce((mask, square, i) => mask | (square === "b" ? 1 << i : 0), 0);
const distance = new Map([[start, 0]]);
for (const now of distance.keys()) {
  for (let square = 0; square < 16; square++) {
    const next = now ^ turned(square);
    if (!distance.has(next)) distance.set(next, distance.get(now) + 1);
  }
}
const ends = [0, 65535].filter((end) => distance.has(end)).map((end) => distance.get(end));
console.log(ends.length > 0 ? Math.min(...ends) : "Impossible");
