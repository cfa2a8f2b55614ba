//! A formula in DIMACS numbers.

mod dimacs;

/// Clauses over the variables 1 to `n_vars`; a negative number is a negated variable.
#[derive(Clone, Debug, Default)]
pub struct Formula {
    n_vars: i32,
    lits: Vec<i32>,
    ends: Vec<usize>,
    names: Vec<(i32, String)>,
    /// Where the clauses begin that the claim adds to the base question.
    question: Option<usize>,
}

/// The same variables and the same clauses in the same order, whatever they are called.
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

    /// A new variable, as a positive number.
    pub fn var(&mut self) -> i32 {
        self.n_vars += 1;
        self.n_vars
    }

    /// `n` new variables.
    pub fn vars(&mut self, n: usize) -> Vec<i32> {
        (0..n).map(|_| self.var()).collect()
    }

    /// Tells what a variable means, in the words that a model has for it. Nothing rests on names but
    /// that models are tied to the formula by them.
    pub fn name(&mut self, var: i32, name: impl Into<String>) {
        self.names.push((var, name.into()));
    }

    /// The names given.
    pub fn names(&self) -> impl Iterator<Item = (i32, &str)> {
        self.names.iter().map(|(var, name)| (*var, name.as_str()))
    }

    /// Says that the clauses from here on are what the claim adds to the base question.
    pub fn ask(&mut self) {
        self.question = Some(self.ends.len());
    }

    /// The clauses that the claim adds; none unless [`Formula::ask`] was called.
    pub fn question(&self) -> impl Iterator<Item = &[i32]> {
        self.clauses().skip(self.question.unwrap_or(self.ends.len()))
    }

    /// Adds a clause over variables that were made before; no literal is 0.
    pub fn clause(&mut self, lits: impl IntoIterator<Item = i32>) {
        self.lits.extend(lits);
        self.ends.push(self.lits.len());
    }

    /// Demands that at most `most` of `lits` are true, by the sequential counter (Sinz 2005).
    pub fn at_most(&mut self, most: usize, lits: &[i32]) {
        if most == 0 {
            lits.iter().for_each(|&lit| self.clause([-lit]));
            return;
        }
        // `count[j]` is true if more than j of the literals seen so far are.
        let mut count: Vec<i32> = Vec::new();
        for (i, &lit) in lits.iter().enumerate() {
            if i >= most {
                self.clause([-lit, -count[most - 1]]);
            }
            let next = self.vars(most.min(i + 1));
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

    /// Demands an odd (`odd`) or even number of true literals, cut into pieces of at most four.
    pub fn parity(&mut self, lits: &[i32], odd: bool) {
        let mut left = lits.to_vec();
        while left.len() > 4 {
            let carry = self.var();
            let rest = left.split_off(3);
            left.push(carry);
            self.small_parity(&left, false);
            left = rest;
            left.push(carry);
        }
        self.small_parity(&left, odd);
    }

    fn small_parity(&mut self, lits: &[i32], odd: bool) {
        for signs in 0u32..1 << lits.len() {
            // The clause is false where exactly the literals marked in `signs` are true.
            if (signs.count_ones() % 2 == 1) != odd {
                self.clause(lits.iter().enumerate().map(|(i, &l)| if signs >> i & 1 == 1 { -l } else { l }));
            }
        }
    }

    /// Number of variables.
    pub fn n_vars(&self) -> i32 {
        self.n_vars
    }

    /// The clauses in order.
    pub fn clauses(&self) -> impl ExactSizeIterator<Item = &[i32]> {
        (0..self.ends.len()).map(|i| &self.lits[if i == 0 { 0 } else { self.ends[i - 1] }..self.ends[i]])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts assignments of the first `n` variables that some assignment of the rest completes.
    fn projected(formula: &Formula, n: usize) -> Vec<u32> {
        let all = formula.n_vars() as usize;
        let holds = |m: u32| {
            let value = |l: &i32| (m >> (l.unsigned_abs() - 1) & 1 == 1) == (*l > 0);
            formula.clauses().all(|c| c.iter().any(value))
        };
        let mut seen: Vec<u32> = (0..1u32 << all).filter(|&m| holds(m)).map(|m| m & ((1 << n) - 1)).collect();
        seen.sort_unstable();
        seen.dedup();
        seen
    }

    #[test]
    fn at_most_and_parity_mean_what_they_say() {
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
                let expected: Vec<_> = (0..1u32 << n).filter(|m| (m.count_ones() % 2 == 1) == odd).collect();
                assert_eq!(projected(&formula, n), expected);
            }
        }
    }
}
