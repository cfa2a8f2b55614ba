//! The real queue on a simulated folder, with a simulated clock, nodes that fail, and runs that only take
//! time. The benchmark `scale` measures the queue, and a test of the runner searches for its faults.

#![allow(dead_code, unused_imports, reason = "the benchmark and the test each use a part")]

mod folder;
mod pilot;
mod server;
mod world;

pub(crate) use folder::Folder;
pub(crate) use pilot::{Number, round};
pub(crate) use server::{Locks, Setup};
pub(crate) use world::{SECOND, World};
