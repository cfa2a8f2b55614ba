//! Numbers that identify cubes (the cases of a formula) and their halves.
//!
//! The cubes of a formula are numbered from 1: `3/64`. A cube that is too hard is split into two halves, `3.1/64` and
//! `3.2/64`, and a half can be split again: `3.1.2/64`. So the cubes that remain to be solved are the leaves of binary
//! trees, one for each number from 1 to 64.

use std::fmt;
use std::num::NonZero;
use std::str::FromStr;

/// The maximum number of halves in a cube number; `3.1.2/64` has two.
const MAX_DEPTH: usize = 32;

/// One of the two halves of a cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Half {
    /// The half with the number 1.
    First,
    /// The half with the number 2.
    Second,
}

/// The number of a cube among all cubes of a formula, or of a half of a cube.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CubeNumber {
    number: NonZero<u32>,
    halves: Vec<Half>,
    of: NonZero<u32>,
}

/// A text is not the number of a cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotACubeNumber;

/// Why a list of numbers is not that of the leaves of all trees, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeavesError {
    /// A leaf is missing.
    Missing(CubeNumber),
    /// This number follows the last leaf, or its number of original cubes differs from that of the first
    /// number in the list.
    Unexpected(CubeNumber),
}

impl CubeNumber {
    /// The number of an original cube; `None` unless `number` is from 1 to `of`.
    pub fn new(number: u32, of: u32) -> Option<Self> {
        let (number, of) = (NonZero::new(number)?, NonZero::new(of)?);
        (number <= of).then_some(CubeNumber { number, halves: Vec::new(), of })
    }

    /// The number of the original cube with this index, counted from 0, among `n` cubes.
    pub fn at(index: usize, n: usize) -> Option<Self> {
        CubeNumber::new(u32::try_from(index).ok()?.checked_add(1)?, u32::try_from(n).ok()?)
    }

    /// The same number among `n` original cubes; `None` if there are too few.
    pub fn among(&self, n: usize) -> Option<Self> {
        let CubeNumber { of, .. } = CubeNumber::at(self.index(), n)?;
        Some(CubeNumber { of, ..self.clone() })
    }

    /// The index of the original cube, counted from 0.
    pub fn index(&self) -> usize {
        self.number.get() as usize - 1
    }

    /// The number of original cubes.
    pub fn of(&self) -> u32 {
        self.of.get()
    }

    /// Which half was taken at each split.
    pub fn halves(&self) -> &[Half] {
        &self.halves
    }

    /// The numbers of the two halves of the cube.
    #[must_use]
    pub fn split(&self) -> [Self; 2] {
        [Half::First, Half::Second].map(|half| self.half(half))
    }

    /// The number of a half of the cube.
    #[must_use]
    pub fn half(&self, half: Half) -> Self {
        let mut number = self.clone();
        number.halves.push(half);
        number
    }

    /// The cube of which this is a half; `None` if it is an original cube.
    pub fn parent(&self) -> Option<Self> {
        let mut parent = self.clone();
        parent.halves.pop().map(|_| parent)
    }

    /// The original cube.
    #[must_use]
    pub fn original(&self) -> Self {
        CubeNumber { halves: Vec::new(), ..*self }
    }

    /// The text without the total number of cubes: `3.1`.
    pub fn short(&self) -> String {
        let halves = self.halves.iter().map(|half| match half {
            Half::First => ".1",
            Half::Second => ".2",
        });
        std::iter::once(self.number.to_string().as_str()).chain(halves).collect()
    }

    /// The leaf that follows in order; `None` after the last one.
    fn next(&self) -> Option<Self> {
        let mut next = self.clone();
        while next.halves.last() == Some(&Half::Second) {
            next.halves.pop();
        }
        match next.halves.last_mut() {
            Some(half) => *half = Half::Second,
            None => next.number = next.number.checked_add(1).filter(|number| *number <= next.of)?,
        }
        Some(next)
    }

    /// Checks that these are the numbers of the leaves of all trees, in order.
    ///
    /// # Errors
    /// Returns the first number that is missing or not expected.
    pub fn are_leaves(numbers: &[CubeNumber]) -> Result<(), LeavesError> {
        let Some(first) = numbers.first() else { return Ok(()) };
        // The next leaf, unless it is split further.
        let mut expected = CubeNumber::new(1, first.of());
        for number in numbers {
            let Some(leaf) = expected.filter(|_| number.of == first.of) else {
                return Err(LeavesError::Unexpected(number.clone()));
            };
            let below = (number.number == leaf.number).then(|| number.halves.strip_prefix(&*leaf.halves));
            match below.flatten().map(|below| below.iter().position(|half| *half == Half::Second)) {
                Some(None) => {}
                Some(Some(at)) => {
                    let halves = number.halves[..leaf.halves.len() + at].iter().copied();
                    let halves = halves.chain([Half::First]).collect();
                    return Err(LeavesError::Missing(CubeNumber { halves, ..leaf }));
                }
                None => return Err(LeavesError::Missing(leaf)),
            }
            expected = number.next();
        }
        expected.map_or(Ok(()), |missing| Err(LeavesError::Missing(missing)))
    }
}

impl fmt::Display for CubeNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.short(), self.of)
    }
}

impl FromStr for CubeNumber {
    type Err = NotACubeNumber;

    fn from_str(text: &str) -> Result<Self, NotACubeNumber> {
        let parse = || {
            let (path, of) = text.split_once('/')?;
            let mut parts = path.split('.');
            let mut number = CubeNumber::new(parts.next()?.parse().ok()?, of.parse().ok()?)?;
            for part in parts {
                number.halves.push(match part {
                    "1" => Half::First,
                    "2" => Half::Second,
                    _ => return None,
                });
            }
            // Numbers have no plus sign and no leading zero.
            (number.halves.len() <= MAX_DEPTH && number.to_string() == text).then_some(number)
        };
        parse().ok_or(NotACubeNumber)
    }
}

impl fmt::Display for NotACubeNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected the number of a cube and the number of all cubes, such as 3/64 or 3.1/64")
    }
}

impl std::error::Error for NotACubeNumber {}

impl fmt::Display for LeavesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LeavesError::Missing(number) => write!(f, "cube {number} is missing"),
            LeavesError::Unexpected(number) => write!(f, "unexpected cube {number}"),
        }
    }
}

impl std::error::Error for LeavesError {}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on shall panic")]

    use super::CubeNumber;

    #[test]
    fn numbers_are_parsed_as_they_are_written() {
        for text in ["1/1", "3/64", "3.1/64", "64.1.2.2/64"] {
            assert_eq!(text.parse::<CubeNumber>().unwrap().to_string(), text);
        }
        let deep = format!("1{}/2", ".1".repeat(33));
        for text in ["", "3", "0/3", "4/3", "03/64", "+3/64", "3.0/64", "3.3/64", "3./64", "3/", "a/b", &deep]
        {
            assert!(text.parse::<CubeNumber>().is_err(), "{text}");
        }
        let number: CubeNumber = "3.1/64".parse().unwrap();
        assert_eq!((number.short(), number.index(), number.of()), ("3.1".to_owned(), 2, 64));
        assert_eq!(number.split().map(|half| half.to_string()), ["3.1.1/64", "3.1.2/64"]);
        assert_eq!(number.parent(), CubeNumber::new(3, 64));
        assert_eq!((number.original(), number.original().parent()), (CubeNumber::at(2, 64).unwrap(), None));
    }

    #[test]
    fn a_missing_leaf_is_named() {
        for (numbers, error) in [
            ("", None),
            ("1/3 2/3 3/3", None),
            ("1/3 2.1/3 2.2.1/3 2.2.2/3 3/3", None),
            ("1/3 3/3", Some("cube 2/3 is missing")),
            ("1/3 2/3", Some("cube 3/3 is missing")),
            ("1/3 2.2/3 3/3", Some("cube 2.1/3 is missing")),
            ("1/3 2.1/3 3/3", Some("cube 2.2/3 is missing")),
            ("1/3 2.1/3 2.2.2/3 3/3", Some("cube 2.2.1/3 is missing")),
            ("1/3 2.1.1/3 2.2/3 3/3", Some("cube 2.1.2/3 is missing")),
            ("1/3 2/3 2.1/3 2.2/3 3/3", Some("cube 3/3 is missing")),
            ("1/2 2/2 2/2", Some("unexpected cube 2/2")),
            ("1/2 2/3", Some("unexpected cube 2/3")),
        ] {
            let numbers: Vec<CubeNumber> = numbers.split_whitespace().map(|n| n.parse().unwrap()).collect();
            let found = CubeNumber::are_leaves(&numbers).err().map(|error| error.to_string());
            assert_eq!(found.as_deref(), error, "{numbers:?}");
        }
    }
}
