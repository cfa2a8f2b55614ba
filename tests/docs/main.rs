//! The documents: every command prints what stands below it, links lead somewhere, and sources keep to the map.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on shall panic")]

#[path = "../shared/console.rs"]
mod console;

mod architecture;
mod guide;
mod readme;
