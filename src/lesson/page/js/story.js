// What has just happened, in words, and what is settled so far.

/** Elements that tell an event. */
function tell(event, lesson, { solved, message, isComplete }) {
  const names = lesson.variables.map(({ name }) => name);
  const say = (lits) => sentence(clauseParts(lits), names), one = (lit) => sentence([{ lit }], names);
  const head = (kind, ...words) => el("p", { class: `head ${kind}` }, ...words);
  if (message) return [head("note", message)];
  if (solved) return toldOfSolved(solved, lesson, names, head);
  switch (event.kind) {
    case "start": return [head("start", "Click a square or a literal to decide it, or step with the arrow keys.")];
    case "decision": return [head("decision", "You decide: ", ...one(event.lit), isComplete ? " — every line holds." : "")];
    case "unit": return [head("unit", "It follows: ", ...one(event.lit), isComplete ? " — every line holds." : ""),
      el("p", { class: "why" }, event.clause.constraint === null ? "Because it was learnt: " : "Because ", ...say(event.clause.lits), ".")];
    case "conflict": return [head("conflict", "Conflict! This is broken now:"), el("p", { class: "why" }, ...say(event.clause.lits), ".")];
    case "learnt": return [head("learnt", "Learnt: ", ...say(event.clause.lits), "."),
      el("details", { class: "why" }, el("summary", {}, `It follows from ${plural(event.used.length, "clause")} that met here:`),
        el("ol", {}, event.used.map(({ lits }) => el("li", {}, ...say(lits)))))];
    case "back": return [head("back", event.level === 0 ? "Back to before all decisions: " : `Back to decision ${event.level}: `, "what was learnt stays."),
      el("p", { class: "why" }, ...say(event.clause.lits), ".")];
    default: return [head("conflict", "A conflict without a decision: nothing keeps all that is switched on."),
      el("details", { class: "why" }, el("summary", {}, `These ${plural(event.used.length, "clause")} exclude each other:`),
        el("ol", {}, event.used.map(({ lits }) => el("li", {}, ...say(lits)))))];
  }
}

function toldOfSolved({ number, wrong, isLast, unbroken }, lesson, names, head) {
  if (wrong.length > 0) {
    const more = wrong.length > 4 ? [el("li", {}, `and ${wrong.length - 4} more`)] : [];
    return [head("conflict", `Wrong board ${number}: the solver keeps to what is on. Broken:`),
      el("ul", { class: "why" }, wrong.slice(0, 4).map((constraint) => el("li", {}, sentence(constraintParts(constraint), names))), more)];
  }
  const off = unbroken ? " No wrong one appears: what is off follows from the rest." : "";
  return [head("solved", `Board ${number}, found by varisat: every line holds.${off}${isLast ? " There is no other." : ""}`)];
}

/** What is settled: a line a level. */
function drawTrail(trail, names) {
  const levels = [];
  for (const entry of trail) (levels[entry.level] ??= []).push(entry);
  byId("trail").replaceChildren(...levels.flatMap((entries, level) => (entries === undefined ? [] : [
    el("p", { role: "listitem", class: "level" }, el("span", { class: "number" }, level === 0 ? "always" : `decision ${level}`), " ",
      entries.flatMap(({ lit, reason }, i) => [i > 0 ? " " : "", el("span", { class: reason === null ? "settled decided" : "settled" }, nameOf(names, lit))])),
  ])));
  byId("trail").scrollTop = byId("trail").scrollHeight;
}
