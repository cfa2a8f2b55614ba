//! The documents and the layout of the sources: commands print what the documents show, links have targets, and modules
//! import only what the map in ARCHITECTURE.md allows.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on shall panic")]

#[path = "../shared/console.rs"]
mod console;
#[path = "../shared/python.rs"]
mod python;

mod architecture;
mod guide;
mod readme;
