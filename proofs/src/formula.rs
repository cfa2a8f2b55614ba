//! A CNF formula, and the clauses for two constraints that checkers need: at most k, and parity.

mod dimacs;

/// Clauses over the variables 1 to `n_vars`. A literal is the number of its variable, negative if it is negated.
#[derive(Clone, Debug, Default)]
pub struct Formula {
    n_vars: i32,
    lits: Vec<i32>,
    /// For each clause, the index in `lits` after its last literal.
    ends: Vec<usize>,
    names: Vec<(i32, String)>,
    /// The number of clauses before the call of [`Formula::begin_claim`]; `None` if it was not called.
    claim_start: Option<usize>,
    /// The calls of [`Formula::at_most`] and [`Formula::at_most_one`].
    counts: Vec<Count>,
}

/// Clauses that require that at most `max` literals are true.
#[derive(Clone, Debug)]
struct Count {
    /// The indices of the clauses.
    clauses: std::ops::Range<usize>,
    max: usize,
    lits: Vec<i32>,
}

/// A part of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constraint<'a> {
    /// At least one of the literals is true.
    Clause(&'a [i32]),
    /// At most this many of the literals are true.
    AtMost(usize, &'a [i32]),
}

/// Formulas are equal if they have the same number of variables, and the same clauses in the same order. Names do not
/// matter.
impl PartialEq for Formula {
    fn eq(&self, other: &Self) -> bool {
        (self.n_vars, &self.lits, &self.ends) == (other.n_vars, &other.lits, &other.ends)
    }
}

impl Eq for Formula {}

impl Formula {
    /// A formula without variables or clauses.
    pub fn new() -> Self {
        Formula::default()
    }

    /// Creates a variable.
    pub fn var(&mut self) -> i32 {
        self.n_vars += 1;
        self.n_vars
    }

    /// Creates `n` variables.
    pub fn vars(&mut self, n: usize) -> Vec<i32> {
        (0..n).map(|_| self.var()).collect()
    }

    /// Names a variable. A variable of an engine's formula and a variable of this one mean the same if they have the
    /// same name. The checkers of proofs ignore names.
    pub fn name(&mut self, var: i32, name: impl Into<String>) {
        self.names.push((var, name.into()));
    }

    /// The named variables with their names.
    pub fn names(&self) -> impl Iterator<Item = (i32, &str)> {
        self.names.iter().map(|(var, name)| (*var, name.as_str()))
    }

    /// Marks the clauses added from now on as those that state the claim. The clauses before state the instance.
    pub fn begin_claim(&mut self) {
        self.claim_start = Some(self.ends.len());
    }

    /// As [`Formula::begin_claim`], unless it was called before.
    pub(crate) fn begin_claim_once(&mut self) {
        self.claim_start.get_or_insert(self.ends.len());
    }

    /// The clauses that state the claim; none unless [`Formula::begin_claim`] was called.
    pub fn claim_clauses(&self) -> impl Iterator<Item = &[i32]> {
        self.clauses().skip(self.claim_start.unwrap_or(self.ends.len()))
    }

    /// Adds a clause over existing variables. No literal may be 0.
    pub fn clause(&mut self, lits: impl IntoIterator<Item = i32>) {
        self.lits.extend(lits);
        self.ends.push(self.lits.len());
    }

    /// Adds clauses that allow at most `max` of `lits` to be true: the sequential counter (C. Sinz, *Towards an Optimal
    /// CNF Encoding of Boolean Cardinality Constraints*, CP 2005).
    pub fn at_most(&mut self, max: usize, lits: &[i32]) {
        let start = self.ends.len();
        match max {
            0 => lits.iter().for_each(|&lit| self.clause([-lit])),
            _ => self.counter(max, lits),
        }
        self.note_count(start, max, lits);
    }

    /// Adds clauses that allow at most one of `lits` to be true: one for each pair.
    pub fn at_most_one(&mut self, lits: &[i32]) {
        let start = self.ends.len();
        for (i, &lit) in lits.iter().enumerate() {
            lits[..i].iter().for_each(|&other| self.clause([-lit, -other]));
        }
        self.note_count(start, 1, lits);
    }

    /// Notes that the clauses from `start` on require that at most `max` of `lits` are true.
    fn note_count(&mut self, start: usize, max: usize, lits: &[i32]) {
        if start < self.ends.len() {
            self.counts.push(Count { clauses: start..self.ends.len(), max, lits: lits.to_vec() });
        }
    }

    fn counter(&mut self, max: usize, lits: &[i32]) {
        // `count[j]` is forced true if more than j of the literals so far are true.
        let mut count: Vec<i32> = Vec::new();
        for (i, &lit) in lits.iter().enumerate() {
            if i >= max {
                self.clause([-lit, -count[max - 1]]);
            }
            let next = self.vars(max.min(i + 1));
            for (j, &counter) in next.iter().enumerate() {
                if j < count.len() {
                    self.clause([-count[j], counter]);
                }
                match j.checked_sub(1) {
                    None => self.clause([-lit, counter]),
                    Some(below) => self.clause([-lit, -count[below], counter]),
                }
            }
            count = next;
        }
    }

    /// Adds clauses that require an odd number of `lits` to be true, or an even number if `odd` is false. New variables
    /// cut a long parity into parts of at most four literals.
    pub fn parity(&mut self, lits: &[i32], odd: bool) {
        let mut part = lits.to_vec();
        while part.len() > 4 {
            let carry = self.var();
            let rest = part.split_off(3);
            part.push(carry);
            self.small_parity(&part, false);
            part = rest;
            part.push(carry);
        }
        self.small_parity(&part, odd);
    }

    fn small_parity(&mut self, lits: &[i32], odd: bool) {
        for signs in 0u32..1 << lits.len() {
            // The clause is false if and only if exactly the literals marked in `signs` are true.
            if (signs.count_ones() % 2 == 1) != odd {
                self.clause(lits.iter().enumerate().map(|(i, &l)| if signs >> i & 1 == 1 { -l } else { l }));
            }
        }
    }

    /// The linear form of the formula: its clauses in order, but with each count in the place of the clauses that state
    /// it. Each model of the clauses satisfies these constraints.
    pub fn constraints(&self) -> impl Iterator<Item = Constraint<'_>> {
        let mut clauses = self.clauses();
        let mut counts = self.counts.iter().peekable();
        std::iter::from_fn(move || {
            if let Some(count) =
                counts.next_if(|count| clauses.len() + count.clauses.start == self.ends.len())
            {
                clauses.nth(count.clauses.len() - 1);
                return Some(Constraint::AtMost(count.max, &count.lits));
            }
            clauses.next().map(Constraint::Clause)
        })
    }

    /// The number of variables.
    pub fn n_vars(&self) -> i32 {
        self.n_vars
    }

    /// The clauses, in the order in which they were added.
    pub fn clauses(&self) -> impl ExactSizeIterator<Item = &[i32]> {
        (0..self.ends.len()).map(|i| &self.lits[if i == 0 { 0 } else { self.ends[i - 1] }..self.ends[i]])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The assignments of the first `n` variables that can be extended to a model.
    fn projected(formula: &Formula, n: usize) -> Vec<u32> {
        let all = formula.n_vars() as usize;
        let holds = |m: u32| {
            let value = |l: &i32| (m >> (l.unsigned_abs() - 1) & 1 == 1) == (*l > 0);
            formula.clauses().all(|c| c.iter().any(value))
        };
        let mut found: Vec<u32> =
            (0..1u32 << all).filter(|&m| holds(m)).map(|m| m & ((1 << n) - 1)).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    #[test]
    fn the_clauses_of_the_claim_come_last() {
        let mut formula = Formula::new();
        let x = formula.var();
        formula.clause([x]);
        assert_eq!(formula.claim_clauses().count(), 0);
        formula.begin_claim();
        formula.clause([-x]);
        formula.begin_claim_once();
        assert_eq!(formula.claim_clauses().collect::<Vec<_>>(), [[-x]]);
        formula.begin_claim();
        assert_eq!(formula.claim_clauses().count(), 0);
        // A count that needs no clauses is no constraint.
        formula.at_most_one(&[x]);
        assert_eq!(formula.constraints().count(), 2);
    }

    #[test]
    fn at_most_and_parity_have_the_right_models() {
        for n in 0..=5 {
            for k in 0..=n {
                let mut formula = Formula::new();
                let xs = formula.vars(n);
                formula.at_most(k, &xs);
                let expected: Vec<_> = (0..1u32 << n).filter(|m| m.count_ones() as usize <= k).collect();
                assert_eq!(projected(&formula, n), expected, "at most {k} of {n}");
            }
        }
        for n in 0..=8 {
            for odd in [false, true] {
                let mut formula = Formula::new();
                let xs = formula.vars(n);
                formula.parity(&xs, odd);
                let parts = n.saturating_sub(3) as i32 / 2;
                assert_eq!(formula.n_vars(), n as i32 + parts);
                assert!(formula.clauses().all(|clause| clause.len() <= 4));
                let expected: Vec<_> = (0..1u32 << n).filter(|m| (m.count_ones() % 2 == 1) == odd).collect();
                assert_eq!(projected(&formula, n), expected);
            }
        }
    }
}
