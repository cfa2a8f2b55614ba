// Starts the page: reads the data, builds the parts around the views, and shows every change of the state.

let shown = null;

/** Changes the state, writes the address, and shows the page again. */
function go(change, how = "push") {
  change();
  writeAddress(how);
  shown.render();
}

async function start() {
  const raw = JSON.parse(byId("data").textContent);
  byId("data").remove();
  const data = await decode(raw);
  document.title = `${raw.experiment} · Counterpoint`;
  byId("title").textContent = raw.about.title || raw.experiment;
  byId("subtitle").textContent = `${raw.experiment} · ${raw.problem} · set ${raw.set}`;
  if (raw.sampled) byId("sampled").append(sampledNotice(data));
  readAddress(location.hash, data);
  const themes = buildThemes();
  buildTabs(data, (id) => go(() => { state.view = id; }));
  const updateBar = buildFilterBar(data);
  shown = { data, render };

  function render() {
    if (!tabbedViews(data).some((view) => view.id === state.view)) state.view = "summary";
    const view = views.get(state.view);
    const panel = byId("panel");
    const focused = focusPlace();
    const selection = selectRows(data, state);
    shown.selection = selection;
    themes();
    markTab(view.id);
    updateBar(selection);
    panel.dataset.view = view.id;
    const why = view.needs ? view.needs(data) : true;
    if (why !== true) panel.replaceChildren(h("p", { class: "quiet" }, why));
    else if (view.build) showPlot(view, panel, data, selection);
    else view.show(panel, data, selection);
    showRecord(data);
    restoreFocus(focused);
  }

  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    byId("main").focus();
  });
  const reread = () => {
    readAddress(location.hash, data);
    render();
  };
  addEventListener("popstate", reread);
  addEventListener("hashchange", reread);
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth === width) return;
    width = innerWidth;
    render();
  });
  render();
  document.documentElement.dataset.ready = "yes";
}

/** Says which runs the page contains, if it does not contain all. */
function sampledNotice(data) {
  const { all, instances: [some, of] } = data.raw.sampled;
  return h("p", { class: "sampled" }, `This page shows ${grouped(data.count)} of ${grouped(all)} runs: all those on ${grouped(some)} of ${grouped(of)} instances, chosen by their hashes. `
    + "Charts and tables that follow the filter are about these runs. The totals, the paired tests, the intervals, the ranking and the contributions are about all runs.");
}

const FOCUSABLE = "button, select, input, summary, a[href], [tabindex]";

/**
 * The position of the focus: the id of the focused element, and its index among the focusable elements of the panel or
 * the filter bar. Null if the focus is elsewhere.
 */
function focusPlace() {
  const { activeElement } = document;
  const room = activeElement.closest("#panel, #filters");
  return room && { room: room.id, id: activeElement.id, index: [...room.querySelectorAll(FOCUSABLE)].indexOf(activeElement) };
}

/** Restores the focus after the page was drawn again: a new element has replaced the one that had the focus. */
function restoreFocus(place) {
  if (!place || document.activeElement !== document.body) return;
  const all = byId(place.room).querySelectorAll(FOCUSABLE);
  (place.id ? byId(place.id) : all[Math.min(place.index, all.length - 1)])?.focus({ preventScroll: true });
}

/** Makes the switch of themes. Returns a function that updates it. */
function buildThemes() {
  const buttons = ["auto", "light", "dark"].map((theme) => h("button", { type: "button", onclick: () => go(() => { state.theme = theme; }, "replace") }, theme));
  byId("theme").replaceChildren(h("div", { class: "segments", role: "group", "aria-label": "Theme" }, buttons));
  return () => {
    if (state.theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = state.theme;
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.textContent === state.theme));
  };
}

start().catch((error) => {
  byId("panel").replaceChildren(h("p", { class: "notice" }, `This report cannot be shown: ${error.message}`));
});
