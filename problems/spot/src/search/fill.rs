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
use super::alike::{Key, Labels};
use super::bounds::Bounds;
use super::goal::Goal;
use super::known::{KnownLines, Steps};
use super::posa;
use super::position::Position;
use counterpoint_core::board::{Bits, Cell, Size, Symmetry};
use counterpoint_core::engine::{Budget, Limit, Outcome};
use counterpoint_core::errors::Unsupported;
use counterpoint_core::spec::EngineSpec;
use rustc_hash::FxHashSet;

/// The largest side on which moves are ordered, and on which a long game is looked for first.
const MAX_ORDERED: u32 = 4;
/// The number of moves tried between two polls of the budget.
const POLL_EVERY: u64 = 1 << 10;
/// The number of nodes of each search of the first round, in addition to two for each move.
const FIRST_NODES: u64 = 1 << 8;
/// The factor by which this number grows from round to round.
const GROWTH: u64 = 8;

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
    let mut search = Search::new(rules, instance, initial_findings(rules, instance));
    if instance.first_unknown().is_none() {
        return match search.run(None, budget) {
            Ok(()) => search.complete_answer().map_or_else(Outcome::Unsupported, Outcome::Decided),
            Err(limit) => Outcome::GaveUp(limit, None),
        };
    }
    let ended = search.try_long_game(budget).and_then(|()| search.decide(budget));
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
    let mut search = Search::new(rules, instance, findings);
    search.decide(budget)?;
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
    labels: Labels,
    /// Moves tried so far.
    tried: u64,
}

/// The branches of a node: the squares that its line of the record allows. These squares form a rectangle. They are
/// tried in index order or, if there is an `order`, in the order of this list.
struct Frame {
    size: Size,
    /// The top left square of the rectangle.
    first: Cell,
    width: usize,
    squares: usize,
    /// The squares that are tried, by index, if they are not all squares of the rectangle in index order.
    order: Option<Vec<u32>>,
    next: usize,
    /// The keys of the squares that were tried.
    seen: FxHashSet<Key>,
    /// The square that the move into this node toggled; `None` at the root and if the move changed nothing.
    toggled: Option<usize>,
    /// The moves before this node that rule out the branches tried so far.
    conflict: Steps,
}

/// Why a move leads to no node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rejected {
    /// The record or the rules do not allow it.
    Illegal,
    /// It is a repeat.
    Repeats,
}

impl Frame {
    fn new(size: Size, entry: &Entry, toggled: Option<usize>) -> Self {
        let range = |known: Option<u32>, all: u32| match known {
            Some(number) => (number.saturating_sub(1), 1),
            None => (0, all as usize),
        };
        let ((row, height), (col, width)) = (range(entry.y(), size.height), range(entry.x(), size.width));
        Frame {
            size,
            first: Cell::new(row, col),
            width,
            squares: width * height,
            order: None,
            next: 0,
            seen: FxHashSet::default(),
            toggled,
            conflict: 0,
        }
    }

    /// Notes that the branch tried last is ruled out by `reason`. If this node's own move, after `step` moves, is not
    /// among the reasons, the other branches are ruled out by them, too.
    fn fail(&mut self, reason: Steps, step: usize) {
        let Some(own) = Steps::checked_shl(1, step as u32) else { return self.conflict = Steps::MAX };
        if reason & own == 0 {
            (self.conflict, self.order) = (reason, Some(Vec::new()));
        } else {
            self.conflict |= reason & !own;
        }
    }

    /// The next square, by index.
    fn next(&mut self) -> Option<Cell> {
        let number = self.next;
        self.next += 1;
        match &self.order {
            None => (number < self.squares).then(|| self.square(number)),
            Some(order) => order.get(number).map(|&square| self.size.cell(square as usize)),
        }
    }

    fn square(&self, number: usize) -> Cell {
        let (row, col) = (number / self.width, number % self.width);
        Cell::new(self.first.row + row as u32, self.first.col + col as u32)
    }
}

/// What rules out that a node leads to an open ending.
struct Pruning<'a> {
    bounds: Bounds<'a>,
    /// The only goal that is searched for, if there is one.
    goal: Option<(Goal, &'a KnownLines)>,
}

impl<'a> Search<'a> {
    fn new(rules: &'a Rules, instance: &'a Instance, findings: Vec<Finding>) -> Self {
        let position = Position::new(rules, instance.size());
        let labels = Labels::new(instance, &position);
        Search { rules, instance, findings, path: Vec::new(), position, labels, tried: 0 }
    }

    /// Decides all open endings of a smudged record.
    fn decide(&mut self, budget: &mut Budget) -> Result<(), Limit> {
        if self.rules.legality == Legality::Lenient {
            self.run(None, budget)?;
            self.refute(|_| true);
            return Ok(());
        }
        let (moves, known) = (self.instance.record.len(), KnownLines::new(self.instance));
        let first = usize::from(self.rules.start == Start::Uncounted);
        if let Some(repeat) = known.certain_repeat(self.instance, first) {
            self.refute(|ending| ending >= repeat);
        }
        let mut nodes = FIRST_NODES + 2 * moves as u64;
        loop {
            if self.run_part(None, nodes, budget)? {
                self.refute(|_| true);
            }
            for ending in 0..=moves {
                if self.findings[ending] == Finding::Open && self.decide_ending(ending, &known, nodes, budget)? {
                    self.refute(|other| other == ending);
                }
            }
            if !self.findings.contains(&Finding::Open) {
                return Ok(());
            }
            nodes *= GROWTH;
        }
    }

    /// Whether each goal of an ending, by index, is refuted with at most `nodes` nodes.
    fn decide_ending(
        &mut self,
        ending: usize,
        known: &KnownLines,
        nodes: u64,
        budget: &mut Budget,
    ) -> Result<bool, Limit> {
        if ending == self.instance.record.len() {
            return self.run_part(Some((Goal::draw(ending), known)), nodes, budget);
        }
        let first = usize::from(self.rules.start == Start::Uncounted);
        let mut all = true;
        for mut goal in Goal::repeats(first, ending + 1, self.position.order()) {
            budget.node()?;
            if goal.is_open(self.instance, known, &self.position) {
                all &= self.run_part(Some((goal, known)), nodes, budget)?;
            }
            if self.findings[ending] != Finding::Open {
                break;
            }
        }
        Ok(all)
    }

    /// Refutes the open endings for which `chosen` returns true, by index.
    fn refute(&mut self, chosen: impl Fn(usize) -> bool) {
        let open = self.findings.iter_mut().enumerate().filter(|(i, finding)| **finding == Finding::Open && chosen(*i));
        open.for_each(|(_, finding)| *finding = Finding::Refuted);
    }

    /// Searches with at most `nodes` nodes. Returns whether the search is exhausted.
    fn run_part(
        &mut self,
        goal: Option<(Goal, &KnownLines)>,
        nodes: u64,
        budget: &mut Budget,
    ) -> Result<bool, Limit> {
        let mut part = budget.part(budget.left().min(nodes));
        let ended = self.run(goal, &mut part);
        budget.work.nodes += part.work.nodes;
        match ended {
            Err(Limit::Work) if budget.left() > 0 => Ok(false),
            ended => ended.map(|()| true),
        }
    }
    /// Searches until all nodes are expanded or the goal, if there is one, is decided.
    fn run(&mut self, goal: Option<(Goal, &KnownLines)>, budget: &mut Budget) -> Result<(), Limit> {
        let mut pruning = Pruning { bounds: Bounds::new(self.rules, self.instance), goal };
        let mut frames = Vec::new();
        self.position.forget();
        let ended = self.expand(&mut pruning, &mut frames, budget);
        while let Some(frame) = frames.pop() {
            if !frames.is_empty() {
                self.undo(frame.toggled);
            }
        }
        ended
    }

    /// Expands nodes. Uses an explicit stack, because recursion could overflow on a long record.
    fn expand(
        &mut self,
        pruning: &mut Pruning<'_>,
        frames: &mut Vec<Frame>,
        budget: &mut Budget,
    ) -> Result<(), Limit> {
        frames.extend(self.enter(None, pruning, budget)?.ok());
        while let Some(frame) = frames.last_mut() {
            if let Some(cell) = frame.next() {
                if frame.squares > 1
                    && let Some(key) = self.labels.key(self.instance.size().index(cell), &self.position)
                    && !frame.seen.insert(key)
                {
                    continue;
                }
                self.tried += 1;
                if self.tried.is_multiple_of(POLL_EVERY) {
                    budget.poll()?;
                }
                let reason = match self.try_square(cell) {
                    Ok((mv, toggled)) => {
                        self.make(mv, toggled);
                        match self.enter(toggled, pruning, budget) {
                            Ok(Ok(frame)) => {
                                frames.push(frame);
                                continue;
                            }
                            ended => {
                                self.undo(toggled);
                                ended?.err()
                            }
                        }
                    }
                    Err(rejected) => pruning.goal.as_ref().map(|(_, known)| self.reason(rejected, cell, known)),
                };
                frame.fail(reason.unwrap_or(Steps::MAX), self.path.len());
                if pruning.goal.as_ref().is_some_and(|(goal, _)| self.findings[goal.ending] != Finding::Open) {
                    return Ok(());
                }
            } else {
                let (toggled, conflict) = (frame.toggled, frame.conflict);
                frames.pop();
                if let Some(parent) = frames.last_mut() {
                    self.undo(toggled);
                    parent.fail(conflict, self.path.len());
                }
            }
        }
        Ok(())
    }

    /// The moves because of which the next move at `cell` was rejected, that move itself included.
    fn reason(&mut self, rejected: Rejected, cell: Cell, known: &KnownLines) -> Steps {
        let (step, square) = (self.path.len(), self.instance.size().index(cell));
        if rejected == Rejected::Illegal {
            return known.since_sign(self.instance, square, step);
        }
        self.position.toggle(square);
        let classes = self.position.produced_before();
        self.position.toggle(square);
        let first = usize::from(self.rules.start == Start::Uncounted);
        let earlier = classes.map_or(0, |classes| first + classes);
        let mut cells: Vec<Cell> = self.path[earlier..].iter().map(|mv| mv.cell).chain([cell]).collect();
        cells.sort_unstable();
        // If the moves since the earlier board cancel each other, the moves before it do not matter.
        let cancel = cells.chunk_by(|a, b| a == b).all(|same| same.len() % 2 == 0);
        known.steps(if cancel { earlier } else { 0 }, step + 1)
    }

    /// Makes a move that toggles this square; `None` if it changes nothing.
    fn make(&mut self, mv: Move, toggled: Option<usize>) {
        if let Some(square) = toggled {
            self.position.toggle(square);
            self.labels.toggle(square, self.path.len());
        }
        self.path.push(mv);
        self.position.produce();
    }

    /// Takes back the last move, which toggled this square; `None` if it changed nothing.
    fn undo(&mut self, toggled: Option<usize>) {
        self.position.take_back();
        self.path.pop();
        if let Some(square) = toggled {
            self.position.toggle(square);
            self.labels.toggle(square, self.path.len());
        }
    }

    /// Enters the node at the end of the path; `None` if it is pruned or a draw. The tests are those of the
    /// module's documentation, in the same order.
    fn enter(
        &mut self,
        toggled: Option<usize>,
        pruning: &mut Pruning<'_>,
        budget: &mut Budget,
    ) -> Result<Result<Frame, Steps>, Limit> {
        budget.node()?;
        let (step, instance) = (self.path.len(), self.instance);
        let ends = match &mut pruning.goal {
            Some((goal, known)) => {
                if let Err(reason) = goal.reach(instance, known, &self.position, step) {
                    return Ok(Err(reason));
                }
                goal.ending..goal.ending + 1
            }
            None => 0..pruning.bounds.last_move(step, &self.position),
        };
        if !self.findings.get(step.max(ends.start)..ends.end).is_some_and(|ahead| ahead.contains(&Finding::Open)) {
            return Ok(Err(Steps::MAX));
        }
        let Some(entry) = instance.record.get(step) else {
            self.findings[step] = Finding::Possible(self.path.clone());
            return Ok(Err(Steps::MAX));
        };
        if pruning.goal.is_none() && !self.position.is_new(step, instance.record.len() - step) {
            return Ok(Err(Steps::MAX));
        }
        let mut frame = Frame::new(instance.size(), entry, toggled);
        if frame.squares > 1 {
            if let Some((goal, known)) = &pruning.goal {
                let squares = (0..frame.squares).map(|i| frame.square(i));
                let (order, conflict) = goal.choices(instance, known, &self.position, step, squares);
                (frame.order, frame.conflict) = (Some(order), conflict);
            }
            let is_draw = pruning.goal.as_ref().is_none_or(|(goal, _)| goal.is_draw());
            if instance.n <= MAX_ORDERED && is_draw {
                let mut order = frame.order.take().unwrap_or_else(|| {
                    (0..frame.squares).map(|i| instance.size().index(frame.square(i)) as u32).collect()
                });
                order.sort_by_cached_key(|&square| self.fresh_successors(instance.size().cell(square as usize)));
                frame.order = Some(order);
            }
        }
        Ok(Ok(frame))
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
    fn try_square(&mut self, cell: Cell) -> Result<(Move, Option<usize>), Rejected> {
        let step = self.path.len();
        let entry = self.instance.record.get(step).ok_or(Rejected::Illegal)?;
        let square = self.instance.size().index(cell);
        let legal = if self.position.is_occupied(square) { Sign::Take } else { Sign::Place };
        let known = entry.known().filter(|_| self.rules.legality == Legality::Lenient);
        let mv = known.unwrap_or(Move { cell, sign: legal });
        if known.is_none() && entry.sign().is_some_and(|sign| sign != legal) {
            return Err(Rejected::Illegal);
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
        if repeats { Err(Rejected::Repeats) } else { Ok((mv, toggled)) }
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
            self.make(*mv, Some(self.instance.size().index(mv.cell)));
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
            let _ = self.try_square(cell);
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
