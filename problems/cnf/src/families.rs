//! Generators that make formulas from a seed. They use the definitions of CNFgen, so that sizes and times can
//! be compared (M. Lauria, J. Elffers, J. Nordström and M. Vinyals, *CNFgen: a generator of crafted
//! benchmarks*, SAT 2017).
//!
//! | family | CNFgen | satisfiable |
//! |---|---|---|
//! | `random` | `randkcnf` | depends |
//! | `planted` | `randkcnf --plant` | yes |
//! | `pigeonhole` | `php` | iff `holes` ≥ `pigeons` (`bijective`: iff equal) |
//! | `parity` | `tseitin` | iff `charge=even` |
//! | `mutilated` | `mchess` | iff `w` + `h` is odd |
//! | `colouring` | `kcolor` | depends |
//! | `clique` | `kclique` | depends |
//!
//! CNFgen encodes at-most-one constraints pairwise; here, any encoding of `counterpoint-encodings` can be chosen.

mod graph;
mod matching;
mod on_graphs;
mod random;

use super::{Cnf, Instance};
use counterpoint_core::errors::GenerateError;
use counterpoint_core::problem::{Family, Param, Params};
use counterpoint_encodings::{AtMostOne, Cnf as Clauses, Sink};

/// The families.
pub const FAMILIES: &[Family<Cnf>] = &[
    Family {
        name: "random",
        about: "random k-SAT: ratio*n distinct clauses, or m if that is not 0",
        params: random::PARAMS,
        make: |(), params, rng| random::random(params, rng).map(Instance::of),
    },
    Family {
        name: "planted",
        about: "random k-SAT with a hidden model, so satisfiable",
        params: random::PARAMS,
        make: |(), params, rng| random::planted(params, rng).map(Instance::of),
    },
    Family {
        name: "pigeonhole",
        about: "satisfiable iff holes >= pigeons (bijective: iff equal); holes=0 means one hole less than pigeons",
        params: matching::PIGEONHOLE,
        make: |(), params, rng| matching::pigeonhole(params, rng).map(Instance::of),
    },
    Family {
        name: "parity",
        about: "Tseitin formulas on random regular graphs; satisfiable iff charge=even",
        params: on_graphs::PARITY,
        make: |(), params, rng| on_graphs::parity(params, rng).map(Instance::of),
    },
    Family {
        name: "mutilated",
        about: "dominoes on a chessboard without two opposite corners; satisfiable iff w + h is odd",
        params: matching::MUTILATED,
        make: |(), params, rng| matching::mutilated(params, rng).map(Instance::of),
    },
    Family {
        name: "colouring",
        about: "k colours for a random graph of average degree `degree`, or regular of this degree (graph=regular)",
        params: on_graphs::COLOURING,
        make: |(), params, rng| on_graphs::colouring(params, rng).map(Instance::of),
    },
    Family {
        name: "clique",
        about: "a clique of k vertices in the random graph G(n, p)",
        params: on_graphs::CLIQUE,
        make: |(), params, rng| on_graphs::clique(params, rng).map(Instance::of),
    },
];

/// The maximum number of variables of a generated formula, and also of clauses and of literals.
const MAX_LITERALS: u64 = 1 << 24;

/// The encoding of "at most one".
const AMO: Param = Param::word("amo", &AtMostOne::NAMES);

fn amo(params: &Params) -> AtMostOne {
    AtMostOne::from_name(params.word("amo")).unwrap_or(AtMostOne::Pairwise)
}

/// Rejects sizes that would take too much memory, before any memory is allocated.
fn bounded(vars: u64, clauses: u64, lits: u64) -> Result<(), GenerateError> {
    for (count, what) in [(vars, "variables"), (clauses, "clauses"), (lits, "literals")] {
        if count > MAX_LITERALS {
            let why =
                format!("the formula would have more than {MAX_LITERALS} {what}; use smaller parameters");
            return Err(why.into());
        }
    }
    Ok(())
}

fn new_vars(cnf: &mut Clauses, n: u32) {
    for _ in 0..n {
        cnf.new_var();
    }
}
