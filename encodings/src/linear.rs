//! Linear constraints over literals, and their form with positive weights.

use rustsat::types::{Lit, Var};
use std::collections::BTreeMap;
use std::fmt;

/// A linear (pseudo-Boolean) constraint: the weights of the true literals sum to at most, at least or exactly a bound.
///
/// Weights may be negative or zero. A variable may occur several times, with either sign.
///
/// ```
/// use counterpoint_encodings::{Cnf, Linear, Relation, Sink};
///
/// // Items of weight 5, 4 and 3 in a knapsack that holds 8: not all three, and not the first two.
/// let mut cnf = Cnf::default();
/// let [a, b, c] = [(); 3].map(|()| cnf.new_var().pos_lit());
/// let knapsack = Linear { terms: &[(5, a), (4, b), (3, c)], relation: Relation::AtMost, bound: 8 };
/// cnf.linear(&knapsack);
/// assert!(knapsack.holds(|lit| lit != b));
/// assert!(!knapsack.holds(|lit| lit != c));
/// assert_eq!(knapsack.to_string(), "-5 x1 -4 x2 -3 x3 >= -8");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Linear<'a> {
    /// The weights, each with its literal.
    pub terms: &'a [(i64, Lit)],
    /// How the sum compares with the bound.
    pub relation: Relation,
    /// The bound.
    pub bound: i64,
}

/// How a sum compares with a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// `<=`
    AtMost,
    /// `>=`
    AtLeast,
    /// `=`
    Equal,
}

/// The terms of an upper bound, each a weight with its literal, and the bound.
type UpperBound = (Vec<(i64, Lit)>, i64);

impl Linear<'_> {
    /// Whether an assignment satisfies the constraint; `value` gives the value of each literal.
    pub fn holds(&self, value: impl Fn(Lit) -> bool) -> bool {
        // Memory holds fewer than 2^64 terms, so their sum cannot overflow.
        let true_terms = self.terms.iter().filter(|(_, lit)| value(*lit));
        let sum: i128 = true_terms.map(|(weight, _)| i128::from(*weight)).sum();
        match self.relation {
            Relation::AtMost => sum <= i128::from(self.bound),
            Relation::AtLeast => sum >= i128::from(self.bound),
            Relation::Equal => sum == i128::from(self.bound),
        }
    }

    /// The constraint over variables instead of literals: the nonzero coefficients, ascending by variable, and the
    /// bound.
    pub fn coefficients(&self) -> (Vec<(Var, i128)>, i128) {
        let mut bound = i128::from(self.bound);
        let mut coefficients = BTreeMap::<Var, i128>::new();
        for &(weight, lit) in self.terms {
            let weight = i128::from(weight);
            // A negated literal of x has the value 1 - x.
            let coefficient = if lit.is_neg() { -weight } else { weight };
            bound -= if lit.is_neg() { weight } else { 0 };
            *coefficients.entry(lit.var()).or_default() += coefficient;
        }
        (coefficients.into_iter().filter(|(_, coefficient)| *coefficient != 0).collect(), bound)
    }

    /// Upper bounds that together hold iff `guard` is false or this constraint holds. Each bound is raised to the
    /// maximum of its sum. The guard becomes a further term, whose weight is the amount by which the bound was raised.
    /// `None` if a number does not fit into 64 bits.
    pub(crate) fn guarded(&self, guard: Lit) -> Option<Vec<UpperBound>> {
        let signs: &[i64] = match self.relation {
            Relation::AtMost => &[1],
            Relation::AtLeast => &[-1],
            Relation::Equal => &[1, -1],
        };
        let mut parts = Vec::new();
        for sign in signs {
            let weighted = |&(weight, lit): &(i64, Lit)| Some((weight.checked_mul(*sign)?, lit));
            let mut terms = self.terms.iter().map(weighted).collect::<Option<Vec<_>>>()?;
            let max: i128 = terms.iter().map(|(weight, _)| i128::from(*weight).max(0)).sum();
            let excess = max - i128::from(*sign) * i128::from(self.bound);
            if excess > 0 {
                terms.push((excess.try_into().ok()?, guard));
                parts.push((terms, max.try_into().ok()?));
            }
        }
        Some(parts)
    }

    /// This constraint as an upper bound or an equation, with positive weights and each variable at most once.
    pub(crate) fn normal_form(&self) -> NormalForm {
        let (coefficients, mut bound) = self.coefficients();
        let sign = if self.relation == Relation::AtLeast { -1 } else { 1 };
        bound *= sign;
        let mut terms = Vec::with_capacity(coefficients.len());
        for (var, coefficient) in coefficients {
            let coefficient = sign * coefficient;
            // -a x = a (1 - x) - a.
            bound += if coefficient < 0 { -coefficient } else { 0 };
            terms.push((coefficient.unsigned_abs(), var.lit(coefficient < 0)));
        }
        NormalForm { terms, bound, is_equation: self.relation == Relation::Equal }
    }
}

/// Writes the constraint as in an OPB file, without the semicolon: `+1 x1 -2 x3 >= 0`. Variables are numbered from 1.
/// An upper bound becomes a lower bound of the negated sum, because the format has only `>=` and `=`.
impl fmt::Display for Linear<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (coefficients, bound) = self.coefficients();
        let (sign, relation) = match self.relation {
            Relation::AtMost => (-1, ">="),
            Relation::AtLeast => (1, ">="),
            Relation::Equal => (1, "="),
        };
        for (var, coefficient) in &coefficients {
            write!(f, "{:+} x{} ", sign * coefficient, var.idx32() + 1)?;
        }
        if coefficients.is_empty() {
            // A sum needs at least one term.
            f.write_str("+0 x1 ")?;
        }
        write!(f, "{relation} {}", sign * bound)
    }
}

/// A linear constraint with positive weights over distinct variables, ascending by variable.
pub(crate) struct NormalForm {
    pub(crate) terms: Vec<(u128, Lit)>,
    pub(crate) bound: i128,
    /// Whether the sum must equal the bound; otherwise it must be at most the bound.
    pub(crate) is_equation: bool,
}
