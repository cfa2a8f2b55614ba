//! Tests of the proof checkers: formats, forged proofs, memory.

#![allow(clippy::unwrap_used, reason = "a test that cannot continue must panic")]

pub(crate) mod common;
mod derivation;
mod elaborated;
mod formats;
mod lrat_binary;
mod memory;
