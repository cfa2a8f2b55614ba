// The last event in words, and the current assignment.

/** Elements that describe an event. */
function describe(event, lesson, { solved, message, isComplete, notes }) {
  const names = lesson.variables.map(({ name }) => name);
  const say = (lits) => sentence(clauseParts(lits), names), one = (lit) => sentence([{ lit }], names);
  const head = (kind, ...words) => el("p", { class: `head ${kind}` }, ...words);
  if (message) return [head("note", message)];
  if (solved) return describeSolved(solved, lesson, names, head);
  return [...describeEvent(event, { head, say, one, isComplete }), ...notes.map((note) => el("p", { class: "aside" }, note))];
}

function describeEvent(event, { head, say, one, isComplete }) {
  switch (event.kind) {
    case "start": return [head("start", "Click a square or a literal to decide it, or step with the arrow keys.")];
    case "decision": return [head("decision", "Decision: ", ...one(event.lit), isComplete ? " — every line holds." : "")];
    case "other": return [head("decision", `Back to decision ${event.level}, its other value: `, ...one(event.lit), isComplete ? " — every line holds." : "")];
    case "exhausted": return [head("conflict", "Both values of every decision were tried: no board satisfies all constraints that are switched on.")];
    case "unit": return [head("unit", "It follows: ", ...one(event.lit), isComplete ? " — every line holds." : ""),
      el("p", { class: "why" }, event.clause.constraint === null ? "Because it was learnt: " : "Because ", ...say(event.clause.lits), ".")];
    case "conflict": return [head("conflict", "Conflict! This is violated:"), el("p", { class: "why" }, ...say(event.clause.lits), ".")];
    case "learnt": return [head("learnt", "Learnt: ", ...say(event.clause.lits), "."),
      el("details", { class: "why" }, el("summary", {}, `It follows from ${plural(event.used.length, "clause")}:`),
        el("ol", {}, event.used.map(({ lits }) => el("li", {}, ...say(lits)))))];
    case "back": return [head("back", event.level === 0 ? "Back to before all decisions: " : `Back to decision ${event.level}: `, "the learnt clause is kept."),
      el("p", { class: "why" }, ...say(event.clause.lits), ".")];
    default: return [head("conflict", "A conflict without a decision: no board satisfies all constraints that are switched on."),
      el("details", { class: "why" }, el("summary", {}, `These ${plural(event.used.length, "clause")} contradict each other:`),
        el("ol", {}, event.used.map(({ lits }) => el("li", {}, ...say(lits)))))];
  }
}

function describeSolved({ number, wrong, isLast, unbroken, amount }, lesson, names, head) {
  if (wrong.length > 0) {
    const more = wrong.length > 4 ? [el("li", {}, `and ${wrong.length - 4} more`)] : [];
    return [head("conflict", `Wrong solution ${number}: it satisfies all constraints that are on, but violates:`),
      el("ul", { class: "why" }, wrong.slice(0, 4).map((constraint) => el("li", {}, sentence(constraintParts(constraint), names))), more)];
  }
  const off = unbroken ? " There is no wrong solution: the constraints that are off follow from the rest." : "";
  return [head("solved", `Solution ${number}, found by varisat: every line holds.${amount ?? ""}${off}${isLast ? " There is no other." : ""}`)];
}

/** Shows the trail by levels. The decision of a level stays in sight while the literals that follow from it are scrolled. */
function drawTrail(trail, names) {
  const levels = [];
  for (const entry of trail) (levels[entry.level] ??= []).push(entry);
  byId("trail").replaceChildren(...levels.flatMap((entries, level) => (entries === undefined ? [] : [
    el("div", { role: "listitem", class: "level" },
      el("p", { class: "lead" }, el("span", { class: "number" }, level === 0 ? "always" : `decision ${level}`), " ",
        entries.filter(({ reason }) => reason === null).map(({ lit, isOther }) => el("span", { class: "settled decided" }, nameOf(names, lit), isOther ? " (other value)" : ""))),
      el("p", {}, entries.filter(({ reason }) => reason !== null).flatMap(({ lit }, i) => [i > 0 ? " " : "", el("span", { class: "settled" }, nameOf(names, lit))]))),
  ])));
  byId("trail").scrollTop = byId("trail").scrollHeight;
}
