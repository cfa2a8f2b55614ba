// Starts the page: problems, board, two engines, and the address that shares them.

(async () => {
  const { about, module, worker, lesson } = JSON.parse(byId("data").textContent);
  const capital = (word) => word[0].toUpperCase() + word.slice(1), name = capital(about.program.split(" ")[0]);
  document.querySelector("h1").textContent = name;
  const notice = (text) => {
    byId("notice").textContent = text;
    byId("notice").hidden = text === "";
  };
  if (typeof WebAssembly !== "object" || typeof Worker !== "function" || typeof DecompressionStream !== "function") {
    document.querySelector("main").hidden = true;
    byId("share").hidden = true;
    document.documentElement.dataset.ready = "";
    return notice("This browser cannot run the playground: it needs WebAssembly, workers and DecompressionStream. Every browser since May 2023 has them, unless they were switched off.");
  }
  const compiled = unpack(module).then((bytes) => WebAssembly.compile(bytes));
  const library = () => new Library(worker, compiled);
  const seconds = el("select", { id: "seconds" }, ...[[10, "10 s"], [60, "60 s"], [600, "10 minutes"]].map(([value, text]) =>
    el("option", { value, selected: value === 60 }, text)));
  const context = {
    board: () => board.value,
    seconds: () => Number(seconds.value),
    solvers: about.solvers,
    running: () => { cancel.disabled = !sides.some(({ isRunning }) => isRunning); },
    changed: (side) => { if (board.found) side.support(board.found.engines); },
    teach: async (data) => {
      const { milliseconds, ...content } = data;
      const text = JSON.stringify({ ...content, solver: module, from: true }).replaceAll("<", "\\u003c");
      const page = new Blob([lesson.replace("/*DATA*/", () => text)], { type: "text/html" });
      if (open(URL.createObjectURL(page), "_blank") === null) throw new Error("the browser did not open a new tab for the lesson");
    },
  };
  const sides = ["A", "B"].map((name) => new Side(name, library(), context));
  const solve = el("button", { type: "button", id: "solve", class: "primary", click: async () => { if (await board.settled()) sides.forEach((side) => side.solve()); } }, "Solve with both");
  const cancel = el("button", { type: "button", id: "cancel", disabled: true, click: () => sides.forEach((side) => side.cancel()) }, "Cancel");
  byId("run").replaceChildren(solve, cancel, el("div", { class: "field" }, el("label", { for: "seconds" }, "at most"), seconds));
  byId("sides").replaceChildren(...sides.map(({ element }) => element));

  let isOurs = false;
  const board = new BoardSide(library(), {
    began: () => sides.forEach((side) => {
      side.cancel();
      side.clear();
    }),
    changed: (found) => {
      solve.disabled = found === null;
      if (found) sides.forEach((side) => side.support(found.engines));
      if (found && !isOurs && location.hash) history.replaceState(null, "", location.pathname + location.search);
      isOurs = false;
    },
  });
  // The states of the problems that are not shown.
  const kept = new Map();
  const show = async (problem, state = {}) => {
    isOurs = true;
    [...byId("problems").children].forEach((button) => button.setAttribute("aria-pressed", String(button.value === problem.name)));
    document.title = `${problem.name}: ${name} playground`;
    const first = problem.engines.find(({ side }) => side === "search") ?? problem.engines[0];
    const second = problem.engines.find(({ side }) => side === "sat") ?? problem.engines.at(-1);
    const engines = state.engines?.length === 2 ? state.engines : [first.id, second.id];
    sides.forEach((side, i) => side.open(problem, engines[i]));
    await board.open(problem, state);
  };
  const keep = () => {
    const { problem, rules, text, game } = board.value;
    kept.set(problem, { rules, text, game, engines: sides.map(({ engine }) => engine) });
  };
  const named = (name) => about.problems.find((problem) => problem.name === name);
  byId("problems").replaceChildren(...about.problems.map((problem) => el("button", {
    type: "button", value: problem.name, title: problem.about, click: () => { notice(""); keep(); show(problem, kept.get(problem.name)); },
  }, capital(problem.name))));
  byId("about-text").replaceChildren(
    el("p", {}, "Each board is solved twice: by a hand-written search and by a SAT encoding. A third program checks both answers. Everything happens in this page; nothing is sent anywhere."),
    ...about.problems.map((problem) => el("p", {}, el("strong", {}, problem.name), `: ${problem.about}`)),
    el("p", {}, "The checker derives claims from each answer. “witness”: the answer contains evidence, which was replayed. “recomputed”: the checker's own program found the same. “open”: neither. “failed”: the claim is false. Two engines may give different evidence for the same outcome; both can be right."),
    el("p", {}, "Counters: a search counts nodes of its search tree; a SAT engine counts calls of its solver and conflicts, each of which taught it a clause. Variables and clauses include those that were added between calls."),
    el("p", {}, "“Teach this” opens a lesson that steps through the solver's work on this board. “Share” makes an address that holds the problem, the rules, the board and the engines."),
    el("p", {}, `Written by ${about.program}.`));
  byId("share").onclick = async () => {
    try {
      const { problem, rules, text, game } = board.value;
      const { address } = await board.library.ask({ ask: "share", problem, rules, text, game, engines: sides.map(({ engine }) => engine) });
      history.replaceState(null, "", `#${address}`);
      const copied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
      notice(copied ? "The address of this board was copied." : "The address bar has the address of this board now.");
    } catch (error) {
      notice(error.message);
    }
  };
  const start = async () => {
    const hash = location.hash.slice(1);
    if (!hash) return board.problem ?? show(named("flip") ?? about.problems[0]);
    try {
      const state = await board.library.ask({ ask: "open", address: hash });
      notice("");
      await show(named(state.problem), state);
    } catch (error) {
      // A board that is being worked on stays.
      if (!board.problem) await show(named("flip") ?? about.problems[0]);
      notice(error.message);
    }
  };
  addEventListener("hashchange", start);
  await start();
  document.documentElement.dataset.ready = "";
})();
