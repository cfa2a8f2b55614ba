//! Checks verdicts that come without evidence. A plain search looks for the evidence: it collects sets that fit until
//! these sets are lost or no other set fits. If the search reaches a limit first, a proof that no other set fits may
//! close the claim.

use super::fleets::{self, Stop};
use super::{Known, counts_exclude, in_words, is_lost, no_other};
use crate::answer::Verdict;
use crate::{Instance, Rules, Square};
use counterpoint_core::board::Cell;
use counterpoint_core::claim::{Claim, Status};
use counterpoint_core::engine::{Budget, Limit};
use counterpoint_core::proof::{self, Obligation, Proof};
use counterpoint_core::study::plural;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// From time to time, a test decides whether the sets found so far are lost. All tests but the last one may
/// together take at most this number of nodes, regardless of the budget.
const MAX_NODES: u64 = 1 << 22;
/// Maximum number of nodes of the last test.
const MAX_LAST_NODES: u64 = 1 << 25;
/// Maximum number of sets.
const MAX_SETS: usize = 1 << 14;
/// As long as there are at most this many sets, each new one is followed by a test; later tests run whenever the number
/// of sets has grown by a quarter.
const MAX_TESTED_SETS: usize = 32;

/// The text of the claim that some set fits.
const SOME_FLEET: &str = "some fleet fits";

/// Sets that fit, and what is known of them.
struct Found {
    sets: Vec<Vec<Cell>>,
    end: End,
}

/// How the search ended.
enum End {
    /// No plan wins against the sets.
    Lost,
    /// No other set fits, and some plan wins against the sets.
    Won,
    /// Some plan wins against the sets. The search has reached its own limit on nodes, so other sets may fit. The sets
    /// are the same whenever the search ends like this.
    Unfinished,
    /// The search has reached any other limit.
    Stopped(Limit),
}

/// The claims of a verdict.
pub(super) fn claims(
    verdict: Verdict,
    rules: &Rules,
    instance: &Instance,
    proofs: &[Proof],
    budget: &mut Budget,
) -> Vec<Claim> {
    claims_within(fleets::MAX_NODES, verdict, rules, instance, proofs, budget)
}

/// The claims after a search of at most `max_nodes` nodes.
fn claims_within(
    max_nodes: u64,
    verdict: Verdict,
    rules: &Rules,
    instance: &Instance,
    proofs: &[Proof],
    budget: &mut Budget,
) -> Vec<Claim> {
    let text = text(verdict, rules);
    // The formula of a proof depends on the sets that the search found when the proof was made. If there are proofs,
    // the search must find the same sets again, so only its own limits apply, not those of the budget.
    let mut part = match proofs {
        [] => budget.part(budget.left()),
        _ => Budget::new(None, budget.stop()),
    };
    let Found { sets, end } = search(max_nodes, rules, instance, &mut part);
    budget.work.nodes += part.work.nodes;
    let open = |limit: Limit| {
        let n = plural(sets.len(), "set", "sets");
        let why = match limit {
            Limit::Cancelled => "was cancelled".to_owned(),
            limit => format!("reached its {limit}"),
        };
        Status::Open(format!("the search for sets that fit {why} after {n}"))
    };
    let status = match (verdict, &end) {
        (Verdict::Yes, End::Lost) => Status::Failed(format!("no plan uncovers each of {} sets", sets.len())),
        (Verdict::Yes, End::Won) | (Verdict::No, End::Lost) => Status::Recomputed,
        (Verdict::No, End::Won) if sets.is_empty() => Status::Recomputed,
        (Verdict::No, End::Won) => match sets.len() {
            1 => Status::Failed("only one set fits".to_owned()),
            n => Status::Failed(format!("some plan uncovers each of the {n} sets that fit")),
        },
        (_, End::Unfinished) => open(Limit::Work),
        (_, End::Stopped(limit)) => open(*limit),
    };
    let status = match obligation(verdict, rules, instance, &sets, &end) {
        Some(obligation) => proof::close(&obligation, proofs, &budget.stop(), || status),
        None => status,
    };
    if verdict == Verdict::No {
        return vec![Claim::new(text, status)];
    }
    let some = match (&end, sets.is_empty()) {
        (_, false) => Status::Recomputed,
        (End::Won, true) => Status::Failed("the search finds no fleet".to_owned()),
        (_, true) if status.is_closed() => Status::Failed("a proof shows that none does".to_owned()),
        (End::Stopped(limit), true) => open(*limit),
        (End::Lost | End::Unfinished, true) => open(Limit::Work),
    };
    vec![Claim::new(SOME_FLEET, some), Claim::new(text, status)]
}

/// The obligation of a verdict that the search does not settle.
///
/// # Errors
/// Returns the limit of the budget that the search has reached.
pub(super) fn obligations<'a>(
    verdict: Verdict,
    rules: &'a Rules,
    instance: &'a Instance,
    budget: &mut Budget,
) -> Result<Vec<Obligation<'a>>, Limit> {
    obligations_within(fleets::MAX_NODES, verdict, rules, instance, budget)
}

fn obligations_within<'a>(
    max_nodes: u64,
    verdict: Verdict,
    rules: &'a Rules,
    instance: &'a Instance,
    budget: &mut Budget,
) -> Result<Vec<Obligation<'a>>, Limit> {
    budget.poll()?;
    let Found { sets, end } = search(max_nodes, rules, instance, budget);
    match end {
        End::Stopped(limit) => Err(limit),
        end => Ok(obligation(verdict, rules, instance, sets, &end).into_iter().collect()),
    }
}

/// The obligation after a search. It proves the verdict "yes" if the sets are won and no other set fits. It proves the
/// verdict "no" only if no fleet fits.
fn obligation<'a>(
    verdict: Verdict,
    rules: &'a Rules,
    instance: &'a Instance,
    sets: impl Into<Cow<'a, [Vec<Cell>]>>,
    end: &End,
) -> Option<Obligation<'a>> {
    let sets = sets.into();
    let helps = matches!(end, End::Unfinished) && (verdict == Verdict::Yes || sets.is_empty());
    helps.then(|| no_other(&text(verdict, rules), rules, instance, sets).sufficient())
}

/// The text of the claim about plans.
fn text(verdict: Verdict, rules: &Rules) -> String {
    let misses = in_words(rules.misses);
    match verdict {
        Verdict::Yes => format!("some plan uncovers every set that fits with at most {misses}"),
        Verdict::No => {
            format!("no plan uncovers every set that fits with at most {misses}, or no fleet fits")
        }
    }
}

/// Searches for sets that fit.
fn search(max_nodes: u64, rules: &Rules, instance: &Instance, budget: &mut Budget) -> Found {
    if counts_exclude(rules, instance) {
        return Found { sets: Vec::new(), end: End::Won };
    }
    let free: Vec<_> = instance.size.iter().filter(|&cell| instance.at(cell) != Square::Miss).collect();
    let hits: Vec<_> = instance.cells(Square::Hit).collect();
    let part = |max: u64| budget.part(budget.left().min(max));
    let (tests, mut last_test) = (part(MAX_NODES), part(MAX_LAST_NODES));
    let mut sets = Sets {
        misses: rules.misses,
        sets: Vec::new(),
        distinct: BTreeSet::new(),
        known: Known::new(),
        tests,
        next_test: 2,
    };
    let before = budget.work.nodes;
    let mut visit = |set| sets.add(set);
    let walked =
        fleets::walk_within(max_nodes, &rules.fleet, instance.size, &hits, &free, budget, &mut visit);
    let walk_ended = budget.work.nodes - before == max_nodes && budget.left() > 0;
    let end = match walked {
        Err(Stop::Enough) => Ok(End::Lost),
        Err(Stop::Limit(Limit::Work)) if walk_ended => Ok(End::Unfinished),
        Err(Stop::Limit(limit)) => Err(limit),
        Ok(()) => Ok(End::Won),
    };
    let end = match end {
        Ok(End::Won | End::Unfinished) => {
            match are_lost(&sets.sets, rules.misses, &mut sets.known, &mut last_test) {
                Ok(true) => Ok(End::Lost),
                Ok(false) => end,
                Err(limit) => Err(limit),
            }
        }
        end => end,
    };
    budget.work.nodes += last_test.work.nodes + sets.tests.work.nodes;
    Found { sets: sets.sets, end: end.unwrap_or_else(End::Stopped) }
}

/// The sets found so far.
struct Sets {
    misses: u32,
    sets: Vec<Vec<Cell>>,
    distinct: BTreeSet<Vec<Cell>>,
    /// The memo table. Sets keep their numbers, so its entries remain true when sets are added.
    known: Known,
    /// The budget of the tests before the last one.
    tests: Budget,
    /// The number of sets at which the next test runs.
    next_test: usize,
}

impl Sets {
    /// Adds a set, unless it is known. Stops the search if the sets are lost.
    fn add(&mut self, set: Vec<Cell>) -> Result<(), Stop> {
        if !self.distinct.insert(set.clone()) {
            return Ok(());
        }
        if self.sets.len() == MAX_SETS {
            return Err(Stop::Limit(Limit::Memory));
        }
        self.sets.push(set);
        let n = self.sets.len();
        if n < self.next_test {
            return Ok(());
        }
        self.next_test = if n < MAX_TESTED_SETS { n + 1 } else { n + n / 4 };
        if self.tests.left() == 0 {
            return Ok(());
        }
        match are_lost(&self.sets, self.misses, &mut self.known, &mut self.tests) {
            Ok(true) => Err(Stop::Enough),
            // At the limit of these tests, only the test at the end remains.
            Ok(false) | Err(Limit::Work) => Ok(()),
            Err(limit) => Err(Stop::Limit(limit)),
        }
    }
}

/// Whether no plan wins against the sets.
fn are_lost(sets: &[Vec<Cell>], misses: u32, known: &mut Known, budget: &mut Budget) -> Result<bool, Limit> {
    is_lost(sets, (0..sets.len() as u32).collect(), misses, known, budget)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dialect, Fleet, Poses, Ship};
    use counterpoint_core::board::Size;
    use counterpoint_core::certify::{certify, proofs};
    use counterpoint_core::claim::{all_closed, any_failed};

    fn board(rows: &[&str]) -> Instance {
        let square = |c| match c {
            'x' => Square::Hit,
            'o' => Square::Miss,
            _ => Square::Unknown,
        };
        let size = Size::new(rows[0].len() as u32, rows.len() as u32);
        Instance { size, squares: rows.iter().flat_map(|row| row.chars()).map(square).collect() }
    }

    /// Whatever the limit, a right verdict never fails and a wrong one is never closed. With small limits, proofs close
    /// some claims that the search leaves open.
    #[test]
    fn proofs_close_what_a_limited_search_leaves_open() {
        let yes = board(&["..xxxx", "xxxxxx", "oo.xxx", "xxxxxx", "xx.xxx", "oo.oxo"]);
        let no = board(&["xx.....", "xx.....", ".......", ".......", "......."]);
        // Two dominoes cannot cover three hits no two of which are adjacent.
        let none = board(&["x.x", "...", "x.."]);
        let domino = |name: &str| Ship {
            name: name.to_owned(),
            cells: vec![Cell::new(0, 0), Cell::new(0, 1)],
            poses: Poses::Turned,
        };
        let two = Fleet { ships: ["A", "B"].map(domino).into() };
        for (board, fleet, right, proved) in [
            (yes, Fleet::standard(), Verdict::Yes, [true, false]),
            (no, Fleet::standard(), Verdict::No, [false; 2]),
            (none, two, Verdict::No, [false, true]),
        ] {
            let rules = Rules { misses: 1, fleet, dialect: Dialect::Auto };
            for (verdict, proved) in [Verdict::Yes, Verdict::No].into_iter().zip(proved) {
                let mut closed = false;
                for max_nodes in (0..14).map(|i| 1 << i) {
                    let unlimited = &mut Budget::unlimited();
                    let obligations =
                        obligations_within(max_nodes, verdict, &rules, &board, unlimited).unwrap();
                    let proofs = proofs(certify(&obligations, &mut Budget::unlimited()));
                    for proofs in [&[][..], &proofs] {
                        let claims = claims_within(
                            max_nodes,
                            verdict,
                            &rules,
                            &board,
                            proofs,
                            &mut Budget::unlimited(),
                        );
                        let context = format!("{verdict:?} {max_nodes}: {claims:?}");
                        assert!(
                            if verdict == right { !any_failed(&claims) } else { !all_closed(&claims) },
                            "{context}"
                        );
                        // The proof that no fleet fits refutes the verdict "yes".
                        assert!(proofs.is_empty() || verdict == right || any_failed(&claims), "{context}");
                        closed |= !proofs.is_empty() && all_closed(&claims);
                    }
                }
                assert_eq!(closed, proved, "{verdict:?}");
            }
        }
    }
    /// If the budget reaches a limit, it is not known whether a proof is needed, so this is an error, not an empty
    /// list.
    #[test]
    fn listing_obligations_has_a_budget() {
        let board = board(&["..xxxx", "xxxxxx", "oo.xxx", "xxxxxx", "xx.xxx", "oo.oxo"]);
        let rules = Rules { misses: 1, fleet: Fleet::standard(), dialect: Dialect::Auto };
        let list = |mut budget: Budget| {
            let listed = obligations_within(64, Verdict::Yes, &rules, &board, &mut budget);
            listed.map(|obligations| obligations.len())
        };
        assert_eq!(list(Budget::of_work(3)), Err(Limit::Work));
        let stopped = std::sync::Arc::new(|| Some(Limit::Cpu));
        assert_eq!(list(Budget::new(None, stopped)), Err(Limit::Cpu));
        assert!(list(Budget::unlimited()).is_ok());
    }
}
