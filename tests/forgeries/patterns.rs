//! Spot without records, by brute force: the patterns of tiny boards and the game on them.

use counterpoint::board::Group;
use std::collections::{BTreeSet, HashMap};

/// The images of a square under the symmetries of a group.
fn images(n: usize, group: Group, square: usize) -> Vec<usize> {
    let (mut row, mut col) = (square / n, square % n);
    let (mut turned, mut all) = (Vec::new(), Vec::new());
    for _ in 0..4 {
        turned.push(row * n + col);
        (row, col) = (col, n - 1 - row);
    }
    let mirrored = turned.iter().map(|&at| at / n * n + n - 1 - at % n);
    match group {
        Group::Trivial => all.push(square),
        Group::C2 => all.extend([turned[0], turned[2]]),
        Group::C4 => all.extend(&turned),
        Group::D4 => all.extend(turned.iter().copied().chain(mirrored)),
    }
    all
}

/// The images of a board under the symmetries of a group. Bit i stands for square i, row by row.
pub(crate) fn board_images(n: usize, group: Group, board: u32) -> BTreeSet<u32> {
    let of: Vec<Vec<usize>> = (0..n * n).map(|square| images(n, group, square)).collect();
    let order = of.first().map_or(1, Vec::len);
    let image = |k: usize| (0..n * n).filter(|i| board >> i & 1 == 1).map(|i| 1u32 << of[i][k]).sum();
    (0..order).map(image).collect()
}

/// The patterns of an n×n board. A pattern is its smallest board.
pub(crate) struct Patterns {
    pub(crate) squares: usize,
    /// For each board, its pattern.
    pub(crate) of: Vec<u32>,
    /// For each pattern, the patterns that one toggle leads to.
    near: HashMap<u32, BTreeSet<u32>>,
}

/// What brute force knows about games on patterns.
pub(crate) struct Values {
    /// For each player, the move by which it can force the other to repeat; `None` if it cannot.
    pub(crate) forces: [Option<u32>; 2],
    /// The greatest number of moves without a repeat.
    pub(crate) longest: u32,
}

impl Patterns {
    pub(crate) fn new(n: usize, group: Group) -> Patterns {
        let of: Vec<u32> =
            (0..1u32 << (n * n)).map(|board| *board_images(n, group, board).first().unwrap()).collect();
        let near = |&pattern: &u32| (0..n * n).map(|i| of[pattern as usize ^ 1 << i]).collect();
        let near = of.iter().map(|pattern| (*pattern, near(pattern))).collect();
        Patterns { squares: n * n, of, near }
    }

    /// All patterns in ascending order.
    pub(crate) fn all(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.of.len() as u32).filter(|&board| self.of[board as usize] == board)
    }

    /// Solves the game; boards of at most 16 patterns.
    pub(crate) fn values(&self, counted: bool) -> Values {
        let index: HashMap<u32, u32> = self.all().zip(0..).collect();
        let produced = u32::from(counted);
        let force = |player| self.force(player, (0, produced), 1, &index, &mut HashMap::new());
        Values {
            forces: [force(1), force(2)],
            longest: self.longest((0, produced), &index, &mut HashMap::new()),
        }
    }

    fn fresh(&self, (at, produced): (u32, u32), index: &HashMap<u32, u32>) -> Vec<(u32, u32)> {
        let mut fresh = Vec::new();
        for next in &self.near[&at] {
            let bit = 1 << index[next];
            if produced & bit == 0 {
                fresh.push((*next, produced | bit));
            }
        }
        fresh
    }

    /// The move by which `player` can force the other to repeat, with move number `mv` to come.
    fn force(
        &self,
        player: u32,
        state: (u32, u32),
        mv: u32,
        index: &HashMap<u32, u32>,
        known: &mut HashMap<(u32, u32, u32), Option<u32>>,
    ) -> Option<u32> {
        let key = (state.0, state.1, mv % 2);
        if let Some(known) = known.get(&key) {
            // The number of moves so far is the number of patterns produced, so it is the same.
            return *known;
        }
        let fresh = self.fresh(state, index);
        let mut later = fresh.iter().map(|&next| self.force(player, next, mv + 1, index, known));
        let found = if mv % 2 == player % 2 {
            later.by_ref().flatten().min()
        } else if fresh.is_empty() {
            Some(mv)
        } else {
            later.by_ref().collect::<Option<Vec<u32>>>().and_then(|moves| moves.into_iter().max())
        };
        known.insert(key, found);
        found
    }

    fn longest(
        &self,
        state: (u32, u32),
        index: &HashMap<u32, u32>,
        known: &mut HashMap<(u32, u32), u32>,
    ) -> u32 {
        if let Some(&known) = known.get(&state) {
            return known;
        }
        let fresh = self.fresh(state, index);
        let longest = fresh.into_iter().map(|next| 1 + self.longest(next, index, known)).max().unwrap_or(0);
        known.insert(state, longest);
        longest
    }

    /// The number of moves of the longest game in which `winner` answers by these partners; the other player moves as it
    /// likes. The last move is a repeat.
    pub(crate) fn longest_against(&self, winner: u32, partner: &HashMap<u32, u32>, counted: bool) -> u32 {
        let mut produced: BTreeSet<u32> = BTreeSet::new();
        if counted {
            produced.insert(0);
        }
        if winner == 1 {
            produced.insert(partner[&0]);
            return 1 + self.prolong(partner[&0], partner, &mut produced);
        }
        self.prolong(0, partner, &mut produced)
    }

    fn prolong(&self, at: u32, partner: &HashMap<u32, u32>, produced: &mut BTreeSet<u32>) -> u32 {
        let mut most = 1;
        for &next in &self.near[&at] {
            if produced.insert(next) {
                let answer = partner[&next];
                // A genuine answer is never a repeat.
                assert!(produced.insert(answer));
                most = most.max(2 + self.prolong(answer, partner, produced));
                produced.remove(&answer);
                produced.remove(&next);
            }
        }
        most
    }
}
