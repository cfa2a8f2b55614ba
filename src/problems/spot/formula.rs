//! Records as clauses: one toggle a step, and boards unlike each other up to symmetry.
//!
//! The formula grows a step at a time: [`Toggles::step`] adds a move, [`Toggles::repeat`] a literal
//! under which it repeats a board, [`Toggles::distinct`] the demand that it does not. Whatever the
//! record fixes is a constant and no variable, so a complete record leaves almost nothing to solve
//! and a smudged one only what its unknown moves reach. Distinctness is eager: for each two steps and
//! each symmetry a square that differs.

use super::{Entry, Instance, Legality, Move, Rules, Sign, Start};
use crate::board::{Cell, Symmetry};
use crate::choice::Choice;
use counterpoint_encodings::{ExactlyOne, Lit, Sink};

/// The most clauses that a formula may come to, by the bound of [`supports`].
const MOST_CLAUSES: u64 = 2_000_000;
/// The most squares that are compared while constants are folded.
const MOST_COMPARED: u64 = 1 << 30;

/// What a literal of the formula may turn out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Term {
    /// Fixed by the record.
    Known(bool),
    /// Open.
    Lit(Lit),
}

impl Term {
    /// The literal of an open term.
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

/// How the last move may repeat a board.
pub struct Repeat {
    /// Under this assumption it does.
    pub lit: Lit,
    /// The earlier step, the symmetry that takes its board to the last one, and a literal that
    /// implies that it does. One of them is true under `lit`.
    pub ways: Vec<(usize, Symmetry, Lit)>,
}

/// The formula so far.
pub struct Toggles<'a> {
    rules: &'a Rules,
    instance: &'a Instance,
    amo: ExactlyOne,
    /// `boards[s][c]`: whether square c holds a spot after step s.
    boards: Vec<Vec<Term>>,
    /// `toggles[s - 1][c]`: whether step s turns square c over.
    toggles: Vec<Vec<Term>>,
}

/// Whether the formula stays within bounds.
///
/// # Errors
/// Its size.
pub fn supports(rules: &Rules, instance: &Instance, _: &Choice) -> Result<(), String> {
    let squares = instance.size().cells() as u64;
    let symmetries = rules.group.elements().len() as u64;
    let steps = instance.record.len() as u64;
    let pairs =
        |from: u64, to: u64| if to < from { 0 } else { (to - from + 1).saturating_mul(from + to) / 2 };
    let step = if rules.legality == Legality::Strict { 2 } else { 1 };
    let compared = (pairs(1, steps) / step).saturating_mul(symmetries * squares);
    if compared > MOST_COMPARED {
        return Err(format!("its {steps} boards need {compared} squares compared; at most {MOST_COMPARED}"));
    }
    // Pairs of boards of which one may be unknown, each compared twice at two clauses a square.
    let Some(first) = instance.first_unknown() else { return Ok(()) };
    let unknown = pairs(first as u64 + 1, steps) / step;
    let clauses = unknown.saturating_mul(symmetries * (4 * squares + 2));
    let moves = (steps - first as u64).saturating_mul(squares * squares / 2 + 5 * squares);
    match clauses.saturating_add(moves) {
        total if total > MOST_CLAUSES => {
            Err(format!("its formula may have {total} clauses; this model is for up to {MOST_CLAUSES}"))
        }
        _ => Ok(()),
    }
}

/// The base question: a completed record without a repeat exists.
///
/// # Errors
/// As for [`supports`].
pub fn write(rules: &Rules, instance: &Instance, choice: &Choice, sink: &mut dyn Sink) -> Result<(), String> {
    supports(rules, instance, choice)?;
    let mut model = Toggles::new(rules, instance, choice);
    for _ in &instance.record {
        model.step(sink);
        model.distinct(sink);
    }
    Ok(())
}

impl<'a> Toggles<'a> {
    /// The empty board and no move.
    pub fn new(rules: &'a Rules, instance: &'a Instance, choice: &Choice) -> Self {
        let amo = ExactlyOne::from_name(choice.axis("amo")).unwrap_or(ExactlyOne::Pairwise);
        let empty = vec![Term::Known(false); instance.size().cells()];
        Toggles { rules, instance, amo, boards: vec![empty], toggles: Vec::new() }
    }

    /// Adds the next move of the record; nothing is added behind the last.
    pub fn step(&mut self, sink: &mut dyn Sink) {
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

    /// A toggle for each square: exactly one, among the squares and with the sign that the entry allows.
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
        if !lits.is_empty() {
            self.amo.encode(sink, &lits);
        }
        for (&toggle, &spot) in terms.iter().zip(&self.boards[step - 1]) {
            match entry.sign {
                Some(Sign::Place) => clause(sink, &[!toggle, !spot]),
                Some(Sign::Take) => clause(sink, &[!toggle, spot]),
                None => {}
            }
        }
        terms
    }

    /// Steps whose boards the last one may equal. A legal move changes the number of spots by one and
    /// a symmetry keeps it, so under strict rules these lie an even number of steps before.
    fn earlier(&self) -> impl Iterator<Item = usize> + use<> {
        let last = self.boards.len() - 1;
        let first = if self.rules.start == Start::Counted { 0 } else { 1 };
        let strict = self.rules.legality == Legality::Strict;
        (first..last).filter(move |i| !strict || (last - i).is_multiple_of(2))
    }

    /// Adds a literal under which the last move repeats an earlier board.
    pub fn repeat(&self, sink: &mut dyn Sink) -> Repeat {
        sink.group("repeat");
        let last = self.boards.len() - 1;
        let mut ways = Vec::new();
        for earlier in self.earlier() {
            for symmetry in self.rules.group.elements() {
                let pairs = || self.pairs(earlier, symmetry);
                if pairs().any(|(a, b)| a == !b) {
                    continue;
                }
                let same = same_var(sink, last, earlier, symmetry);
                for (a, b) in pairs().filter(|(a, b)| a != b) {
                    clause(sink, &[Term::Lit(!same), !a, b]);
                    clause(sink, &[Term::Lit(!same), a, !b]);
                }
                ways.push((earlier, symmetry, same));
            }
        }
        let lit = sink.named_var(format_args!("repeat step {last}")).pos_lit();
        let any: Vec<_> = [!lit].into_iter().chain(ways.iter().map(|(.., same)| *same)).collect();
        sink.clause(&any);
        Repeat { lit, ways }
    }

    /// Demands that the last move repeats no board.
    pub fn distinct(&self, sink: &mut dyn Sink) {
        sink.group("distinct");
        let last = self.boards.len() - 1;
        for earlier in self.earlier() {
            for symmetry in self.rules.group.elements() {
                // A square that is known to differ settles it.
                if self.pairs(earlier, symmetry).any(|(a, b)| a == !b) {
                    continue;
                }
                let mut differ = Vec::new();
                for (square, (a, b)) in self.pairs(earlier, symmetry).enumerate().filter(|(_, (a, b))| a != b)
                {
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
                            let d = Term::Lit(differ_var(sink, last, earlier, symmetry, cell));
                            clause(sink, &[!d, a, b]);
                            clause(sink, &[!d, !a, !b]);
                            d
                        }
                    });
                }
                clause(sink, &differ);
            }
        }
    }

    /// Each square of an earlier board with the square of the last one to which it goes.
    fn pairs(&self, earlier: usize, symmetry: Symmetry) -> impl Iterator<Item = (Term, Term)> {
        let (size, last) = (self.instance.size(), self.boards.len() - 1);
        let there = move |cell| size.index(symmetry.apply(size.width, cell));
        size.iter().map(move |cell| (self.boards[earlier][size.index(cell)], self.boards[last][there(cell)]))
    }

    /// The moves so far, in a model.
    pub fn moves(&self, value: impl Fn(Lit) -> bool) -> Vec<Move> {
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
}

/// Adds a clause without its false constants; a true one makes it needless.
fn clause(sink: &mut dyn Sink, terms: &[Term]) {
    if terms.contains(&Term::Known(true)) {
        return;
    }
    sink.clause(&terms.iter().filter_map(|term| term.open()).collect::<Vec<_>>());
}

/// True iff step `step` turns `cell` over.
fn toggle_var(sink: &mut dyn Sink, step: usize, cell: Cell) -> Lit {
    sink.named_var(format_args!("toggle step {step} {cell}")).pos_lit()
}

/// True iff `cell` holds a spot after step `step`: the exclusive or of its toggle and of `before`.
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

/// Implies that `symmetry` takes the board after step `earlier` to the one after step `last`.
fn same_var(sink: &mut dyn Sink, last: usize, earlier: usize, symmetry: Symmetry) -> Lit {
    let Symmetry { turns, mirrored } = symmetry;
    let mirror = if mirrored { " mirrored" } else { "" };
    sink.named_var(format_args!("same step {last} step {earlier} turns {turns}{mirror}")).pos_lit()
}

/// Implies that `cell` after step `earlier` differs from its image after step `last`.
fn differ_var(sink: &mut dyn Sink, last: usize, earlier: usize, symmetry: Symmetry, cell: Cell) -> Lit {
    let Symmetry { turns, mirrored } = symmetry;
    let mirror = if mirrored { " mirrored" } else { "" };
    sink.named_var(format_args!("differ step {last} step {earlier} turns {turns}{mirror} {cell}")).pos_lit()
}
