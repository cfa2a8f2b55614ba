//! Depth-first search through the completions of a smudged record for a witness of each ending.
//!
//! # Nodes
//! A node is a position after some moves, none of which is a repeat. A move that is a repeat leads to no node. If this
//! repeat is an ending without a witness, the path with this move becomes its witness.
//!
//! # Pruning, in the order in which it is tested
//! 1. `Bounds` gives the last move at which the game can still end. If no ending from the next move to this last move
//!    is open, nothing new can be found below this node. This test comes first because it needs no memory.
//! 2. At the end of the record there is nothing left to branch on: the node is a draw.
//! 3. Transposition table (`Position::is_new`): a node is entered once for each board, number of moves, and set of
//!    produced classes that can still be reached. So the cost depends on the number of these positions, which grows
//!    more slowly with the number of unknown moves than the number of completions.
//!
//! # Order of moves
//! A *fresh successor* of a move is a next move that is not a repeat. On boards of side at most `MAX_ORDERED`, moves
//! with the fewest fresh successors come first (Warnsdorff's rule; H. C. von Warnsdorff, 1823). This order finds long
//! games soon. On larger boards almost no move is a repeat, so squares come in index order. If all moves of a long
//! record on a small board are entirely unknown, `try_long_game` first looks for a game that is as long as the record
//! (`posa.rs`).
//!
//! # Ending early
//! All witnesses found are final. If the search is exhausted, endings without a witness are refuted. If the
//! budget is spent, they stay open.
//!
//! # Invariants
//! * `path` is the list of moves made, and `position` the board after them with the classes they produced.
//! * `frames` has one frame for each node on the path, the root included. `Frame::toggled` is the square that
//!   the move into the node has toggled; `undo` toggles it back when the node is left.

use super::super::answer::{Answer, Ending, Finding};
use super::super::{Entry, Instance, Legality, Move, Rules, Sign, Start};
use super::bounds::Bounds;
use super::posa;
use super::position::Position;
use counterpoint_core::board::{Bits, Cell, Size, Symmetry};
use counterpoint_core::engine::{Budget, Limit, Outcome};
use counterpoint_core::errors::Unsupported;
use counterpoint_core::spec::EngineSpec;

/// The largest side on which moves are ordered, and on which a long game is looked for first.
const MAX_ORDERED: u32 = 4;
/// The number of moves tried between two polls of the budget.
const POLL_EVERY: u64 = 1 << 10;

/// The maximum number of moves of a smudged record. Witnesses for all endings take memory that is quadratic in this
/// number.
const MAX_MOVES: usize = 5_000;

/// Supports smudged and complete records whose boards and witnesses fit into memory.
///
/// # Errors
/// Returns why the record is not supported.
pub fn supports(_: &Rules, instance: &Instance, _: &EngineSpec) -> Result<(), Unsupported> {
    let moves = instance.record.len();
    if moves > MAX_MOVES && instance.first_unknown().is_some() {
        return Err(format!("the record has {moves} moves; this engine supports up to {MAX_MOVES}").into());
    }
    super::storable(instance)
}

/// Decides any record that [`supports`] accepts.
pub fn solve(rules: &Rules, instance: &Instance, spec: &EngineSpec, budget: &mut Budget) -> Outcome<Answer> {
    if let Err(reason) = supports(rules, instance, spec) {
        return Outcome::Unsupported(reason);
    }
    let mut search = Search {
        rules,
        instance,
        findings: initial_findings(rules, instance),
        path: Vec::new(),
        position: Position::new(rules, instance.size()),
        tried: 0,
    };
    let ended = search.try_long_game(budget).and_then(|()| search.run(budget));
    if instance.first_unknown().is_none() {
        return match ended {
            Ok(()) => search.complete_answer().map_or_else(Outcome::Unsupported, Outcome::Decided),
            Err(limit) => Outcome::GaveUp(limit, None),
        };
    }
    if ended.is_ok() {
        search.findings.iter_mut().filter(|f| **f == Finding::Open).for_each(|f| *f = Finding::Refuted);
    }
    let answer = Answer::Smudged(search.findings);
    match ended {
        Ok(()) => Outcome::Decided(answer),
        Err(limit) => Outcome::GaveUp(limit, Some(answer)),
    }
}

/// Whether some completion of a record, which `solve` must support, has this ending.
///
/// # Errors
/// Returns the limit of the budget that was reached.
pub(super) fn has_ending(
    rules: &Rules,
    instance: &Instance,
    ending: Ending,
    budget: &mut Budget,
) -> Result<bool, Limit> {
    let mut findings = initial_findings(rules, instance);
    let wanted = Ending::all(instance.record.len()).position(|other| other == ending);
    // The search looks for open endings only, so all others are marked as decided.
    let others = findings.iter_mut().enumerate().filter(|(i, _)| Some(*i) != wanted);
    others.for_each(|(_, finding)| *finding = Finding::Refuted);
    let position = Position::new(rules, instance.size());
    let mut search = Search { rules, instance, findings, path: Vec::new(), position, tried: 0 };
    search.run(budget)?;
    Ok(search.findings.iter().any(|finding| matches!(finding, Finding::Possible(_))))
}

/// The findings before the search, in which every ending is open except for repeats that come too early. Legal
/// moves change the parity of the number of spots, so equal boards are an even number of moves apart.
fn initial_findings(rules: &Rules, instance: &Instance) -> Vec<Finding> {
    let mut findings = vec![Finding::Open; instance.record.len() + 1];
    let too_early = match (rules.legality, rules.start) {
        (Legality::Lenient, _) => 0,
        (Legality::Strict, Start::Counted) => 1,
        (Legality::Strict, Start::Uncounted) => 2,
    };
    findings[..instance.record.len().min(too_early)].fill(Finding::Refuted);
    findings
}

struct Search<'a> {
    rules: &'a Rules,
    instance: &'a Instance,
    /// In the order of [`Ending::all`]: the repeat at move m has index m - 1, and the draw comes last.
    findings: Vec<Finding>,
    path: Vec<Move>,
    position: Position,
    /// Moves tried so far.
    tried: u64,
}

/// The branches of a node: the squares that its line of the record allows. These squares form a rectangle. They are
/// tried in index order or, if `order` is not empty, in the order of this list.
struct Frame {
    /// The top left square of the rectangle.
    first: Cell,
    width: usize,
    squares: usize,
    /// If not empty, the squares in the order in which they are tried, by index within the rectangle.
    order: Vec<u8>,
    next: usize,
    /// The square that the move into this node toggled; `None` at the root and if the move changed nothing.
    toggled: Option<usize>,
}

impl Frame {
    fn new(size: Size, entry: &Entry, toggled: Option<usize>) -> Self {
        let range = |known: Option<u32>, all: u32| match known {
            Some(number) => (number.saturating_sub(1), 1),
            None => (0, all as usize),
        };
        let ((row, height), (col, width)) = (range(entry.y(), size.height), range(entry.x(), size.width));
        Frame {
            first: Cell::new(row, col),
            width,
            squares: width * height,
            order: Vec::new(),
            next: 0,
            toggled,
        }
    }

    fn square(&self, number: usize) -> Cell {
        let (row, col) = (number / self.width, number % self.width);
        Cell::new(self.first.row + row as u32, self.first.col + col as u32)
    }
}

impl Iterator for Frame {
    type Item = Cell;

    fn next(&mut self) -> Option<Cell> {
        let number = match &self.order[..] {
            [] => (self.next < self.squares).then_some(self.next)?,
            order => usize::from(*order.get(self.next)?),
        };
        self.next += 1;
        Some(self.square(number))
    }
}

impl Search<'_> {
    /// Searches until all nodes are expanded. Uses an explicit stack, because recursion could overflow on a long
    /// record.
    fn run(&mut self, budget: &mut Budget) -> Result<(), Limit> {
        let mut bounds = Bounds::new(self.rules, self.instance);
        let mut frames: Vec<Frame> = self.enter(None, &mut bounds, budget)?.into_iter().collect();
        while let Some(frame) = frames.last_mut() {
            if let Some(cell) = frame.next() {
                self.tried += 1;
                if self.tried.is_multiple_of(POLL_EVERY) {
                    budget.poll()?;
                }
                if let Some((mv, toggled)) = self.try_square(cell) {
                    self.path.push(mv);
                    toggled.into_iter().for_each(|square| self.position.toggle(square));
                    self.position.produce();
                    match self.enter(toggled, &mut bounds, budget)? {
                        Some(frame) => frames.push(frame),
                        None => self.undo(toggled),
                    }
                }
            } else {
                let toggled = frame.toggled;
                frames.pop();
                if !frames.is_empty() {
                    self.undo(toggled);
                }
            }
        }
        Ok(())
    }

    /// Takes back the last move, which toggled this square; `None` if it changed nothing.
    fn undo(&mut self, toggled: Option<usize>) {
        self.position.take_back();
        toggled.into_iter().for_each(|square| self.position.toggle(square));
        self.path.pop();
    }

    /// Enters the node at the end of the path; `None` if it is pruned or a draw. The tests are those of the
    /// module's documentation, in the same order.
    fn enter(
        &mut self,
        toggled: Option<usize>,
        bounds: &mut Bounds<'_>,
        budget: &mut Budget,
    ) -> Result<Option<Frame>, Limit> {
        budget.node()?;
        let step = self.path.len();
        let last = bounds.last_move(step, &self.position);
        if !self.findings.get(step..last).is_some_and(|ahead| ahead.contains(&Finding::Open)) {
            return Ok(None);
        }
        let Some(entry) = self.instance.record.get(step) else {
            self.findings[step] = Finding::Possible(self.path.clone());
            return Ok(None);
        };
        if !self.position.is_new(step, self.instance.record.len() - step) {
            return Ok(None);
        }
        let mut frame = Frame::new(self.instance.size(), entry, toggled);
        if self.instance.n <= MAX_ORDERED && frame.squares > 1 {
            frame.order = (0..frame.squares as u8).collect();
            let successors: Vec<usize> =
                (0..frame.squares).map(|i| self.fresh_successors(frame.square(i))).collect();
            frame.order.sort_by_key(|&i| successors[usize::from(i)]);
        }
        Ok(Some(frame))
    }

    /// The number of squares that can be toggled without a repeat after `cell` was toggled.
    fn fresh_successors(&mut self, cell: Cell) -> usize {
        let size = self.instance.size();
        self.position.toggle(size.index(cell));
        let count = (0..size.cells()).filter(|&square| !self.position.repeats(square)).count();
        self.position.toggle(size.index(cell));
        count
    }

    /// The next move at `cell`, and the square that it toggles; no square if the move changes nothing. Returns `None`
    /// if the record and the rules do not allow a move there, or if the move is a repeat. A repeat is recorded as the
    /// witness of its ending, if that ending is still open.
    fn try_square(&mut self, cell: Cell) -> Option<(Move, Option<usize>)> {
        let step = self.path.len();
        let entry = self.instance.record.get(step)?;
        let square = self.instance.size().index(cell);
        let legal = if self.position.is_occupied(square) { Sign::Take } else { Sign::Place };
        let known = entry.known().filter(|_| self.rules.legality == Legality::Lenient);
        let mv = known.unwrap_or(Move { cell, sign: legal });
        if known.is_none() && entry.sign().is_some_and(|sign| sign != legal) {
            return None;
        }
        let toggled = (mv.sign == legal).then_some(square);
        let repeats = match toggled {
            Some(square) => self.position.repeats(square),
            None => self.position.is_produced(),
        };
        if repeats && self.findings[step] == Finding::Open {
            let moves = self.path.iter().copied().chain([mv]);
            self.findings[step] = Finding::Possible(moves.collect());
        }
        (!repeats).then_some((mv, toggled))
    }

    /// If all moves of a long record on a small board are entirely unknown, looks for a game of the same length
    /// without a repeat, and for a repeat after each prefix of that game. So one game gives witnesses for most
    /// endings.
    fn try_long_game(&mut self, budget: &mut Budget) -> Result<(), Limit> {
        let moves = self.instance.record.len();
        let small = self.instance.n <= MAX_ORDERED && moves > self.instance.size().cells();
        if !small || !self.instance.record.iter().all(|&entry| entry == Entry::UNKNOWN) {
            return Ok(());
        }
        // A game without a repeat may have to be shorter than the record.
        let max_fresh = Bounds::new(self.rules, self.instance).last_move(0, &self.position) - 1;
        // If there is no game of this length, the heuristic uses up its part of the budget. So it gets a quarter, and
        // the search keeps the rest.
        let mut part = budget.part(budget.left() / 4);
        let game =
            posa::game(self.rules, self.instance.size(), max_fresh.min(moves), posa::MAX_WORK, &mut part);
        budget.work.nodes += part.work.nodes;
        let game = match game {
            Err(Limit::Work) => return Ok(()),
            game => game?,
        };
        for mv in &game {
            self.record_repeats();
            self.position.toggle(self.instance.size().index(mv.cell));
            self.position.produce();
            self.path.push(*mv);
        }
        match self.findings.get_mut(moves) {
            Some(draw) if game.len() == moves => *draw = Finding::Possible(game),
            _ => self.record_repeats(),
        }
        while let Some(mv) = self.path.last() {
            let square = self.instance.size().index(mv.cell);
            self.undo(Some(square));
        }
        Ok(())
    }

    /// Records a witness if the next move can be a repeat.
    fn record_repeats(&mut self) {
        for cell in self.instance.size().iter() {
            self.try_square(cell);
        }
    }

    /// The answer for a complete record: its only ending and, for a repeat, the earlier board.
    fn complete_answer(&self) -> Result<Answer, Unsupported> {
        let endings = Ending::all(self.instance.record.len()).zip(&self.findings);
        let mut ends = endings.filter_map(|(ending, finding)| match finding {
            Finding::Possible(path) => Some((ending, path)),
            _ => None,
        });
        match ends.next() {
            None => Err("a move before the decisive one is illegal".into()),
            Some((Ending::Draw, _)) => Ok(Answer::Draw),
            Some((Ending::Repeat(mv), path)) => {
                let size = self.instance.size();
                let mut boards = vec![Bits::zeros(size.cells())];
                for (i, step) in path.iter().enumerate() {
                    let mut next = boards[i].clone();
                    step.apply(size.width, &mut next);
                    boards.push(next);
                }
                let first = if self.rules.start == Start::Counted { 0 } else { 1 };
                let pairs =
                    (first..mv).flat_map(|i| self.rules.group.elements().into_iter().map(move |g| (i, g)));
                let mut equal = pairs.filter(|&(i, g)| image(size, &boards[i], g) == boards[mv]);
                let found = equal.next().map(|(earlier, symmetry)| Answer::Repeat { mv, earlier, symmetry });
                found.ok_or_else(|| "internal error: the repeated board was not found".into())
            }
        }
    }
}

fn image(size: Size, board: &Bits, symmetry: Symmetry) -> Bits {
    let cells = board.iter().map(|i| size.index(symmetry.apply(size.width, size.cell(i))));
    Bits::from_indices(size.cells(), cells)
}
