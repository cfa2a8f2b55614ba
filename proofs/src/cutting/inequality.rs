//! Linear inequalities over literals, and the rules of cutting planes.
//!
//! Each rule returns an inequality that every 0-1 solution of its premises satisfies. Arithmetic is checked: a number
//! that does not fit 127 bits and a sign is an error, never a wrong number.

use crate::variables::Code;

/// A number does not fit 127 bits and a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Overflow;

type Checked<T> = Result<T, Overflow>;

/// A literal times a positive factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Term {
    pub(crate) lit: Code,
    pub(crate) factor: i128,
}

/// The sum of the terms is at least `degree`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Inequality {
    /// Sorted by variable. No variable occurs twice.
    terms: Vec<Term>,
    degree: i128,
}

/// What a substitution replaces a literal by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Image {
    /// True or false.
    Value(bool),
    /// A literal.
    Literal(Code),
}

impl Image {
    /// The image of the negated literal.
    pub(crate) fn negated(self) -> Image {
        match self {
            Image::Value(value) => Image::Value(!value),
            Image::Literal(lit) => Image::Literal(lit ^ 1),
        }
    }
}

fn add(a: i128, b: i128) -> Checked<i128> {
    a.checked_add(b).ok_or(Overflow)
}

fn subtract(a: i128, b: i128) -> Checked<i128> {
    a.checked_sub(b).ok_or(Overflow)
}

/// The quotient, rounded up. `divisor` must be positive.
fn divide_up(number: i128, divisor: i128) -> i128 {
    number.div_euclid(divisor) + i128::from(number.rem_euclid(divisor) != 0)
}

/// A sum with at most this number of terms is inserted term by term into a much longer one.
const MAX_INSERTED: usize = 16;

impl Inequality {
    /// The inequality "`sum` is at least `degree`". Factors may have any sign, and a variable may occur several times.
    pub(crate) fn new(mut sum: Vec<(i128, Code)>, mut degree: i128) -> Checked<Self> {
        sum.sort_by_key(|&(_, lit)| lit / 2);
        let mut terms = Vec::with_capacity(sum.len());
        for same in sum.chunk_by(|(_, a), (_, b)| a / 2 == b / 2) {
            // The factor of the variable itself: a negated literal is 1 minus its variable.
            let mut total: i128 = 0;
            for &(factor, lit) in same {
                if lit & 1 == 0 {
                    total = add(total, factor)?;
                } else {
                    total = subtract(total, factor)?;
                    degree = subtract(degree, factor)?;
                }
            }
            let positive = same[0].1 & !1;
            if total > 0 {
                terms.push(Term { lit: positive, factor: total });
            } else if total < 0 {
                degree = subtract(degree, total)?;
                terms.push(Term { lit: positive ^ 1, factor: subtract(0, total)? });
            }
        }
        Ok(Inequality { terms, degree })
    }

    /// The axiom that a literal is at least 0.
    pub(crate) fn axiom(lit: Code) -> Self {
        Inequality { terms: vec![Term { lit, factor: 1 }], degree: 0 }
    }

    pub(crate) fn terms(&self) -> &[Term] {
        &self.terms
    }

    pub(crate) fn degree(&self) -> i128 {
        self.degree
    }

    /// Whether no assignment satisfies this inequality, whatever the other constraints are.
    pub(crate) fn is_contradiction(&self) -> bool {
        // A sum that overflows exceeds every degree.
        self.terms.iter().fold(0, |sum: i128, term| sum.saturating_add(term.factor)) < self.degree
    }

    /// The sum of this inequality and another one.
    pub(crate) fn plus(self, other: Inequality) -> Checked<Self> {
        let (mut long, short) =
            if self.terms.len() < other.terms.len() { (other, self) } else { (self, other) };
        long.degree = add(long.degree, short.degree)?;
        // Proofs by Exact add thousands of clauses with two literals to one constraint. Each insertion moves the terms
        // behind it, so more than a few take longer than merging.
        if short.terms.len() <= MAX_INSERTED && short.terms.len() < long.terms.len() / 8 {
            for term in short.terms {
                match long.terms.binary_search_by_key(&(term.lit / 2), |own| own.lit / 2) {
                    Err(at) => long.terms.insert(at, term),
                    Ok(at) => match long.sum(long.terms[at], term)? {
                        Some(sum) => long.terms[at] = sum,
                        None => _ = long.terms.remove(at),
                    },
                }
            }
            return Ok(long);
        }
        let mut merged = Vec::with_capacity(long.terms.len() + short.terms.len());
        let mut rest = short.terms.into_iter().peekable();
        for term in std::mem::take(&mut long.terms) {
            while let Some(other) = rest.next_if(|other| other.lit / 2 < term.lit / 2) {
                merged.push(other);
            }
            match rest.next_if(|other| other.lit / 2 == term.lit / 2) {
                Some(other) => merged.extend(long.sum(term, other)?),
                None => merged.push(term),
            }
        }
        merged.extend(rest);
        Ok(Inequality { terms: merged, ..long })
    }

    /// The sum of two terms with the same variable; `None` if it is a constant. A literal and its negation add up to 1,
    /// so the degree decreases.
    fn sum(&mut self, a: Term, b: Term) -> Checked<Option<Term>> {
        if a.lit == b.lit {
            return Ok(Some(Term { lit: a.lit, factor: add(a.factor, b.factor)? }));
        }
        self.degree = subtract(self.degree, a.factor.min(b.factor))?;
        let (more, less) = if a.factor >= b.factor { (a, b) } else { (b, a) };
        let factor = more.factor - less.factor;
        Ok((factor > 0).then_some(Term { lit: more.lit, factor }))
    }

    /// This inequality times a number that is not negative.
    pub(crate) fn times(mut self, factor: i128) -> Checked<Self> {
        for term in &mut self.terms {
            term.factor = term.factor.checked_mul(factor).ok_or(Overflow)?;
        }
        self.terms.retain(|term| term.factor > 0);
        self.degree = self.degree.checked_mul(factor).ok_or(Overflow)?;
        Ok(self)
    }

    /// This inequality divided by a positive number, with all factors and the degree rounded up.
    pub(crate) fn divided_by(mut self, divisor: i128) -> Self {
        self.terms.iter_mut().for_each(|term| term.factor = divide_up(term.factor, divisor));
        self.degree = divide_up(self.degree, divisor);
        self
    }

    /// Lowers each factor to the degree.
    pub(crate) fn saturated(mut self) -> Self {
        let most = self.degree.max(0);
        self.terms.iter_mut().for_each(|term| term.factor = term.factor.min(most));
        self.terms.retain(|term| term.factor > 0);
        self
    }

    /// Removes a variable by adding an axiom for its other literal.
    pub(crate) fn weakened(mut self, variable: u32) -> Checked<Self> {
        if let Some(at) = self.terms.iter().position(|term| term.lit / 2 == variable) {
            let removed = self.terms.remove(at);
            self.degree = subtract(self.degree, removed.factor)?;
        }
        Ok(self)
    }

    /// The inequality that holds if and only if this one does not.
    pub(crate) fn negated(&self) -> Checked<Self> {
        let sum = self.terms.iter().try_fold(0, |sum, term| add(sum, term.factor))?;
        let degree = add(subtract(sum, self.degree)?, 1)?;
        let terms = self.terms.iter().map(|term| Term { lit: term.lit ^ 1, ..*term }).collect();
        Ok(Inequality { terms, degree })
    }

    /// Whether `other` follows from this inequality by axioms for literals alone. A literal that has a smaller factor
    /// in `other`, or none, is weakened by the difference.
    pub(crate) fn implies(&self, other: &Inequality) -> Checked<bool> {
        let mut degree = self.degree;
        let mut theirs = other.terms.iter().peekable();
        for term in &self.terms {
            while theirs.next_if(|their| their.lit / 2 < term.lit / 2).is_some() {}
            let factor = theirs.peek().filter(|their| their.lit == term.lit).map_or(0, |their| their.factor);
            degree = subtract(degree, (term.factor - factor).max(0))?;
        }
        Ok(degree >= other.degree)
    }

    /// This inequality with each literal replaced by its image; `None` stands for the literal itself.
    pub(crate) fn substituted(&self, image: impl Fn(Code) -> Option<Image>) -> Checked<Self> {
        let (mut sum, mut degree) = (Vec::with_capacity(self.terms.len()), self.degree);
        for &Term { lit, factor } in &self.terms {
            match image(lit) {
                None => sum.push((factor, lit)),
                Some(Image::Literal(other)) => sum.push((factor, other)),
                Some(Image::Value(true)) => degree = subtract(degree, factor)?,
                Some(Image::Value(false)) => {}
            }
        }
        Inequality::new(sum, degree)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failing test should panic")]

    use super::*;

    /// Short sums are inserted into longer ones, others are merged.
    #[test]
    fn sums_of_all_lengths_are_added() {
        let terms = |n: u32, step: u32, sign: u32| -> Vec<(i128, Code)> {
            (0..n).map(|i| (i128::from(i % 3 + 1), (i * step * 2) + (i + sign) % 2)).collect()
        };
        for (n, step) in (1..40).flat_map(|n| [1, 7].map(|step| (n, step))) {
            let (long, short) = (terms(300, 1, 0), terms(n, step, 1));
            let sum = Inequality::new(long.clone(), 5).unwrap();
            let sum = sum.plus(Inequality::new(short.clone(), 3).unwrap()).unwrap();
            let expected = Inequality::new([long, short].concat(), 8).unwrap();
            assert_eq!((sum.degree, &sum.terms), (expected.degree, &expected.terms), "{n} {step}");
        }
    }
}
