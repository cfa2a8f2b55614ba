//! Finds definitions for the auxiliary variables of an at-most-one constraint, from its clauses alone.
//!
//! If at most one of n inputs is true, there are n + 1 cases. In each case, unit propagation assigns
//! auxiliary variables. Whenever propagation leaves some of them unassigned, the first unassigned one is set
//! to false, and propagation continues. An input *flips* a variable if the variable's value in the case of
//! that input differs from its value in the case in which no input is true. The variable (or its negation) is
//! defined as the disjunction of the inputs that flip it, or as an equivalent disjunction of inputs and of
//! literals of variables defined before it.
//!
//! With these definitions, every clause of the constraint can be derived. A clause that contains a negated input
//! follows by unit propagation alone: an assignment that violates the clause makes that input true, and a true input
//! determines all other variables. Any other clause follows by unit propagation from lemmas of the form "input implies
//! literal".

use super::Clause;
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

/// The limit on (number of cases) × (number of literals in all clauses + number of variables).
const MAX_WORK: usize = 1 << 28;

/// Clauses that share auxiliary variables, with all variables of these clauses.
pub(super) struct Constraint<'a> {
    pub(super) clauses: Vec<&'a Clause>,
    /// The variables that are not auxiliary. If the clauses encode at-most-one, at most one of these is true.
    pub(super) inputs: Vec<i32>,
    /// The auxiliary variables, in the order in which they were created.
    pub(super) added: Vec<i32>,
}

/// A literal as an index: twice the index of its variable (inputs come first), plus one if it is negated.
type Code = usize;

/// A constraint with its literals as codes.
struct Table {
    clauses: Vec<Vec<Code>>,
    /// The number of inputs.
    inputs: usize,
    /// For each variable, its value if no input is true.
    base: Vec<bool>,
    /// For each variable, the inputs that flip it.
    flipped_by: Vec<FixedBitSet>,
}

/// A definition: `literal` is true iff at least one of `disjuncts` is true.
struct Definition {
    literal: Code,
    disjuncts: Vec<Code>,
}

/// The proof lines that derive a constraint.
#[derive(Default)]
pub(super) struct Derivation {
    /// The clauses of the definitions.
    pub(super) definitions: Vec<Clause>,
    /// The clauses of the constraint.
    pub(super) clauses: Vec<DerivedClause>,
}

/// A clause that follows by unit propagation from the definitions and its lemmas.
pub(super) struct DerivedClause {
    pub(super) lemmas: Vec<Clause>,
    pub(super) clause: Clause,
}

/// Why clauses do not encode an at-most-one constraint.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum NotAtMostOne {
    #[error("it has too many clauses to find definitions")]
    TooManyClauses,
    #[error("it is violated although at most one input is true")]
    Violated,
    #[error("it is violated although no input is true")]
    ViolatedByNone,
    #[error("it is violated although only one input is true")]
    ViolatedByOne,
}

/// Derives the clauses of a constraint.
///
/// # Errors
/// Returns why the clauses do not encode an at-most-one constraint.
pub(super) fn derive(constraint: &Constraint<'_>) -> Result<Derivation, NotAtMostOne> {
    let vars: Vec<i32> = constraint.inputs.iter().chain(&constraint.added).copied().collect();
    let index: FxHashMap<i32, usize> = vars.iter().enumerate().map(|(i, &var)| (var, i)).collect();
    let code = |lit: &i32| index[&lit.abs()] * 2 + usize::from(*lit < 0);
    let lit = |code: Code| if code % 2 == 1 { -vars[code / 2] } else { vars[code / 2] };
    let clauses = constraint.clauses.iter().map(|clause| clause.iter().map(code).collect()).collect();
    let table = Table::new(clauses, constraint.inputs.len(), constraint.added.len())?;
    let added = constraint.inputs.len()..vars.len();
    let (forward, backward) = (table.define(added.clone()), table.define(added.rev()));
    let size = |definitions: &[Definition]| definitions.iter().map(|d| d.disjuncts.len()).sum::<usize>();
    let definitions = if size(&backward) < size(&forward) { backward } else { forward };
    let mut derivation = Derivation::default();
    for Definition { literal, disjuncts } in definitions {
        let defined = lit(literal);
        derivation.definitions.extend(disjuncts.iter().map(|&one| vec![defined, -lit(one)]));
        let disjuncts = disjuncts.iter().map(|&one| lit(one));
        derivation.definitions.push([-defined].into_iter().chain(disjuncts).collect());
    }
    for clause in &table.clauses {
        let lemmas = table.lemmas(clause)?.into_iter().map(|(a, b)| vec![lit(a), lit(b)]).collect();
        let clause = clause.iter().map(|&code| lit(code)).collect();
        derivation.clauses.push(DerivedClause { lemmas, clause });
    }
    Ok(derivation)
}

impl Table {
    fn new(clauses: Vec<Vec<Code>>, inputs: usize, added: usize) -> Result<Table, NotAtMostOne> {
        let n = inputs + added;
        let size: usize = clauses.iter().map(Vec::len).sum();
        if (inputs + 1).saturating_mul(size + n) > MAX_WORK {
            return Err(NotAtMostOne::TooManyClauses);
        }
        let mut occurrences = vec![Vec::new(); 2 * n];
        for (i, clause) in clauses.iter().enumerate() {
            clause.iter().for_each(|&code| occurrences[code].push(i));
        }
        let mut table = Table { clauses, inputs, base: Vec::new(), flipped_by: Vec::new() };
        table.base = table.values(&occurrences, None).ok_or(NotAtMostOne::Violated)?;
        table.flipped_by = vec![FixedBitSet::with_capacity(inputs); n];
        for input in 0..inputs {
            let values = table.values(&occurrences, Some(input)).ok_or(NotAtMostOne::Violated)?;
            for (var, value) in values.into_iter().enumerate() {
                table.flipped_by[var].set(input, value != table.base[var]);
            }
        }
        Ok(table)
    }

    /// The values of all variables if `input` is the only true input, or if no input is true (`None`).
    /// Returns `None` if these values violate a clause.
    fn values(&self, occurrences: &[Vec<usize>], input: Option<usize>) -> Option<Vec<bool>> {
        let n = occurrences.len() / 2;
        let mut values: Vec<Option<bool>> = vec![None; n];
        // For each clause, the number of literals that are not false.
        let mut not_false: Vec<usize> = self.clauses.iter().map(Vec::len).collect();
        let mut queue: Vec<Code> = (0..self.inputs).map(|i| i * 2 + usize::from(input != Some(i))).collect();
        let mut next = self.inputs;
        loop {
            while let Some(code) = queue.pop() {
                let value = code.is_multiple_of(2);
                match values[code / 2] {
                    Some(known) if known == value => continue,
                    Some(_) => return None,
                    None => values[code / 2] = Some(value),
                }
                for &clause in &occurrences[code ^ 1] {
                    not_false[clause] -= 1;
                    let is_not_false =
                        |code: &&Code| values[**code / 2].is_none_or(|value| value == code.is_multiple_of(2));
                    match not_false[clause] {
                        0 => return None,
                        1 => queue.extend(self.clauses[clause].iter().find(is_not_false)),
                        _ => {}
                    }
                }
            }
            while next < n && values[next].is_some() {
                next += 1;
            }
            match next < n {
                true => queue.push(next * 2 + 1),
                false => return values.into_iter().collect(),
            }
        }
    }

    /// The value of a literal if no input is true.
    fn base(&self, code: Code) -> bool {
        self.base[code / 2] == code.is_multiple_of(2)
    }

    /// Defines the variables in the given order, each in terms of inputs and of variables that were defined before it.
    fn define(&self, order: impl Iterator<Item = usize>) -> Vec<Definition> {
        // For each literal, the literals that imply it by a binary clause.
        let mut implied_by: Vec<Vec<Code>> = vec![Vec::new(); 2 * self.base.len()];
        for clause in &self.clauses {
            if let [a, b] = clause[..] {
                implied_by[a].push(b ^ 1);
                implied_by[b].push(a ^ 1);
            }
        }
        let mut known = FixedBitSet::with_capacity(self.base.len());
        known.insert_range(..self.inputs);
        let define = |var: usize| {
            // Of the two literals of the variable, the one that is false if no input is true.
            let literal = var * 2 + usize::from(self.base[var]);
            let usable = |&&code: &&Code| known.contains(code / 2) && !self.base(code);
            let short: Vec<Code> = implied_by[literal].iter().filter(usable).copied().collect();
            let mut covered = FixedBitSet::with_capacity(self.inputs);
            short.iter().for_each(|code| covered.union_with(&self.flipped_by[code / 2]));
            let inputs = &self.flipped_by[var];
            let disjuncts = match covered == *inputs && short.len() <= inputs.count_ones(..) {
                true => short,
                false => inputs.ones().map(|input| input * 2).collect(),
            };
            known.insert(var);
            Definition { literal, disjuncts }
        };
        order.map(define).collect()
    }

    /// The lemmas from which, together with the definitions, a clause follows by unit propagation.
    fn lemmas(&self, clause: &[Code]) -> Result<Vec<(Code, Code)>, NotAtMostOne> {
        let is_input = |code: &Code| code / 2 < self.inputs;
        if clause.iter().any(|code| is_input(code) && code % 2 == 1) {
            return Ok(Vec::new());
        }
        // If this literal is false, one of the inputs that flip it is true.
        let pivot = clause.iter().copied().filter(|&code| self.base(code));
        let pivot = pivot.min_by_key(|code| self.flipped_by[code / 2].count_ones(..));
        let pivot = pivot.ok_or(NotAtMostOne::ViolatedByNone)?;
        let lemma = |input: usize| {
            let is_true = |&code: &Code| self.base(code) != self.flipped_by[code / 2].contains(input);
            let other = clause.iter().copied().find(is_true);
            other.map(|other| (input * 2 + 1, other)).ok_or(NotAtMostOne::ViolatedByOne)
        };
        self.flipped_by[pivot / 2].ones().map(lemma).collect()
    }
}
