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
//!
//! When a record is solved, the ways in which a move can be a repeat are written in parts, the nearest earlier boards
//! first, because one way is enough for a witness.
//!
//! A formula for a file has all completions as its models. A formula that is solved here has only
//! representatives: it lacks squares that a completion can do without (`squares.rs`), and does not compare
//! boards that differ according to counting arguments (`ways.rs`). So its size depends on the number of
//! unknown moves, not on the size of the board.

use super::super::{Entry, Instance, Legality, Move, Rules, Sign, Start};
use super::choice::Choice;
use super::squares::{Squares, is_anywhere};
use super::terms::{Term, clause, differ_var, same_var, spot_term, toggle_var};
use super::ways::{Way, Ways};
use super::{Completions, Encoder, MAX_CLAUSES, boards, least_image};
use counterpoint_core::board::{Bits, Symmetry};
use counterpoint_core::keyed::KeyedMap;
use counterpoint_core::problem::{Board, Ground, Mark, Shape, Square, Strip};
use counterpoint_core::spec::TypedAxis;
use counterpoint_encodings::{AtMostOne, Lit, Sink};

/// The axis `distinct`.
pub(super) const DISTINCT: TypedAxis<Distinct, 2> =
    TypedAxis::new("distinct", [("eager", Distinct::Eager), ("lazy", Distinct::Lazy)]).about(
        "the clauses that keep boards distinct: all at the start (eager), or each when a model violates it (lazy)",
    );

/// When the clauses for distinct boards are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Distinct {
    /// Immediately, for all pairs of steps.
    Eager,
    /// When a model violates them.
    Lazy,
}

/// The number of boards in a row of a lesson.
const BESIDE: usize = 4;

/// If the ways are written in parts, part p ends after 2^p times this number of clauses (p = 1, 2, ...). So
/// each part is twice as large as the part before it.
const FIRST_PART: u64 = 4_000;

/// The formula so far.
pub(super) struct Toggles<'a> {
    rules: &'a Rules,
    instance: &'a Instance,
    amo: AtMostOne,
    distinct: Distinct,
    completions: Completions,
    squares: Squares,
    ways: Ways<'a>,
    /// The ways in which the last step can be a repeat, except those that `next_repeat` has written. The next
    /// one to be written is the last one in the list.
    unwritten: Vec<Way>,
    /// The number of calls of `next_repeat` for the last step.
    parts: u32,
    /// With `distinct=lazy`, the last step whose board must differ from all earlier ones; 0 if there is none.
    demanded: usize,
    /// The number of lines up to the last step that name neither row nor column.
    anywhere: u32,
    /// `boards[s][c]` is true iff the square at place c has a spot after step s.
    boards: Vec<Vec<Term>>,
    /// If step s is an unknown move, `toggles[s - 1][c]` is true iff it toggles the square at place c. If it is a known
    /// move, the terms are false for all squares.
    toggles: Vec<Vec<Term>>,
}

impl<'a> Toggles<'a> {
    /// The encoder before the first move.
    pub(super) fn new(
        rules: &'a Rules,
        instance: &'a Instance,
        amo: AtMostOne,
        distinct: Distinct,
        completions: Completions,
    ) -> Self {
        let (squares, ways) = match completions {
            Completions::All => (Squares::all(instance), Ways::all(rules)),
            Completions::Representatives => {
                let ways = Ways::counted(rules, instance);
                (Squares::needed(rules, instance, &ways), ways)
            }
        };
        Toggles {
            rules,
            instance,
            amo,
            distinct,
            completions,
            ways,
            unwritten: Vec::new(),
            parts: 0,
            demanded: 0,
            anywhere: 0,
            boards: vec![vec![Term::Known(false); squares.len()]],
            squares,
            toggles: Vec::new(),
        }
    }

    /// An upper bound on the number of clauses, before the first move. The sum ends when it is above the limit. For
    /// `distinct=lazy`, the clauses that compare boards are not counted, because they are added only when they are
    /// needed.
    pub(super) fn n_clauses(&self) -> u64 {
        let first = self.instance.first_unknown().unwrap_or(self.instance.record.len());
        // Each way is written once by `repeat` and once by `distinct`.
        let times = if self.distinct == Distinct::Eager { 2 } else { 0 };
        let (mut clauses, mut anywhere) = (0u64, 0);
        for (step, entry) in (1..).zip(&self.instance.record) {
            anywhere += u32::from(is_anywhere(entry));
            if step <= first {
                continue;
            }
            let places =
                (0..self.squares.len()).filter(|&place| self.squares.is_met(place, anywhere)).count();
            if entry.known().is_none() {
                let allowed: Vec<usize> = self.allowed(entry, anywhere).collect();
                clauses = clauses.saturating_add(5 * allowed.len() as u64 + 1);
                clauses = clauses.saturating_add(self.choice(&allowed).n_clauses(self.amo));
            }
            let ways = if times == 0 { 0 } else { self.ways.to(step).count() as u64 };
            clauses = clauses.saturating_add(ways.saturating_mul(times * (2 * places as u64 + 1)));
            if clauses > MAX_CLAUSES {
                break;
            }
        }
        clauses
    }

    /// The places of the squares that the line of an unknown move allows.
    fn allowed(&self, entry: &Entry, anywhere: u32) -> impl Iterator<Item = usize> {
        (0..self.squares.len()).filter(move |&place| self.squares.allows(place, entry, anywhere))
    }

    /// How one of these places is chosen. A formula for a file chooses directly, whatever their number.
    fn choice<'b>(&'b self, places: &'b [usize]) -> Choice<'b> {
        match self.completions {
            Completions::All => Choice::Direct(places.len()),
            Completions::Representatives => Choice::of(&self.squares, places),
        }
    }

    /// The toggle terms of an unknown move, by places. Exactly one of them is true, and the entry allows its square and
    /// its sign.
    fn toggle_terms(&self, step: usize, entry: &Entry, sink: &mut dyn Sink) -> Vec<Term> {
        let before = &self.boards[step - 1];
        let mut allowed: Vec<usize> = self.allowed(entry, self.anywhere).collect();
        if self.completions == Completions::Representatives {
            // Leave out the squares on which the move is known to be illegal.
            let illegal = entry.sign().map(|sign| Term::Known(sign == Sign::Place));
            allowed.retain(|&place| Some(before[place]) != illegal);
        }
        let mut terms = vec![Term::Known(false); self.squares.len()];
        match allowed[..] {
            [] => sink.clause(&[]),
            [place] => terms[place] = Term::Known(true),
            _ => {
                let mut toggles = Vec::with_capacity(allowed.len());
                for &place in &allowed {
                    let toggle = toggle_var(sink, step, self.squares.cell(place));
                    terms[place] = Term::Lit(toggle);
                    toggles.push(toggle);
                }
                sink.show(&toggles.iter().map(|lit| lit.var()).collect::<Vec<_>>());
                self.choice(&allowed).write(step, &toggles, self.amo, sink);
            }
        }
        for (&toggle, &spot) in terms.iter().zip(before) {
            match entry.sign() {
                Some(Sign::Place) => clause(sink, &[!toggle, !spot]),
                Some(Sign::Take) => clause(sink, &[!toggle, spot]),
                None => {}
            }
        }
        terms
    }

    /// Requires that the boards after two steps are not equal in this way.
    fn apart(&self, Way { earlier, symmetry }: Way, later: usize, sink: &mut dyn Sink) {
        // One square that is known to differ is enough.
        if self.is_known_to_differ(Way { earlier, symmetry }, later) {
            return;
        }
        let mut differ = Vec::new();
        let pairs = self.pairs(earlier, later, symmetry).enumerate();
        for (place, (a, b)) in pairs.filter(|(_, (a, b))| a != b) {
            differ.push(match (a, b) {
                (Term::Known(value), other) | (other, Term::Known(value)) => other.unless(value),
                _ => {
                    let cell = self.squares.cell(place);
                    let d = Term::Lit(differ_var(sink, later, earlier, symmetry, cell));
                    clause(sink, &[!d, a, b]);
                    clause(sink, &[!d, !a, !b]);
                    d
                }
            });
        }
        clause(sink, &differ);
    }

    /// Whether some square of the earlier board and its image on the later board are known to differ.
    fn is_known_to_differ(&self, Way { earlier, symmetry }: Way, later: usize) -> bool {
        self.pairs(earlier, later, symmetry).any(|(a, b)| a == !b)
    }

    /// For each square of an earlier board, its term and the term of its image on a later board.
    fn pairs(&self, earlier: usize, later: usize, symmetry: Symmetry) -> impl Iterator<Item = (Term, Term)> {
        let (earlier, later) = (&self.boards[earlier], &self.boards[later]);
        (0..self.squares.len()).map(move |place| (earlier[place], later[self.squares.image(place, symmetry)]))
    }

    fn last(&self) -> usize {
        self.boards.len() - 1
    }

    /// Adds the clauses by which a literal implies that the last board is equal to an earlier one in this way. Returns
    /// the literal, and the number of clauses.
    fn same(&self, Way { earlier, symmetry }: Way, sink: &mut dyn Sink) -> (Lit, u64) {
        let last = self.last();
        let same = same_var(sink, last, earlier, symmetry);
        let mut clauses = 0;
        for (a, b) in self.pairs(earlier, last, symmetry).filter(|(a, b)| a != b) {
            clause(sink, &[Term::Lit(!same), !a, b]);
            clause(sink, &[Term::Lit(!same), a, !b]);
            clauses += 2;
        }
        (same, clauses)
    }
}

impl Encoder for Toggles<'_> {
    fn step(&mut self, sink: &mut dyn Sink) {
        let step = self.boards.len();
        let Some(entry) = self.instance.record.get(step - 1) else { return };
        self.anywhere += u32::from(is_anywhere(entry));
        sink.group("moves");
        let before = &self.boards[step - 1];
        let known = entry.known().map(|mv| (self.squares.place(mv.cell), mv.sign));
        let toggles = match known {
            Some((place, sign)) => {
                if let (Legality::Strict, Some(place)) = (self.rules.legality, place) {
                    let spot = before[place];
                    clause(sink, &[if sign == Sign::Place { !spot } else { spot }]);
                }
                vec![Term::Known(false); self.squares.len()]
            }
            None => self.toggle_terms(step, entry, sink),
        };
        sink.group("boards");
        let after = (toggles.iter().zip(before).enumerate())
            .map(|(place, (&toggle, &spot))| match known {
                Some((named, sign)) if named == Some(place) => Term::Known(sign == Sign::Place),
                _ => spot_term(sink, step, self.squares.cell(place), toggle, spot),
            })
            .collect();
        self.toggles.push(toggles);
        self.boards.push(after);
        self.unwritten = self.ways.to(step).filter(|&way| !self.is_known_to_differ(way, step)).collect();
        self.parts = 0;
    }

    fn repeat(&mut self, sink: &mut dyn Sink) -> Lit {
        sink.group("repeat");
        let last = self.last();
        let lit = sink.named_var(format_args!("repeat step {last}")).pos_lit();
        let ways = std::mem::take(&mut self.unwritten).into_iter();
        let same = ways.map(|way| self.same(way, sink).0);
        let any: Vec<Lit> = [!lit].into_iter().chain(same).collect();
        sink.clause(&any);
        lit
    }

    fn next_repeat(&mut self, sink: &mut dyn Sink) -> Option<Lit> {
        if self.unwritten.is_empty() {
            return None;
        }
        sink.group("repeat");
        self.parts += 1;
        let (last, part) = (self.last(), self.parts);
        let lit = sink.named_var(format_args!("repeat step {last} part {part}")).pos_lit();
        let most = FIRST_PART.saturating_mul(1 << part.min(32));
        let (mut any, mut written) = (vec![!lit], 0);
        while written < most
            && let Some(way) = self.unwritten.pop()
        {
            let (same, clauses) = self.same(way, sink);
            any.push(same);
            written += clauses;
        }
        sink.clause(&any);
        Some(lit)
    }

    fn distinct(&mut self, sink: &mut dyn Sink) {
        let last = self.last();
        match self.distinct {
            Distinct::Lazy => self.demanded = last,
            Distinct::Eager => {
                sink.group("distinct");
                self.ways.to(last).for_each(|way| self.apart(way, last, sink));
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
                let place = toggles.iter().position(|&toggle| holds(toggle))?;
                let sign = if holds(before[place]) { Sign::Take } else { Sign::Place };
                Some(Move { cell: self.squares.cell(place), sign })
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
        let mut produced: KeyedMap<Bits, usize> = KeyedMap::default();
        let boards = boards(self.instance, moves);
        for (step, board) in boards.iter().enumerate().take(self.demanded + 1).skip(first) {
            if let Some(earlier) = produced.insert(least_image(self.rules, self.instance, board), step) {
                for way in self.ways.between(earlier, step) {
                    self.apart(way, step, sink);
                    added += 1;
                }
            }
        }
        added
    }
}
