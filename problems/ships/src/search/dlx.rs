//! `dlx`: Knuth's dancing links (TAOCP 7.2.2.1, algorithm X) from the crate `dlx`.
//!
//! This engine shares with `cover` only the test for lost families. It has no bounds and no branching order of its own.
//! Ships and hits are primary items, other squares that are not misses are secondary items, and every placement that
//! covers no miss is an option. The library branches on the item with the fewest options and yields one fleet after
//! another. Each new covered set joins the family, and the search ends early when the family is lost.

use crate::answer::Answer;
use crate::answer::family::{Family, Standing};
use crate::{Instance, Rules, Square};
use ::dlx::choose::{Choose, mrv_chooser, no_tiebreak, prefer_any};
use ::dlx::x::{Problem, make_problem};
use ::dlx::{OptOrder, Solver, Uint};
use counterpoint_core::board::Bits;
use counterpoint_core::engine::{Budget, Limit, Outcome};
use rustc_hash::FxHashSet;

/// Solves one board.
pub fn solve(rules: &Rules, instance: &Instance, budget: &mut Budget) -> Outcome<Answer> {
    decide(rules, instance, budget).into()
}

fn decide(rules: &Rules, instance: &Instance, budget: &mut Budget) -> Result<Answer, Limit> {
    let (size, ships) = (instance.size, rules.fleet.ships.len());
    let mut family = Family::new(size, rules.misses);
    let (hits, others): (Vec<usize>, Vec<usize>) = (0..size.cells())
        .filter(|&i| instance.squares[i] != Square::Miss)
        .partition(|&i| instance.squares[i] == Square::Hit);
    // Primary items: the ships, then the hits. Secondary items: the other squares, then one item without options, which
    // `Watched` uses to end the search.
    let mut item = vec![None; size.cells()];
    hits.iter().chain(&others).zip(ships..).for_each(|(&cell, number)| item[cell] = Some(number as Uint));
    let (primary, secondary) = ((ships + hits.len()) as Uint, others.len() as Uint + 1);
    let (mut options, mut placements) = (Vec::new(), Vec::new());
    for (number, ship) in (0..).zip(&rules.fleet.ships) {
        for placement in ship.placements(size) {
            let cells: Vec<usize> = placement.cells.iter().map(|&cell| size.index(cell)).collect();
            if let Some(items) = cells.iter().map(|&cell| item[cell]).collect::<Option<Vec<Uint>>>() {
                options.push([vec![number], items].concat());
                placements.push(cells);
            }
        }
    }
    if options.is_empty() {
        return family.answer(budget);
    }
    let mut problem = make_problem(primary, secondary, &options, OptOrder::Seq);
    let mut solver = Solver::new(&mut problem);
    let mut chooser = Watched { budget, limit: None, no_options: primary + secondary };
    let mut found = FxHashSet::default();
    while solver.next_solution(&mut chooser) {
        let chosen = solver.fmt_solution().iter();
        let fleet = chosen.filter_map(|&option| placements.get(usize::try_from(option).ok()?));
        let set = Bits::from_indices(size.cells(), fleet.flatten().copied());
        if found.insert(set.clone()) && family.add(set.words(), chooser.budget)? == Standing::Lost {
            return family.answer(chooser.budget);
        }
    }
    match chooser.limit {
        Some(limit) => Err(limit),
        None => family.answer(budget),
    }
}

/// Chooses the item with the fewest options and counts nodes. Once the budget reaches a limit, it chooses the item
/// without options, so that the search backtracks from every open node and ends.
struct Watched<'a> {
    budget: &'a mut Budget,
    limit: Option<Limit>,
    /// The item without options. A chooser numbers items from 1, although options number them from 0.
    no_options: Uint,
}

impl Choose<Problem> for Watched<'_> {
    fn choose(&mut self, problem: &mut Problem) -> Uint {
        if self.limit.is_none() {
            self.limit = self.budget.node().err();
        }
        match self.limit {
            Some(_) => self.no_options,
            None => mrv_chooser(prefer_any(), no_tiebreak()).choose(problem),
        }
    }
}
