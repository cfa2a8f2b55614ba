//! The name and version of the running program, for messages, help and suggested commands.
//!
//! A program that uses this library with its own problems sets its name with
//! [`Registry::named`](crate::registry::Registry::named).

use crate::registry::Program;
use std::sync::OnceLock;

static PROGRAM: OnceLock<Program> = OnceLock::new();

/// Sets the name and the version. `app` calls it before anything is printed.
pub(super) fn set(program: Program) {
    // If a process calls `app` a second time, the first name stays.
    let _ = PROGRAM.set(program);
}

/// The running program.
pub(super) fn get() -> Program {
    PROGRAM.get().copied().unwrap_or_default()
}

/// The name of the running program on the command line.
pub(super) fn name() -> &'static str {
    get().name
}

/// Replaces the name `counterpoint` in commands by the name of the running program.
pub(super) fn own(text: &str) -> String {
    let name = name();
    if name == Program::default().name {
        return text.to_owned();
    }
    [
        "generate", "judge", "solve", "check", "compare", "encode", "study", "play", "stress", "new", "run",
        "status",
    ]
    .into_iter()
    .chain(["report", "cancel", "doctor", "list", "completions", "man"])
    .fold(text.to_owned(), |text, command| {
        text.replace(&format!("counterpoint {command}"), &format!("{name} {command}"))
    })
}
