//! The engines that a configuration declares: other people's programs and encoders.

use super::{Axis, Budget, EngineInfo, Side, Unfinished};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::path::Path;

/// An engine that a configuration declares. It lives as long as this process, so that engine ids, axes and values
/// borrow from it as they do from the constants of a built-in engine.
pub struct Declared {
    /// Its name in engine ids.
    pub name: String,
    /// The name of its problem.
    pub problem: String,
    /// What it prints.
    pub prints: Prints,
    /// The keys of the rules for which it supports values other than the judge's.
    pub rules: Vec<String>,
    /// Runs its command.
    pub command: Box<dyn Run>,
}

/// What a declared engine prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "external",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "lowercase")
)]
pub enum Prints {
    /// What the judge expects for one game.
    Verdict,
    /// An answer with its evidence, as `solve --json` prints it.
    Json,
    /// A formula in DIMACS with named variables.
    Formula,
}

impl Prints {
    /// The maximum number of bytes that a program may print for an input of this length.
    #[cfg(feature = "external")]
    pub(crate) fn max_output(self, input: usize) -> u64 {
        match self {
            Prints::Verdict => (1 << 16) + 16 * input as u64,
            Prints::Json => 1 << 26,
            Prints::Formula => 1 << 28,
        }
    }
}

/// What a declared engine printed on standard output, and its exit status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    /// The output.
    pub bytes: Vec<u8>,
    /// The status, which is one that the program may end with.
    pub status: i32,
}

/// Runs the command of a declared engine.
pub trait Run: Send + Sync {
    /// Runs the command on an input that consists of one game, and returns what it printed on standard output and its
    /// exit status. Each pair in `values` is the name of a placeholder in the command, without its braces, and the text
    /// that replaces it.
    ///
    /// # Errors
    /// Returns the limit that was reached, or how the program failed.
    fn run(&self, input: &str, values: &[(&str, &str)], budget: &mut Budget) -> Result<Printed, Unfinished>;

    /// The command with these values, for messages. If the program reads a file, its path is `FILE`.
    fn command(&self, values: &[(&str, &str)]) -> Vec<String>;

    /// The folder in which the command runs.
    fn folder(&self) -> &Path;
}

impl Declared {
    /// An [`EngineInfo`] with these axes, so that engine ids can name this engine. The declaration is never
    /// freed.
    pub fn into_engine(self, about: String, axes: Vec<(String, Vec<String>)>) -> EngineInfo {
        let axis = |(name, values): (String, Vec<String>)| Axis {
            name: leak(name),
            values: Vec::leak(values.into_iter().map(leak).collect()),
            about: "",
        };
        let declared: &'static Declared = Box::leak(Box::new(self));
        let side = if declared.prints == Prints::Formula { Side::Sat } else { Side::Exec };
        EngineInfo {
            side,
            name: &declared.name,
            about: leak(about),
            source: "",
            axes: Vec::leak(axes.into_iter().map(axis).collect()),
            declared: Some(declared),
        }
    }
}

fn leak(text: String) -> &'static str {
    text.leak()
}

/// Two declarations are equal if they declare the same id for the same problem.
impl PartialEq for Declared {
    fn eq(&self, other: &Self) -> bool {
        (&self.problem, self.prints, &self.name) == (&other.problem, other.prints, &other.name)
    }
}

impl Eq for Declared {}

impl Hash for Declared {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl fmt::Debug for Declared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}
