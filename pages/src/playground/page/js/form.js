// Forms: the rules of a problem, and the parameters of a family of boards.

/** A labelled field for a value: a list if there are only words, otherwise a line or several lines of text. */
function field(key, { words = [], kind = "number", value, about = "", values = "" }, change) {
  const id = `field-${key}-${field.count = (field.count ?? 0) + 1}`;
  const control = kind === "word"
    ? el("select", { id }, ...words.map((word) => el("option", { value: word, selected: word === value }, word)))
    : kind === "text" ? el("textarea", { id, spellcheck: "false", rows: 5 }, value)
      : el("input", { id, value, title: values, spellcheck: "false", size: 8 });
  control.onchange = () => change(control.value);
  return el("div", { class: "field" }, el("label", { for: id, title: about }, key), control,
    ...about ? [el("small", {}, kind === "text" ? `${about}. In place of a file, type its contents.` : about)] : []);
}

/** The rules of a problem. `rules` is a Map of those that differ from the judge's. */
const ruleFields = (problem, rules, change) => problem.rules.map((rule) => field(rule.key, { ...rule, value: rules.get(rule.key) ?? rule.default }, (value) => {
  if (value === rule.default) rules.delete(rule.key);
  else rules.set(rule.key, value);
  change();
}));

/** Chooses the size of an empty board. `make` gets it. */
function emptyBoard(problem, make) {
  const params = new Map(problem.empty.map(({ key, default: value }) => [key, value]));
  const change = (key) => (value) => params.set(key, value);
  return el("details", { id: "empty" }, el("summary", {}, "Empty board"),
    el("div", { class: "steps" }, ...problem.empty.map(({ key, default: value }) => field(key, { value }, change(key))),
      el("button", { type: "button", click: () => make([...params]) }, "Draw on it")));
}

/** Chooses a family, its parameters and a seed. `make` gets them. */
function generator(problem, make) {
  let family = problem.families[0];
  const params = new Map();
  const list = el("div", { class: "fields" });
  const show = () => {
    params.clear();
    list.replaceChildren(...family.params.map(({ key, words, default: value }) =>
      field(key, { words, kind: words.length ? "word" : "number", value }, (now) => params.set(key, now))));
    about.textContent = family.about;
  };
  const about = el("small", {});
  const seed = el("input", { id: "seed", type: "number", min: 0, step: 1, value: 1 });
  const choice = el("select", { id: "family" }, ...problem.families.map(({ name }) => el("option", { value: name }, name)));
  choice.onchange = () => {
    family = problem.families.find(({ name }) => name === choice.value);
    show();
  };
  const go = (step) => {
    seed.value = Math.max(0, Math.trunc(Number(seed.value) || 0) + step);
    make({ family: family.name, params: [...params], seed: Number(seed.value) });
  };
  show();
  return el("details", { id: "generator" }, el("summary", {}, "Generate"),
    el("div", { class: "field" }, el("label", { for: "family" }, "family"), choice, about), list,
    el("div", { class: "field" }, el("label", { for: "seed" }, "seed"), seed,
      el("button", { type: "button", click: () => go(0) }, "Generate"), el("button", { type: "button", click: () => go(1) }, "Next")));
}
