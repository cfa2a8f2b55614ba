//! Tables for `cover` that depend only on the board's size and the fleet. `cover` caches them by board size.
//!
//! # Anchors
//! A placement is a pair (shape, anchor). A *shape* is a ship in one pose. The *anchor* of a placement is the index of
//! the cell in the top left corner of its bounding box; the shape need not cover that cell. Each cell of the shape lies
//! at a fixed *offset*, a distance in cell indices, from the anchor.
//!
//! All anchors of a shape form one mask. A shape fits at an anchor if every offset leads to a free cell, so
//!
//! ```text
//! anchors = on_board ∩ (free shifted by the first offset) ∩ (free shifted by the second offset) ∩ ...
//! ```
//!
//! Here `on_board` (the field `home`) excludes anchors at which the shape would leave the board, in particular those at
//! which it would wrap around into the next row. The free cells are moved once by each distinct offset of all shapes
//! ([`Tables::shifted`]); after that the anchors of a tetromino take four intersections of masks. Computing every
//! placement of every ship on a 16×16 board this way costs less than testing 40 placements one by one.
//!
//! # Invariants
//! Tables never change after [`Tables::new`]. Every offset of a shape occurs in [`Tables::shifts`]. An anchor mask is
//! always a subset of the shape's `home`, so moving a shape's mask up by an anchor never drops a cell.

use super::mask::{Mask, members};
use super::relaxed::Relaxed;
use super::slices::Slices;
use crate::Fleet;
use counterpoint_core::board::Size;

/// A ship in one pose.
pub(super) struct Shape<const W: usize> {
    pub(super) ship: usize,
    /// Offsets of its cells from its anchor.
    pub(super) by: Vec<usize>,
    /// Offsets below 64 as one word: bit 63 - k stands for offset k, as in `Mask::up_to`.
    near: u64,
    /// The other offsets.
    far: Vec<usize>,
    /// For each offset of `by`, its index in [`Tables::shifts`].
    pub(super) cells: Vec<usize>,
    /// Its cells when its anchor is cell 0.
    pub(super) mask: Mask<W>,
    /// The anchors at which it fits the empty board.
    home: Mask<W>,
}

/// The tables for boards of one size.
pub(super) struct Tables<const W: usize> {
    pub(super) size: Size,
    /// All ships, one bit each.
    pub(super) all: u32,
    /// Number of cells of each ship.
    pub(super) cells: Vec<u32>,
    /// Maximum number of cells of a ship.
    max_cells: u32,
    /// Number of cells of the whole fleet.
    pub(super) fleet_cells: u32,
    /// For each ship, the previous ship that equals it, which is placed before it; `None` if there is none. This breaks
    /// the symmetry between equal ships.
    twins: Vec<Option<usize>>,
    /// The shapes of all ships, ship by ship; shapes larger than the board are left out.
    pub(super) shapes: Vec<Shape<W>>,
    /// For each ship, the range of its shapes in `shapes`.
    pub(super) of_ship: Vec<std::ops::Range<usize>>,
    /// The distinct offsets of all shapes, ascending.
    pub(super) shifts: Vec<usize>,
    /// For each cell, all cells that one ship can cover together with it on the empty board, and the cell itself.
    pub(super) reach: Vec<Mask<W>>,
    /// The black squares of a chessboard colouring: row plus column is even.
    pub(super) black: Mask<W>,
    /// For each ship, the difference between its numbers of black and white cells on a chessboard.
    pub(super) excess: Vec<u32>,
    /// The greatest common divisor of the ships' numbers of cells; 0 without ships.
    pub(super) divisor: u32,
    /// The squares that are not in the first column.
    not_first: Mask<W>,
}

impl<const W: usize> Shape<W> {
    /// Those of `anchors` at which the shape covers `cell`, in descending order.
    #[inline]
    pub(super) fn covering(&self, anchors: &Mask<W>, cell: usize) -> impl Iterator<Item = usize> {
        let far = self.far.iter().filter(move |&&by| anchors.has_back(cell, by)).map(move |by| cell - by);
        let near = from_the_top(anchors.up_to(cell) & self.near).map(move |by| cell - by);
        near.chain(far)
    }

    /// The union of its placements at `anchors`.
    #[inline]
    pub(super) fn union(&self, anchors: Mask<W>) -> Mask<W> {
        match self.by[..] {
            // Special case for tetrominoes, without a loop.
            [a, b, c, d] => anchors.up(a).or(anchors.up(b)).or(anchors.up(c).or(anchors.up(d))),
            _ => self.by.iter().fold(Mask::EMPTY, |union, &by| union.or(anchors.up(by))),
        }
    }

    /// The number of `anchors` at which the shape covers `cell`.
    #[inline]
    fn count_covering(&self, anchors: &Mask<W>, cell: usize) -> usize {
        let mut near = anchors.up_to(cell) & self.near;
        let mut count = 0;
        while near != 0 {
            near &= near - 1;
            count += 1;
        }
        self.far.iter().fold(count, |count, &by| count + usize::from(anchors.has_back(cell, by)))
    }
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The distances of the set bits of a word from its most significant bit, ascending.
#[inline]
fn from_the_top(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let by = word.leading_zeros();
        (word != 0).then(|| {
            word ^= 1 << 63 >> by;
            by as usize
        })
    })
}

impl<const W: usize> Tables<W> {
    pub(super) fn new(size: Size, fleet: &Fleet) -> Self {
        let is_black = |i: &usize| (size.cell(*i).row + size.cell(*i).col).is_multiple_of(2);
        let mut tables = Tables {
            size,
            all: (0..fleet.ships.len()).fold(0, |all, s| all | 1 << s),
            cells: fleet.ships.iter().map(|ship| ship.cells.len() as u32).collect(),
            max_cells: fleet.ships.iter().map(|ship| ship.cells.len() as u32).max().unwrap_or(0),
            fleet_cells: fleet.cells() as u32,
            twins: fleet.twins(),
            shapes: Vec::new(),
            of_ship: Vec::new(),
            shifts: Vec::new(),
            reach: (0..size.cells()).map(|i| Mask::of([i])).collect(),
            black: Mask::of((0..size.cells()).filter(is_black)),
            excess: Vec::new(),
            divisor: fleet.ships.iter().fold(0, |divisor, ship| gcd(divisor, ship.cells.len() as u32)),
            not_first: Mask::of((0..size.cells()).filter(|&i| size.cell(i).col > 0)),
        };
        for (s, ship) in fleet.ships.iter().enumerate() {
            let black = ship.cells.iter().filter(|cell| (cell.row + cell.col).is_multiple_of(2)).count();
            tables.excess.push(black.abs_diff(ship.cells.len() - black) as u32);
            let first = tables.shapes.len();
            for shape in ship.shapes() {
                let bottom = shape.iter().map(|cell| cell.row).max().unwrap_or(0);
                let right = shape.iter().map(|cell| cell.col).max().unwrap_or(0);
                if right >= size.width || bottom >= size.height {
                    continue;
                }
                let fits = |i: &usize| {
                    let anchor = size.cell(*i);
                    anchor.row + bottom < size.height && anchor.col + right < size.width
                };
                let by: Vec<_> = shape.iter().map(|&cell| size.index(cell)).collect();
                tables.shapes.push(Shape {
                    ship: s,
                    mask: Mask::of(by.iter().copied()),
                    near: by.iter().filter(|&&by| by < 64).fold(0, |near, by| near | 1 << (63 - by)),
                    far: by.iter().copied().filter(|&by| by >= 64).collect(),
                    by,
                    cells: Vec::new(),
                    home: Mask::of((0..size.cells()).filter(fits)),
                });
            }
            tables.of_ship.push(first..tables.shapes.len());
        }
        tables.shifts = tables.shapes.iter().flat_map(|shape| shape.by.iter().copied()).collect();
        tables.shifts.sort_unstable();
        tables.shifts.dedup();
        for shape in &mut tables.shapes {
            // Every offset occurs in `shifts`, so none is lost here.
            shape.cells = shape.by.iter().filter_map(|by| tables.shifts.binary_search(by).ok()).collect();
            for anchor in shape.home.iter() {
                let place = shape.mask.up(anchor);
                shape
                    .by
                    .iter()
                    .for_each(|by| tables.reach[anchor + by] = tables.reach[anchor + by].or(place));
            }
        }
        tables
    }

    /// The cells and their neighbours along edges. `cells` lie on the board; a neighbour may lie below it.
    #[inline]
    pub(super) fn with_neighbours(&self, cells: Mask<W>) -> Mask<W> {
        let width = self.size.width as usize;
        let beside = cells.up(1).and(self.not_first).or(cells.and(self.not_first).down(1));
        cells.or(beside).or(cells.up(width).or(cells.down(width)))
    }

    /// True if no ship has more than seven cells. Then three binary digits count the cells of a ship.
    #[inline]
    pub(super) fn are_small(&self) -> bool {
        self.max_cells < 8
    }

    /// The ships of `remaining` that may be placed next: of equal ships only the first.
    pub(super) fn ready(&self, remaining: u32) -> u32 {
        let waits = |s: usize| self.twins[s].is_some_and(|twin| remaining >> twin & 1 == 1);
        members(remaining).filter(|&s| !waits(s)).fold(0, |ready, s| ready | 1 << s)
    }

    /// The relaxation of one board, in which ships may overlap; `None` with more than [`Relaxed::MAX_HITS`] hits.
    pub(super) fn relax(&self, hits: Mask<W>, misses: Mask<W>) -> Option<Relaxed> {
        if hits.len() as usize > Relaxed::MAX_HITS {
            return None;
        }
        let mut shifted = Vec::new();
        self.shifted(Mask::FULL.without(misses), &mut shifted);
        let anchors: Vec<_> = (0..self.shapes.len()).map(|shape| self.anchors(shape, &shifted)).collect();
        let mut sets = Vec::new();
        for hit in hits.iter() {
            for (shape, anchors) in self.shapes.iter().zip(&anchors) {
                let places = shape.covering(anchors, hit).map(|anchor| shape.mask.up(anchor));
                sets.extend(places.map(|place| (shape.ship, place.and(hits))));
            }
        }
        Some(Relaxed::new(hits.iter().collect(), sets.iter().map(|(ship, set)| (*ship, set.iter()))))
    }

    /// The hit that the fewest placements of `shapes` cover; ties go to the lowest hit. `None` if there is no hit. On
    /// boards whose masks have one word, bit-sliced counters count the placements of all hits at once. The counters
    /// saturate at 31, so all hits with at least 31 placements count as equal.
    pub(super) fn scarcest(&self, hits: Mask<W>, anchors: &[Mask<W>], shapes: &[usize]) -> Option<usize> {
        if W == 1 {
            let mut covers = Slices::<W>::ZERO;
            for &shape in shapes {
                let at = |&by: &usize| anchors[shape].up(by);
                match &self.shapes[shape].by[..] {
                    [a, b, c, d] => covers.add_four([at(a), at(b), at(c), at(d)]),
                    by => by.iter().for_each(|by| covers.add(at(by))),
                }
            }
            return covers.least(hits).first();
        }
        // Stop counting as soon as a hit cannot be the minimum.
        let mut best = (usize::MAX, None);
        for hit in hits.iter() {
            let mut count = 0;
            for &shape in shapes {
                count += self.shapes[shape].count_covering(&anchors[shape], hit);
                if count >= best.0 {
                    break;
                }
            }
            if count < best.0 {
                best = (count, Some(hit));
            }
        }
        best.1
    }

    /// Fills `shifted` with copies of `mask`: one for each offset of [`Tables::shifts`], in which each index is lower by
    /// that offset.
    pub(super) fn shifted(&self, mask: Mask<W>, shifted: &mut Vec<Mask<W>>) {
        shifted.clear();
        shifted.extend(self.shifts.iter().map(|&by| mask.down(by)));
    }

    /// The anchors at which a shape covers only free cells. For each offset, `shifted` holds the free cells, each
    /// with its index lowered by that offset.
    #[inline]
    pub(super) fn anchors(&self, shape: usize, shifted: &[Mask<W>]) -> Mask<W> {
        let shape = &self.shapes[shape];
        match shape.cells[..] {
            [a, b, c, d] => shape.home.and(shifted[a].and(shifted[b])).and(shifted[c].and(shifted[d])),
            _ => shape.cells.iter().fold(shape.home, |anchors, &cell| anchors.and(shifted[cell])),
        }
    }
}
