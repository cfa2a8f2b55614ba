//! What the variables that an at-most-one constraint adds are to mean, read off its clauses.
//!
//! If at most one input is true, there are n + 1 cases. In each of them unit propagation, with false
//! for what it leaves open, gives every added variable a value, and so the inputs that turn it over: it
//! is defined as their disjunction, or as one of earlier variables to the same effect. Every clause of
//! the constraint then follows by unit propagation, one with a negated input at once, since that input
//! decides all, any other by way of lemmas "this input, then that literal".

use super::Clause;
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

/// Literals and cases together that are looked at, at most.
const MAX_WORK: usize = 1 << 28;

/// Clauses that share added variables, and the other variables in them.
pub(super) struct Constraint<'a> {
    pub(super) clauses: Vec<&'a Clause>,
    /// Variables of the checker; at most one of them is true.
    pub(super) inputs: Vec<i32>,
    /// In the order in which they were made.
    pub(super) added: Vec<i32>,
}

/// Literals as indices: twice the variable's, inputs first, plus one if negated.
type Code = usize;

/// A constraint over indices.
struct Table {
    clauses: Vec<Vec<Code>>,
    inputs: usize,
    /// For each variable, whether it is true where no input is.
    base: Vec<bool>,
    /// And the inputs that turn it over.
    turned_by: Vec<FixedBitSet>,
}

/// A definition: the literal is true iff one of the others is.
struct Definition {
    literal: Code,
    some: Vec<Code>,
}

/// The lines that derive a constraint: definitions first, then lemmas, clauses, and the lemmas'
/// deletions.
#[derive(Default)]
pub(super) struct Derivation {
    pub(super) definitions: Vec<Clause>,
    /// Clauses of the constraint that are no definitions, each behind its lemmas.
    pub(super) clauses: Vec<(Vec<Clause>, Clause)>,
}

/// # Errors
/// Why the clauses are none that at-most-one would have.
pub(super) fn derive(constraint: &Constraint<'_>) -> Result<Derivation, String> {
    let vars: Vec<i32> = constraint.inputs.iter().chain(&constraint.added).copied().collect();
    let index: FxHashMap<i32, usize> = vars.iter().enumerate().map(|(i, &var)| (var, i)).collect();
    let code = |lit: &i32| index[&lit.abs()] * 2 + usize::from(*lit < 0);
    let lit = |code: Code| if code % 2 == 1 { -vars[code / 2] } else { vars[code / 2] };
    let clauses = constraint.clauses.iter().map(|clause| clause.iter().map(code).collect()).collect();
    let table = Table::new(clauses, constraint.inputs.len(), constraint.added.len())?;
    let added = constraint.inputs.len()..vars.len();
    let (forth, back) = (table.define(added.clone()), table.define(added.rev()));
    let size = |definitions: &[Definition]| definitions.iter().map(|d| d.some.len()).sum::<usize>();
    let definitions = if size(&back) < size(&forth) { back } else { forth };
    let mut derivation = Derivation::default();
    for Definition { literal, some } in definitions {
        let is = lit(literal);
        derivation.definitions.extend(some.iter().map(|&one| vec![is, -lit(one)]));
        derivation.definitions.push([-is].into_iter().chain(some.iter().map(|&one| lit(one))).collect());
    }
    for clause in &table.clauses {
        let lemmas = table.lemmas(clause)?.into_iter().map(|(a, b)| vec![lit(a), lit(b)]).collect();
        derivation.clauses.push((lemmas, clause.iter().map(|&code| lit(code)).collect()));
    }
    Ok(derivation)
}

impl Table {
    fn new(clauses: Vec<Vec<Code>>, inputs: usize, added: usize) -> Result<Table, String> {
        let n = inputs + added;
        let size: usize = clauses.iter().map(Vec::len).sum();
        if (inputs + 1).saturating_mul(size + n) > MAX_WORK {
            return Err("too many clauses to look for their meaning".to_owned());
        }
        let mut holding = vec![Vec::new(); 2 * n];
        for (i, clause) in clauses.iter().enumerate() {
            clause.iter().for_each(|&code| holding[code].push(i));
        }
        let mut table = Table { clauses, inputs, base: Vec::new(), turned_by: Vec::new() };
        let odd = "a clause does not hold with at most one input";
        table.base = table.values(&holding, None).ok_or(odd)?;
        table.turned_by = vec![FixedBitSet::with_capacity(inputs); n];
        for input in 0..inputs {
            let values = table.values(&holding, Some(input)).ok_or(odd)?;
            for (var, value) in values.into_iter().enumerate() {
                table.turned_by[var].set(input, value != table.base[var]);
            }
        }
        Ok(table)
    }

    /// Values of all variables with only that input true; `None` if they break a clause.
    fn values(&self, holding: &[Vec<usize>], input: Option<usize>) -> Option<Vec<bool>> {
        let n = holding.len() / 2;
        let mut values: Vec<Option<bool>> = vec![None; n];
        let mut open: Vec<usize> = self.clauses.iter().map(Vec::len).collect();
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
                for &clause in &holding[code ^ 1] {
                    open[clause] -= 1;
                    let free =
                        |code: &&Code| values[**code / 2].is_none_or(|value| value == code.is_multiple_of(2));
                    match open[clause] {
                        0 => return None,
                        1 => queue.extend(self.clauses[clause].iter().find(free)),
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

    fn base(&self, code: Code) -> bool {
        self.base[code / 2] == code.is_multiple_of(2)
    }

    /// Defines the variables in this order, each by inputs and those before.
    fn define(&self, order: impl Iterator<Item = usize>) -> Vec<Definition> {
        // For each literal, those that imply it by a clause of two.
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
            // Of the two literals the one that is false without any input.
            let literal = var * 2 + usize::from(self.base[var]);
            let usable = |&&code: &&Code| known.contains(code / 2) && !self.base(code);
            let short: Vec<Code> = implied_by[literal].iter().filter(usable).copied().collect();
            let mut covered = FixedBitSet::with_capacity(self.inputs);
            short.iter().for_each(|code| covered.union_with(&self.turned_by[code / 2]));
            let inputs = &self.turned_by[var];
            let some = match covered == *inputs && short.len() <= inputs.count_ones(..) {
                true => short,
                false => inputs.ones().map(|input| input * 2).collect(),
            };
            known.insert(var);
            Definition { literal, some }
        };
        order.map(define).collect()
    }

    /// What a clause follows from by unit propagation, beside the definitions.
    fn lemmas(&self, clause: &[Code]) -> Result<Vec<(Code, Code)>, String> {
        let is_input = |code: &Code| code / 2 < self.inputs;
        if clause.iter().any(|code| is_input(code) && code % 2 == 1) {
            return Ok(Vec::new());
        }
        // Denied, this literal leaves only the inputs that turn it over.
        let open = clause.iter().copied().filter(|&code| self.base(code));
        let open = open.min_by_key(|code| self.turned_by[code / 2].count_ones(..));
        let open = open.ok_or("a clause does not hold without any input")?;
        let lemma = |input: usize| {
            let holds = |&code: &Code| self.base(code) != self.turned_by[code / 2].contains(input);
            let other = clause.iter().copied().find(holds);
            other
                .map(|other| (input * 2 + 1, other))
                .ok_or("a clause does not hold with one input".to_owned())
        };
        self.turned_by[open / 2].ones().map(lemma).collect()
    }
}
