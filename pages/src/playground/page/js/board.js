// The board: as text and as squares, which stay in step.

/** The longest text that the page reads, in characters. */
const MAX_TEXT = 1 << 20;

class BoardSide {
  /** `began` is called when the board changes, and `changed` with what the library read, or with null if there is an error. */
  constructor(library, { began, changed }) {
    Object.assign(this, { library, began, changed, rules: new Map(), game: 1, asked: 0, edits: 0, found: null, touched: Promise.resolve() });
    this.text = byId("text");
    this.text.oninput = () => {
      this.edits++;
      this.outdate();
      clearTimeout(this.pause);
      this.pause = setTimeout(() => this.read(), 120);
    };
    // A text that is too long would occupy the page before it could be refused, so it does not get into the field.
    const refuseLong = (event, data) => {
      const given = data?.getData("text") ?? "";
      if (given.length <= MAX_TEXT) return;
      event.preventDefault();
      this.say(`the pasted text has ${count(given.length)} characters, too many for a page; the maximum is ${count(MAX_TEXT)}. The program itself reads it.`);
    };
    this.text.onpaste = (event) => refuseLong(event, event.clipboardData);
    this.text.ondrop = (event) => {
      if (event.dataTransfer?.files.length) event.preventDefault();
      else refuseLong(event, event.dataTransfer);
    };
  }

  get value() {
    return { problem: this.problem.name, rules: [...this.rules], text: this.text.value, game: this.game };
  }

  open(problem, { rules = [], text = problem.sample, game = 1 } = {}) {
    this.edits++;
    Object.assign(this, { problem, rules: new Map(rules), game });
    byId("edit").textContent = problem.edit ?? "This problem has no squares to click; change the text.";
    byId("rules").hidden = problem.rules.length === 0;
    byId("rules").open = this.rules.size > 0;
    byId("rule-list").replaceChildren(...ruleFields(problem, this.rules, () => this.read()));
    this.games = el("select", { id: "game", change: () => { this.game = Number(this.games.value); this.read(); } });
    this.gameField = el("div", { class: "field", hidden: true }, el("label", { for: "game" }, "game"), this.games);
    // It changes nothing if another board was opened or the text was edited meanwhile.
    const make = async (wanted) => {
      const { edits } = this;
      try {
        const { text } = await this.library.ask({ problem: problem.name, rules: [...this.rules], ...wanted });
        if (this.edits !== edits) return;
        this.game = 1;
        await this.set(text);
      } catch (error) {
        if (this.edits === edits) this.say(error.message);
      }
    };
    byId("tools").replaceChildren(
      el("button", { type: "button", id: "sample", click: () => { this.edits++; this.game = 1; this.set(problem.sample); } }, "Sample"),
      this.gameField, ...problem.empty.length ? [emptyBoard(problem, (params) => make({ ask: "empty", params }))] : [],
      ...problem.families.length ? [generator(problem, (wanted) => make({ ask: "generate", ...wanted }))] : []);
    return this.set(text);
  }

  set(text) {
    this.text.value = text;
    return this.read();
  }

  /** Reads the text. Of several calls, the last one counts. */
  read() {
    clearTimeout(this.pause);
    this.pause = undefined;
    this.reading = this.readNow();
    return this.reading;
  }

  /** Waits until the text was read, also if it was changed just now. Returns whether it is a board. */
  async settled() {
    await this.touched;
    if (this.pause !== undefined) this.read();
    await this.reading;
    return this.found !== null;
  }

  /** The board has changed: what was read and found before does not belong to it. */
  outdate() {
    this.asked++;
    this.found = null;
    this.began();
  }

  async readNow() {
    this.outdate();
    const { asked } = this;
    if (this.text.value.length > MAX_TEXT) {
      return this.fail(new Error(`the text has ${count(this.text.value.length)} characters, too many for a page; the maximum is ${count(MAX_TEXT)}`));
    }
    try {
      const found = await this.library.ask({ ask: "read", ...this.value });
      if (asked !== this.asked) return;
      this.show(found);
    } catch (error) {
      if (asked === this.asked) this.fail(error);
    }
  }

  show(found) {
    this.text.dataset.read = this.asked;
    this.game = Math.min(this.game, found.games);
    byId("error").hidden = true;
    this.text.removeAttribute("aria-invalid");
    this.gameField.hidden = found.games < 2;
    this.games.replaceChildren(...Array.from({ length: found.games }, (_, i) => el("option", { value: i + 1, selected: i + 1 === this.game }, `${i + 1} of ${found.games}`)));
    const focused = this.focused();
    byId("squares").replaceChildren(...found.boards.map((board, i) => editBoard(board, i, (number, from, to) => this.touch(number, from, to))));
    this.focus(focused);
    if (this.problem.edit) {
      byId("edit").textContent = found.boards.length ? this.problem.edit : "This board is too large to be drawn here; change the text.";
    }
    this.found = found;
    this.changed(found);
  }

  /** The numbers of the board and the square that have the focus. */
  focused() {
    const boards = [...byId("squares").children];
    const board = boards.findIndex((each) => each.contains(document.activeElement));
    return board < 0 ? null : [board, [...boards[board].querySelectorAll("button")].indexOf(document.activeElement)];
  }

  focus(place) {
    if (!place) return;
    const tiles = byId("squares").children[place[0]]?.querySelectorAll("button");
    if (!tiles?.[place[1]]) return;
    tiles[0].tabIndex = -1;
    tiles[place[1]].tabIndex = 0;
    tiles[place[1]].focus();
  }

  /** Each click changes the board that the click before it has left. It changes nothing if the text was edited meanwhile. */
  touch(board, from, to) {
    const { problem } = this;
    this.touched = this.touched.then(async () => {
      if (this.problem !== problem) return;
      const before = this.text.value;
      try {
        const { text } = await this.library.ask({ ask: "touch", board: this.value, touch: { board, from, to } });
        if (this.problem === problem && this.text.value === before) await this.set(text);
      } catch (error) {
        if (this.problem === problem) this.say(error.message);
      }
    });
  }

  /** Shows an error. The board stays as it is. */
  say(message) {
    byId("error").textContent = message;
    byId("error").hidden = false;
  }

  /** Shows why the text is not a board. */
  fail(error) {
    this.text.dataset.read = this.asked;
    const place = error.line === undefined ? "" : `line ${error.line}, column ${error.column}: `;
    // The contents of a rule stand for a file, so messages name the file by its contents.
    const [rule, contents] = [...this.rules].find(([, value]) => error.message.startsWith(`${value}:`)) ?? [];
    this.say(place + (rule ? `rule ${rule}${error.message.slice(contents.length)}` : error.message));
    this.found = null;
    this.changed(null);
    this.text.setAttribute("aria-invalid", "true");
    if (!rule) byId("squares").replaceChildren();
    if (error.line !== undefined && document.activeElement !== this.text) {
      const start = this.text.value.split("\n").slice(0, error.line - 1).join("\n").length + (error.line > 1 ? 1 : 0);
      this.text.setSelectionRange(start + error.column - 1, start + error.column);
    }
  }
}
