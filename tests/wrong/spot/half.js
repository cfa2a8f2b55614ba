// Wrong: patterns are rotated by 180 degrees only.
const words = require("fs").readFileSync(0, "utf8").split(/\s+/);
let at = 0;

function image(spots, n, turns) {
  const cells = [...spots].map((cell) => {
    let [x, y] = [Math.floor(cell / 64), cell % 64];
    for (let i = 0; i < turns; i++) [x, y] = [y, n + 1 - x];
    return x * 64 + y;
  });
  return cells.sort((a, b) => a - b).join(" ");
}

function play(n) {
  const spots = new Set();
  const seen = new Set();
  let verdict = "Draw";
  for (let move = 1; move <= 2 * n; move++) {
    const cell = Number(words[at]) * 64 + Number(words[at + 1]);
    const sign = words[at + 2];
    at += 3;
    if (verdict !== "Draw") continue;
    if (sign === "+") spots.add(cell);
    else spots.delete(cell);
    if (seen.has(image(spots, n, 0))) verdict = `Player ${1 + (move % 2)} wins on move ${move}`;
    for (const turns of [0, 2]) seen.add(image(spots, n, turns));
  }
  return verdict;
}

const out = [];
for (let n = Number(words[at++]); n !== 0; n = Number(words[at++])) out.push(play(n));
console.log(out.join("\n"));
