//! Parities as pages write them: a short one is a line of its own, which stands for all its clauses.
//!
//! A solver that knows no parities gets other clauses: it gets each parity in pieces, which new variables connect
//! ([`Parity::DEFAULT`]). A page shows no pieces, because a reader would have to put them together again. So that the
//! numbers of a page and the counters of a solver can be compared, [`Parities`] counts both.

use counterpoint_encodings::{Cnf, Lit, Parity, Sink};
use serde_json::{Value, json};

/// The maximum number of literals of a short parity.
const MAX_SHORT: usize = 10;

/// The short parities of a formula.
#[derive(Debug, Default)]
pub(crate) struct Parities {
    count: u64,
    /// The number of their clauses.
    in_full: u64,
    /// The number of clauses in pieces, and of the new variables that connect the pieces.
    in_pieces: u64,
    connecting: u64,
}

impl Parities {
    /// Counts a parity if it is short. Returns all its clauses, or `None` if it is not short: then it must be written
    /// in pieces.
    pub(crate) fn add(&mut self, lits: &[Lit], odd: bool) -> Option<Vec<Vec<Lit>>> {
        if lits.len() > MAX_SHORT {
            return None;
        }
        let (mut full, mut pieces) = (Cnf::default(), Cnf::default());
        // The variables of the literals come before those that connect pieces.
        let n_vars = lits.iter().map(|lit| lit.vidx32() + 1).max().unwrap_or(0);
        (0..n_vars).for_each(|_| {
            pieces.new_var();
        });
        Parity::Direct.encode(&mut full, lits, odd);
        Parity::DEFAULT.encode(&mut pieces, lits, odd);
        let full: Vec<Vec<Lit>> = full.clauses().map(<[Lit]>::to_vec).collect();
        self.count += 1;
        self.in_full += full.len() as u64;
        self.in_pieces += pieces.clauses().count() as u64;
        self.connecting += u64::from(pieces.n_vars() - n_vars);
        Some(full)
    }

    /// The numbers for the page; null if a solver gets the same clauses.
    pub(crate) fn to_json(&self) -> Value {
        let Parities { count, in_full, in_pieces, connecting } = self;
        if *connecting == 0 {
            return Value::Null;
        }
        json!({ "lines": count, "in_full": in_full, "in_pieces": in_pieces, "connecting": connecting })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use counterpoint_encodings::Var;

    #[test]
    fn short_parities_are_counted_in_full_and_in_pieces() {
        let lits: Vec<Lit> = (0..11).map(|i| Var::new(i).pos_lit()).collect();
        let mut parities = Parities::default();
        assert_eq!(parities.add(&lits[..3], true).unwrap().len(), 4);
        assert_eq!(parities.to_json(), Value::Null);
        assert_eq!(parities.add(&lits[..6], false).unwrap().len(), 32);
        assert_eq!(parities.add(&lits, false), None);
        // Six literals become two pieces of four, connected by one variable.
        assert_eq!(
            parities.to_json(),
            json!({ "lines": 2, "in_full": 36, "in_pieces": 4 + 16, "connecting": 1 })
        );
    }
}
