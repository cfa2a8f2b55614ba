// Helpers for the document: making elements, copying text to the clipboard, saving files.

/** An element. `attributes` may contain `on…` handlers and `class`. Children are never parsed as HTML. */
function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** An element of SVG. */
function hs(tag, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes ?? {})) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** The parts of an engine's id, which may be broken before `/` and `@`. */
function brokenName(id) {
  return id.split(/(?=[/@])/).flatMap((part, i) => (i === 0 ? [part] : [h("wbr"), part]));
}

const byId = (id) => document.getElementById(id);

/** Says a sentence to screen readers without moving the focus. */
function announce(words) {
  if (byId("live").textContent !== words) byId("live").textContent = words;
}

/** Offers `text` as a file. */
function download(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  // The address is revoked, because it would keep the text in memory. By then, the browser has begun to read it.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** A button that copies `text()` and says so. */
function copyButton(text, label) {
  const button = h("button", { type: "button", class: "small", onclick: copy }, label);
  async function copy() {
    let done = true;
    try {
      await navigator.clipboard.writeText(text());
    } catch {
      done = copyBySelection(text(), button);
    }
    button.textContent = done ? "copied" : "not allowed";
    announce(done ? "copied" : "copying is not allowed here");
    setTimeout(() => { button.textContent = label; }, 1500);
  }
  return button;
}

/**
 * Copies without the clipboard interface, which some browsers deny to pages opened from disk. Returns whether it
 * worked.
 */
function copyBySelection(text, beside) {
  const area = h("textarea", { class: "hidden", "aria-hidden": "true", value: text });
  beside.after(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  beside.focus();
  return done;
}

/** A cell of a CSV file, quoted if needed. */
function csvCell(value) {
  const text = value === null || value === undefined ? "" : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const csvText = (rows) => rows.map((row) => row.map(csvCell).join(",") + "\n").join("");
