// Constraints as sentences. A sentence is a list of parts: texts, and literals { lit }. The words are those of
// `encode --words`; a test compares the two.

/** The name of a literal: the name of its variable, preceded by "not" if the literal is negated. */
const nameOf = (names, lit) => (lit < 0 ? `not ${names[-lit - 1]}` : names[lit - 1]);

/** Literals, separated by `between`. */
const joined = (lits, between) => lits.flatMap((lit, i) => (i === 0 ? [{ lit }] : [between, { lit }]));

/** A clause as a sentence. Its negated literals are premises. */
function clauseParts(lits) {
  const premises = lits.filter((lit) => lit < 0).map((lit) => -lit), conclusions = lits.filter((lit) => lit > 0);
  if (lits.length === 0) return ["this cannot be"];
  if (premises.length === 0) return conclusions.length === 1 ? [{ lit: conclusions[0] }] : ["at least one of: ", ...joined(conclusions, ", ")];
  if (conclusions.length > 0) return ["if ", ...joined(premises, " and "), " then ", ...joined(conclusions, " or ")];
  if (premises.length === 1) return [{ lit: -premises[0] }];
  if (premises.length === 2) return ["not both ", ...joined(premises, " and ")];
  return ["not all of: ", ...joined(premises, ", ")];
}

const KINDS = { odd: "an odd number of: ", even: "an even number of: ", "at most one": "at most one of: " };

/** A constraint of any kind as a sentence. */
const constraintParts = ({ kind, lits }) => (kind === "clause" ? clauseParts(lits) : [KINDS[kind], ...joined(lits, ", ")]);

/** A sentence as text. */
const textOf = (parts, names) => parts.map((part) => (typeof part === "string" ? part : nameOf(names, part.lit))).join("");
