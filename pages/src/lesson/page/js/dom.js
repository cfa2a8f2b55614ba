// Helpers for elements of the document.

/** Creates an element with attributes and children. If the value of an attribute is a function, it becomes an event listener; true
 * sets the attribute without a value; false and null omit it. */
function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null) element.setAttribute(name, value);
  }
  element.append(...children.flat());
  return element;
}

const byId = (id) => document.getElementById(id);

/** `1 clause`, `2 clauses`. */
const plural = (count, one) => `${count} ${one}${count === 1 ? "" : "s"}`;
