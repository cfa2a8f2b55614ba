//! Engines that a configuration declares: other people's programs (`exec:NAME`) and encoders (`sat:NAME`).
//!
//! A *program* reads one game and prints a verdict. An *encoder* reads one game and prints a formula, which one of the
//! solvers solves.

#[cfg(feature = "external")]
mod program;

pub use crate::engine::{Declared, Printed, Prints, Run};
#[cfg(feature = "external")]
pub use program::{Declaration, FILE, placeholders};

/// The number of lines that [`quote`] shows, and the number of characters of each.
const QUOTED: (usize, usize) = (3, 80);

/// The end of a message: the first lines that a program printed. Blank lines are omitted, and control characters are
/// replaced.
pub(crate) fn quote(printed: &[u8]) -> String {
    let plain = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
    let lines = printed.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
    let shown = |line: &[u8]| String::from_utf8_lossy(line).chars().take(QUOTED.1).map(plain).collect();
    let mut shown: Vec<String> = lines.take(QUOTED.0 + 1).map(shown).collect();
    if shown.is_empty() {
        return "; it printed nothing".to_owned();
    }
    if let Some(more) = shown.get_mut(QUOTED.0) {
        "…".clone_into(more);
    }
    format!("; it printed: {}", shown.join(" | "))
}
