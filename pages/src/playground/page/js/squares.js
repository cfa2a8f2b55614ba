// Boards of squares.

/** The drawing of a square. */
const square = ({ fill, disc, text, ink, framed, letters }, name, attributes = {}) => el(attributes.type ?? "span", {
  class: `square${framed ? " framed" : ""}${disc ? " disc" : ""}`,
  style: `--fill:${fill};--ink:${ink};${disc ? `--disc:${disc};` : ""}`,
  ...attributes,
}, el("span", { class: "on" }, text), el("span", { class: "hidden" }, `${name}: ${letters}`));

/** A board that cannot be changed. */
function drawBoard(board) {
  const tiles = board.tiles.map((tile, i) => square(tile, nameOf(board, i)));
  return figure(board, tiles);
}

const nameOf = ({ columns }, i) => `row ${Math.floor(i / columns) + 1}, column ${i % columns + 1}`;

function figure({ caption, columns, rows }, tiles) {
  const grid = el("div", { class: "grid", style: `--columns:${columns};--rows:${rows}` }, ...tiles);
  return el("figure", { class: "board" }, grid, ...caption ? [el("figcaption", {}, caption)] : []);
}

/** A board that is changed by clicks, by drags and by the keyboard. `touch` gets the squares as [row, column]. Only one square of the
 * board is reached by the Tab key; the arrow keys lead to the others. */
function editBoard(board, number, touch) {
  const cell = (i) => [Math.floor(i / board.columns), i % board.columns];
  const tiles = board.tiles.map((tile, i) => square(tile, nameOf(board, i), { type: "button", tabindex: i === 0 ? 0 : -1 }));
  const drawn = figure(board, tiles);
  drawn.firstChild.setAttribute("role", "group");
  drawn.firstChild.setAttribute("aria-label", board.caption || "Board");
  const at = ({ clientX, clientY }) => tiles.indexOf(document.elementFromPoint(clientX, clientY)?.closest("button.square"));
  let from = null, last = null;
  const release = () => { from = last = null; };
  tiles.forEach((tile, i) => {
    tile.onpointerdown = (event) => {
      if (event.button !== 0) return;
      from = last = i;
      tile.releasePointerCapture?.(event.pointerId);
    };
    // A click comes from a pointer that did not leave the square, or from the keyboard.
    tile.onclick = () => touch(number, cell(i), cell(i));
    tile.onkeydown = (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -board.columns, ArrowDown: board.columns }[event.key];
      const next = tiles[i + step];
      if (step === undefined || !next) return;
      if (Math.abs(step) === 1 && Math.floor((i + step) / board.columns) !== Math.floor(i / board.columns)) return;
      event.preventDefault();
      tile.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    };
  });
  drawn.onpointermove = (event) => {
    if (from === null || !(event.buttons & 1)) return release();
    const i = at(event);
    if (i < 0 || i === last) return;
    last = i;
    touch(number, cell(from), cell(i));
  };
  drawn.onpointerup = release;
  drawn.onpointercancel = release;
  return drawn;
}
