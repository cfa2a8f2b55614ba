//! Depth-first search through completions, for all open endings or for one goal.
//!
//! # Nodes
//! A node is a position after some moves, none of which is a repeat. A move that is a repeat leads to no
//! node. If the ending with this repeat has no witness yet, the path with this move becomes its witness.
//!
//! # Pruning, in the order in which it is tested
//! 1. With a goal: `Goal::reach`. Without one: `Bounds` gives the last move at which the game can still end. If no
//!    ending from the next move to this last move is open, nothing new can be found below this node.
//! 2. At the end of the record there is nothing left to branch on: the node is a draw.
//! 3. Without a goal: transposition table (`Position::is_new`). A node is entered once for each board, number
//!    of moves, and set of produced classes that can still be reached. With a goal, the table is not used,
//!    because hardly any position was found in it.
//!
//! # Branches
//! Of squares that are interchangeable (`alike.rs`), one is tried. With a goal, `Goal::choices` chooses and orders the
//! squares. A *fresh successor* of a move is a next move that is not a repeat. On boards of side at most
//! `MAX_ORDERED`, moves with the fewest fresh successors come first (Warnsdorff's rule; H. C. von Warnsdorff, 1823),
//! unless the goal is a repeat. This order finds long games soon. On larger boards it would not help, because
//! almost no move is a repeat.
//!
//! # Conflicts
//! With a goal, each branch that fails gives a set of moves that rules it out (`Steps`). If none of the sets
//! of a node's branches contains the move into the node, replacing this move does not help, and the search
//! returns to the last move that one of the sets contains (conflict-directed backjumping; P. Prosser, *Hybrid
//! Algorithms for the Constraint Satisfaction Problem*, 1993).
//!
//! # Invariants
//! * `path` is the list of moves made, `position` the board after them with the classes they produced, and `labels`
//!   the steps at which they toggled each square.
//! * `frames` has one frame for each node on the path, the root included.

use super::super::answer::Finding;
use super::super::{Instance, Legality, Move, Rules, Sign, Start};
use super::alike::Labels;
use super::bounds::Bounds;
use super::frame::{Frame, Rejected};
use super::goal::Goal;
use super::known::{KnownLines, Steps};
use super::position::Position;
use counterpoint_core::board::Cell;
use counterpoint_core::engine::{Budget, Limit};

/// The largest side on which moves are ordered, and on which a long game is looked for first.
pub(super) const MAX_ORDERED: u32 = 4;
/// The number of moves tried between two polls of the budget.
const POLL_EVERY: u64 = 1 << 10;

/// The search, with what it has found so far.
pub(super) struct Search<'a> {
    pub(super) rules: &'a Rules,
    pub(super) instance: &'a Instance,
    /// In the order of [`Ending::all`]: the repeat at move m has index m - 1, and the draw comes last.
    pub(super) findings: Vec<Finding>,
    pub(super) path: Vec<Move>,
    pub(super) position: Position,
    labels: Labels,
    /// Moves tried so far.
    tried: u64,
}

/// What rules out that a node leads to an open ending.
struct Pruning<'a> {
    bounds: Bounds<'a>,
    /// The only goal that is searched for, if there is one.
    goal: Option<(Goal, &'a KnownLines)>,
}

impl<'a> Search<'a> {
    /// The search before the first move.
    pub(super) fn new(rules: &'a Rules, instance: &'a Instance, findings: Vec<Finding>) -> Self {
        let position = Position::new(rules, instance.size());
        let labels = Labels::new(instance, &position);
        Search { rules, instance, findings, path: Vec::new(), position, labels, tried: 0 }
    }

    /// Searches with at most `nodes` nodes. Returns whether these were enough: all nodes are expanded, or the goal is
    /// decided.
    pub(super) fn run_part(
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
    pub(super) fn run(
        &mut self,
        goal: Option<(Goal, &KnownLines)>,
        budget: &mut Budget,
    ) -> Result<(), Limit> {
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
                    Err(rejected) => {
                        pruning.goal.as_ref().map(|(_, known)| self.reason(rejected, cell, known))
                    }
                };
                frame.fail(reason.unwrap_or(Steps::MAX), self.path.len());
                if pruning.goal.as_ref().is_some_and(|(goal, _)| self.findings[goal.ending] != Finding::Open)
                {
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

    /// The moves because of which the next move at `cell` was rejected. If it is a repeat, they include the
    /// move itself. If it is illegal, they do not: `Goal::choices` leaves out illegal moves, so an illegal move is
    /// tried only if the line allows a single square, and then the node has no other branches.
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
    pub(super) fn make(&mut self, mv: Move, toggled: Option<usize>) {
        if let Some(square) = toggled {
            self.position.toggle(square);
            self.labels.toggle(square, self.path.len());
        }
        self.path.push(mv);
        self.position.produce();
    }

    /// Takes back the last move, which toggled this square; `None` if it changed nothing.
    pub(super) fn undo(&mut self, toggled: Option<usize>) {
        self.position.take_back();
        self.path.pop();
        if let Some(square) = toggled {
            self.position.toggle(square);
            self.labels.toggle(square, self.path.len());
        }
    }

    /// Enters the node at the end of the path. If the node is pruned or a draw, it has no frame: the inner result
    /// is an error with the moves because of which it is pruned, or with all moves.
    /// The tests are those of the module's documentation, in the same order.
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
        if !self
            .findings
            .get(step.max(ends.start)..ends.end)
            .is_some_and(|ahead| ahead.contains(&Finding::Open))
        {
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
                order.sort_by_cached_key(|&square| {
                    self.fresh_successors(instance.size().cell(square as usize))
                });
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

    /// The next move at `cell`, and the square that it toggles; no square if the move changes nothing.
    /// Returns an error if the record or the rules do not allow a move there, or if the move is a repeat. A
    /// repeat is recorded as the witness of its ending, if that ending is still open.
    pub(super) fn try_square(&mut self, cell: Cell) -> Result<(Move, Option<usize>), Rejected> {
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
}
