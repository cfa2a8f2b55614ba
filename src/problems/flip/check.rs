//! The checker: presses are replayed, "no fewer" and "impossible" are worked out anew or proved.
//!
//! Plain code of its own: it writes down a square system of linear equations, whatever the stencil,
//! and goes through all solutions. Nothing is shared with the engines.

mod fewest;
mod modular;
pub(super) mod study;

use super::answer::Answer;
use super::{End, Goal, Instance, Rules, Target};
use crate::board::{Bits, Digits, Size};
use crate::claim::{Claim, Status};
use crate::engine::{Budget, Limit};
use crate::proof::{self, Formula, Obligation, Proof};

/// The most squares for which the system is written down.
const MAX_SQUARES: usize = 1 << 13;

/// The claims of an answer with their status.
pub fn check(
    rules: &Rules,
    instance: &Instance,
    answer: &Answer,
    proofs: &[Proof],
    budget: &mut Budget,
) -> Vec<Claim> {
    if let Err((claim, why)) = kept(rules, instance) {
        return vec![Claim::new(claim, Status::Failed(why))];
    }
    match answer {
        Answer::Presses { presses, least } => {
            let n = presses.total();
            let reached = replay(rules, instance, presses);
            let mut claims = vec![match &reached {
                Ok(End::Board(_)) => Claim::new("the presses lead to the target", Status::Witness),
                Ok(end) => Claim::new(format!("the presses make the board {end}"), Status::Witness),
                Err(why) => Claim::new("the presses make the board one colour", Status::Failed(why.clone())),
            }];
            if let (true, Ok(_)) = (asserts_least(rules, answer), reached) {
                let obligation = none_fewer(rules, instance, n);
                let status = proof::close(&obligation, proofs, &budget.stop(), || {
                    let status = match rules.colours {
                        2 => no_fewer(rules, instance, presses, budget),
                        _ => modular::no_fewer(rules, instance, presses, budget),
                    };
                    match status {
                        // An engine that never called its presses least is not refuted by fewer.
                        Status::Failed(why) if !least => Status::Open(format!(
                            "{why}, so {n} is not the minimum; the engine did not claim that it is"
                        )),
                        status => status,
                    }
                });
                claims.push(Claim::new(obligation.claim, status));
            }
            claims
        }
        Answer::Impossible(weights) => {
            let none = none_do(rules, instance);
            let obstacle = weights.as_ref().map(|weights| obstacle(rules, instance, weights));
            let status = match obstacle {
                // Evidence that is given has to hold, whatever else would do.
                Some(Err(why)) => Status::Failed(why),
                Some(Ok(())) => proof::close(&none, proofs, &budget.stop(), || Status::Witness),
                None => proof::close(&none, proofs, &budget.stop(), || match rules.colours {
                    2 => unsolvable(rules, instance, budget),
                    _ => modular::unsolvable(rules, instance, budget),
                }),
            };
            vec![Claim::new(none.claim, status)]
        }
    }
}

/// The rules that an answer cannot have been asked under: the claim that fails, and why.
fn kept(rules: &Rules, instance: &Instance) -> Result<(), (&'static str, String)> {
    if rules.within.is_some() {
        return Err(("the rule within is not set", "it applies only to encode".to_owned()));
    }
    match &rules.target {
        Target::Board(target) if target.size != instance.size => {
            let Size { width, height } = target.size;
            Err(("the target has the board's size", format!("it is {width}x{height}")))
        }
        _ => Ok(()),
    }
}

/// Plain formulas: fewer presses would do; for an impossible board, any presses would.
pub fn obligations<'a>(rules: &'a Rules, instance: &'a Instance, answer: &'a Answer) -> Vec<Obligation<'a>> {
    match answer {
        _ if rules.colours > 2 || kept(rules, instance).is_err() => Vec::new(),
        Answer::Presses { presses, .. } if asserts_least(rules, answer) => {
            vec![none_fewer(rules, instance, presses.total())]
        }
        Answer::Presses { .. } => Vec::new(),
        Answer::Impossible(_) => vec![none_do(rules, instance)],
    }
}

/// Whether the number of presses is claimed to be least, by the question or by the engine. Nothing is
/// less than none.
fn asserts_least(rules: &Rules, answer: &Answer) -> bool {
    match answer {
        Answer::Presses { presses, least } => presses.total() > 0 && (*least || rules.goal == Goal::Least),
        Answer::Impossible(_) => false,
    }
}

/// Formulas are for two colours; for more, there is nothing that a proof could start from.
fn clauses(rules: &Rules, clauses: usize) -> usize {
    if rules.colours == 2 { clauses } else { usize::MAX }
}

fn none_fewer<'a>(rules: &'a Rules, instance: &'a Instance, n: usize) -> Obligation<'a> {
    let squares = instance.size.cells();
    let counters = squares.saturating_mul(3 * n.min(squares));
    let clauses = clauses(rules, counters.saturating_add(parity_clauses(rules, instance)));
    Obligation::new(minimality(n), clauses, move || fewer(rules, instance, n))
        .formerly(format!("fewer than {n} presses never do"))
}

/// The claim that no fewer presses suffice.
fn minimality(n: usize) -> String {
    if n == 1 { "at least 1 press is needed".to_owned() } else { format!("at least {n} presses are needed") }
}

/// That so many presses suffice, for the end that is at hand or for another.
fn suffice(n: u32, end: &str) -> String {
    let presses = if n == 1 { "1 press suffices".to_owned() } else { format!("{n} presses suffice") };
    presses + end
}

fn none_do<'a>(rules: &'a Rules, instance: &'a Instance) -> Obligation<'a> {
    let claim = match rules.target {
        Target::Board(_) => "no presses lead to the target".to_owned(),
        Target::Either => "no presses make the board one colour".to_owned(),
        Target::White | Target::Black => format!("no presses make the board {}", rules.first_end()),
    };
    Obligation::new(claim, clauses(rules, parity_clauses(rules, instance)), || formula(rules, instance).0)
        .formerly("no presses make the board one colour of the target")
}

/// At most eight clauses for every two literals of a square's parity.
fn parity_clauses(rules: &Rules, instance: &Instance) -> usize {
    instance.size.cells().saturating_mul(4 * (rules.stencil.most(instance.size) + 2))
}

/// Presses each square as often as it says, and tells which end the board then has.
fn replay(rules: &Rules, instance: &Instance, presses: &Digits) -> Result<End, String> {
    let size = instance.size;
    let p = rules.colours;
    // Colours are below p, which is a digit.
    let mut board: Vec<u8> = (0..size.cells()).map(|i| instance.squares.get(i) as u8).collect();
    let mut turned = Vec::new();
    for (i, times) in presses.iter() {
        if times >= p {
            let times = if times == 2 { "twice".to_owned() } else { format!("{times} times") };
            return Err(format!("{} is pressed {times}", size.cell(i)));
        }
        rules.stencil.squares_into(size, size.cell(i), &mut turned);
        for square in turned.iter().map(|&cell| size.index(cell)) {
            board[square] = ((u32::from(board[square]) + times) % p) as u8;
        }
    }
    let differ = |end: &End| (0..board.len()).filter(|&i| u32::from(board[i]) != end.colour(i)).count();
    rules.ends().find(|end| differ(end) == 0).ok_or_else(|| {
        let nearest = rules.ends().map(|end| (differ(&end), end)).min_by_key(|(n, _)| *n);
        nearest.map_or(String::new(), |(n, end)| format!("the final board differs from {end} in {n} squares"))
    })
}

/// Every press changes the weighted sum of the colours by 0, though it must change by something else,
/// whichever end is to be reached. With two colours: every press turns over an even number of marked
/// squares, though an odd number of them must change.
fn obstacle(rules: &Rules, instance: &Instance, weights: &Digits) -> Result<(), String> {
    let size = instance.size;
    let p = u64::from(rules.colours);
    let mut turned = Vec::new();
    for cell in size.iter() {
        rules.stencil.squares_into(size, cell, &mut turned);
        let met: u64 = turned.iter().map(|c| u64::from(weights.get(size.index(*c)))).sum();
        if !met.is_multiple_of(p) {
            return Err(format!(
                "a press of {cell} changes the weighted sum by {met}, not a multiple of {p}"
            ));
        }
    }
    for end in rules.ends() {
        // Colours are below p, so that no term is negative.
        let turns = |i: usize| p + u64::from(end.colour(i)) - u64::from(instance.squares.get(i));
        let sum: u64 = weights.iter().map(|(i, weight)| u64::from(weight) * turns(i)).sum();
        if sum.is_multiple_of(p) {
            return Err(format!("reaching {end} changes the weighted sum by {sum}, a multiple of {p}"));
        }
    }
    Ok(())
}

/// All solutions of "these presses turn over exactly these squares", by elimination.
struct System {
    /// For each right-hand side a solution, if there is one.
    solutions: Vec<Option<Bits>>,
    null: Vec<Bits>,
}

/// Eliminates one equation a square with the given right-hand sides; a node a row operation.
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

/// Looks for fewer among all other solutions: the presses plus each sum of null vectors and, for the other
/// colour, plus presses that turn the whole board over.
fn no_fewer(rules: &Rules, instance: &Instance, presses: &Digits, budget: &mut Budget) -> Status {
    let size = instance.size;
    if size.cells() > MAX_SQUARES {
        return Status::Open(format!("the board is too large; at most {MAX_SQUARES} squares are eliminated"));
    }
    let all = Bits::ones(size.cells());
    let system = match system(rules, instance, &[all], budget) {
        Ok(system) => system,
        Err(limit) => return Status::Open(limit.to_string()),
    };
    let d = system.null.len();
    if d > fewest::MAX_VECTORS {
        return Status::Open(format!("2^{d} solutions are too many to enumerate"));
    }
    let mut starts = vec![(presses.odd().clone(), "")];
    if let (Target::Either, Some(over)) = (&rules.target, &system.solutions[0]) {
        let mut other = presses.odd().clone();
        other.xor(over);
        starts.push((other, " for the other colour"));
    }
    let sums = fewest::sums(size, system.null);
    for (start, to) in starts {
        match sums.fewer(&start, presses.total(), budget) {
            Ok(None) => {}
            Ok(Some(n)) => return Status::Failed(suffice(n, to)),
            Err(limit) => return Status::Open(limit.to_string()),
        }
    }
    Status::Recomputed
}

/// Eliminates for each end and finds no solution.
fn unsolvable(rules: &Rules, instance: &Instance, budget: &mut Budget) -> Status {
    if instance.size.cells() > MAX_SQUARES {
        return Status::Open(format!("the board is too large; at most {MAX_SQUARES} squares are eliminated"));
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

/// At most `n - 1` presses do.
fn fewer(rules: &Rules, instance: &Instance, n: usize) -> Formula {
    let (mut formula, presses) = formula(rules, instance);
    formula.ask();
    // Never asked for n = 0.
    formula.at_most(n.saturating_sub(1), &presses);
    formula
}

/// The plain formula and its press variables: a parity a square, a free colour for "either".
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
