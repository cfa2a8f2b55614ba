// The views and the tabs that choose among them.
//
// A plot registers what it builds:
//   registerView({ id, title, needs(data) → true | "why not", options(data) → [{key, label, choices: [{value, label}],
//     initial}], build(data, selection, options) → chart, understanding: HTML })
// `options` may read `state`. The keys of options must not be names of columns. `build` gets their values as strings.
// Any other view draws itself: registerView({ id, title, needs, show(panel, data, selection) }).

const TAB_ORDER = ["summary", "table", "quantile", "scatter", "crossover", "encodings", "heat", "spread", "baseline", "about"];
const views = new Map();

function registerView(view) {
  views.set(view.id, view);
}

/** All views that this data has, in the order of the tabs. */
function tabbedViews(data) {
  return TAB_ORDER.map((id) => views.get(id)).filter((view) => view && (view.id !== "baseline" || data.raw.baseline));
}

/** Makes the tabs. Arrow keys move between them; Home and End go to the first and the last. */
function buildTabs(data, choose) {
  const all = tabbedViews(data);
  const tabs = all.map((view) => {
    const why = view.needs ? view.needs(data) : true;
    return h("button", {
      type: "button", role: "tab", id: `tab-${view.id}`, "aria-controls": "panel", class: why === true ? "tab" : "tab lacking",
      title: why === true ? null : why, onclick: () => choose(view.id),
    }, view.title);
  });
  byId("tabs").replaceChildren(...tabs);
  byId("tabs").addEventListener("keydown", (event) => {
    const at = tabs.indexOf(document.activeElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    const next = (to + tabs.length) % tabs.length;
    choose(all[next].id);
    tabs[next].focus();
  });
}

/** Marks the tab of the view that is shown. */
function markTab(id) {
  for (const tab of byId("tabs").children) {
    const chosen = tab.id === `tab-${id}`;
    tab.setAttribute("aria-selected", String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
    if (chosen) tab.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
  byId("panel").setAttribute("aria-labelledby", `tab-${id}`);
}
