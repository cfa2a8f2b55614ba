//! Bounds on memory in the size of the input, also for hostile inputs. `docs/src/bounds.md` states them.
//!
//! Allocations are counted, and whole processes run under a limit on their address space, so nothing depends on how
//! fast the machine is. A limit on CPU time only ends what takes quadratic time: it is many times what linear time takes.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on shall panic")]

mod boards;
mod cost;
mod formulas;
mod games;
mod patterns;
mod process;
mod proofs;
mod records;
