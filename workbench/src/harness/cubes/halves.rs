//! A cube that reaches a limit is split into two halves, each of which is a run of its own. A half that
//! reaches a limit is split again, up to depth [`MAX_SPLITS`]. So the runs of a cube form a binary tree, and
//! its leaves replace the cube.
//!
//! The trees are not stored. They follow from the records: a cube is split if its record says that it reached
//! a limit. The key of a half follows from the key of the original cube and the path in the tree, so all
//! runners agree on the halves. If a runner is killed in between, the next one finds what is left to do.

use crate::harness::plan::key_of_half;
use crate::record::{ABSENT, Row, Run, Verdict};
use counterpoint_base::cube::CubeNumber;

/// The maximum depth of the tree of halves.
pub const MAX_SPLITS: usize = 3;

/// The limit of a run that the user has stopped.
const CANCELLED: &str = "cancelled";

/// A cube of a plan or one of its halves, with its record.
pub struct Node<'a> {
    /// Its number.
    pub number: CubeNumber,
    /// The key of its run.
    pub key: String,
    /// Its record; `None` if there is none.
    pub record: Option<Row<'a>>,
    /// Whether its halves replace it.
    pub is_split: bool,
}

impl Node<'_> {
    /// The run of this half, made from the run of the original cube.
    pub(super) fn run(&self, original: &Run) -> Run {
        let mut run = original.clone();
        if let Some(cut) = &mut run.cut {
            cut.cube = Some(self.number.to_string());
            cut.split_of = Some(original.key.clone());
        }
        run.key.clone_from(&self.key);
        run
    }
}

/// Visits a cube and all its halves: each before its own halves, and the first half before the second. `get` returns
/// the record of a key.
pub fn walk<'a>(
    (original, number): (&str, CubeNumber),
    get: &dyn Fn(&str) -> Option<Row<'a>>,
    visit: &mut dyn FnMut(Node<'a>),
) {
    let key = key_of_half(original, &number);
    let record = get(&key);
    let mut halves = None;
    if record.is_some_and(is_too_hard) && number.halves().len() < MAX_SPLITS {
        let found = number.split();
        let is_absent = |half: &CubeNumber| {
            get(&key_of_half(original, half)).is_some_and(|record| record.outcome() == Some(ABSENT))
        };
        // If there was nothing to split on, the records of the halves say that the halves are absent.
        halves = (!found.iter().any(is_absent)).then_some(found);
    }
    visit(Node { number, key, record, is_split: halves.is_some() });
    for half in halves.into_iter().flatten() {
        walk((original, half), get, visit);
    }
}

/// Whether the cube with this record reached a limit.
fn is_too_hard(record: Row<'_>) -> bool {
    record.verdict() == Some(Verdict::Limit) && record.limit() != Some(CANCELLED)
}
