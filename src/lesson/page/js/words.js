// Sentences of clauses, parities and choices, as lists of parts: a text, or a literal { lit } by its name. The words
// are those of `encode --words`; a test holds both against each other.

/** The name of a literal. */
const nameOf = (names, lit) => (lit < 0 ? `not ${names[-lit - 1]}` : names[lit - 1]);

/** Literals with `between` between them. */
const joined = (lits, between) => lits.flatMap((lit, i) => (i === 0 ? [{ lit }] : [between, { lit }]));

/** A clause: its negated literals are premises. */
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

/** A constraint of any kind. */
const constraintParts = ({ kind, lits }) => (kind === "clause" ? clauseParts(lits) : [KINDS[kind], ...joined(lits, ", ")]);

/** Parts as a text. */
const textOf = (parts, names) => parts.map((part) => (typeof part === "string" ? part : nameOf(names, part.lit))).join("");
