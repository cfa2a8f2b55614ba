//! The engine `walksat`: local search with random walk (WalkSAT/SKC: Selman, Kautz and Cohen, *Noise strategies for
//! improving local search*, AAAI 1994). It can find a model but cannot show that there is none.
//!
//! A try starts from a random assignment. A step chooses a violated constraint at random and flips one of its
//! variables. The *break count* of a variable is the number of satisfied constraints that its flip would violate. If a
//! variable of the chosen constraint has break count 0, this variable is flipped. Otherwise, with probability 1/2 (the
//! noise), a random variable of the constraint is flipped; in the remaining cases, a variable with the least break count
//! is flipped. Ties are broken at random. Parity constraints are not translated to clauses: the flip of any variable of
//! a parity constraint changes whether the constraint holds.
//!
//! Each try has twice as many flips as the previous one. Long formulas need many flips, but an unlucky start should not
//! cost all of them. The random numbers have a fixed seed, so a run is reproducible. A node is a flip.

mod state;

use super::constraints::{self, Variables};
use crate::Formula;
use chacha20::ChaCha8Rng;
use counterpoint_core::engine::{Budget, Limit};
use counterpoint_core::errors::Unsupported;
use rand::{RngExt, SeedableRng};
use state::State;

/// Number of tries.
pub const TRIES: u32 = 8;
/// Number of flips of the first try. This is the number of flips of each try in the program by the authors of WalkSAT.
pub const FIRST_FLIPS: u64 = 100_000;
/// Number of flips of all tries.
pub const MAX_FLIPS: u64 = FIRST_FLIPS * ((1 << TRIES) - 1);

/// The seed. It is not a small number, because families use small seeds, and the first assignment must not be the
/// hidden model of a generated formula.
const SEED: u64 = u64::from_be_bytes(*b"WalkSAT\0");

/// Accepts a formula unless it is too long for positions of 32 bits.
///
/// # Errors
/// Returns why the formula is not supported.
pub fn supports(formula: &Formula) -> Result<(), Unsupported> {
    constraints::supports(formula)
}

/// Searches for a model of a formula that [`supports`] accepts, with at most [`MAX_FLIPS`] flips.
///
/// # Errors
/// Returns the limit that was reached, or [`Limit::Solver`] if no flips are left or if a constraint has no literals.
pub fn walksat(formula: &Formula, budget: &mut Budget) -> Result<Vec<bool>, Limit> {
    let variables = Variables::new(formula);
    let mut state = State::new(formula, &variables, budget)?;
    if state.has_empty {
        return Err(Limit::Solver);
    }
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    for flips in (0..TRIES).map(|i| FIRST_FLIPS << i) {
        budget.poll()?;
        state.start(|| rng.random());
        for _ in 0..flips {
            let Some(var) = state.choose(&mut rng) else { break };
            budget.node()?;
            state.flip(var);
        }
        if state.is_model() {
            return Ok(variables.model(|var| state.value(var)));
        }
    }
    Err(Limit::Solver)
}
