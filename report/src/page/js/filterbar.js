// The filter bar above all views: a list of values for each column with few values, the chosen values, and the number
// of runs that pass.

/** If there are more menus than this, the columns that match `PARTS` share one menu. */
const MENUS = 9;
const PARTS = /^(side|encoding|axes_.*|solver|limit|outcome)$/;

/** Makes the bar. Returns a function that updates it. */
function buildFilterBar(data) {
  const columns = facets(data);
  const folded = columns.length > MENUS ? columns.filter(({ name }) => PARTS.test(name)) : [];
  const menus = columns.filter((column) => !folded.includes(column)).map((column) => facetMenu(column.label, [column], data));
  if (folded.length > 0) menus.push(facetMenu("more", folded, data));
  const chips = h("span", { class: "chips" });
  const count = h("output", { class: "count" });
  const bar = h("div", { class: "facets", id: "facets" }, menus.map(({ element }) => element));
  // In narrow windows, the menus are hidden until this button is pressed.
  const fold = h("button", { type: "button", class: "small fold", "aria-controls": "facets", "aria-expanded": "false", onclick: () => fold.setAttribute("aria-expanded", String(bar.classList.toggle("unfolded"))) }, "Filter");
  byId("filters").replaceChildren(h("span", { class: "filter-word", "aria-hidden": "true" }, "Filter"), h("div", { class: "filter-flow" }, fold, bar, h("div", { class: "passing" }, count, chips)));
  document.addEventListener("pointerdown", (event) => closeMenus((menu) => !menu.contains(event.target)));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    const open = document.querySelector("details.menu[open]");
    if (!open) return;
    open.open = false;
    open.querySelector("summary").focus();
  });
  return (selection) => {
    menus.forEach(({ update }) => update());
    const words = `${grouped(selection.length)} of ${grouped(data.count)} runs`;
    count.textContent = words;
    chips.replaceChildren(...chipsOf(data));
    announce(words);
  };
}

function closeMenus(which) {
  for (const menu of document.querySelectorAll("details.menu[open]")) if (which(menu)) menu.open = false;
}

/** A `details` element that opens on top of the page and closes the other menus. */
function popMenu(summary, content) {
  const menu = h("details", { class: "menu", ontoggle: place }, h("summary", {}, summary), content);
  function place() {
    if (!menu.open) return;
    closeMenus((other) => other !== menu);
    content.style.translate = "";
    const { left, right } = content.getBoundingClientRect();
    const over = Math.max(0, right - document.documentElement.clientWidth + 8);
    content.style.translate = `${-Math.min(over, left - 8)}px`;
  }
  return menu;
}

/** A menu with the values of one column, or of several columns one below the other. */
function facetMenu(title, columns, data) {
  const lists = columns.map((column) => facetList(column, data));
  const clear = h("button", { type: "button", class: "small", onclick: () => go(() => columns.forEach(({ name }) => state.words.delete(name))) }, "all");
  const element = popMenu(title, h("div", { class: "pop" }, lists.map(({ list }) => list), clear));
  if (columns.length === 1) element.querySelector("legend").className = "hidden";
  element.addEventListener("toggle", () => element.open && lists.forEach(({ recount }) => recount()));
  function update() {
    const active = columns.some(({ name }) => state.words.has(name));
    element.classList.toggle("active", active);
    clear.disabled = !active;
    for (const { check, recount } of lists) {
      check();
      if (element.open) recount();
    }
  }
  return { element, update };
}

function facetList(column, data) {
  const codesOf = new Map();
  for (const code of presentCodes(column)) for (const word of choicesOf(column.name, column.values[code])) codesOf.set(word, [...codesOf.get(word) ?? [], code]);
  const boxes = [...codesOf].map(([word, codes]) => {
    const box = h("input", { type: "checkbox", onchange: () => toggleWord(column.name, word) });
    const count = h("span", { class: "tally" });
    return { codes, word, box, count, line: h("label", { class: "choice" }, box, h("span", { class: "choice-word" }, choiceWord(column.name, word)), count) };
  });
  const list = h("fieldset", {}, h("legend", {}, column.label), boxes.map(({ line }) => line));
  function recount() {
    const counts = new Uint32Array(column.values.length);
    for (const row of selectRows(data, state, column.name)) counts[column.codes[row]] += 1;
    for (const { codes, count } of boxes) count.textContent = grouped(codes.reduce((sum, code) => sum + counts[code], 0));
  }
  function check() {
    const wanted = state.words.get(column.name);
    for (const { word, box } of boxes) box.checked = wanted?.has(word) ?? false;
  }
  return { list, recount, check };
}

/** The label of a value in a menu. If a rule is not set, the judge's rule holds. */
function choiceWord(name, word) {
  return word || (name.startsWith("rules_") ? "judge's" : "none");
}

function toggleWord(name, word) {
  go(() => {
    const wanted = new Set(state.words.get(name));
    if (!wanted.delete(word)) wanted.add(word);
    if (wanted.size === 0) state.words.delete(name);
    else state.words.set(name, wanted);
  });
}

function chipsOf(data) {
  const chip = (words, drop) => h("button", { type: "button", class: "chip", "aria-label": `no longer filter by ${words}`, onclick: drop }, words, h("span", { "aria-hidden": "true" }, " ×"));
  const chips = [];
  for (const [name, words] of state.words) {
    const shown = [...words].map((word) => choiceWord(name, word));
    const listed = shown.length > 3 ? `${shown.slice(0, 2).join(", ")} and ${shown.length - 2} more` : shown.join(", ");
    chips.push(chip(`${data.column(name).label}: ${listed}`, () => go(() => state.words.delete(name))));
  }
  for (const [name, text] of state.terms) chips.push(chip(`${data.column(name).label} ${text}`, () => go(() => state.terms.delete(name))));
  if (chips.length > 1) chips.push(h("button", { type: "button", class: "small", onclick: clearFilter }, "clear all"));
  return chips;
}

function clearFilter() {
  go(() => {
    state.words.clear();
    state.terms.clear();
  });
}
