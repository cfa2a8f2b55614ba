//! Smudged records: depth first over the completions, until each ending has a witness or none is left.
//!
//! A position is entered only if some ending that it can still reach has no witness, and never twice with
//! the same classes behind it (as far as they matter), so a record of which much is unknown costs its
//! positions and not its completions. On small boards moves from which fewest classes are left to go to
//! come first (H. C. von Warnsdorff, 1823), which finds long games soon; on large ones, where almost
//! every class is fresh, squares come in order. What the budget leaves undecided stays open.

use super::super::answer::{Answer, Ending, Finding};
use super::super::{Entry, Instance, Legality, Move, Rules, Sign, Start};
use super::posa;
use super::position::Position;
use super::reach::Reach;
use crate::board::{Bits, Cell, Size, Symmetry};
use crate::engine::{Budget, Limit, Outcome};
use crate::spec::EngineSpec;

/// The greatest side on which moves are ordered, and longest games are looked for first.
const MAX_ORDERED: u32 = 4;
/// Moves tried between two looks at the limits.
const POLL_EVERY: u64 = 1 << 10;

/// Moves of a smudged record: a witness for each ending takes their square.
const MAX_MOVES: usize = 5_000;

/// Records whose boards and witnesses can all be kept, complete ones too.
///
/// # Errors
/// Why not.
pub fn supports(_: &Rules, instance: &Instance, _: &EngineSpec) -> Result<(), String> {
    let moves = instance.record.len();
    if moves > MAX_MOVES && instance.first_unknown().is_some() {
        return Err(format!("the record has {moves} moves; this engine completes up to {MAX_MOVES}"));
    }
    super::stored(instance)
}

/// Decides any record that it supports.
pub fn solve(rules: &Rules, instance: &Instance, spec: &EngineSpec, budget: &mut Budget) -> Outcome<Answer> {
    if let Err(reason) = supports(rules, instance, spec) {
        return Outcome::Unsupported(reason);
    }
    let mut fill = Fill {
        rules,
        instance,
        findings: openings(rules, instance),
        path: Vec::new(),
        position: Position::new(rules, instance.size()),
        tried: 0,
    };
    let ended = fill.long_game(budget).and_then(|()| fill.search(budget));
    if instance.first_unknown().is_none() {
        return match ended {
            Ok(()) => fill.referee().map_or_else(Outcome::Unsupported, Outcome::Decided),
            Err(limit) => Outcome::GaveUp(limit, None),
        };
    }
    if ended.is_ok() {
        fill.findings.iter_mut().filter(|f| **f == Finding::Open).for_each(|f| *f = Finding::Refuted);
    }
    let answer = Answer::Smudged(fill.findings);
    match ended {
        Ok(()) => Outcome::Decided(answer),
        Err(limit) => Outcome::GaveUp(limit, Some(answer)),
    }
}

/// Whether some completion of a record that `solve` serves has this ending, one of its own.
///
/// # Errors
/// The budget's limits.
pub(super) fn ends_so(
    rules: &Rules,
    instance: &Instance,
    ending: Ending,
    budget: &mut Budget,
) -> Result<bool, Limit> {
    let mut findings = openings(rules, instance);
    let asked = Ending::all(instance.record.len()).position(|other| other == ending);
    // What is not asked for is as good as known.
    let others = findings.iter_mut().enumerate().filter(|(i, _)| Some(*i) != asked);
    others.for_each(|(_, finding)| *finding = Finding::Refuted);
    let position = Position::new(rules, instance.size());
    let mut fill = Fill { rules, instance, findings, path: Vec::new(), position, tried: 0 };
    fill.search(budget)?;
    Ok(fill.findings.iter().any(|finding| matches!(finding, Finding::Possible(_))))
}

/// Every ending open, but for repeats of the first moves: legal moves change the parity of the number of
/// spots, so equal boards are an even number of moves apart.
fn openings(rules: &Rules, instance: &Instance) -> Vec<Finding> {
    let mut findings = vec![Finding::Open; instance.record.len() + 1];
    let too_early = match (rules.legality, rules.start) {
        (Legality::Lenient, _) => 0,
        (Legality::Strict, Start::Counted) => 1,
        (Legality::Strict, Start::Uncounted) => 2,
    };
    findings[..instance.record.len().min(too_early)].fill(Finding::Refuted);
    findings
}

struct Fill<'a> {
    rules: &'a Rules,
    instance: &'a Instance,
    /// In the order of [`Ending::all`], so the repeat at move m has index m - 1.
    findings: Vec<Finding>,
    path: Vec<Move>,
    position: Position,
    tried: u64,
}

/// The squares that an entry allows: a block of rows and columns, tried in order or as a list says.
struct Frame {
    first: Cell,
    width: usize,
    squares: usize,
    /// If not empty, the squares of the block by number.
    order: Vec<u8>,
    next: usize,
    /// The square that the move leading here turned over.
    turned: Option<usize>,
}

impl Frame {
    fn new(size: Size, entry: &Entry, turned: Option<usize>) -> Self {
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
            turned,
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

impl Fill<'_> {
    /// Goes through all that can happen. The stack is our own: a record may be long.
    fn search(&mut self, budget: &mut Budget) -> Result<(), Limit> {
        let mut reach = Reach::new(self.rules, self.instance);
        let mut frames: Vec<Frame> = self.enter(None, &mut reach, budget)?.into_iter().collect();
        while let Some(frame) = frames.last_mut() {
            if let Some(cell) = frame.next() {
                self.tried += 1;
                if self.tried.is_multiple_of(POLL_EVERY) {
                    budget.poll()?;
                }
                if let Some((mv, turned)) = self.fresh(cell) {
                    self.path.push(mv);
                    turned.into_iter().for_each(|square| self.position.toggle(square));
                    self.position.produce();
                    match self.enter(turned, &mut reach, budget)? {
                        Some(frame) => frames.push(frame),
                        None => self.retreat(turned),
                    }
                }
            } else {
                let turned = frame.turned;
                frames.pop();
                if !frames.is_empty() {
                    self.retreat(turned);
                }
            }
        }
        Ok(())
    }

    /// Takes the last move back.
    fn retreat(&mut self, turned: Option<usize>) {
        self.position.take_back();
        turned.into_iter().for_each(|square| self.position.toggle(square));
        self.path.pop();
    }

    /// The moves that can follow those of the path, unless nothing new can come of them.
    fn enter(
        &mut self,
        turned: Option<usize>,
        reach: &mut Reach<'_>,
        budget: &mut Budget,
    ) -> Result<Option<Frame>, Limit> {
        budget.node()?;
        let step = self.path.len();
        let last = reach.last(step, &self.position);
        if !self.findings.get(step..last).is_some_and(|ahead| ahead.contains(&Finding::Open)) {
            return Ok(None);
        }
        let Some(entry) = self.instance.record.get(step) else {
            self.findings[step] = Finding::Possible(self.path.clone());
            return Ok(None);
        };
        if !self.position.enters(step, self.instance.record.len() - step) {
            return Ok(None);
        }
        let mut frame = Frame::new(self.instance.size(), entry, turned);
        if self.instance.n <= MAX_ORDERED && frame.squares > 1 {
            frame.order = (0..frame.squares as u8).collect();
            let onward: Vec<usize> = (0..frame.squares).map(|i| self.onward(frame.square(i))).collect();
            frame.order.sort_by_key(|&i| onward[usize::from(i)]);
        }
        Ok(Some(frame))
    }

    /// The squares whose toggle leads on to a fresh class once `cell` is toggled.
    fn onward(&mut self, cell: Cell) -> usize {
        let size = self.instance.size();
        self.position.toggle(size.index(cell));
        let count = (0..size.cells()).filter(|&square| !self.position.leads_back(square)).count();
        self.position.toggle(size.index(cell));
        count
    }

    /// The next move at `cell` and the square that it turns over, if it is legal and leads to a fresh
    /// class. One that repeats is noted as an ending.
    fn fresh(&mut self, cell: Cell) -> Option<(Move, Option<usize>)> {
        let step = self.path.len();
        let entry = self.instance.record.get(step)?;
        let square = self.instance.size().index(cell);
        let legal = if self.position.occupied(square) { Sign::Take } else { Sign::Place };
        let known = entry.known().filter(|_| self.rules.legality == Legality::Lenient);
        let mv = known.unwrap_or(Move { cell, sign: legal });
        if known.is_none() && entry.sign().is_some_and(|sign| sign != legal) {
            return None;
        }
        let turned = (mv.sign == legal).then_some(square);
        let back = match turned {
            Some(square) => self.position.leads_back(square),
            None => self.position.is_produced(),
        };
        if back && self.findings[step] == Finding::Open {
            let moves = self.path.iter().copied().chain([mv]);
            self.findings[step] = Finding::Possible(moves.collect());
        }
        (!back).then_some((mv, turned))
    }

    /// If nothing at all is known of a long record on a small board, looks for a game as long as it that
    /// repeats nothing, and for a repeat after each of its moves.
    fn long_game(&mut self, budget: &mut Budget) -> Result<(), Limit> {
        let moves = self.instance.record.len();
        let small = self.instance.n <= MAX_ORDERED && moves > self.instance.size().cells();
        if !small || !self.instance.record.iter().all(|&entry| entry == Entry::UNKNOWN) {
            return Ok(());
        }
        // There may be fewer classes than moves.
        let most = Reach::new(self.rules, self.instance).last(0, &self.position) - 1;
        // Where no such game exists, rotations never end; most of a small budget is for the search.
        let mut some = budget.part(budget.left() / 4);
        let game = posa::game(self.rules, self.instance.size(), most.min(moves), posa::MAX_WORK, &mut some);
        budget.work.nodes += some.work.nodes;
        let game = match game {
            Err(Limit::Work) => return Ok(()),
            game => game?,
        };
        for mv in &game {
            self.note_repeats();
            self.position.toggle(self.instance.size().index(mv.cell));
            self.position.produce();
            self.path.push(*mv);
        }
        match self.findings.get_mut(moves) {
            Some(draw) if game.len() == moves => *draw = Finding::Possible(game),
            _ => self.note_repeats(),
        }
        while let Some(mv) = self.path.last() {
            let square = self.instance.size().index(mv.cell);
            self.retreat(Some(square));
        }
        Ok(())
    }

    /// Notes whether the next move can repeat.
    fn note_repeats(&mut self) {
        for cell in self.instance.size().iter() {
            self.fresh(cell);
        }
    }

    /// The answer for a complete record: its only ending, with the board that it repeats.
    fn referee(&self) -> Result<Answer, String> {
        let endings = Ending::all(self.instance.record.len()).zip(&self.findings);
        let mut ends = endings.filter_map(|(ending, finding)| match finding {
            Finding::Possible(path) => Some((ending, path)),
            _ => None,
        });
        match ends.next() {
            None => Err("a move before the decisive one is illegal".to_owned()),
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
                found.ok_or_else(|| "the repeated board was lost".to_owned())
            }
        }
    }
}

fn image(size: Size, board: &Bits, symmetry: Symmetry) -> Bits {
    let cells = board.iter().map(|i| size.index(symmetry.apply(size.width, size.cell(i))));
    Bits::from_indices(size.cells(), cells)
}
