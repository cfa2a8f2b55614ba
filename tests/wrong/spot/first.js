// Wrong: ends after the first game.
const words = require("fs").readFileSync(0, "utf8").split(/\s+/);
const n = Number(words[0]);

const key = (spots) => [...spots].sort().join(" ");
const turn = (spots) => spots.map((spot) => {
  const [x, y] = spot.split(",").map(Number);
  return `${y},${n + 1 - x}`;
});

const seen = new Set();
let spots = [];
let verdict = "Draw";
for (let move = 1; move <= 2 * n && verdict === "Draw"; move++) {
  const [x, y, sign] = words.slice(3 * move - 2, 3 * move + 1);
  spots = spots.filter((spot) => spot !== `${x},${y}`);
  if (sign === "+") spots.push(`${x},${y}`);
  if (seen.has(key(spots))) verdict = `Player ${1 + (move % 2)} wins on move ${move}`;
  for (let turns = 0, image = spots; turns < 4; turns++, image = turn(image)) seen.add(key(image));
}
if (n > 0) console.log(verdict);
