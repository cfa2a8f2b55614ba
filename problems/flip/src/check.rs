//! The checker replays presses. It also verifies that fewer presses do not suffice, or that a board is impossible: by
//! evidence, by a proof, or by recomputing the claim.
//!
//! It shares no code with the engines. To recompute a claim, it writes down the full linear system, with one equation
//! and one unknown per square for every stencil, and solves the system by plain elimination. It searches the solutions
//! by branch and bound (`fewest.rs`) or, with more than two colours, one by one (`modular.rs`). If an answer gives only
//! the number of presses, the checker looks for a solution with this number (`number.rs`).

mod around;
mod cosets;
mod fewest;
mod modular;
mod number;
pub(super) mod study;

use super::answer::Answer;
use super::{End, Goal, Instance, Rules, Target};
use around::around;
use counterpoint_core::board::{Bits, Digits, Size};
use counterpoint_core::claim::{Claim, Status, WrongWitness};
use counterpoint_core::engine::{Budget, Limit};
use counterpoint_core::proof::{self, Formula, Obligation, Proof};
use std::sync::Arc;

/// The greatest number of squares for which the system is written down.
const MAX_SQUARES: usize = 1 << 13;

/// Derives the claims from the instance and the answer, and returns each with its status.
pub fn check(
    rules: &Rules,
    instance: &Instance,
    answer: &Answer,
    proofs: &[Proof],
    budget: &mut Budget,
) -> Vec<Claim> {
    if let Err(claim) = check_rules(rules, instance) {
        return vec![claim];
    }
    match answer {
        // The answer "0 presses" is its own witness: the empty set of presses.
        Answer::Number { presses: 0, optimal } => {
            let presses = Arc::new(Digits::zeros(instance.size.cells()));
            check(rules, instance, &Answer::Presses { presses, optimal: *optimal }, proofs, budget)
        }
        Answer::Number { presses, optimal } => {
            number::check(rules, instance, answer, (*presses, *optimal), proofs, budget)
        }
        Answer::Presses { presses, optimal } => {
            let n = presses.total();
            let reached = replay(rules, instance, presses);
            let mut claims = vec![match &reached {
                Ok(End::Board(_)) => Claim::new("the presses lead to the target", Status::Witness),
                Ok(end) => Claim::new(format!("the presses make the board {end}"), Status::Witness),
                Err(why) => {
                    Claim::new("the presses make the board one colour", Status::Failed(why.to_string()))
                }
            }];
            if let (true, Ok(_)) = (claims_optimality(rules, answer), reached) {
                let obligation = optimality(rules, instance, n);
                let status = proof::close(&obligation, proofs, &budget.stop(), || {
                    let status = match rules.colours {
                        2 => no_fewer(rules, instance, presses, budget),
                        _ => modular::no_fewer(rules, instance, presses, budget),
                    };
                    if_claimed(*optimal, status)
                });
                claims.push(Claim::new(obligation.claim, status));
            }
            claims
        }
        Answer::Impossible(weights) => {
            let obligation = impossibility(rules, instance);
            let evidence = weights.as_ref().map(|weights| check_weights(rules, instance, weights));
            let status = match evidence {
                // Wrong weights fail the claim, even if it is true for another reason.
                Some(Err(why)) => Status::Failed(why.into()),
                Some(Ok(())) => proof::close(&obligation, proofs, &budget.stop(), || Status::Witness),
                None => proof::close(&obligation, proofs, &budget.stop(), || match rules.colours {
                    2 => unsolvable(rules, instance, budget),
                    _ => modular::unsolvable(rules, instance, budget),
                }),
            };
            vec![Claim::new(obligation.claim, status)]
        }
    }
}

/// The status of the claim that fewer presses do not suffice. If the engine did not claim this, a better solution does
/// not fail the claim.
fn if_claimed(optimal: bool, status: Status) -> Status {
    match status {
        Status::Failed(why) if !optimal => {
            Status::Open(format!("the engine stopped before it could decide this; in fact {why}"))
        }
        status => status,
    }
}

/// Rejects rules under which no engine gives an answer.
///
/// # Errors
/// Returns the claim that fails.
fn check_rules(rules: &Rules, instance: &Instance) -> Result<(), Claim> {
    let failed = |claim: &str, why: String| Err(Claim::new(claim, Status::Failed(why)));
    if rules.within.is_some() {
        return failed("the rule within is not set", "it applies only to encode".to_owned());
    }
    match &rules.target {
        Target::Board(target) if target.size != instance.size => {
            let Size { width, height } = target.size;
            failed("the target has the board's size", format!("it is {width}x{height}"))
        }
        _ => Ok(()),
    }
}

/// The formulas whose unsatisfiability proves an answer: "fewer presses solve the board", or, for an impossible board,
/// "some presses solve the board". There are none for more than two colours.
pub fn obligations<'a>(rules: &'a Rules, instance: &'a Instance, answer: &'a Answer) -> Vec<Obligation<'a>> {
    match answer.number() {
        _ if rules.colours > 2 || check_rules(rules, instance).is_err() => Vec::new(),
        Some(count) if claims_optimality(rules, answer) => vec![optimality(rules, instance, count.presses)],
        Some(_) => Vec::new(),
        None => vec![impossibility(rules, instance)],
    }
}

/// Whether the answer claims that no solution has fewer presses: the rules ask for the fewest, or the engine says so.
/// An answer without presses is trivially optimal, so it needs no such claim.
fn claims_optimality(rules: &Rules, answer: &Answer) -> bool {
    answer.number().is_some_and(|count| count.presses > 0 && (count.optimal || rules.goal == Goal::Fewest))
}

/// The estimated number of clauses of an obligation. Formulas exist for two colours only; for more, the estimate is so
/// large that no formula is written.
fn clauses(rules: &Rules, clauses: usize) -> usize {
    if rules.colours == 2 { clauses } else { usize::MAX }
}

/// The obligation to show that fewer than `n` presses do not suffice.
fn optimality<'a>(rules: &'a Rules, instance: &'a Instance, n: usize) -> Obligation<'a> {
    let squares = instance.size.cells();
    let counters = squares.saturating_mul(3 * n.min(squares));
    let clauses = clauses(rules, counters.saturating_add(parity_clauses(rules, instance)));
    Obligation::new(at_least(n), clauses, move || fewer(rules, instance, n))
        .with_earlier_claim(format!("fewer than {n} presses never do"))
}

/// The claim that fewer than `n` presses do not suffice.
fn at_least(n: usize) -> String {
    if n == 1 { "at least 1 press is needed".to_owned() } else { format!("at least {n} presses are needed") }
}

/// Says that `n` presses suffice; `end` is appended, for example " for the other colour".
fn suffice(n: u32, end: &str) -> String {
    let presses = if n == 1 { "1 press suffices".to_owned() } else { format!("{n} presses suffice") };
    presses + end
}

/// Says what `n` presses do: "make the board white", "lead to the target".
fn solves(rules: &Rules, n: usize) -> String {
    let s = if n == 1 { "s" } else { "" };
    match rules.target {
        Target::Board(_) => format!("lead{s} to the target"),
        Target::Either => format!("make{s} the board one colour"),
        Target::White | Target::Black => format!("make{s} the board {}", rules.first_end()),
    }
}

/// The obligation to show that no presses solve the board.
fn impossibility<'a>(rules: &'a Rules, instance: &'a Instance) -> Obligation<'a> {
    let claim = format!("no presses {}", solves(rules, 0));
    Obligation::new(claim, clauses(rules, parity_clauses(rules, instance)), || formula(rules, instance).0)
        .with_earlier_claim("no presses make the board one colour of the target")
}

/// An upper bound on the number of clauses of all parity constraints. Each square has one constraint, which takes at
/// most eight clauses for every two of its literals.
fn parity_clauses(rules: &Rules, instance: &Instance) -> usize {
    instance.size.cells().saturating_mul(4 * (rules.stencil.max_squares(instance.size) + 2))
}

/// Makes the presses on a copy of the board and returns which of the allowed final boards results.
///
/// # Errors
/// Returns a message that names a square that is pressed p times or more, or says in how many squares the result
/// differs from the nearest final board.
fn replay(rules: &Rules, instance: &Instance, presses: &Digits) -> Result<End, WrongWitness> {
    let size = instance.size;
    let p = rules.colours;
    // Colours are below p <= 7, so they fit a byte.
    let mut board: Vec<u8> = (0..size.cells()).map(|i| instance.squares.get(i) as u8).collect();
    if let Some((i, times)) = presses.iter().find(|&(_, times)| times >= p) {
        let times = if times == 2 { "twice".to_owned() } else { format!("{times} times") };
        return Err(format!("{} is pressed {times}", size.cell(i)).into());
    }
    for (square, times) in board.iter_mut().zip(around(rules.stencil, size, presses)) {
        *square = ((u64::from(*square) + times) % u64::from(p)) as u8;
    }
    let differences = |end: &End| (0..board.len()).filter(|&i| u32::from(board[i]) != end.colour(i)).count();
    rules.ends().find(|end| differences(end) == 0).ok_or_else(|| {
        let nearest = rules.ends().map(|end| (differences(&end), end)).min_by_key(|(n, _)| *n);
        let differs = |(n, end)| format!("the final board differs from {end} in {n} squares");
        nearest.map_or(String::new(), differs).into()
    })
}

/// Checks the evidence of an impossible board. Every press must change the weighted sum of the colours by a multiple of
/// p, but reaching any of the final boards must change it by a number that is not a multiple of p. With two colours,
/// the weights mark squares: every press turns over an even number of marked squares, but an odd number of marked
/// squares must change.
fn check_weights(rules: &Rules, instance: &Instance, weights: &Digits) -> Result<(), WrongWitness> {
    let size = instance.size;
    let p = u64::from(rules.colours);
    for (cell, change) in size.iter().zip(around(rules.stencil, size, weights)) {
        if !change.is_multiple_of(p) {
            return Err(format!(
                "a press of {cell} changes the weighted sum by {change}, not a multiple of {p}"
            )
            .into());
        }
    }
    for end in rules.ends() {
        // Colours are below p, so no term is negative.
        let turns = |i: usize| p + u64::from(end.colour(i)) - u64::from(instance.squares.get(i));
        let sum: u64 = weights.iter().map(|(i, weight)| u64::from(weight) * turns(i)).sum();
        if sum.is_multiple_of(p) {
            return Err(format!("reaching {end} changes the weighted sum by {sum}, a multiple of {p}").into());
        }
    }
    Ok(())
}

/// The solution space of a linear system over GF(2) with several right-hand sides.
struct System {
    /// For each right-hand side, one solution, or `None` if there is none.
    solutions: Vec<Option<Bits>>,
    /// A basis of the null space.
    null: Vec<Bits>,
}

/// Solves the full system, one equation per square, by Gauss–Jordan elimination. Each of `sides` is a right-hand side,
/// the set of squares that must change. Every row operation counts as a node.
fn system(rules: &Rules, instance: &Instance, sides: &[Bits], budget: &mut Budget) -> Result<System, Limit> {
    let size = instance.size;
    let n = size.cells();
    let mut rows = vec![Bits::zeros(n + sides.len()); n];
    for press in size.iter() {
        for turned in rules.stencil.squares(size, press) {
            rows[size.index(turned)].set(size.index(press));
        }
    }
    for (k, side) in sides.iter().enumerate() {
        side.iter().for_each(|square| rows[square].set(n + k));
    }
    let mut leading: Vec<Option<usize>> = vec![None; n];
    let mut used = Bits::zeros(n);
    for (press, lead) in leading.iter_mut().enumerate() {
        let Some(pivot) = (0..n).find(|&r| !used.get(r) && rows[r].get(press)) else { continue };
        used.set(pivot);
        *lead = Some(pivot);
        let pivot_row = rows[pivot].clone();
        for (r, row) in rows.iter_mut().enumerate() {
            if r != pivot && row.get(press) {
                budget.node()?;
                row.xor(&pivot_row);
            }
        }
    }
    let set_where = |column: usize| {
        let set = (0..n).filter(|&p| leading[p].is_some_and(|r| rows[r].get(column)));
        Bits::from_indices(n, set)
    };
    let solutions = (0..sides.len()).map(|k| {
        let consistent = (0..n).all(|r| used.get(r) || !rows[r].get(n + k));
        consistent.then(|| set_where(n + k))
    });
    let free = (0..n).filter(|&p| leading[p].is_none());
    let null = free.map(|p| {
        let mut vector = set_where(p);
        vector.set(p);
        vector
    });
    Ok(System { solutions: solutions.collect(), null: null.collect() })
}

/// Searches all solutions for one with fewer presses. The solutions are the given presses plus each sum of null
/// vectors. If either colour is allowed, there are also the sums of these solutions and the presses that turn over the
/// whole board.
fn no_fewer(rules: &Rules, instance: &Instance, presses: &Digits, budget: &mut Budget) -> Status {
    let size = instance.size;
    if size.cells() > MAX_SQUARES {
        return Status::Open(format!(
            "the board is too large; elimination supports at most {MAX_SQUARES} squares"
        ));
    }
    let all_ones = Bits::ones(size.cells());
    let system = match system(rules, instance, &[all_ones], budget) {
        Ok(system) => system,
        Err(limit) => return Status::Open(limit.to_string()),
    };
    let d = system.null.len();
    if d > fewest::MAX_VECTORS {
        return Status::Open(format!("2^{d} solutions are too many to enumerate"));
    }
    let mut starts = vec![(presses.odd().clone(), "")];
    if let (Target::Either, Some(turn_all)) = (&rules.target, &system.solutions[0]) {
        let mut other = presses.odd().clone();
        other.xor(turn_all);
        starts.push((other, " for the other colour"));
    }
    let search = fewest::prepare(size, system.null);
    for (start, end) in starts {
        match search.lighter_than(presses.total(), &start, budget) {
            Ok(None) => {}
            Ok(Some(n)) => return Status::Failed(suffice(n, end)),
            Err(limit) => return Status::Open(limit.to_string()),
        }
    }
    Status::Recomputed
}

/// Solves the system for each final board; the claim holds if none has a solution.
fn unsolvable(rules: &Rules, instance: &Instance, budget: &mut Budget) -> Status {
    if instance.size.cells() > MAX_SQUARES {
        return Status::Open(format!(
            "the board is too large; elimination supports at most {MAX_SQUARES} squares"
        ));
    }
    let sides: Vec<Bits> = rules.ends().map(|end| instance.wrong(&end).into_owned()).collect();
    match system(rules, instance, &sides, budget) {
        Err(limit) => Status::Open(limit.to_string()),
        Ok(system) if system.solutions.iter().any(Option::is_some) => {
            Status::Failed("elimination finds a solution".to_owned())
        }
        Ok(_) => Status::Recomputed,
    }
}

/// The formula "at most `n - 1` presses solve the board".
fn fewer(rules: &Rules, instance: &Instance, n: usize) -> Formula {
    let (mut formula, presses) = formula(rules, instance);
    formula.begin_claim();
    // No obligation exists for n = 0.
    formula.at_most(n.saturating_sub(1), &presses);
    formula
}

/// The formula "some presses solve the board" and its press variables. It has a parity constraint for each square. If
/// either colour is allowed, the variable `black` chooses the colour and joins every parity.
fn formula(rules: &Rules, instance: &Instance) -> (Formula, Vec<i32>) {
    let size = instance.size;
    let mut formula = Formula::new();
    let presses = formula.vars(size.cells());
    let colour = (rules.target == Target::Either).then(|| formula.var());
    size.iter().zip(&presses).for_each(|(cell, &press)| formula.name(press, format!("press {cell}")));
    colour.iter().for_each(|&colour| formula.name(colour, "black"));
    let wrong = instance.wrong(&rules.first_end());
    for square in size.iter() {
        let around = rules.stencil.squares(size, square).into_iter().map(|c| presses[size.index(c)]);
        let lits: Vec<i32> = around.chain(colour).collect();
        formula.parity(&lits, wrong.get(size.index(square)));
    }
    (formula, presses)
}

#[cfg(test)]
mod tests;
