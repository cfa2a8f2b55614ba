// Starts the page: reads the data, starts the solver, draws.

(async () => {
  const lesson = withScene(withBound(JSON.parse(byId("data").textContent)));
  if (lesson.format !== 1) throw new Error(`this page reads lessons of format 1, not ${lesson.format}`);
  const title = lesson.problem[0].toUpperCase() + lesson.problem.slice(1);
  document.title = `${title}: a lesson`;
  byId("title").textContent = title;
  // The clauses usually ask less than the problem. “About” says what the problem asks.
  const asked = lesson.about.slice(lesson.about.indexOf(": ") + 1).trim();
  byId("question").textContent = lesson.question ? `The clauses say: ${lesson.question}. The answer to the whole problem: ${lesson.answer.outcome}.`
    : `The task: ${asked}${/[.?]$/.test(asked) ? "" : "."} The answer: ${lesson.answer.outcome}.`;
  byId("about-text").replaceChildren(
    el("p", {}, lesson.about), el("pre", {}, lesson.instance),
    el("p", {}, `The answer of ${lesson.answer.by}: ${lesson.answer.outcome}. The clauses come from ${lesson.engine}.`),
    el("pre", {}, unwrap(lesson.answer.words)),
    el("p", {}, "A green literal is true; a red literal in italics is false. → marks a unit clause (one literal is unassigned, all others are false), ✗ a violated line, ✓ a satisfied one. If watched literals are shown, ◉ marks them, and ⇢ the literal to which a watch has just moved."),
    el("p", {}, `Keys: ← and → step, ↓ goes to the end of unit propagation, ↑ back to before the last decision, Home to the start; D decides, N goes to the next conflict, C starts over and leads to a conflict, S solves, U brings back the run before the last change. W shows watched literals, B sets a breakpoint on the square or literal at which you point, T shows the search tree. “Print” makes a handout with exercises. Written by ${lesson.program}.`));
  let solve = null;
  try {
    solve = await startSolver(lesson.solver);
  } catch (error) {
    document.documentElement.dataset.solver = String(error);
  }
  if (lesson.from) {
    byId("return").hidden = false;
    byId("return").addEventListener("click", () => {
      opener?.focus();
      close();
    });
  }
  startLesson(lesson, solve);
  document.documentElement.dataset.ready = "";
})();
