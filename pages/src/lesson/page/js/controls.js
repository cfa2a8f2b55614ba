// Buttons and keys.

const KEYS = {
  ArrowRight: "forward", ArrowLeft: "back", ArrowDown: "onward", ArrowUp: "rewind", Home: "start", Escape: "back",
  d: "decide", c: "conflict", n: "nextConflict", s: "solve", u: "undo", t: "turnPage", w: "watch", b: "stopHere",
};

/** Creates the buttons and keys for the actions. */
function drawControls(actions) {
  const button = (id, label, about, key) => el("button", { type: "button", id, title: `${about} (${key})`, "aria-label": /\w/.test(label) ? null : about, "aria-keyshortcuts": key, click: actions[id] }, label);
  byId("controls").replaceChildren(
    el("span", { class: "steps" },
      button("start", "|◀", "To the start", "Home"), button("back", "◀", "A step back", "ArrowLeft"), el("output", { id: "step" }),
      button("forward", "▶", "A step forward", "ArrowRight"), button("onward", "▶|", "To the end of unit propagation", "ArrowDown"),
      button("nextConflict", "▶✗", "To the next conflict", "N")),
    button("decide", "Decide", "Decide the next unassigned variable", "D"), button("undo", "Undo", "Bring back the run as it was before the last change", "U"),
    button("conflict", "Conflict", "From the start to a conflict", "C"), button("solve", "Solve", "Let the solver find a board", "S"));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("select")) return;
    // Tabs and pictures use the arrow keys themselves.
    if (event.key.startsWith("Arrow") && event.target.closest("[role=tab], #graph-scroll, #tree-scroll")) return;
    const action = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (action === undefined) return;
    event.preventDefault();
    actions[action]();
  });
}

/** Creates the two tabs of the right side. `chosen` is called with the id of a view. Returns a function that shows a view. */
function drawTabs(chosen) {
  const views = [["clause-view", "Clauses"], ["tree-view", "Search tree"]];
  const show = (id) => {
    for (const [other] of views) {
      byId(other).hidden = other !== id;
      byId(`tab-${other}`).setAttribute("aria-selected", String(other === id));
      byId(`tab-${other}`).tabIndex = other === id ? 0 : -1;
    }
    chosen(id);
  };
  const turn = (id) => {
    const other = views.find(([one]) => one !== id)[0];
    show(other);
    byId(`tab-${other}`).focus();
  };
  byId("tabs").replaceChildren(...views.map(([id, label]) => el("button", {
    type: "button", role: "tab", id: `tab-${id}`, "aria-controls": id, title: `${label} (T)`, click: () => show(id),
    keydown: (event) => {
      if (["ArrowLeft", "ArrowRight"].includes(event.key)) turn(id);
    },
  }, label)));
  for (const [id] of views) byId(id).setAttribute("aria-labelledby", `tab-${id}`);
  return show;
}

/** The choice of a bound, and the button that looks for a board below it. */
function boundControls(lesson, { bounded, fewer }) {
  if (lesson.bound === null) return [];
  const { noun, least, atMost } = lesson.bound;
  return el("p", { class: "bound" },
    el("select", { id: "bound", "aria-label": `Bound on the ${noun}`, change: (event) => bounded(event.target.value === "" ? null : Number(event.target.value)) },
      el("option", { value: "" }, `any number of ${noun}`), atMost.map((_, i) => el("option", { value: least + i }, `at most ${least + i} ${noun}`))),
    el("button", { type: "button", id: "fewer", title: "Find a board, and then one with fewer, until there is none", click: fewer }, "Find fewer"));
}
