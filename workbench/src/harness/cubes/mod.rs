//! Runs whose formula is cut into cubes: a run for each cube, and the *whole*, which is the run that puts
//! their results together.
//!
//! ```text
//! run ─► cubes ─► a run for each cube ─► a record and a proof for each cube ─┐
//!        question                                               case, folder │
//!          └──► proof that the cubes cover all cases ────────────────────────┴─► answer ─► record of the whole
//!                                                                                           whole
//! ```
//!
//! A cube that reaches a limit is split into two halves, which are runs of their own (`halves.rs`).
//!
//! The cubes stand in the file `cubes.icnf`, in a folder of the set that is named after the key of the whole. The first
//! worker that needs them writes this file. Proofs stay in this folder; records hold their hashes and verdicts.

mod case;
mod check;
mod folder;
mod groups;
mod halves;
mod question;
mod whole;

pub use check::{Cases, CubesError, check, recheck, to_json};
pub use folder::{ANSWER, COVER, CUBES, Folder, FolderError};
pub use groups::Groups;
pub use halves::{MAX_SPLITS, Node, walk};
pub use question::{Question, QuestionError};

pub(super) use case::solve as solve_case;
pub(super) use whole::assemble;

use crate::record::Record;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The folder of cubes below the folder of a set.
pub const FOLDER: &str = "cubes";

/// What a worker needs for a part of a cut run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CubeRequest {
    /// The folder of the cubes and their proofs.
    pub folder: PathBuf,
    /// The records of all cubes and their halves, for the run that puts them together.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub records: Vec<Record>,
}
