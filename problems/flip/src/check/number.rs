//! Checks a number of presses that comes without the presses themselves: some solution must have exactly this number,
//! and, if the fewest are asked for, none may have fewer.
//!
//! A proof cannot show that a solution exists, so the checker looks for one itself: it solves the system and searches
//! the solutions. The same bounds and the same budget apply as for the claim that fewer presses do not suffice.

use super::modular::NotSolved;
use super::{
    MAX_SQUARES, claims_optimality, fewest, if_claimed, modular, optimality, solves, suffice, system,
};
use crate::answer::Answer;
use crate::{Instance, Rules};
use counterpoint_core::board::Bits;
use counterpoint_core::claim::{Claim, Status};
use counterpoint_core::engine::{Budget, Limit};
use counterpoint_core::proof::{self, Proof};

/// The claims of an answer that says that `n` presses suffice.
pub(super) fn check(
    rules: &Rules,
    instance: &Instance,
    answer: &Answer,
    (n, optimal): (usize, bool),
    proofs: &[Proof],
    budget: &mut Budget,
) -> Vec<Claim> {
    let text = match n {
        1 => format!("one press {}", solves(rules, n)),
        _ => format!("some {n} presses {}", solves(rules, n)),
    };
    let solutions = Solutions::new(rules, instance, budget);
    let most = instance.size.cells() * (rules.colours as usize - 1);
    let exists = match &solutions {
        _ if n > most => Status::Failed(format!("no solution has more than {most} presses")),
        Ok(solutions) => solutions.exactly(n, budget),
        Err(why) => why.clone().into(),
    };
    let mut claims = vec![Claim::new(text, exists)];
    if claims_optimality(rules, answer) {
        let obligation = optimality(rules, instance, n);
        let status = proof::close(&obligation, proofs, &budget.stop(), || {
            if_claimed(
                optimal,
                match &solutions {
                    Ok(solutions) => solutions.no_fewer(n, budget),
                    Err(why) => why.clone().into(),
                },
            )
        });
        claims.push(Claim::new(obligation.claim, status));
    }
    claims
}

/// All solutions of a board.
enum Solutions {
    /// With two colours: a solution for each final board that can be reached, and the search over all sums of
    /// null vectors, which lead from these solutions to all others.
    Sums(Vec<Bits>, fewest::Search),
    /// With more colours: for each number, whether some solution has this number of presses.
    Weights(Vec<bool>),
}

impl Solutions {
    /// Solves the system for each final board.
    ///
    /// # Errors
    /// Returns why the solutions are not known.
    fn new(rules: &Rules, instance: &Instance, budget: &mut Budget) -> Result<Solutions, NotSolved> {
        if rules.colours > 2 {
            return modular::weights(rules, instance, budget).map(Solutions::Weights);
        }
        if instance.size.cells() > MAX_SQUARES {
            return Err(NotSolved::TooManySquares(MAX_SQUARES));
        }
        let sides: Vec<Bits> = rules.ends().map(|end| instance.wrong(&end).into_owned()).collect();
        let system = system(rules, instance, &sides, budget)?;
        let starts: Vec<Bits> = system.solutions.into_iter().flatten().collect();
        let d = system.null.len();
        if d > fewest::MAX_VECTORS && !starts.is_empty() {
            return Err(NotSolved::TooManySums(d));
        }
        // Without any solution, there is nothing to add the vectors to.
        let vectors = if starts.is_empty() { Vec::new() } else { system.null };
        Ok(Solutions::Sums(starts, fewest::prepare(instance.size, vectors)))
    }

    /// The number of presses of some solution with at least `min` and at most `max`; `None` if there is none.
    fn weight_within(&self, min: usize, max: usize, budget: &mut Budget) -> Result<Option<u32>, Limit> {
        match self {
            Solutions::Sums(starts, search) => {
                for start in starts {
                    let found = search.weight_within(min, max, start, budget)?;
                    if found.is_some() {
                        return Ok(found);
                    }
                }
                Ok(None)
            }
            Solutions::Weights(weights) => {
                let found = weights.iter().take(max.saturating_add(1)).skip(min).position(|&occurs| occurs);
                Ok(found.map(|above| (min + above) as u32))
            }
        }
    }

    /// Whether some solution has exactly `n` presses.
    fn exactly(&self, n: usize, budget: &mut Budget) -> Status {
        // If n is the minimum, this search ends at the first solution that it finds.
        let lightest = match self.weight_within(0, n, budget) {
            Ok(None) if self.is_empty() => return Status::Failed("elimination finds no solution".to_owned()),
            Ok(None) => return Status::Failed("every solution has more presses".to_owned()),
            Ok(Some(lightest)) => lightest,
            Err(limit) => return Status::Open(limit.to_string()),
        };
        if lightest as usize == n {
            return Status::Recomputed;
        }
        match self.weight_within(n, n, budget) {
            Ok(Some(_)) => Status::Recomputed,
            Ok(None) => Status::Failed(format!("no solution has this number, but {}", suffice(lightest, ""))),
            Err(limit) => Status::Open(limit.to_string()),
        }
    }

    /// Whether no solution has fewer than `n` presses.
    fn no_fewer(&self, n: usize, budget: &mut Budget) -> Status {
        let found = n.checked_sub(1).map_or(Ok(None), |max| self.weight_within(0, max, budget));
        match found {
            Ok(None) => Status::Recomputed,
            Ok(Some(fewer)) => Status::Failed(suffice(fewer, "")),
            Err(limit) => Status::Open(limit.to_string()),
        }
    }

    fn is_empty(&self) -> bool {
        match self {
            Solutions::Sums(starts, _) => starts.is_empty(),
            Solutions::Weights(weights) => !weights.contains(&true),
        }
    }
}
