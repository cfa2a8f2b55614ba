// Expressions that filter a column: `>0.5`, `<=20 ms`, `1..10`, `!owner`, `=yes`, `none`. Comma-separated expressions
// must all hold.

const FACTORS = { "": 1, s: 1, ms: 1e-3, "µs": 1e-6, us: 1e-6, k: 1e3, m: 1e6, kib: 1024, mib: 1024 ** 2, gib: 1024 ** 3 };
const NUMBER = "([-−+]?(?:\\d+\\.?\\d*|\\.\\d+)(?:e[-+]?\\d+)?)\\s*(µs|us|ms|s|kib|mib|gib|k|m)?";
const COMPARISON = new RegExp(`^(<=|>=|<|>|=|!=|≤|≥|≠)?\\s*${NUMBER}$`, "i");
const RANGE = new RegExp(`^${NUMBER}\\s*\\.\\.\\s*${NUMBER}$`, "i");

const COMPARE = {
  "<": (a, b) => a < b, ">": (a, b) => a > b,
  "<=": (a, b) => a <= b, "≤": (a, b) => a <= b, ">=": (a, b) => a >= b, "≥": (a, b) => a >= b,
  "=": near, "!=": (a, b) => !near(a, b), "≠": (a, b) => !near(a, b),
};

/** Whether two numbers are equal up to a relative difference of a millionth. */
function near(a, b) {
  return Math.abs(a - b) <= 1e-6 * Math.max(Math.abs(a), Math.abs(b));
}

const toNumber = (text, unit) => Number(text.replace("−", "-")) * FACTORS[(unit ?? "").toLowerCase()];

/**
 * The test that an expression describes, as a function of a value; null if the expression is invalid. `kind` is
 * "numbers" or "words".
 */
function compileTerm(text, kind) {
  const parts = text.split(",").map((part) => part.trim()).filter((part) => part !== "");
  const tests = parts.map((part) => compilePart(part, kind));
  return tests.includes(null) ? null : (value) => tests.every((test) => test(value));
}

function compilePart(part, kind) {
  if (part === "none") return (value) => value === null;
  if (part === "any") return (value) => value !== null;
  const range = RANGE.exec(part);
  if (range) {
    const [low, high] = [toNumber(range[1], range[2]), toNumber(range[3], range[4])];
    return (value) => typeof value === "number" && value >= low && value <= high;
  }
  const comparison = COMPARISON.exec(part);
  if (comparison && (kind === "numbers" || comparison[1])) {
    const [test, bound] = [COMPARE[comparison[1] ?? "="], toNumber(comparison[2], comparison[3])];
    return (value) => typeof value === "number" && test(value, bound);
  }
  if (kind === "numbers") return null;
  const wanted = part.replace(/^[!=]\s*/, "").toLowerCase();
  const text = (value) => String(value ?? "").toLowerCase();
  if (part.startsWith("!")) return (value) => !text(value).includes(wanted);
  if (part.startsWith("=")) return (value) => text(value) === wanted;
  return (value) => text(value).includes(wanted);
}
