//! Tests of n-queens completion: its commands, and the chapter of the guide that shows them.

#![allow(clippy::unwrap_used, reason = "a test that cannot continue must panic")]

#[path = "../../../../tests/shared/console.rs"]
mod console;
#[path = "../../../../tests/shared/python.rs"]
mod python;

mod completions;
mod guide;
mod workbench;
