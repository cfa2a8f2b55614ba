//! Tests of the proof checkers: formats, forged proofs, memory.

#![allow(clippy::unwrap_used, reason = "a test that cannot continue must panic")]

mod common;
mod elaborated;
mod formats;
mod lrat_binary;
mod memory;
