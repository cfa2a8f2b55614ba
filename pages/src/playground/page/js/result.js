// What an engine found.

/** A time in words. */
const time = (milliseconds) => milliseconds < 1 ? "under 1 ms" : milliseconds < 1000 ? `${milliseconds.toFixed(0)} ms` : `${(milliseconds / 1000).toFixed(2)} s`;

const count = (number) => number.toLocaleString("en");

const table = (rows, heads = []) => el("table", {},
  ...heads.length ? [el("thead", {}, el("tr", {}, ...heads.map((head) => el("th", { scope: "col" }, head))))] : [],
  el("tbody", {}, ...rows.map(([head, ...cells]) => el("tr", {}, el("th", { scope: "row" }, head), ...cells.map((cell) => el("td", {}, cell))))));

/** The outcome, the claims with their status, and the counters. */
function showResult({ engine, outcome, verdict, judge, remark, claims = [], work, limit, milliseconds }) {
  const words = { checked: "checked", open: "not checked: a claim is open", wrong: "WRONG", "not settled": "not settled" };
  const parts = [];
  if (outcome === undefined) parts.push(el("p", { class: "outcome" }, `no answer: ${limit}`));
  else {
    parts.push(el("p", { class: "outcome" }, el("strong", {}, outcome), " ", el("span", { class: `verdict ${verdict.replace(" ", "-")}` }, words[verdict])));
    if (limit) parts.push(el("p", {}, `${limit}; this is the best answer so far`));
    if (remark) parts.push(el("p", {}, remark));
    parts.push(el("ul", { class: "claims" }, ...claims.map(({ status, text, reason }) =>
      el("li", {}, el("span", { class: `status ${status}` }, status), ` ${text}${reason ? ` (${reason})` : ""}`))));
    parts.push(el("details", {}, el("summary", {}, "What the judge expects"), el("pre", { class: "judge" }, judge)));
  }
  const names = { variables: "variables at the end", clauses: "clauses at the end" };
  const counters = Object.entries(work).filter(([, number]) => number > 0).map(([name, number]) => [names[name] ?? name, count(number)]);
  if (engine.startsWith("sat") && work.calls === 0) parts.push(el("p", { class: "note" }, "found without a call of the solver"));
  parts.push(table([["time", time(milliseconds)], ...counters]));
  return parts;
}

/** An explanation: one board at a time if there are several. */
function showExplanation({ text, boards, notes }) {
  const parts = [];
  if (boards.length > 0) {
    let at = 0;
    const stage = el("div", { class: "stage" }), place = el("output", {});
    const show = (next) => {
      at = Math.min(Math.max(next, 0), boards.length - 1);
      stage.replaceChildren(drawBoard(boards[at]));
      place.textContent = `board ${at + 1} of ${boards.length}`;
      back.disabled = at === 0;
      on.disabled = at === boards.length - 1;
    };
    const back = el("button", { type: "button", click: () => show(at - 1) }, "← Back");
    const on = el("button", { type: "button", click: () => show(at + 1) }, "Next →");
    parts.push(stage);
    if (boards.length > 1) parts.push(el("div", { class: "steps" }, back, place, on));
    show(0);
  }
  notes.forEach((note) => parts.push(el("p", { class: "note" }, note)));
  parts.push(el("pre", { class: "words" }, unwrap(text)));
  return parts;
}

/** The size of a formula, by groups of clauses. */
const showSize = ({ variables, clauses, literals, groups, parities }) => [
  el("p", {}, "At the start: ", [[variables, "variable"], [clauses, "clause"], [literals, "literal"]].map(([number, one]) => `${count(number)} ${one}${number === 1 ? "" : "s"}`).join(", "), "."),
  ...parities ? [el("p", { class: "note" }, parityWords(parities))] : [],
  table(groups.map(({ label, clauses, literals }) => [label, count(clauses), count(literals)]), ["group", "clauses", "literals"]),
];
