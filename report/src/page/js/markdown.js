// The subset of Markdown in questions and findings: paragraphs, `code`, **bold**, [links](https://…). Everything else
// is shown unchanged.

const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\((https?:\/\/[^\s)]+)\)/g;

/** The text as paragraphs. */
function markdown(text) {
  return (text ?? "").split(/\n\s*\n/).map((part) => part.trim()).filter((part) => part !== "").map((part) => h("p", {}, inline(part)));
}

function inline(text) {
  const parts = [];
  let at = 0;
  for (const match of text.matchAll(INLINE)) {
    parts.push(text.slice(at, match.index));
    const [whole, code, bold, words, address] = match;
    parts.push(code ? h("code", {}, code) : bold ? h("strong", {}, bold) : h("a", { href: address, rel: "noreferrer" }, words));
    at = match.index + whole.length;
  }
  return [...parts, text.slice(at)];
}
