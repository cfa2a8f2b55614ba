// The constraints in words, by group: each group has a switch, each constraint a line with its clauses below it.

/** A sentence as elements. A click on a literal decides it. */
function sentence(parts, names) {
  return parts.map((part) => (typeof part === "string" ? part
    : el("button", { type: "button", class: "literal", tabindex: "-1", "data-lit": part.lit }, nameOf(names, part.lit))));
}

/** Creates the list. `switched` is called with a group and whether it is now on. */
function drawGroups(lesson, { switched }) {
  const names = lesson.variables.map(({ name }) => name);
  const line = (constraint, number) => el("li", {
    class: "constraint", tabindex: "0", "data-number": number,
    keydown: (event) => {
      if (event.key === "Enter" && event.target === event.currentTarget) event.currentTarget.querySelector("details")?.toggleAttribute("open");
    },
  }, el("p", {}, sentence(constraintParts(constraint), names)), clausesOf(constraint, names));
  const host = byId("groups");
  host.replaceChildren(...lesson.groups.flatMap((label, group) => {
    const own = lesson.constraints.flatMap((constraint, number) => (constraint.group === group ? [[constraint, number]] : []));
    if (own.length === 0) return [];
    const clauses = own.reduce((sum, [constraint]) => sum + constraint.clauses.length, 0);
    return el("section", { class: "group", "data-group": group },
      el("label", { class: "switch" },
        el("input", { type: "checkbox", checked: true, change: (event) => switched(group, event.target.checked) }), el("span", {}, label)),
      el("details", { class: "list" },
        el("summary", {}, own.length === clauses ? plural(clauses, "clause") : `${plural(own.length, "line")}, ${plural(clauses, "clause")}`),
        el("ul", {}, own.map(([constraint, number]) => line(constraint, number)))));
  }), el("section", { class: "group", id: "learnt", hidden: true }, el("p", { class: "switch" }, el("span", {}, "learnt")), el("ul", {})));
}

/** A list of the clauses of a constraint; nothing if there is only one. */
function clausesOf(constraint, names) {
  if (constraint.clauses.length < 2) return [];
  return [el("details", { class: "clauses" }, el("summary", { tabindex: "-1" }, plural(constraint.clauses.length, "clause")),
    el("ul", {}, constraint.clauses.map((lits) => el("li", {}, sentence(clauseParts(lits), names)))))];
}

/** Shows the state of each line: violated, unit, satisfied, or open. */
function paintGroups(lesson, values, { isOn, learnt, used }) {
  for (const element of document.querySelectorAll("#groups .constraint[data-number]")) {
    const constraint = lesson.constraints[Number(element.dataset.number)];
    const stands = constraint.clauses.map((lits) => standing(values, { lits }));
    const is = stands.some(({ satisfied, open }) => !satisfied && open.length === 0) ? "broken"
      : stands.some(({ satisfied, open }) => !satisfied && open.length === 1) ? "unit" : stands.every(({ satisfied }) => satisfied) ? "kept" : "open";
    element.className = `constraint is-${is}${isOn(constraint.group) ? "" : " off"}${used.has(Number(element.dataset.number)) ? " used" : ""}`;
  }
  for (const element of document.querySelectorAll("#groups .group[data-group]")) {
    element.classList.toggle("off", !isOn(Number(element.dataset.group)));
    element.classList.toggle("has-used", element.querySelector(".constraint.used") !== null);
  }
  const names = lesson.variables.map(({ name }) => name), group = byId("learnt");
  group.hidden = learnt.length === 0;
  group.querySelector("ul").replaceChildren(...learnt.map(({ lits }, number) => el("li", { class: "constraint", "data-learnt": number }, el("p", {}, sentence(clauseParts(lits), names)))));
  for (const element of document.querySelectorAll(".literal")) {
    const value = valueOf(values, Number(element.dataset.lit));
    element.classList.toggle("true", value === 1);
    element.classList.toggle("false", value === -1);
  }
}

/** Folds groups, the longest first, until the list fits its frame; without a frame, until at most one group is unfolded. */
function foldToFit() {
  const host = byId("groups"), lists = [...host.querySelectorAll(".list")];
  lists.forEach((list) => { list.open = true; });
  const isFramed = getComputedStyle(host).overflowY === "auto";
  const fits = () => (isFramed ? host.scrollHeight <= host.clientHeight : lists.filter((list) => list.open).length < 2);
  // The longest lists are folded first, because they are the hardest to take in.
  const height = (list) => list.getBoundingClientRect().height;
  for (const list of [...lists].sort((a, b) => height(b) - height(a))) if (!fits()) list.open = false;
}

/** Scrolls a line into view, if its group is unfolded. */
function showLine(number) {
  const element = document.querySelector(`.constraint[data-number="${number}"]`), host = byId("groups");
  if (element === null) return;
  const { top, bottom } = element.getBoundingClientRect(), frame = host.getBoundingClientRect();
  if (host.scrollHeight > host.clientHeight && (top < frame.top || bottom > frame.bottom)) host.scrollTop += top - frame.top - frame.height / 3;
}
