//! `toggles`: encodes each step as one toggle, and requires boards to be distinct up to symmetry.
//!
//! Squares and toggles that the record determines are constants ([`Term::Known`]) instead of variables, and clauses
//! that contain constants are simplified. So the formula of a complete record is almost empty, and that of a smudged
//! record covers only what its unknown moves can change.
//!
//! Two boards are distinct up to symmetry if, for each symmetry, some square of one board differs from its image on the
//! other. With `distinct=eager`, clauses demand this for all pairs of steps. With `distinct=lazy`, clauses are added
//! only for pairs whose boards were equal in an earlier model, just as subtour constraints are added only when a tour
//! violates them (travelling salesman problem; G. Dantzig, R. Fulkerson, S. Johnson, *Solution of a Large-Scale
//! Traveling-Salesman Problem*, 1954).

use super::super::{Entry, Instance, Legality, Move, Rules, Sign, Start};
use super::{Encoder, boards, few_enough, least_image};
use counterpoint_core::board::{Bits, Cell, Symmetry};
use counterpoint_core::errors::Unsupported;
use counterpoint_core::problem::{Board, Ground, Mark, Shape, Square, Strip};
use counterpoint_core::spec::TypedAxis;
use counterpoint_encodings::{AtMostOne, Lit, Sink};
use rustc_hash::{FxHashMap, FxHashSet};

/// The axis `distinct`.
pub(super) const DISTINCT: TypedAxis<Distinct, 2> =
    TypedAxis::new("distinct", [("eager", Distinct::Eager), ("lazy", Distinct::Lazy)]);

/// When the clauses for distinct boards are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Distinct {
    /// Immediately, for all pairs of steps.
    Eager,
    /// When a model violates them.
    Lazy,
}

/// The maximum number of pairs of squares that are compared while the formula is built.
const MAX_COMPARED: u64 = 1 << 30;

/// The number of boards in a row of a lesson.
const BESIDE: usize = 4;

/// Whether a square has a spot, or whether a step toggles a square: a constant or a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Term {
    /// Fixed by the record.
    Known(bool),
    /// Not fixed by the record.
    Lit(Lit),
}

impl Term {
    /// The literal of a term that is not constant.
    fn open(self) -> Option<Lit> {
        if let Term::Lit(lit) = self { Some(lit) } else { None }
    }
}

impl std::ops::Not for Term {
    type Output = Term;
    fn not(self) -> Term {
        match self {
            Term::Known(value) => Term::Known(!value),
            Term::Lit(lit) => Term::Lit(!lit),
        }
    }
}

/// The formula so far.
pub(super) struct Toggles<'a> {
    rules: &'a Rules,
    instance: &'a Instance,
    amo: AtMostOne,
    distinct: Distinct,
    /// With `distinct=lazy`, the last step whose board must differ from all earlier ones; 0 if there is none.
    demanded: usize,
    /// `boards[s][c]` is true iff square c has a spot after step s.
    boards: Vec<Vec<Term>>,
    /// If step s is an unknown move, `toggles[s - 1][c]` is true iff it toggles square c. If it is a known move, the
    /// terms are false for all squares.
    toggles: Vec<Vec<Term>>,
}

/// Supports records whose formula is within bounds. For `distinct=lazy`, the clauses that are added after a model
/// violates them are not counted.
///
/// # Errors
/// Returns a message with the size that is too large.
pub(super) fn supports(
    rules: &Rules,
    instance: &Instance,
    amo: AtMostOne,
    distinct: Distinct,
) -> Result<(), Unsupported> {
    let squares = instance.size().cells() as u64;
    let symmetries = rules.group.elements().len() as u64;
    let steps = instance.record.len() as u64;
    let pairs =
        |from: u64, to: u64| if to < from { 0 } else { (to - from + 1).saturating_mul(from + to) / 2 };
    let step = if rules.legality == Legality::Strict { 2 } else { 1 };
    let compared = (pairs(1, steps) / step).saturating_mul(symmetries * squares);
    if compared > MAX_COMPARED {
        return Err(
            format!("the formula compares {compared} pairs of squares; the limit is {MAX_COMPARED}").into()
        );
    }
    // Count each pair of boards in which at least one board may be unknown: once for `repeat` and, with
    // `distinct=eager`, once more for `distinct`.
    let Some(first) = instance.first_unknown() else { return Ok(()) };
    let unknown = pairs(first as u64 + 1, steps) / step;
    let times = match distinct {
        Distinct::Eager => 2,
        Distinct::Lazy => 1,
    };
    let clauses = unknown.saturating_mul(times * symmetries * (2 * squares + 1));
    let toggles = 1 + amo.at_most_one_size(squares).clauses + 5 * squares;
    few_enough(clauses.saturating_add((steps - first as u64).saturating_mul(toggles)))
}

impl<'a> Toggles<'a> {
    /// The encoder before the first move.
    pub(super) fn new(rules: &'a Rules, instance: &'a Instance, amo: AtMostOne, distinct: Distinct) -> Self {
        let empty = vec![Term::Known(false); instance.size().cells()];
        Toggles { rules, instance, amo, distinct, demanded: 0, boards: vec![empty], toggles: Vec::new() }
    }

    /// The toggle terms of an unknown move, by the index of the square. Exactly one of them is true, and the entry
    /// allows its square and its sign.
    fn toggle_terms(&self, step: usize, entry: &Entry, sink: &mut dyn Sink) -> Vec<Term> {
        let size = self.instance.size();
        let allowed = size.iter().filter(|&cell| entry.allows(cell)).count();
        let terms: Vec<_> = (size.iter())
            .map(|cell| match entry.allows(cell) {
                false => Term::Known(false),
                true if allowed == 1 => Term::Known(true),
                true => Term::Lit(toggle_var(sink, step, cell)),
            })
            .collect();
        let lits: Vec<_> = terms.iter().filter_map(|term| term.open()).collect();
        sink.show(&lits.iter().map(|lit| lit.var()).collect::<Vec<_>>());
        if !lits.is_empty() {
            self.amo.exactly_one(sink, &lits);
        }
        for (&toggle, &spot) in terms.iter().zip(&self.boards[step - 1]) {
            match entry.sign() {
                Some(Sign::Place) => clause(sink, &[!toggle, !spot]),
                Some(Sign::Take) => clause(sink, &[!toggle, spot]),
                None => {}
            }
        }
        terms
    }

    /// The earlier steps whose boards may equal the last board. A legal move changes the number of spots by one, and a
    /// symmetry preserves this number, so under strict rules these steps are an even number of steps before the last.
    fn earlier(&self) -> impl Iterator<Item = usize> + use<> {
        let last = self.boards.len() - 1;
        let first = if self.rules.start == Start::Counted { 0 } else { 1 };
        let strict = self.rules.legality == Legality::Strict;
        (first..last).filter(move |i| !strict || (last - i).is_multiple_of(2))
    }

    /// Requires that the boards after two steps are not equal up to symmetry.
    fn apart(&self, earlier: usize, later: usize, sink: &mut dyn Sink) {
        for symmetry in self.rules.group.elements() {
            // One square that is known to differ is enough.
            if self.pairs(earlier, later, symmetry).any(|(a, b)| a == !b) {
                continue;
            }
            let mut differ = Vec::new();
            let pairs = self.pairs(earlier, later, symmetry).enumerate();
            for (square, (a, b)) in pairs.filter(|(_, (a, b))| a != b) {
                differ.push(match (a, b) {
                    (Term::Known(value), other) | (other, Term::Known(value)) => {
                        if value {
                            !other
                        } else {
                            other
                        }
                    }
                    _ => {
                        let cell = self.instance.size().cell(square);
                        let d = Term::Lit(differ_var(sink, later, earlier, symmetry, cell));
                        clause(sink, &[!d, a, b]);
                        clause(sink, &[!d, !a, !b]);
                        d
                    }
                });
            }
            clause(sink, &differ);
        }
    }

    /// For each square of an earlier board, its term and the term of its image on a later board.
    fn pairs(&self, earlier: usize, later: usize, symmetry: Symmetry) -> impl Iterator<Item = (Term, Term)> {
        let size = self.instance.size();
        let there = move |cell| size.index(symmetry.apply(size.width, cell));
        size.iter().map(move |cell| (self.boards[earlier][size.index(cell)], self.boards[later][there(cell)]))
    }
}

impl Encoder for Toggles<'_> {
    fn step(&mut self, sink: &mut dyn Sink) {
        let step = self.boards.len();
        let Some(entry) = self.instance.record.get(step - 1) else { return };
        sink.group("moves");
        let before = &self.boards[step - 1];
        let size = self.instance.size();
        let known = entry.known();
        let toggles = match known {
            Some(mv) => {
                if self.rules.legality == Legality::Strict {
                    let spot = before[size.index(mv.cell)];
                    clause(sink, &[if mv.sign == Sign::Place { !spot } else { spot }]);
                }
                vec![Term::Known(false); size.cells()]
            }
            None => self.toggle_terms(step, entry, sink),
        };
        sink.group("boards");
        let after = (size.iter().zip(toggles.iter().zip(before)))
            .map(|(cell, (&toggle, &spot))| match known {
                Some(mv) if mv.cell == cell => Term::Known(mv.sign == Sign::Place),
                _ => spot_term(sink, step, cell, toggle, spot),
            })
            .collect();
        self.toggles.push(toggles);
        self.boards.push(after);
    }

    fn repeat(&mut self, sink: &mut dyn Sink) -> Lit {
        sink.group("repeat");
        let last = self.boards.len() - 1;
        let lit = sink.named_var(format_args!("repeat step {last}")).pos_lit();
        let mut any = vec![!lit];
        for earlier in self.earlier() {
            for symmetry in self.rules.group.elements() {
                let pairs = || self.pairs(earlier, last, symmetry);
                if pairs().any(|(a, b)| a == !b) {
                    continue;
                }
                let same = same_var(sink, last, earlier, symmetry);
                for (a, b) in pairs().filter(|(a, b)| a != b) {
                    clause(sink, &[Term::Lit(!same), !a, b]);
                    clause(sink, &[Term::Lit(!same), a, !b]);
                }
                any.push(same);
            }
        }
        sink.clause(&any);
        lit
    }

    fn distinct(&mut self, sink: &mut dyn Sink) {
        let last = self.boards.len() - 1;
        match self.distinct {
            Distinct::Lazy => self.demanded = last,
            Distinct::Eager => {
                sink.group("distinct");
                self.earlier().for_each(|earlier| self.apart(earlier, last, sink));
            }
        }
    }

    fn moves(&self, value: &dyn Fn(Lit) -> bool) -> Vec<Move> {
        let holds = |term: Term| match term {
            Term::Known(value) => value,
            Term::Lit(lit) => value(lit),
        };
        let steps = self.instance.record.iter().zip(&self.toggles).zip(&self.boards);
        let read = |((entry, toggles), before): ((&Entry, &Vec<Term>), &Vec<Term>)| {
            entry.known().or_else(|| {
                let square = toggles.iter().position(|&toggle| holds(toggle))?;
                let sign = if holds(before[square]) { Sign::Take } else { Sign::Place };
                Some(Move { cell: self.instance.size().cell(square), sign })
            })
        };
        steps.filter_map(read).collect()
    }

    fn strips(&self) -> Vec<Strip> {
        let size = self.instance.size();
        let board = |step: usize| {
            let squares = self.boards[step].iter().zip(&self.toggles[step - 1]).map(|(spot, toggle)| {
                let spot = match *spot {
                    Term::Known(spot) => spot.then(|| Mark::always(Shape::Spot)),
                    Term::Lit(lit) => Some(Mark::own(lit, Shape::Spot)),
                };
                let toggle = toggle.open().map(|lit| Mark::shared(lit, Shape::Nothing));
                Square { marks: spot.into_iter().chain(toggle).collect(), ..Square::plain(Ground::Plain) }
            });
            Board { title: format!("move {step}"), lit: None, size, squares: squares.collect() }
        };
        let steps: Vec<usize> = (1..self.boards.len()).collect();
        let strip = |steps: &[usize]| Strip {
            title: String::new(),
            boards: steps.iter().map(|&step| board(step)).collect(),
        };
        steps.chunks(BESIDE).map(strip).collect()
    }

    /// For each step that produces a class again, calls `apart` with this step and the last earlier step that produced
    /// the class.
    fn refine(&mut self, moves: &[Move], sink: &mut dyn Sink) -> usize {
        if self.distinct == Distinct::Eager {
            return 0;
        }
        sink.group("distinct");
        let (first, mut added) = (usize::from(self.rules.start == Start::Uncounted), 0);
        let mut produced: FxHashMap<Bits, usize> = FxHashMap::default();
        let boards = boards(self.instance, moves);
        for (step, board) in boards.iter().enumerate().take(self.demanded + 1).skip(first) {
            if let Some(earlier) = produced.insert(least_image(self.rules, self.instance, board), step) {
                self.apart(earlier, step, sink);
                added += 1;
            }
        }
        added
    }
}

/// Adds a clause, but drops false constants and duplicate literals from it. The literals keep the order of their first
/// occurrences. A clause with a true constant, or with a literal and its negation, is not added.
fn clause(sink: &mut dyn Sink, terms: &[Term]) {
    if terms.contains(&Term::Known(true)) {
        return;
    }
    let mut lits: Vec<Lit> = terms.iter().filter_map(|term| term.open()).collect();
    let mut sorted = lits.clone();
    sorted.sort_unstable();
    if sorted.windows(2).any(|two| two[0] == !two[1]) {
        return;
    }
    if sorted.windows(2).any(|two| two[0] == two[1]) {
        let mut met = FxHashSet::default();
        lits.retain(|&lit| met.insert(lit));
    }
    sink.clause(&lits);
}

/// True iff step `step` toggles `cell`.
fn toggle_var(sink: &mut dyn Sink, step: usize, cell: Cell) -> Lit {
    sink.named_var(format_args!("toggle step {step} {cell}")).pos_lit()
}

/// True iff `cell` has a spot after step `step`: the exclusive or of its toggle and `before`.
fn spot_term(sink: &mut dyn Sink, step: usize, cell: Cell, toggle: Term, before: Term) -> Term {
    match (toggle, before) {
        (Term::Known(value), other) | (other, Term::Known(value)) => {
            if value {
                !other
            } else {
                other
            }
        }
        _ => {
            let spot = Term::Lit(sink.named_var(format_args!("spot step {step} {cell}")).pos_lit());
            for [t, b, s] in [
                [toggle, before, !spot],
                [toggle, !before, spot],
                [!toggle, before, spot],
                [!toggle, !before, !spot],
            ] {
                clause(sink, &[t, b, s]);
            }
            spot
        }
    }
}

/// Implies that `symmetry` maps the board after step `earlier` to the board after step `last`.
fn same_var(sink: &mut dyn Sink, last: usize, earlier: usize, symmetry: Symmetry) -> Lit {
    let Symmetry { turns, mirrored } = symmetry;
    let mirror = if mirrored { " mirrored" } else { "" };
    sink.named_var(format_args!("same step {last} step {earlier} turns {turns}{mirror}")).pos_lit()
}

/// Implies that `cell` after step `earlier` differs from the image of that cell after step `last`.
fn differ_var(sink: &mut dyn Sink, last: usize, earlier: usize, symmetry: Symmetry, cell: Cell) -> Lit {
    let Symmetry { turns, mirrored } = symmetry;
    let mirror = if mirrored { " mirrored" } else { "" };
    sink.named_var(format_args!("differ step {last} step {earlier} turns {turns}{mirror} {cell}")).pos_lit()
}
