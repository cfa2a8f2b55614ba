//! The symmetries of a square board and the groups that the rules name.

use super::Cell;

/// A rotation or reflection of an n×n board. If `mirrored`, the board is first mirrored left to right. Then it is
/// turned clockwise by `turns` quarter turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Symmetry {
    /// Quarter turns clockwise, 0 to 3.
    pub turns: u8,
    /// Mirrored left to right before turning.
    pub mirrored: bool,
}

impl Symmetry {
    /// The image of `cell` on an `n`×`n` board.
    #[inline]
    pub fn apply(self, n: u32, cell: Cell) -> Cell {
        let mut at = cell;
        if self.mirrored {
            at = Cell::new(at.row, n - 1 - at.col);
        }
        for _ in 0..self.turns {
            at = Cell::new(at.col, n - 1 - at.row);
        }
        at
    }

    /// The symmetry in words, for explanations.
    pub fn describe(self) -> String {
        let turn = match self.turns {
            0 => "unturned".to_owned(),
            q => format!("turned by {} degrees clockwise", 90 * u32::from(q)),
        };
        if self.mirrored { format!("mirrored left to right, then {turn}") } else { turn }
    }
}

/// A group of symmetries under which two boards count as the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Group {
    /// Rotations by multiples of 90 degrees.
    C4,
    /// Rotations and reflections.
    D4,
    /// The identity and the half turn.
    C2,
    /// The identity alone.
    Trivial,
}

impl Group {
    /// The group with this name in rules; `None` if there is none.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "c4" => Group::C4,
            "d4" => Group::D4,
            "c2" => Group::C2,
            "trivial" => Group::Trivial,
            _ => return None,
        })
    }

    /// The name of the group in rules.
    pub const fn name(self) -> &'static str {
        match self {
            Group::C4 => "c4",
            Group::D4 => "d4",
            Group::C2 => "c2",
            Group::Trivial => "trivial",
        }
    }

    /// The elements of the group, the identity first.
    pub fn elements(self) -> Vec<Symmetry> {
        self.iter().collect()
    }

    /// Like [`Group::elements`], but without an allocation.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Symmetry> {
        let (turns, mirrors): (&'static [u8], &'static [bool]) = match self {
            Group::C4 => (&[0, 1, 2, 3], &[false]),
            Group::D4 => (&[0, 1, 2, 3], &[false, true]),
            Group::C2 => (&[0, 2], &[false]),
            Group::Trivial => (&[0], &[false]),
        };
        let pairs = mirrors.iter().flat_map(|&mirrored| turns.iter().map(move |&turns| (turns, mirrored)));
        pairs.map(|(turns, mirrored)| Symmetry { turns, mirrored })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// The image of every cell of a 3×3 board; distinct for distinct symmetries.
    fn map(s: Symmetry) -> Vec<Cell> {
        (0..9).map(|i| s.apply(3, Cell::new(i / 3, i % 3))).collect()
    }

    #[test]
    fn each_group_is_closed() {
        for group in [Group::C4, Group::D4, Group::C2, Group::Trivial] {
            assert_eq!(Group::from_name(group.name()), Some(group));
            let maps: HashSet<_> = group.elements().into_iter().map(map).collect();
            assert_eq!(maps.len(), group.elements().len());
            for a in group.elements() {
                for b in group.elements() {
                    let product: Vec<_> =
                        (0..9).map(|i| a.apply(3, b.apply(3, Cell::new(i / 3, i % 3)))).collect();
                    assert!(maps.contains(&product));
                }
            }
        }
    }

    #[test]
    fn a_quarter_turn_takes_the_top_left_corner_to_the_top_right() {
        assert_eq!(Symmetry { turns: 1, mirrored: false }.apply(3, Cell::new(0, 0)), Cell::new(0, 2));
    }
}
