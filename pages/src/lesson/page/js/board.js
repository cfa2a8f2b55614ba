// The boards: squares as buttons, which show the values of variables and light up when the reader points at a literal or a line.

const GROUND_WORDS = { white: "white", black: "black", hit: "hit", miss: "miss", unknown: "unknown", plain: "" };
const GROUND_LETTERS = { hit: "x", miss: "o" };

/** Creates the elements of the scene. `pointed` is called with the key of the square under the pointer, or null; `chosen` with the
 * key of a clicked square. */
function drawBoards(lesson, { pointed, chosen }) {
  const host = byId("boards"), elements = new Map();
  const button = (place) => {
    const { key } = place;
    const element = el("button", {
      type: "button", class: "square", "data-key": key, click: () => chosen(key),
      pointerenter: () => pointed(key), pointerleave: () => pointed(null), focus: () => pointed(key), blur: () => pointed(null),
    });
    elements.set(key, { ...place, element });
    return element;
  };
  const places = new Map(squaresOf(lesson.scene).map((place) => [place.key, place]));
  host.classList.toggle("list", lesson.scene.some(({ boards }) => boards.some(({ squares }) => squares.some(({ name }) => name !== undefined))));
  host.replaceChildren(...lesson.scene.map((row, r) => el("div", { class: "row", role: "group", "aria-label": row.title || null },
    row.title ? [el("p", { class: "row-title" }, row.title)] : [],
    el("div", { class: "boards" }, row.boards.map((board, b) => el("figure", { class: board.lit ? "board whole" : "board", "data-board": `${r}.${b}` },
      board.title ? [el("figcaption", {}, board.title)] : [],
      el("div", { class: "grid", style: `--columns: ${board.columns}` }, board.squares.map((_, i) => button(places.get(`${r}.${b}.${i}`))))))))));
  const { style } = host;
  const gap = 0.5, frame = (board) => (board.lit ? 0.26 : 0.05), total = (numbers) => numbers.reduce((sum, number) => sum + number, 0);
  style.setProperty("--across", Math.max(...lesson.scene.map((row) => total(row.boards.map((board) => board.columns + frame(board))) + gap * (row.boards.length - 1))));
  style.setProperty("--down", total(lesson.scene.map((row) => Math.max(...row.boards.map((board) => board.rows + frame(board))))) + gap * (lesson.scene.length - 1));
  const isTitled = lesson.scene.some((row) => row.boards.some((board) => board.title));
  style.setProperty("--titles", isTitled ? lesson.scene.length : 0);
  style.setProperty("--beside", lesson.scene.some((row) => row.title) ? 1 : 0);
  return elements;
}

/** Shows values on the boards: colours, marks, which variables are unassigned, and which are false. `wrong` has the keys of
 * the squares of violated constraints; `host` contains the elements. */
function paintBoards(elements, lesson, values, wrong, host = byId("boards")) {
  const names = lesson.variables.map(({ name }) => name);
  for (const { key, board, square, index, element } of elements.values()) {
    if (square.name !== undefined) {
      paintName(element, square, values, wrong.has(key));
      continue;
    }
    const ground = groundOf(square, values);
    const held = square.marks.filter(({ lit }) => lit === null || valueOf(values, lit) === 1);
    const refused = square.marks.filter(({ lit, own }) => lit !== null && own && valueOf(values, lit) === -1);
    const open = square.marks.filter(({ lit, own }) => lit !== null && own && valueOf(values, lit) === 0);
    const ships = held.filter(({ shape }) => shape === "ship");
    const clash = ships.length > 1;
    element.className = `square ground-${ground}${clash ? " clash" : ""}`;
    element.classList.toggle("wrong", wrong.has(key));
    element.replaceChildren(
      ...ships.map(({ tone }, i) => el("span", { class: `ship tone-${tone}`, style: `--of: ${ships.length}; --number: ${i}` })),
      ...held.filter(({ shape }) => !["ship", "none"].includes(shape)).map(({ shape }) => el("span", { class: `mark ${shape}` })),
      ...(refused.length > 0 ? [el("span", { class: "mark refused" })] : []),
      ...(open.length > 0 && refused.length === 0 && ships.length === 0 ? [el("span", { class: "mark unsettled" }, "?")] : []),
      ...(GROUND_LETTERS[ground] ? [el("span", { class: "letter" }, GROUND_LETTERS[ground])] : []),
    );
    const literals = square.marks.filter(({ lit }) => lit !== null && (valueOf(values, lit) === 1 || (valueOf(values, lit) === -1)))
      .filter(({ lit, own }) => own || valueOf(values, lit) === 1)
      .map(({ lit }) => nameOf(names, valueOf(values, lit) === 1 ? lit : -lit));
    const cell = `r${Math.floor(index / board.columns) + 1}c${(index % board.columns) + 1}`;
    const whole = board.lit ? [names[Math.abs(board.lit) - 1], ["ruled out", "open", "holds"][valueOf(values, board.lit) + 1]] : [];
    element.setAttribute("aria-label", [cell, GROUND_WORDS[ground], ...whole, ...literals].filter(Boolean).join(", "));
  }
  for (const figure of host.querySelectorAll(".board.whole")) {
    const [r, b] = figure.dataset.board.split(".").map(Number);
    const value = valueOf(values, lesson.scene[r].boards[b].lit);
    figure.classList.toggle("holds", value === 1);
    figure.classList.toggle("out", value === -1);
  }
}

/** Shows the value of a variable that is an entry of a list. */
function paintName(element, { name, marks: [{ lit }] }, values, isWrong) {
  const value = ["false", "open", "true"][valueOf(values, lit) + 1];
  element.className = `square named is-${value}${isWrong ? " wrong" : ""}`;
  element.replaceChildren(name);
  element.setAttribute("aria-label", `${name}, ${value}`);
}

/** Shows on the squares what would follow from a decision: marks of literals that would become true or false, and colours that would
 * change. `values` are those after it; with null, shows nothing. */
function previewBoards(elements, now, values) {
  for (const { square, element } of elements.values()) {
    const changed = values === null ? [] : square.marks.filter(({ lit }) => lit !== null && valueOf(now, lit) === 0 && valueOf(values, lit) !== 0);
    const shown = changed.filter(({ lit, own }) => own || valueOf(values, lit) === 1);
    const isTurned = values !== null && groundOf(square, values) !== groundOf(square, now);
    element.classList.toggle("preview", shown.length > 0 || isTurned);
    element.querySelector(".would")?.remove();
    if (shown.length === 0 && !isTurned) continue;
    const isTrue = shown.some(({ lit }) => valueOf(values, lit) === 1);
    element.append(el("span", { class: "would", "data-sign": shown.length === 0 ? "↻" : isTrue ? "✓" : "✗" }));
  }
}

/** Highlights squares, given by their keys. `now` has the squares of the literals at which the reader points or, if there are none,
 * those of the current step. `why` has the squares of the reason for this step. */
function lightBoards(elements, now, why = new Set()) {
  for (const [key, { element }] of elements) {
    element.classList.toggle("lit", now.has(key));
    element.classList.toggle("reason", why.has(key) && !now.has(key));
  }
}
