//! Flip by brute force: all presses of a small board, by the definitions of the stencils and of the final boards.

use chacha20::ChaCha8Rng;
use rand::RngExt;
use std::collections::HashMap;

/// The number of presses of each square, row by row.
pub(crate) type Presses = Vec<u32>;

/// The squares that a press turns, row by row.
pub(crate) fn turned(stencil: &str, (w, h): (i32, i32), at: i32) -> Vec<usize> {
    let (row, col) = (at / w, at % w);
    let near = |r: i32, c: i32| match stencil {
        "plus" => (r - row).abs() + (c - col).abs() <= 1,
        "king" => (r - row).abs().max((c - col).abs()) <= 1,
        "cross" => r == row || c == col,
        _ => {
            let ring = |d: i32, n: i32| d.rem_euclid(n).min((-d).rem_euclid(n));
            ring(r - row, h) + ring(c - col, w) <= 1
        }
    };
    (0..w * h).filter(|i| near(i / w, i % w)).map(|i| i as usize).collect()
}

/// All presses of boards of one size, with one stencil and one number of colours.
pub(crate) struct World {
    pub(crate) stencil: &'static str,
    pub(crate) w: u32,
    pub(crate) h: u32,
    pub(crate) colours: u32,
    turned: Vec<Vec<usize>>,
    /// For each change of the board: bit k says whether some presses with the sum k make it.
    sums: HashMap<Vec<u32>, u64>,
    /// The presses that change nothing.
    pub(crate) null: Vec<Presses>,
}

impl World {
    pub(crate) fn new(stencil: &'static str, (w, h): (u32, u32), colours: u32) -> World {
        let cells = (w * h) as usize;
        let turned = (0..w * h).map(|i| turned(stencil, (w as i32, h as i32), i as i32)).collect();
        let mut world = World { stencil, w, h, colours, turned, sums: HashMap::new(), null: Vec::new() };
        let mut presses = vec![0; cells];
        loop {
            let sum: u32 = presses.iter().sum();
            let change = world.change(&presses);
            if change.iter().all(|&n| n == 0) {
                world.null.push(presses.clone());
            }
            *world.sums.entry(change).or_default() |= 1 << sum;
            let Some(i) = presses.iter().position(|&n| n + 1 < colours) else { return world };
            presses[..i].fill(0);
            presses[i] += 1;
        }
    }

    pub(crate) fn cells(&self) -> usize {
        (self.w * self.h) as usize
    }

    /// How often each square is turned, modulo the number of colours.
    pub(crate) fn change(&self, presses: &[u32]) -> Vec<u32> {
        let mut change = vec![0; presses.len()];
        for (i, n) in presses.iter().enumerate().filter(|(_, n)| **n > 0) {
            self.turned[i].iter().for_each(|&t| change[t] = (change[t] + n) % self.colours);
        }
        change
    }

    pub(crate) fn random(&self, rng: &mut ChaCha8Rng) -> Vec<u32> {
        (0..self.cells()).map(|_| rng.random_range(0..self.colours)).collect()
    }

    /// The sums of all presses that lead from `board` to one of `ends`, as bits.
    pub(crate) fn sums(&self, board: &[u32], ends: &[Vec<u32>]) -> u64 {
        let change = |end: &Vec<u32>| -> Vec<u32> {
            end.iter().zip(board).map(|(e, b)| (e + self.colours - b) % self.colours).collect()
        };
        ends.iter().filter_map(|end| self.sums.get(&change(end))).fold(0, |all, sums| all | sums)
    }

    /// The boards of one colour.
    pub(crate) fn one_colour(&self) -> Vec<Vec<u32>> {
        (0..self.colours).map(|colour| vec![colour; self.cells()]).collect()
    }

    /// The number of presses of the board that needs most, among those that can reach one of `ends`.
    pub(crate) fn hardest(&self, ends: &[Vec<u32>]) -> u32 {
        let least = |change: &Vec<u32>| self.sums(change, ends).trailing_zeros();
        self.sums.keys().map(least).filter(|&n| n < 64).max().unwrap()
    }

    /// The dimension of the space of presses that change nothing.
    pub(crate) fn nullity(&self) -> u32 {
        let (mut changes, mut rank) = (1, 0);
        while changes < self.sums.len() {
            changes *= self.colours as usize;
            rank += 1;
        }
        assert_eq!(changes, self.sums.len());
        self.w * self.h - rank
    }
}
