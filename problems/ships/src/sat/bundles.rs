//! Bundles of placements: all placements of one ship that cover the same hits.
//!
//! On boards without a known miss, a hit far from all others has 76 placements of tetrominoes, but only seven bundles:
//! one for each ship. So a formula about bundles is a small fraction of a formula about placements. The *idle* bundle
//! of a ship consists of its placements that cover no hit. There are many of them, so they are listed only on demand.

use crate::{Fleet, Instance, Square};
use counterpoint_core::board::{Bits, Cell, Size};

/// A ship in one pose.
struct Pose {
    /// Its cells, ascending, touching row 0 and column 0.
    cells: Vec<Cell>,
    height: u32,
    width: u32,
}

/// The poses of the ships of a fleet, which are reused from board to board.
#[derive(Default)]
pub struct Poses {
    fleet: Option<Fleet>,
    of_ship: Vec<Vec<Pose>>,
    /// The offsets (rows, columns) from a cell of a pose to another that is not above it, ascending, without
    /// repetitions.
    steps: Vec<(u32, i64)>,
}

impl Poses {
    /// Computes the poses of this fleet, unless it is the fleet of the last call.
    pub(super) fn prepare(&mut self, fleet: &Fleet) {
        if self.fleet.as_ref() == Some(fleet) {
            return;
        }
        let pose = |cells: Vec<Cell>| Pose {
            height: cells.iter().map(|cell| cell.row + 1).max().unwrap_or(0),
            width: cells.iter().map(|cell| cell.col + 1).max().unwrap_or(0),
            cells,
        };
        self.of_ship = fleet.ships.iter().map(|ship| ship.shapes().into_iter().map(pose).collect()).collect();
        let poses = self.of_ship.iter().flatten();
        let steps =
            poses.flat_map(|pose| pose.cells.iter().flat_map(|&a| pose.cells.iter().map(move |&b| (a, b))));
        self.steps = steps.filter_map(|(a, b)| step(a, b)).collect();
        self.steps.sort_unstable();
        self.steps.dedup();
        self.fleet = Some(fleet.clone());
    }

    /// The size of a greedy choice of hits, no two of which fit under one ship.
    pub(super) fn apart(&self, instance: &Instance) -> usize {
        let mut apart: Vec<Cell> = Vec::new();
        for hit in instance.cells(Square::Hit) {
            let reaches =
                |&other: &Cell| step(other, hit).is_some_and(|step| self.steps.binary_search(&step).is_ok());
            if !apart.iter().any(reaches) {
                apart.push(hit);
            }
        }
        apart.len()
    }
}

/// The rows and columns from `a` to `b`; `None` if `b` is above `a`.
fn step(a: Cell, b: Cell) -> Option<(u32, i64)> {
    Some((b.row.checked_sub(a.row)?, i64::from(b.col) - i64::from(a.col)))
}

/// A placement: a range of [`Bundles::cells`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    start: u32,
    end: u32,
}

/// The placements of one ship that cover the same hits.
#[derive(Debug)]
pub(super) struct Bundle {
    pub(super) ship: usize,
    /// The hits, by their numbers, ascending. Empty for the idle bundle of the ship.
    pub(super) hits: Vec<u16>,
    /// The placements; empty for an idle bundle until [`Bundles::list_idle`] lists them.
    pub(super) places: Vec<Place>,
}

/// All bundles of a board. Hits are numbered from 0 in the order of their squares.
pub(super) struct Bundles<'a> {
    poses: &'a Poses,
    instance: &'a Instance,
    pub(super) n_hits: usize,
    /// The idle bundles come first, in the order of the ships. The others follow, those with most hits first; bundles
    /// with the same hits follow each other.
    pub(super) list: Vec<Bundle>,
    /// The indices of the cells of all listed placements.
    cells: Vec<u32>,
}

/// In [`Bundles::new`], the number of a square that is not a hit.
const NO_HIT: u16 = u16::MAX;

impl<'a> Bundles<'a> {
    /// Finds all bundles.
    pub(super) fn new(poses: &'a Poses, instance: &'a Instance) -> Self {
        let mut number = vec![NO_HIT; instance.squares.len()];
        let hits: Vec<Cell> = instance.cells(Square::Hit).collect();
        (0..).zip(&hits).for_each(|(n, &hit)| number[instance.size.index(hit)] = n);
        let mut all = Bundles { poses, instance, n_hits: hits.len(), list: Vec::new(), cells: Vec::new() };
        let nothing = Bits::zeros(instance.squares.len());
        for ship in 0..poses.of_ship.len() {
            if all.next_idle(ship, &nothing, (0, 0)).is_some() {
                all.list.push(Bundle { ship, hits: Vec::new(), places: Vec::new() });
            }
        }
        for (n, &hit) in (0..).zip(&hits) {
            for ship in 0..poses.of_ship.len() {
                all.list_at(ship, hit, n, &number);
            }
        }
        all.drop_small();
        let n_idle = all.list.iter().take_while(|bundle| bundle.hits.is_empty()).count();
        all.list[n_idle..].sort_by(|a, b| {
            let order = b.hits.len().cmp(&a.hits.len()).then_with(|| a.hits.cmp(&b.hits));
            order.then(a.ship.cmp(&b.ship))
        });
        all
    }

    /// Drops the bundles with so few hits that the other ships cannot cover the rest. Each ship can cover at most as many
    /// hits as its largest bundle has.
    fn drop_small(&mut self) {
        let mut max = vec![0; self.poses.of_ship.len()];
        for bundle in &self.list {
            let max = &mut max[bundle.ship];
            *max = bundle.hits.len().max(*max);
        }
        let all: usize = max.iter().sum();
        self.list.retain(|bundle| bundle.hits.len() + all >= self.n_hits + max[bundle.ship]);
    }

    /// Adds the placements of a ship whose first hit is hit number `n` at `hit`.
    fn list_at(&mut self, ship: usize, hit: Cell, n: u16, number: &[u16]) {
        let size = self.instance.size;
        let first = self.list.len();
        let mut hits = Vec::new();
        for pose in &self.poses.of_ship[ship] {
            for at in &pose.cells {
                let Some(corner) = corner(size, pose, hit, *at) else { continue };
                hits.clear();
                let start = self.cells.len();
                for cell in &pose.cells {
                    let index = size.index(Cell::new(corner.row + cell.row, corner.col + cell.col));
                    match self.instance.squares[index] {
                        Square::Hit if number[index] >= n => hits.push(number[index]),
                        Square::Unknown => {}
                        Square::Hit | Square::Miss => break,
                    }
                    self.cells.push(index as u32);
                }
                if self.cells.len() < start + pose.cells.len() {
                    self.cells.truncate(start);
                    continue;
                }
                let place = Place { start: start as u32, end: self.cells.len() as u32 };
                match self.list[first..].iter_mut().find(|bundle| bundle.hits == hits) {
                    Some(bundle) => bundle.places.push(place),
                    None => self.list.push(Bundle { ship, hits: hits.clone(), places: vec![place] }),
                }
            }
        }
    }

    /// The indices of the cells of a placement.
    pub(super) fn cells(&self, place: Place) -> impl Iterator<Item = usize> + '_ {
        self.cells[place.start as usize..place.end as usize].iter().map(|&cell| cell as usize)
    }

    /// The indices of those cells of a placement that are unknown.
    pub(super) fn unknown(&self, place: Place) -> impl Iterator<Item = usize> + '_ {
        self.cells(place).filter(|&cell| self.instance.squares[cell] == Square::Unknown)
    }

    /// Lists the placements of a bundle if it is an idle one.
    pub(super) fn list_idle(&mut self, bundle: usize) {
        if !self.list[bundle].hits.is_empty() {
            return;
        }
        let ship = self.list[bundle].ship;
        let nothing = Bits::zeros(self.instance.squares.len());
        let mut next = (0, 0);
        while let Some((cells, after)) = self.next_idle(ship, &nothing, next) {
            let start = self.cells.len() as u32;
            self.cells.extend(cells.iter().map(|&cell| cell as u32));
            self.list[bundle].places.push(Place { start, end: self.cells.len() as u32 });
            next = after;
        }
    }

    /// The first placement of a ship on unknown squares that are not `taken`, beginning at pose and corner `from`.
    /// Also returns the pose and corner at which to continue.
    fn next_idle(
        &self,
        ship: usize,
        taken: &Bits,
        from: (usize, usize),
    ) -> Option<(Vec<usize>, (usize, usize))> {
        let size = self.instance.size;
        let free = |index: usize| self.instance.squares[index] == Square::Unknown && !taken.get(index);
        let (first, mut corner) = from;
        for (number, pose) in self.poses.of_ship[ship].iter().enumerate().skip(first) {
            while corner < size.cells() {
                let Cell { row, col } = size.cell(corner);
                corner += 1;
                if row + pose.height > size.height || col + pose.width > size.width {
                    continue;
                }
                let index = |cell: &Cell| size.index(Cell::new(row + cell.row, col + cell.col));
                if pose.cells.iter().all(|cell| free(index(cell))) {
                    return Some((pose.cells.iter().map(index).collect(), (number, corner)));
                }
            }
            corner = 0;
        }
        None
    }

    /// The first placement of a bundle whose unknown squares are not `taken`.
    pub(super) fn first_free(&self, bundle: usize, taken: &Bits) -> Option<Vec<usize>> {
        let Bundle { ship, hits, places } = &self.list[bundle];
        if hits.is_empty() {
            return self.next_idle(*ship, taken, (0, 0)).map(|(cells, _)| cells);
        }
        let place = places.iter().find(|&&place| self.unknown(place).all(|cell| !taken.get(cell)))?;
        Some(self.cells(*place).collect())
    }
}

/// The top left corner of the pose whose cell `at` lies at `hit`; `None` if the pose would leave the board.
fn corner(size: Size, pose: &Pose, hit: Cell, at: Cell) -> Option<Cell> {
    let corner = Cell::new(hit.row.checked_sub(at.row)?, hit.col.checked_sub(at.col)?);
    (corner.row + pose.height <= size.height && corner.col + pose.width <= size.width).then_some(corner)
}
