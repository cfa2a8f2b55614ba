//! Smudged records: depth first over the completions, until each ending has a witness or none is left.
//!
//! A position is the number of moves, the board and the classes produced so far. What can come of it
//! depends on nothing else, so none is entered twice; and none is entered whose endings all have a
//! witness. Moves from which fewest classes are left to go to come first (H. C. von Warnsdorff, 1823),
//! which finds long games soon. No class is produced twice before the end, so the depth is at most the
//! number of classes plus two, whatever the record's length.

use super::super::answer::{Answer, Ending, Finding};
use super::super::{Entry, Instance, Legality, Move, Rules, Start};
use crate::board::{Bits, Size, Symmetry};
use crate::choice::Choice;
use crate::engine::{Budget, Limit, Outcome};
use rustc_hash::FxHashSet;

/// The greatest side that is served: 512 boards on 3×3.
const MOST_SIDE: u32 = 3;
/// Positions that are remembered; beyond them the search goes on without.
const MOST_POSITIONS: usize = 1 << 19;

/// A bit for each board that is the least of its class.
type Classes = [u64; 8];

/// Boards up to 3×3, complete records too.
///
/// # Errors
/// That the board is larger.
pub fn supports(_: &Rules, instance: &Instance, _: &Choice) -> Result<(), String> {
    match instance.n {
        0..=MOST_SIDE => Ok(()),
        _ => Err(too_large(instance)),
    }
}

fn too_large(instance: &Instance) -> String {
    format!("the board is {}; this engine serves boards up to 3x3", instance.size())
}

/// Decides any record on a small board.
pub fn solve(rules: &Rules, instance: &Instance, budget: &mut Budget) -> Outcome<Answer> {
    if instance.n > MOST_SIDE {
        return Outcome::Unsupported(too_large(instance));
    }
    let mut fill = Fill {
        rules,
        instance,
        least: least_images(rules, instance.size()),
        findings: vec![Finding::Open; instance.record.len() + 1],
        path: Vec::new(),
        produced: Classes::default(),
        entered: FxHashSet::default(),
    };
    if rules.start == Start::Counted {
        fill.produced[0] = 1;
    }
    let ended = fill.extend(0, budget);
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

struct Fill<'a> {
    rules: &'a Rules,
    instance: &'a Instance,
    /// The least image of every board; boards are numbers with bit i for the square of index i.
    least: Vec<usize>,
    /// In the order of [`Ending::all`], so the repeat at move m has index m - 1.
    findings: Vec<Finding>,
    path: Vec<Move>,
    produced: Classes,
    entered: FxHashSet<(usize, usize, Classes)>,
}

impl Fill<'_> {
    /// Goes through all that can follow the moves of `path`, which lead to `board`.
    fn extend(&mut self, board: usize, budget: &mut Budget) -> Result<(), Limit> {
        budget.node()?;
        let step = self.path.len();
        if !self.findings[step..].contains(&Finding::Open) {
            return Ok(());
        }
        let Some(entry) = self.instance.record.get(step) else {
            self.findings[step] = Finding::Possible(self.path.clone());
            return Ok(());
        };
        let position = (step, board, self.produced);
        if self.entered.contains(&position) {
            return Ok(());
        }
        if self.entered.len() < MOST_POSITIONS {
            self.entered.insert(position);
        }
        let mut moves = self.moves(entry, board);
        moves.sort_by_key(|&(_, next)| self.onward(next));
        for (mv, next) in moves {
            self.path.push(mv);
            if !self.is_produced(next) {
                let (word, bit) = (self.least[next] / 64, 1 << (self.least[next] % 64));
                self.produced[word] |= bit;
                self.extend(next, budget)?;
                self.produced[word] &= !bit;
            } else if self.findings[step] == Finding::Open {
                self.findings[step] = Finding::Possible(self.path.clone());
            }
            self.path.pop();
        }
        Ok(())
    }

    /// The squares whose toggle leads from `board` to a class not produced yet.
    fn onward(&self, board: usize) -> usize {
        let squares = 0..self.instance.size().cells();
        squares.filter(|square| !self.is_produced(board ^ 1 << square)).count()
    }

    fn is_produced(&self, board: usize) -> bool {
        self.produced[self.least[board] / 64] >> (self.least[board] % 64) & 1 == 1
    }

    /// The moves that an entry can stand for, each with the board after it.
    fn moves(&self, entry: &Entry, board: usize) -> Vec<(Move, usize)> {
        let size = self.instance.size();
        let bits = Bits::from_indices(size.cells(), (0..size.cells()).filter(|i| board >> i & 1 == 1));
        if let (Some(mv), Legality::Lenient) = (entry.known(), self.rules.legality) {
            let changed = Move::toggle(size.width, &bits, mv.cell) == mv;
            return vec![(mv, board ^ usize::from(changed) << size.index(mv.cell))];
        }
        let toggles = size.iter().filter(|&cell| entry.allows(cell));
        let toggles = toggles.map(|cell| Move::toggle(size.width, &bits, cell));
        let legal = toggles.filter(|mv| entry.sign.is_none_or(|sign| sign == mv.sign));
        legal.map(|mv| (mv, board ^ 1 << size.index(mv.cell))).collect()
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

fn least_images(rules: &Rules, size: Size) -> Vec<usize> {
    let maps: Vec<Vec<usize>> = (rules.group.elements().iter())
        .map(|g| size.iter().map(|cell| size.index(g.apply(size.width, cell))).collect())
        .collect();
    let image = |board: usize, map: &Vec<usize>| {
        (0..size.cells()).filter(|i| board >> i & 1 == 1).map(|i| 1 << map[i]).sum::<usize>()
    };
    (0..1 << size.cells()).map(|b| maps.iter().map(|map| image(b, map)).min().unwrap_or(b)).collect()
}
