// One of the two sides: an engine, and what it found.

class Side {
  /** `library` makes a worker. `context` has the page's board, its time limit, and the lesson's parts. */
  constructor(name, library, context) {
    Object.assign(this, { name, library, context, engine: "", run: null, answer: null });
    this.choice = el("select", { id: `engine-${name}`, change: () => { this.choose(this.choice.value); this.changed(); } });
    this.about = el("small", {});
    this.axes = el("details", { class: "axes" });
    this.result = el("div", { class: "result", role: "status" });
    this.more = el("div", { class: "more" });
    this.element = el("section", { class: "side", "aria-label": `Engine ${name}` },
      el("div", { class: "field" }, el("label", { for: `engine-${name}` }, `engine ${name}`), this.choice, this.about), this.axes, this.result, this.more);
  }

  /** Shows another problem with its engines. */
  open(problem, engine) {
    this.problem = problem;
    this.choice.replaceChildren(...problem.engines.map(({ id }) => el("option", { value: id }, id)));
    this.choose(engine);
  }

  /** Chooses an engine by its id, such as `sat:presses/xor=cut3@batsat`. */
  choose(id) {
    this.cancel();
    this.clear();
    this.engine = id;
    const [, plain, options, solver] = /^([^/@]*)((?:\/[^@]*)?)(?:@(.*))?$/.exec(id);
    const known = this.problem.engines.find((engine) => engine.id === plain);
    this.choice.value = plain;
    this.about.textContent = known ? `${known.about}.` : "";
    this.axes.hidden = known?.side !== "sat";
    const chosen = new Map(options.split("/").slice(1).map((option) => option.split("=")));
    const axes = [...known?.axes ?? [], { name: "solver", values: this.context.solvers, about: "the SAT solver" }];
    const rename = (name, value) => {
      chosen.set(name, value);
      const parts = (known?.axes ?? []).filter(({ name, values }) => chosen.has(name) && chosen.get(name) !== values[0]);
      const by = chosen.get("solver") ?? solver;
      this.choose(plain + parts.map(({ name }) => `/${name}=${chosen.get(name)}`).join("") + (by && by !== this.context.solvers[0] ? `@${by}` : ""));
      this.changed();
    };
    const isOpen = this.axes.open;
    this.axes.replaceChildren(el("summary", {}, id === plain ? "Options" : `Options: ${id.slice(plain.length)}`), el("div", { class: "fields" },
      ...axes.map(({ name, values, about }) => field(name, { kind: "word", words: values, about, value: name === "solver" ? solver ?? values[0] : chosen.get(name) ?? values[0] }, (value) => rename(name, value)))));
    this.axes.open = isOpen;
  }

  /** Called after the user has chosen another engine. */
  changed() {
    this.context.changed(this);
  }

  clear() {
    this.answer = null;
    this.result.replaceChildren();
    this.more.replaceChildren();
  }

  /** Says so if the engine does not support the board. `engines` has the default of each engine. */
  support(engines) {
    const why = engines.find(({ id }) => id === this.choice.value)?.unsupported;
    if (why) this.result.replaceChildren(el("p", { class: "note" }, `${this.engine} does not support this board: ${why}`));
  }

  get isRunning() {
    return this.run !== null;
  }

  /** Ends whatever the worker does, also explanations: their time limit must not end a later run. */
  cancel() {
    if (this.isRunning || this.library.isBusy) this.library.stop(new Error("cancelled"));
  }

  async solve() {
    this.cancel();
    this.clear();
    const board = this.context.board(), engine = this.engine;
    // A run that was cancelled ends after the next one has begun, and then shows nothing.
    const run = this.run = {};
    this.context.running();
    const watch = performance.now();
    const clock = setInterval(() => {
      running.textContent = `solving… ${((performance.now() - watch) / 1000).toFixed(1)} s`;
    }, 100);
    const running = el("p", {}, "solving…");
    this.result.replaceChildren(running);
    this.result.setAttribute("aria-busy", "true");
    const [found, error] = await this.library.ask({ ask: "solve", board, engine }, this.context.seconds()).then((found) => [found], (error) => [null, error]);
    clearInterval(clock);
    if (this.run !== run) return;
    this.run = null;
    this.result.removeAttribute("aria-busy");
    this.context.running();
    if (error) {
      this.result.replaceChildren(el("p", { class: "failure" }, error.message));
      return;
    }
    this.answer = found.answer ?? null;
    this.result.replaceChildren(...showResult(found));
    this.showMore(board, engine);
  }

  /** The parts that are computed when they are opened, and the lesson. */
  showMore(board, engine) {
    const parts = [];
    const lazy = (title, request, show) => {
      const body = el("div", {}), part = el("details", {}, el("summary", {}, title), body);
      part.ontoggle = async () => {
        if (!part.open || body.firstChild) return;
        body.replaceChildren("…");
        try {
          body.replaceChildren(...show(await this.library.ask(request, this.context.seconds())));
        } catch (error) {
          body.replaceChildren(el("p", { class: "failure" }, error.message));
        }
      };
      return part;
    };
    if (this.answer) parts.push(lazy("Explanation", { ask: "explain", answer: this.answer }, showExplanation));
    if (engine.startsWith("sat")) parts.push(lazy("Formula", { ask: "size", board, engine }, showSize));
    if (this.answer && this.problem.lesson) {
      const said = el("span", { class: "failure" });
      const teach = el("button", { type: "button", class: "teach", click: async () => {
        try {
          said.textContent = "";
          await this.context.teach(await this.library.ask({ ask: "lesson", board, engine, answer: this.answer }, this.context.seconds()));
        } catch (error) {
          said.textContent = error.message;
        }
      } }, "Teach this");
      parts.push(el("p", {}, teach, " ", said));
    }
    this.more.replaceChildren(...parts);
  }
}
