//! Flip: reader, algebra on large boards, studies and their certificates.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on shall panic")]

#[path = "../shared/bench.rs"]
mod bench;

mod algebra;
mod bases;
mod families;
mod hardest;
mod reading;
mod studies;
