// Wrong: the fleet has two ships J and no L.
const words = require("fs").readFileSync(0, "utf8").split(/\s+/);
const SHIPS = ["00 01 10 11", "01 02 10 11", "00 01 11 12", "00 10 11 12", "01 10 11 12", "00 10 11 12", "00 01 02 03"];

function poses(ship) {
  const found = new Map();
  let cells = ship.split(" ").map((pair) => [Number(pair[0]), Number(pair[1])]);
  for (let turns = 0; turns < 4; turns++) {
    const [top, left] = [0, 1].map((k) => Math.min(...cells.map((cell) => cell[k])));
    const moved = cells.map(([r, c]) => [r - top, c - left]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    found.set(moved.join(" "), moved);
    cells = cells.map(([r, c]) => [c, -r]);
  }
  return [...found.values()];
}

function decide(w, h, rows) {
  const n = w * h;
  const squares = rows.join("");
  const taken = Uint8Array.from(squares, (square) => (square === "o" ? 1 : 0));
  const covered = new Uint8Array(n);
  const on = Array.from({ length: n }, () => []);
  const all = SHIPS.map(() => []);
  SHIPS.forEach((ship, number) => {
    for (const pose of poses(ship)) {
      for (let at = 0; at < n; at++) {
        const cells = pose.map(([r, c]) => [r + Math.floor(at / w), c + (at % w)]);
        if (cells.some(([r, c]) => r >= h || c >= w)) continue;
        const place = { ship: number, cells: cells.map(([r, c]) => r * w + c) };
        place.cells.forEach((cell) => on[cell].push(place));
        all[number].push(place);
      }
    }
  });
  const hits = [...on.keys()].filter((i) => squares[i] === "x");
  const sets = new Map();
  const lay = (laid) => {
    const free = ({ ship, cells }) => !(laid & (1 << ship)) && cells.every((cell) => !taken[cell]);
    const open = hits.filter((i) => !covered[i]);
    const left = SHIPS.filter((_, ship) => !(laid & (1 << ship))).length;
    if (open.length > 4 * left) return;
    const ways = open.map((i) => on[i].filter(free));
    if (laid === 127) {
      sets.set(Buffer.from(covered).toString("latin1"), covered.slice());
      return;
    }
    const next = ways.length > 0 ? ways.reduce((a, b) => (b.length < a.length ? b : a))
      : all[SHIPS.findIndex((_, ship) => !(laid & (1 << ship)))].filter(free);
    for (const { ship, cells } of next) {
      if (sets.size > n + 1) return;
      cells.forEach((cell) => { taken[cell] = covered[cell] = 1; });
      lay(laid | (1 << ship));
      cells.forEach((cell) => { taken[cell] = covered[cell] = 0; });
    }
  };
  lay(0);
  let left = [...sets.values()];
  while (left.length > 1) {
    const safe = [...on.keys()].find((i) => left.filter((set) => !set[i]).length === 1);
    if (safe === undefined || left.length > n + 1) return "no";
    left = left.filter((set) => set[safe]);
  }
  return left.length === 1 ? "yes" : "no";
}

let at = 0;
for (let game = 1; words[at] !== "0"; game++) {
  const [w, h] = [Number(words[at]), Number(words[at + 1])];
  console.log(`Game #${game}\n${decide(w, h, words.slice(at + 2, at + 2 + h))}.\n`);
  at += 2 + h;
}
