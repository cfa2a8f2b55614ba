//! `path`: encodes the record as a path in the class graph, with a variable for each step and each place that the path
//! can reach at this step.
//!
//! The vertices of the class graph are boards up to symmetry; its edges are toggles. A game without a repeat is a path
//! in this graph that visits no vertex twice.
//!
//! # Places
//! A *place* is what the path visits after a step: a board or a class. If a later line of the record names a row or a
//! column, the class alone does not determine which toggle is meant. So the places before the last such line are
//! boards, and the places after it are classes (symmetry breaking). Only places that the record can reach get
//! variables.
//!
//! # Each class at most once
//! * `once=pairwise`: any two variables of a class exclude each other.
//! * `once=chain`: an auxiliary variable says whether a class was produced up to a step. It is defined by the previous
//!   auxiliary variable of the class and by the variables of this step's places in the class.
//!
//! In both cases the map `produced` has, for each class, literals whose disjunction says that the class was
//! produced. The method `repeat` uses them as well.

use super::super::{Entry, Instance, Legality, Move, Rules, Sign, Start};
use super::{Encoder, NoEncoder, few_enough};
use crate::study::words::Words;
use counterpoint_core::board::{Cell, Size};
use counterpoint_core::engine::{Budget, Limit};
use counterpoint_core::errors::Unsupported;
use counterpoint_core::problem::{Board, Ground, Mark, Shape, Square, Strip};
use counterpoint_core::spec::TypedAxis;
use counterpoint_encodings::{AtMostOne, Lit, Sink};
use rustc_hash::FxHashMap;
use std::fmt;

/// The axis `once`.
pub(super) const ONCE: TypedAxis<Once, 2> = TypedAxis::new(
    "once",
    [("pairwise", Once::Pairwise), ("chain", Once::Chain)],
)
.about(
    "'each class at most once': a clause for any two steps (pairwise), or a chain of new variables (chain)",
);

/// How "each class at most once" is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Once {
    /// A clause for any two variables of the class.
    Pairwise,
    /// A chain of variables, each of which says whether the class was produced up to a step.
    Chain,
}

/// The number of places expanded between two polls of the budget.
const POLL_EVERY: usize = 1 << 10;

/// The part of the class graph that a record can reach.
struct Graph<'a> {
    rules: &'a Rules,
    instance: &'a Instance,
    words: Words,
    /// The first step after which a place is a class instead of a board.
    classes_from: usize,
}

/// The places after one step.
struct Layer {
    /// In ascending order.
    places: Vec<u64>,
    /// For each place of the previous layer, its successors as indices into `places`, in ascending order.
    onward: Vec<Vec<usize>>,
}

impl<'a> Graph<'a> {
    /// # Errors
    /// Returns an error if the board is too large for a 64-bit word.
    fn new(rules: &'a Rules, instance: &'a Instance) -> Result<Self, Unsupported> {
        let words = Words::new(instance.n, rules.group)?;
        let names_square = |entry: &Entry| entry.x().is_some() || entry.y().is_some();
        let classes_from = instance.record.iter().rposition(names_square).map_or(0, |last| last + 1);
        Ok(Graph { rules, instance, words, classes_from })
    }

    fn class(&self, board: u64) -> u64 {
        self.words.images(board).least()
    }

    /// The place that represents a board after a step.
    fn place(&self, step: usize, board: u64) -> u64 {
        if step < self.classes_from { board } else { self.class(board) }
    }

    /// The moves that step `step` allows on a board, each with the board after it.
    fn moves(&self, step: usize, board: u64) -> impl Iterator<Item = (Move, u64)> {
        let (size, entry) = (self.instance.size(), self.instance.record[step - 1]);
        let known = entry.known().filter(|_| self.rules.legality == Legality::Lenient);
        size.iter().filter(move |&cell| entry.allows(cell)).filter_map(move |cell| {
            let square = 1 << size.index(cell);
            let legal = if board & square == 0 { Sign::Place } else { Sign::Take };
            let sign = known.map_or(legal, |mv| mv.sign);
            let after = if sign == Sign::Place { board | square } else { board & !square };
            entry.sign().is_none_or(|demanded| demanded == sign).then_some((Move { cell, sign }, after))
        })
    }

    /// The places after step `step`, given those before it.
    ///
    /// # Errors
    /// Returns the limit that was reached.
    fn layer(&self, step: usize, before: &[u64], budget: &Budget) -> Result<Layer, Limit> {
        let after = |&board: &u64| self.moves(step, board).map(|(_, after)| self.place(step, after));
        let mut places: Vec<u64> = Vec::new();
        for some in before.chunks(POLL_EVERY) {
            budget.poll()?;
            places.extend(some.iter().flat_map(after));
        }
        places.sort_unstable();
        places.dedup();
        let number = |place: u64| places.binary_search(&place).unwrap_or_else(|place| place);
        let mut onward = Vec::with_capacity(before.len());
        for some in before.chunks(POLL_EVERY) {
            budget.poll()?;
            onward.extend(some.iter().map(|board| {
                let mut numbers: Vec<usize> = after(board).map(number).collect();
                numbers.sort_unstable();
                numbers.dedup();
                numbers
            }));
        }
        Ok(Layer { places, onward })
    }

    /// The places after each step.
    ///
    /// # Errors
    /// Returns an error if the formula has too many clauses, or a limit of the budget was reached.
    fn layers(&self, amo: AtMostOne, once: Once, budget: &Budget) -> Result<Vec<Layer>, NoEncoder> {
        let mut clauses = 0u64;
        let mut produced: FxHashMap<u64, u64> = FxHashMap::default();
        let mut layers: Vec<Layer> = Vec::new();
        for step in 1..=self.instance.record.len() {
            let before = layers.last().map_or(&[0][..], |layer| &layer.places);
            let (layer, before) = (self.layer(step, before, budget)?, before.len() as u64);
            let here = layer.places.len() as u64;
            // Count the clauses for exactly one place, for the edges in both directions, and for the repeat.
            clauses = clauses.saturating_add(2 + amo.at_most_one_size(here).clauses + before + 2 * here);
            for &place in &layer.places {
                let earlier = produced.entry(self.class(place)).or_default();
                clauses += if once == Once::Chain { 4 } else { *earlier };
                *earlier += 1;
            }
            few_enough(clauses)?;
            layers.push(layer);
        }
        Ok(layers)
    }

    /// Whether a class counts as produced before the first move.
    fn is_given(&self, class: u64) -> bool {
        class == 0 && self.rules.start == Start::Counted
    }
}

/// Supports boards of up to 8×8 squares.
///
/// # Errors
/// Returns a message with the board's size.
pub(super) fn supports(rules: &Rules, instance: &Instance) -> Result<(), Unsupported> {
    Graph::new(rules, instance).map(drop)
}

/// The formula so far.
pub(super) struct Path<'a> {
    graph: Graph<'a>,
    amo: AtMostOne,
    once: Once,
    /// The layers of the steps that were not added yet.
    ahead: std::vec::IntoIter<Layer>,
    /// The places after each step that was added, with their literals. There is no entry for the start.
    layers: Vec<Vec<(u64, Lit)>>,
    /// For each class, literals whose disjunction is true iff one of the steps for which `distinct` was called
    /// produced the class.
    produced: FxHashMap<u64, Vec<Lit>>,
    /// The last step for which `next_repeat` was called; 0 if there is none.
    asked: usize,
}

impl<'a> Path<'a> {
    /// The encoder before the first move.
    ///
    /// # Errors
    /// Returns why the record has no encoder.
    pub(super) fn new(
        rules: &'a Rules,
        instance: &'a Instance,
        amo: AtMostOne,
        once: Once,
        budget: &Budget,
    ) -> Result<Self, NoEncoder> {
        let graph = Graph::new(rules, instance)?;
        let ahead = graph.layers(amo, once, budget)?.into_iter();
        Ok(Path { graph, amo, once, ahead, layers: Vec::new(), produced: FxHashMap::default(), asked: 0 })
    }

    /// The class and the literal of each place after the last step.
    fn last(&self) -> impl Iterator<Item = (u64, Lit)> {
        self.layers.last().into_iter().flatten().map(|&(place, lit)| (self.graph.class(place), lit))
    }
}

impl Encoder for Path<'_> {
    fn step(&mut self, sink: &mut dyn Sink) {
        let step = self.layers.len() + 1;
        let Some(Layer { places, onward }) = self.ahead.next() else { return };
        sink.group("one place a step");
        let size = self.graph.instance.size();
        let lits: Vec<Lit> =
            places.iter().map(|&place| at_var(sink, step, Picture { place, size })).collect();
        sink.show(&lits.iter().map(|lit| lit.var()).collect::<Vec<_>>());
        if lits.is_empty() {
            sink.clause(&[]);
        } else {
            self.amo.exactly_one(sink, &lits);
        }
        if let Some(before) = self.layers.last() {
            sink.group("toggles");
            let mut back = vec![Vec::new(); lits.len()];
            for (&(_, from), onward) in before.iter().zip(&onward) {
                onward.iter().for_each(|&number| back[number].push(from));
                sink.clause(&[!from].into_iter().chain(onward.iter().map(|&i| lits[i])).collect::<Vec<_>>());
            }
            for (&lit, back) in lits.iter().zip(&back) {
                sink.clause(&[!lit].into_iter().chain(back.iter().copied()).collect::<Vec<_>>());
            }
        }
        self.layers.push(places.into_iter().zip(lits).collect());
    }

    fn repeat(&mut self, sink: &mut dyn Sink) -> Lit {
        sink.group("repeat");
        let repeat = sink.named_var(format_args!("repeat step {}", self.layers.len())).pos_lit();
        for (class, lit) in self.last().filter(|&(class, _)| !self.graph.is_given(class)) {
            let earlier = self.produced.get(&class).into_iter().flatten().copied();
            sink.clause(&[!repeat, !lit].into_iter().chain(earlier).collect::<Vec<_>>());
        }
        repeat
    }

    /// All ways at once.
    fn next_repeat(&mut self, sink: &mut dyn Sink) -> Option<Lit> {
        let is_first = self.asked < self.layers.len();
        self.asked = self.layers.len();
        is_first.then(|| self.repeat(sink))
    }

    fn distinct(&mut self, sink: &mut dyn Sink) {
        sink.group("each class once");
        let mut here: Vec<(u64, Lit)> = self.last().collect();
        here.sort_by_key(|&(class, _)| class);
        for group in here.chunk_by(|(a, _), (b, _)| a == b) {
            let class = group[0].0;
            if self.graph.is_given(class) {
                group.iter().for_each(|&(_, lit)| sink.clause(&[!lit]));
            }
            let produced = self.produced.entry(class).or_default();
            if self.once == Once::Pairwise && sink.supports_linear() {
                // The literals of one step exclude each other already, so a class without literals of earlier
                // steps needs no constraint.
                let is_new = produced.is_empty();
                produced.extend(group.iter().map(|&(_, lit)| lit));
                if !is_new {
                    self.amo.at_most_one(sink, produced);
                }
                continue;
            }
            for (&(_, lit), earlier) in group.iter().flat_map(|at| produced.iter().map(move |e| (at, e))) {
                sink.clause(&[!lit, !*earlier]);
            }
            produced.extend(group.iter().map(|&(_, lit)| lit));
            if self.once == Once::Chain && produced.len() > 1 {
                let size = self.graph.instance.size();
                let link = produced_var(sink, self.layers.len(), Picture { place: class, size });
                produced.iter().for_each(|&earlier| sink.clause(&[!earlier, link]));
                sink.clause(&[!link].into_iter().chain(produced.drain(..)).collect::<Vec<_>>());
                produced.push(link);
            }
        }
    }

    fn strips(&self) -> Vec<Strip> {
        let size = self.graph.instance.size();
        let strip = |(layer, step): (&Vec<(u64, Lit)>, usize)| Strip {
            title: format!("move {step}"),
            boards: layer.iter().map(|&(place, lit)| choice_of(size, place, lit)).collect(),
        };
        self.layers.iter().zip(1..).map(strip).collect()
    }

    fn moves(&self, value: &dyn Fn(Lit) -> bool) -> Vec<Move> {
        let (mut board, mut moves) = (0, Vec::new());
        for (layer, step) in self.layers.iter().zip(1..) {
            let place = layer.iter().find(|&&(_, lit)| value(lit)).map(|&(place, _)| place);
            let there = |(_, after): &(Move, u64)| Some(self.graph.place(step, *after)) == place;
            let Some((mv, after)) = self.graph.moves(step, board).find(there) else { break };
            moves.push(mv);
            board = after;
        }
        moves
    }
}

/// The board of a place. `lit` is true iff this place is the one that the step produces.
fn choice_of(size: Size, place: u64, lit: Lit) -> Board {
    let square = |cell| {
        let spot = (place >> size.index(cell) & 1 == 1).then(|| Mark::always(Shape::Spot));
        Square { marks: spot.into_iter().collect(), ..Square::plain(Ground::Plain) }
    };
    Board { title: String::new(), lit: Some(lit), size, squares: size.iter().map(square).collect() }
}

/// The rows of a board from top to bottom: `x../.../..x`.
struct Picture {
    place: u64,
    size: Size,
}

impl fmt::Display for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..self.size.height {
            if row > 0 {
                f.write_str("/")?;
            }
            for col in 0..self.size.width {
                let spot = self.place >> self.size.index(Cell::new(row, col)) & 1 == 1;
                f.write_str(if spot { "x" } else { "." })?;
            }
        }
        Ok(())
    }
}

/// True iff step `step` produces this board. If no later line names a row or column, an image of this board is enough.
fn at_var(sink: &mut dyn Sink, step: usize, board: Picture) -> Lit {
    sink.named_var(format_args!("step {step} at {board}")).pos_lit()
}

/// True iff one of the steps up to `step` produces this board or one of its images.
fn produced_var(sink: &mut dyn Sink, step: usize, board: Picture) -> Lit {
    sink.named_var(format_args!("by step {step} produced {board}")).pos_lit()
}
