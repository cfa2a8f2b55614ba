// The first view: what went wrong, what was asked and found, and every engine in a line.

registerView({
  id: "summary", title: "Summary",
  show(panel, data) {
    panel.replaceChildren(h("p", { class: "prose" }, data.raw.about.question));
  },
});
