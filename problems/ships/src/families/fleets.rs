//! The fleets that have a name.

use crate::{Fleet, Poses, Ship};
use counterpoint_core::board::Cell;

/// The names of the fleets, the judge's first.
pub const NAMES: &[&str] = &["standard", "pentominoes", "one-sided-pentominoes"];

/// A ship's name and its picture, with rows separated by `/`.
type Picture = (&'static str, &'static str);

/// The seven one-sided tetrominoes.
const TETROMINOES: [Picture; 7] = [
    ("O", "xx/xx"),
    ("S", ".xx/xx."),
    ("Z", "xx./.xx"),
    ("J", "x../xxx"),
    ("T", ".x./xxx"),
    ("L", "..x/xxx"),
    ("I", "xxxx"),
];

/// The twelve free pentominoes, with Golomb's names (S. Golomb, *Polyominoes*, 1965).
const PENTOMINOES: [Picture; 12] = [
    ("F", ".xx/xx./.x."),
    ("I", "xxxxx"),
    ("L", "x.../xxxx"),
    ("N", "xx../.xxx"),
    ("P", "xx/xx/x."),
    ("T", "xxx/.x./.x."),
    ("U", "x.x/xxx"),
    ("V", "x../x../xxx"),
    ("W", "x../xx./.xx"),
    ("X", ".x./xxx/.x."),
    ("Y", "..x./xxxx"),
    ("Z", "xx./.x./.xx"),
];

impl Fleet {
    /// The seven one-sided tetrominoes.
    pub fn standard() -> Fleet {
        Fleet { ships: TETROMINOES.into_iter().map(drawn).collect() }
    }

    /// The twelve pentominoes. Six of them differ from their mirror images, so they are the free pentominoes only if
    /// ships may be mirrored.
    pub fn pentominoes() -> Fleet {
        Fleet { ships: PENTOMINOES.into_iter().map(drawn).collect() }
    }

    /// The eighteen one-sided pentominoes: the twelve pentominoes and, with lower-case names, the mirror images of the
    /// six that differ from theirs.
    pub fn one_sided_pentominoes() -> Fleet {
        let mut fleet = Fleet::pentominoes();
        let own = |ship: &Ship| ship.shapes().contains(&mirrored(ship).cells);
        let others: Vec<Ship> = fleet.ships.iter().filter(|ship| !own(ship)).map(mirrored).collect();
        fleet.ships.extend(others);
        fleet
    }

    /// The fleet with this name of [`NAMES`]; `None` for any other text.
    pub fn named(name: &str) -> Option<Fleet> {
        match name {
            "standard" => Some(Fleet::standard()),
            "pentominoes" => Some(Fleet::pentominoes()),
            "one-sided-pentominoes" => Some(Fleet::one_sided_pentominoes()),
            _ => None,
        }
    }
}

/// The ship of a picture, which may be turned.
fn drawn((name, rows): Picture) -> Ship {
    let rows = (0..).zip(rows.split('/'));
    let cells = rows.flat_map(|(row, squares)| {
        let squares = (0..).zip(squares.chars()).filter(|(_, square)| *square == 'x');
        squares.map(move |(col, _)| Cell::new(row, col))
    });
    Ship { name: name.to_owned(), cells: cells.collect(), poses: Poses::Turned }
}

/// The mirror image of a ship, with its name in lower case.
fn mirrored(ship: &Ship) -> Ship {
    let right = ship.cells.iter().map(|cell| cell.col).max().unwrap_or(0);
    let mut cells: Vec<Cell> = ship.cells.iter().map(|cell| Cell::new(cell.row, right - cell.col)).collect();
    cells.sort_unstable();
    Ship { name: ship.name.to_lowercase(), cells, poses: ship.poses }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// The numbers of shapes are those of the fixed pentominoes: 63 in all (OEIS A001168).
    #[test]
    fn the_pentominoes_are_all_connected_shapes_of_five_squares() {
        let fixed = |fleet: Fleet, poses| {
            let shapes = fleet.posed(poses).ships.iter().flat_map(Ship::shapes).collect::<Vec<_>>();
            (shapes.len(), shapes.into_iter().collect::<BTreeSet<_>>())
        };
        let mut grown = BTreeSet::from([BTreeSet::from([(0i32, 0i32)])]);
        for _ in 1..5 {
            let larger = grown.iter().flat_map(|shape: &BTreeSet<(i32, i32)>| {
                let beside = |&(r, c): &(i32, i32)| [(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)];
                let new = shape.iter().flat_map(beside).filter(|cell| !shape.contains(cell));
                new.map(|cell| shape.iter().copied().chain([cell]).collect::<BTreeSet<_>>())
                    .collect::<Vec<_>>()
            });
            grown = larger.map(moved_to_corner).collect();
        }
        let all: BTreeSet<Vec<Cell>> = grown.iter().map(cells).collect();
        assert_eq!(all.len(), 63);
        assert_eq!(fixed(Fleet::pentominoes(), Poses::TurnedMirrored), (63, all.clone()));
        assert_eq!(fixed(Fleet::one_sided_pentominoes(), Poses::Turned), (63, all));
        let names = |fleet: Fleet| fleet.ships.into_iter().map(|ship| ship.name).collect::<Vec<_>>().join("");
        assert_eq!(names(Fleet::pentominoes()), "FILNPTUVWXYZ");
        assert_eq!(names(Fleet::one_sided_pentominoes()), "FILNPTUVWXYZflnpyz");
        // With mirror images allowed, six pairs of the one-sided pentominoes are equal.
        let twins = Fleet::one_sided_pentominoes().posed(Poses::TurnedMirrored).twins();
        assert_eq!(twins.iter().flatten().count(), 6);
    }

    fn moved_to_corner(shape: BTreeSet<(i32, i32)>) -> BTreeSet<(i32, i32)> {
        let top = shape.iter().map(|cell| cell.0).min().unwrap_or(0);
        let left = shape.iter().map(|cell| cell.1).min().unwrap_or(0);
        shape.into_iter().map(|(r, c)| (r - top, c - left)).collect()
    }

    fn cells(shape: &BTreeSet<(i32, i32)>) -> Vec<Cell> {
        shape.iter().map(|&(r, c)| Cell::new(r as u32, c as u32)).collect()
    }

    #[test]
    fn every_name_has_a_fleet() {
        let fleets: Vec<Fleet> = NAMES.iter().filter_map(|name| Fleet::named(name)).collect();
        assert_eq!(fleets.iter().map(|fleet| fleet.ships.len()).collect::<Vec<_>>(), [7, 12, 18]);
        assert_eq!(Fleet::named("hexominoes"), None);
    }
}
