//! Decides by SAT whether a player can force the other to repeat. The question is a quantified Boolean formula. Its
//! universal moves are expanded, so a SAT solver can decide it, and a model is a strategy.
//!
//! "The pursuer has a move such that for each toggle of the pursued the pursuer has a move ..." becomes a tree. It has
//! a node for each sequence of toggles of the pursued, and each node has a variable for each class to which the pursuer
//! may move. (A. Biere, *Resolve and Expand*, SAT 2004, expands universal variables in this way.) Each move of the
//! pursued multiplies the size by up to the number of squares.

use super::super::Start;
use super::implicit::ImplicitGraph;
use super::pursuit::Pursuer;
use counterpoint_core::engine::{Budget, Limit, Unfinished};
use counterpoint_core::solver::{self, Solver, SolverFactory};
use counterpoint_encodings::{AtMostOne, Lit};
use petgraph::graph::NodeIndex;
use std::collections::BTreeMap;

/// The maximum number of literals for moves of the pursued, one for each pair of a toggle and a class at which it may
/// be made.
pub const MAX_LITERALS: usize = 1 << 18;

/// The class after some move: maps the index of each possible class to a literal that is true iff the move leads to
/// this class.
type Chosen = BTreeMap<usize, Lit>;

/// Whether a player can force the other to repeat by move `limit`, as [`ForcingSearch::forces`] decides by search;
/// `None` if the formula would have more than [`MAX_LITERALS`] literals for moves.
///
/// # Errors
/// Returns an error if a limit was reached, possibly while the formula was written, or the solver failed.
///
/// [`ForcingSearch::forces`]: super::forcing_search::ForcingSearch::forces
pub fn forces(
    graph: &ImplicitGraph,
    start: Start,
    pursuer: Pursuer,
    limit: usize,
    budget: &mut Budget,
) -> Result<Option<bool>, Unfinished> {
    let squares = graph.squares();
    let moves = pursuer.others_moves(limit);
    if moves == 0 {
        return Ok(Some(false));
    }
    let mut solver = SolverFactory::default().fresh();
    let empty = solver.new_var().pos_lit();
    solver.clause(&[empty]);
    let here = Chosen::from([(0, empty)]);
    let mut tree = Tree { graph, squares, written: 0, budget };
    let past = if start == Start::Counted { vec![here.clone()] } else { Vec::new() };
    let is_complete = if pursuer == Pursuer(1) {
        let (next, may) = tree.pursue(&here, &past, &mut *solver);
        solver.clause(&may);
        tree.answer(&next, &with(&past, &next), moves, &[], &mut *solver)?
    } else {
        tree.answer(&here, &past, moves, &[], &mut *solver)?
    };
    if !is_complete {
        return Ok(None);
    }
    Ok(Some(solver::step(solver, &[], budget)?.0))
}

fn with(past: &[Chosen], next: &Chosen) -> Vec<Chosen> {
    past.iter().chain([next]).cloned().collect()
}

struct Tree<'a> {
    graph: &'a ImplicitGraph,
    squares: u32,
    /// The number of literals for moves of the pursued that were written so far; [`MAX_LITERALS`] says which literals
    /// are counted.
    written: usize,
    budget: &'a Budget,
}

impl Tree<'_> {
    fn toggled(&self, class: usize, square: u32) -> usize {
        self.graph.class(self.graph.board(NodeIndex::new(class)) ^ 1 << square).index()
    }

    /// Writes every toggle of the pursued at the class `here`, and the moves that follow. `past` are the classes
    /// produced so far, and the pursued has `moves` moves left. If one of the literals `over` is true, the pursued has
    /// repeated before, and the pursuer need not move again. Returns false if the formula becomes too large.
    ///
    /// # Errors
    /// Returns the limit that was reached.
    fn answer(
        &mut self,
        here: &Chosen,
        past: &[Chosen],
        moves: usize,
        over: &[Lit],
        sink: &mut dyn Solver,
    ) -> Result<bool, Limit> {
        let leads =
            |square| -> Vec<usize> { here.keys().map(|&class| self.toggled(class, square)).collect() };
        // If two toggles lead to the same class from each possible class, only one of them is written.
        let mut leads: Vec<Vec<usize>> = (0..self.squares).map(leads).collect();
        leads.sort_unstable();
        leads.dedup();
        self.written += leads.len() * here.len();
        if self.written > MAX_LITERALS {
            return Ok(false);
        }
        for lead in leads {
            self.budget.poll()?;
            let mut from: BTreeMap<usize, Vec<Lit>> = BTreeMap::new();
            for (&lit, class) in here.values().zip(lead) {
                from.entry(class).or_default().push(lit);
            }
            let there: Chosen = from.keys().map(|&class| (class, sink.new_var().pos_lit())).collect();
            for (class, from) in &from {
                from.iter().for_each(|&lit| sink.clause(&[!lit, there[class]]));
                sink.clause(&from.iter().copied().chain([!there[class]]).collect::<Vec<_>>());
            }
            let over = [over, &[repeats(&there, past, sink)]].concat();
            if moves == 1 {
                sink.clause(&over);
                continue;
            }
            let past = with(past, &there);
            let (next, may) = self.pursue(&there, &past, sink);
            sink.clause(&[over.as_slice(), &may].concat());
            if !self.answer(&next, &with(&past, &next), moves - 1, &over, sink)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Writes a move of the pursuer from `here`: at most one class is chosen among the neighbours that are not
    /// produced. Returns the class after the move, and its literals as a list. If a move is made, exactly one of these
    /// literals is true; otherwise none is.
    fn pursue(&self, here: &Chosen, past: &[Chosen], sink: &mut dyn Solver) -> (Chosen, Vec<Lit>) {
        let mut from: BTreeMap<usize, Vec<Lit>> = BTreeMap::new();
        for (&class, &lit) in here {
            let mut next: Vec<usize> = (0..self.squares).map(|square| self.toggled(class, square)).collect();
            next.sort_unstable();
            next.dedup();
            next.into_iter().for_each(|next| from.entry(next).or_default().push(lit));
        }
        let next: Chosen = from.keys().map(|&class| (class, sink.new_var().pos_lit())).collect();
        for (class, from) in &from {
            sink.clause(&from.iter().copied().chain([!next[class]]).collect::<Vec<_>>());
            let produced = past.iter().filter_map(|earlier| earlier.get(class));
            produced.for_each(|&lit| sink.clause(&[!lit, !next[class]]));
        }
        let may: Vec<Lit> = next.values().copied().collect();
        AtMostOne::Sequential.at_most_one(sink, &may);
        (next, may)
    }
}

/// A literal that implies that the class `there` is one of the classes `past`.
fn repeats(there: &Chosen, past: &[Chosen], sink: &mut dyn Solver) -> Lit {
    let repeats = sink.new_var().pos_lit();
    let mut any = vec![!repeats];
    for earlier in past {
        let both: Vec<(Lit, Lit)> =
            there.iter().filter_map(|(class, &lit)| Some((lit, *earlier.get(class)?))).collect();
        if both.is_empty() {
            continue;
        }
        let same = sink.new_var().pos_lit();
        // If `same` is true, one of the classes was reached both times.
        let mut some = vec![!same];
        for (now, then) in both {
            let is_this = sink.new_var().pos_lit();
            sink.clause(&[!is_this, now]);
            sink.clause(&[!is_this, then]);
            some.push(is_this);
        }
        sink.clause(&some);
        any.push(same);
    }
    sink.clause(&any);
    repeats
}
