// A dialog with a run's record: every field with its unit, a picture of the board, and the command that repeats the
// run. Several records are shown as a list first.

const reading = { rows: [], list: false };

/** Opens one record, or a list of several. */
function openRecords(rows) {
  if (rows.length === 1) return openRecord(rows, 0);
  Object.assign(reading, { rows, list: true });
  return showList(shown.data);
}

/**
 * Opens the record at index `place` of `rows`. The buttons for the previous and the next record then go through `rows`.
 */
function openRecord(rows, place) {
  Object.assign(reading, { rows, list: false });
  go(() => { state.record = shown.data.get("key", rows[place]); });
}

function closeRecord() {
  reading.list = false;
  const dialog = byId("dialog");
  if (dialog.open) dialog.close();
  if (state.record) go(() => { state.record = null; });
}

/** Shows the record that the state names, or closes the dialog if it names none. */
function showRecord(data) {
  const dialog = byId("dialog");
  if (!dialog.dataset.wired) wireDialog(dialog);
  const row = state.record ? rowOfKey(data, state.record) : null;
  if (row === null) {
    if (dialog.open && !reading.list) dialog.close();
    return;
  }
  // An address may name a record that was not opened from a list.
  if (!reading.rows.includes(row)) reading.rows = [...shown.selection].includes(row) ? [...shown.selection] : [row];
  fillRecord(dialog, data, row);
  openDialog(dialog);
}

function wireDialog(dialog) {
  dialog.dataset.wired = "yes";
  dialog.addEventListener("close", closeRecord);
  dialog.addEventListener("click", (event) => { if (event.target === dialog) closeRecord(); });
  dialog.addEventListener("keydown", (event) => {
    if (!state.record || event.target.matches("input, select, pre")) return;
    if (event.key === "ArrowLeft") step(-1);
    if (event.key === "ArrowRight") step(1);
  });
}

function step(by) {
  const at = reading.rows.indexOf(rowOfKey(shown.data, state.record)) + by;
  if (at >= 0 && at < reading.rows.length) go(() => { state.record = shown.data.get("key", reading.rows[at]); }, "replace");
}

/**
 * The heading gets the focus, so that a reader starts there, and the key that opened the dialog does not press a button
 * in it.
 */
const dialogTitle = (...words) => h("h2", { id: "dialog-title", tabindex: -1 }, words);

function openDialog(dialog) {
  if (dialog.open) return;
  dialog.showModal();
  byId("dialog-title").focus();
}

const closeButton = () => h("button", { type: "button", class: "small", id: "dialog-close", onclick: closeRecord }, "close");

function fillRecord(dialog, data, row) {
  const at = reading.rows.indexOf(row);
  const focused = dialog.contains(document.activeElement) ? document.activeElement.id : "dialog-title";
  const value = (name) => data.get(name, row);
  const move = (id, label, by, off) => h("button", { type: "button", class: "small", id, disabled: off, onclick: () => step(by) }, label);
  const kind = rowKind(data, row);
  dialog.replaceChildren(
    h("header", { class: "dialog-head" },
      h("div", {}, dialogTitle(value("engine"), " on ", value("instance")), h("p", { class: `verdict ${kind ?? "is-solved"}` }, verdictWords(data, row))),
      h("div", { class: "dialog-moves" },
        reading.rows.length > 1 && [h("span", { class: "quiet" }, `${grouped(at + 1)} of ${grouped(reading.rows.length)}`),
          move("dialog-previous", "← previous", -1, at === 0), move("dialog-next", "next →", 1, at === reading.rows.length - 1)], closeButton())),
    h("div", { class: "dialog-body" }, pictureOf(data, row), repeatLine(data, row),
      h("div", { class: "fields" }, groupedColumns(data).map(({ title, names }) => fieldGroup(data, row, title, names)))),
  );
  (byId(focused) && !byId(focused).disabled ? byId(focused) : byId("dialog-title")).focus();
}

/** A sentence that says how a run ended. */
function verdictWords(data, row) {
  const value = (name) => data.get(name, row);
  const seconds = value("cpu_s") === null ? "" : ` after ${formatSeconds(value("cpu_s"))} of CPU time`;
  const against = value("contradicts") ? "; contradicts another run" : "";
  if (value("verdict") === "decided") return `${value("outcome") ?? "decided"}, ${{ checked: "checked", open: "not proved (open)", wrong: "WRONG" }[value("check")] ?? "not checked"}${against}${seconds}`;
  if (value("verdict") === "limit") return `reached its ${value("limit") ?? ""} limit${seconds}${value("outcome") ? `; best so far: ${value("outcome")}` : ""}`;
  return `${value("verdict")}${value("reason") ? `: ${value("reason")}` : ""}${seconds}`;
}

function fieldGroup(data, row, title, names) {
  const filled = names.filter((name) => data.get(name, row) !== null);
  if (filled.length === 0) return null;
  return h("section", {}, h("h3", {}, title), h("dl", {}, filled.map((name) => {
    const value = data.get(name, row);
    return [h("dt", {}, data.column(name).label), h("dd", {}, fieldValue(data, name, value))];
  })));
}

function fieldValue(data, name, value) {
  if (name === "contradicts") {
    const other = rowOfKey(data, String(value));
    if (other !== null) return h("button", { type: "button", class: "link", onclick: () => openRecord([other], 0) }, `${data.get("engine", other)}: ${data.get("outcome", other) ?? ""}`);
  }
  const words = formatCell(name, value);
  if (typeof value !== "number" || unitOf(name) === "plain" || unitOf(name) === "count") return words;
  return [h("span", { class: "whole" }, words), " ", h("span", { class: "exact" }, exactCell(name, value))];
}

function pictureOf(data, row) {
  const engine = data.get("engine", row);
  const ofInstance = data.raw.pictures.filter(({ instance }) => instance === data.get("instance", row));
  const picture = ofInstance.find(({ by }) => by === engine) ?? ofInstance[0];
  if (!picture) return null;
  // The drawing is an image, so it cannot run scripts or change the style of the page.
  return h("figure", { class: "picture" },
    picture.svg ? h("img", { src: `data:image/svg+xml,${encodeURIComponent(picture.svg)}`, alt: `${picture.instance}, answered ${picture.outcome} by ${picture.by}` }) : null,
    h("figcaption", {}, h("p", {}, `${picture.outcome}, by ${picture.by}`), picture.words ? h("p", { class: "words" }, picture.words) : null,
      picture.text ? h("details", {}, h("summary", {}, "instance as text"), h("pre", { tabindex: 0 }, picture.text)) : null));
}

function repeatLine(data, row) {
  const command = `${data.raw.command} ${data.get("key", row)}`;
  return h("div", { class: "repeat" }, h("span", { class: "quiet" }, "Run it again"), h("code", {}, command), copyButton(() => command, "copy"));
}

/** The maximum number of rows in the list. */
const LISTED = 200;

function showList(data) {
  const dialog = byId("dialog");
  if (!dialog.dataset.wired) wireDialog(dialog);
  const names = ["instance", "engine", "verdict", "check", "cpu_s"].filter((name) => data.has(name));
  const line = (row, place) => h("tr", { class: rowKind(data, row) }, names.map((name, i) => h(i === 0 ? "th" : "td", { class: isNumber(data.column(name)) ? "number" : null, scope: i === 0 ? "row" : null },
    i === 0 ? h("button", { type: "button", class: "link", onclick: () => openRecord(reading.rows, place) }, formatCell(name, data.get(name, row))) : formatCell(name, data.get(name, row)))));
  dialog.replaceChildren(
    h("header", { class: "dialog-head" }, dialogTitle(`${grouped(reading.rows.length)} runs`), closeButton()),
    h("div", { class: "dialog-body" },
      h("table", { class: "data" }, h("thead", {}, h("tr", {}, names.map((name) => h("th", { scope: "col", class: isNumber(data.column(name)) ? "number" : null }, data.column(name).label)))),
        h("tbody", {}, reading.rows.slice(0, LISTED).map(line))),
      reading.rows.length > LISTED ? h("p", { class: "quiet" }, `${grouped(reading.rows.length - LISTED)} more`) : null));
  openDialog(dialog);
}
