// The constraints in words, by group: each group has a switch and a sentence, each constraint a line with its clauses below it.
//
// Of a long group, only the first lines are drawn, those of the current step, and more on request.

/** The most lines of a group that are drawn at first, and how many are added on request. */
const MOST_DRAWN = 150;

/** A sentence as elements. A click on a literal decides it. */
function sentence(parts, names) {
  return parts.map((part) => (typeof part === "string" ? part
    : el("button", { type: "button", class: "literal", tabindex: "-1", "data-lit": part.lit }, nameOf(names, part.lit))));
}

/** Creates the list, and returns its sections by group. `switched` is called with a group and whether it is now on. */
function drawGroups(lesson, { switched, helpers, boundControls }) {
  const sections = new Map(), withParities = lesson.constraints.find(({ kind }) => ["odd", "even"].includes(kind))?.group;
  byId("groups").replaceChildren(...lesson.groups.flatMap((label, group) => {
    const own = lesson.constraints.flatMap((constraint, number) => (constraint.group === group ? [number] : []));
    if (own.length === 0) return [];
    const clauses = own.reduce((sum, number) => sum + lesson.constraints[number].clauses.length, 0);
    const more = el("button", { type: "button", class: "more", click: () => drawLines(lesson, section, section.drawn + MOST_DRAWN) });
    const section = { own, drawn: 0, ul: el("ul"), more, lines: new Map() };
    sections.set(group, section);
    drawLines(lesson, section, MOST_DRAWN);
    const isBound = group === lesson.bound?.group, helped = helpersOf(lesson, helpers, group);
    const meaning = [lesson.meanings[group] ?? "", helped ? `Helper variables of this group, which stand for no squares: ${helped}.` : "", group === withParities ? parityWords(lesson.parities) : ""].filter(Boolean).join(" ");
    return el("section", { class: isBound ? "group is-bound off" : "group", "data-group": group },
      el("label", { class: "switch" },
        el("input", { type: "checkbox", checked: !isBound, change: (event) => switched(group, event.target.checked) }), el("span", {}, label)),
      isBound ? boundControls : [],
      meaning ? el("p", { class: "meaning" }, meaning) : [],
      el("details", { class: "list" },
        el("summary", {}, own.length === clauses ? plural(clauses, "clause") : `${plural(own.length, "line")}, ${plural(clauses, "clause")}`),
        section.ul, more));
  }), el("section", { class: "group", id: "learnt", hidden: true }, el("p", { class: "switch" }, el("span", {}, "learnt")), el("ul", {})));
  return sections;
}

/** The line of a constraint. */
function lineOf(lesson, number) {
  const constraint = lesson.constraints[number], names = lesson.variables.map(({ name }) => name);
  return el("li", {
    class: "constraint", tabindex: "0", "data-number": number,
    keydown: (event) => {
      if (event.key === "Enter" && event.target === event.currentTarget) event.currentTarget.querySelector("details")?.toggleAttribute("open");
    },
  }, el("p", { "data-part": constraint.clauses.length === 1 ? 0 : null }, sentence(constraintParts(constraint), names)), clausesOf(constraint, names));
}

/** Draws the first `most` lines of a section, and those with the given numbers. */
function drawLines(lesson, section, most, numbers = []) {
  const { own, ul, lines, more } = section;
  section.drawn = Math.max(section.drawn, Math.min(most, own.length));
  for (const number of [...own.slice(0, section.drawn), ...numbers]) {
    if (lines.has(number)) continue;
    const line = lineOf(lesson, number), behind = [...ul.children].find((other) => Number(other.dataset.number) > number);
    lines.set(number, line);
    if (behind) ul.insertBefore(line, behind); else ul.append(line);
  }
  more.hidden = section.drawn === own.length;
  more.textContent = `Show ${Math.min(MOST_DRAWN, own.length - section.drawn)} more of ${own.length} lines`;
}

/** A list of the clauses of a constraint; nothing if there is only one. */
function clausesOf(constraint, names) {
  if (constraint.clauses.length < 2) return [];
  return [el("details", { class: "clauses" }, el("summary", { tabindex: "-1" }, plural(constraint.clauses.length, "clause")),
    el("ul", {}, constraint.clauses.map((lits, part) => el("li", { "data-part": part }, sentence(clauseParts(lits), names)))))];
}

/** Shows the state of each drawn line: violated, unit, satisfied, or open. `used` maps the index of a constraint to the clauses of it
 * that the current step used. */
function paintGroups(lesson, values, { sections, isOn, learnt, used, present }) {
  const names = lesson.variables.map(({ name }) => name);
  for (const [group, section] of sections) {
    const here = section.own.filter((number) => used.has(number));
    drawLines(lesson, section, 0, here);
    for (const [number, element] of section.lines) {
      const constraint = lesson.constraints[number], stands = constraint.clauses.map((lits) => standing(values, { lits }));
      const is = stands.some(({ satisfied, open }) => !satisfied && open.length === 0) ? "broken"
        : stands.some(({ satisfied, open }) => !satisfied && open.length === 1) ? "unit" : stands.every(({ satisfied }) => satisfied) ? "kept" : "open";
      element.className = `constraint is-${is}${isOn(group) ? "" : " off"}${used.has(number) ? " used" : ""}`;
      // Of a constraint with several clauses, those of the step are repeated below the line.
      element.querySelector(".present")?.remove();
      if (used.has(number) && constraint.clauses.length > 1) {
        element.append(el("ul", { class: "present" }, used.get(number).map(({ lits, part }) => el("li", { "data-part": part }, sentence(clauseParts(lits), names)))));
      }
    }
    const box = document.querySelector(`#groups .group[data-group="${group}"]`);
    box.classList.toggle("off", !isOn(group));
    box.classList.toggle("has-used", here.length > 0);
  }
  const group = byId("learnt");
  group.hidden = learnt.length === 0;
  group.querySelector("ul").replaceChildren(...learnt.map((clause, number) => el("li", { class: `constraint${clause === present ? " used" : ""}`, "data-learnt": number },
    el("p", {}, sentence(clauseParts(clause.lits), names)))));
  for (const element of document.querySelectorAll(".literal")) {
    const value = valueOf(values, Number(element.dataset.lit));
    element.classList.toggle("true", value === 1);
    element.classList.toggle("false", value === -1);
  }
}

/** Marks the watched literals of each drawn clause, and those to which a watch moved in the last step. Removes all marks if `watches`
 * is null. */
function paintWatches(sections, learnt, watches) {
  if (watches === null) {
    for (const element of document.querySelectorAll(".literal.watched, .literal.left")) element.classList.remove("watched", "moved", "left");
    return;
  }
  const mark = (host, clause) => {
    const pair = watches.watched.get(clause) ?? [], move = watches.moves.find((one) => one.clause === clause);
    for (const literal of host.querySelectorAll(":scope > .literal")) {
      const lit = Number(literal.dataset.lit);
      // In a sentence, premises are negated.
      const own = clause.lits.includes(lit) ? lit : -lit;
      literal.classList.toggle("watched", pair.includes(own));
      literal.classList.toggle("moved", move?.to === own);
      literal.classList.toggle("left", move?.from === own);
    }
  };
  const byPlace = new Map([...watches.watched.keys()].flatMap((clause) => (clause.constraint === null ? [] : [[`${clause.constraint}.${clause.part}`, clause]])));
  for (const { lines } of sections.values()) {
    for (const [number, line] of lines) {
      for (const host of line.querySelectorAll("[data-part]")) {
        const clause = byPlace.get(`${number}.${host.dataset.part}`);
        if (clause) mark(host, clause);
      }
    }
  }
  document.querySelectorAll("#learnt li > p").forEach((host, number) => mark(host, learnt[number]));
}

/** Folds groups, the longest first, until the list fits its frame; without a frame, until at most one group is unfolded. A single
 * group stays unfolded, because otherwise there would be nothing to see; then the frame scrolls. */
function foldToFit() {
  const host = byId("groups"), lists = [...host.querySelectorAll(".list")];
  lists.forEach((list) => { list.open = true; });
  // All heights are read before anything changes, so that the page is laid out only once. Without a frame, one list is kept.
  const isFramed = getComputedStyle(host).overflowY === "auto", height = (element) => element.getBoundingClientRect().height;
  let excess = isFramed ? host.scrollHeight - host.clientHeight : Infinity;
  const saved = new Map(lists.map((list) => [list, height(list) - height(list.querySelector("summary"))]));
  const shown = lists.filter((list) => height(list) > 0);
  // The longest lists are folded first, because they are the hardest to take in.
  const folded = shown.sort((a, b) => saved.get(b) - saved.get(a)).slice(0, isFramed && shown.length > 1 ? undefined : shown.length - 1);
  for (const list of folded) {
    if (excess <= 0) break;
    list.open = false;
    excess -= saved.get(list);
  }
}

/** Unfolds the group of the clause of the current step, scrolls the clause into view, and folds the group again that an earlier step
 * unfolded. With null, only folds. */
function showClause(clause, learnt) {
  const line = clause === null ? null : clause.constraint === null ? document.querySelector(`#learnt [data-learnt="${learnt.indexOf(clause)}"]`)
    : document.querySelector(`.constraint[data-number="${clause.constraint}"]`);
  const list = line?.closest(".list") ?? null, host = byId("groups");
  for (const other of host.querySelectorAll(".list[data-unfolded]")) {
    if (other === list) continue;
    other.open = false;
    delete other.dataset.unfolded;
  }
  if (list !== null && !list.open) {
    list.open = true;
    list.dataset.unfolded = "";
  }
  if (line === null || host.scrollHeight <= host.clientHeight) return;
  const { top, bottom } = line.getBoundingClientRect(), frame = host.getBoundingClientRect();
  if (top < frame.top || bottom > frame.bottom) host.scrollTop += top - frame.top - Math.max(0, (frame.height - (bottom - top)) / 3);
}
