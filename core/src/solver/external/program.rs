//! What a configuration says about an external solver.

use super::answer::Format;
use super::proof::ProofOutput;
use super::statistics::Statistics;
use crate::process::Limits;

/// The placeholder for the formula's path in a command.
pub const FORMULA: &str = "{}";

/// The placeholder for the answer's path in a command, for programs that write their answer into a file as MiniSat
/// does.
pub const ANSWER: &str = "{out}";

/// The placeholder for the seed in the arguments that set it.
pub const SEED: &str = "{}";

/// An external solver and how to call it.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Program {
    /// Its name in engine ids.
    pub name: String,
    /// Program and arguments. The formula's path replaces [`FORMULA`]; if there is no [`FORMULA`] and the program reads
    /// a file, the path is appended. The answer's path replaces [`ANSWER`].
    pub command: Vec<String>,
    /// How it receives the formula.
    pub input: Input,
    /// How it receives parity constraints.
    #[serde(default)]
    pub parity: ParityInput,
    /// The limits of each run.
    pub limits: Limits,
    /// How its counters are found in its output.
    #[serde(default)]
    pub statistics: Statistics,
    /// The arguments that set its seed, which replaces [`SEED`]; empty if it has none.
    #[serde(default)]
    pub seed: Vec<String>,
    /// How it writes proofs; `None` if it writes none.
    #[serde(default)]
    pub proof: Option<ProofOutput>,
    /// The command that prints its version; empty if there is none.
    #[serde(default)]
    pub version: Vec<String>,
    /// Where the command is defined, for messages.
    pub origin: String,
}

impl Program {
    /// The program with this seed. Nothing changes if the seed is 0, which stands for the program's own default.
    #[must_use]
    pub fn with_seed(mut self, seed: u32) -> Self {
        if seed > 0 {
            self.command.extend(self.seed.iter().map(|arg| arg.replace(SEED, &seed.to_string())));
        }
        self
    }
}

/// How a program receives the formula.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Input {
    /// As a file whose path is an argument.
    #[default]
    File,
    /// On standard input.
    Stdin,
    /// As a file in the format OPB. At-most-one constraints, counts and parities are linear constraints, and the solver
    /// may minimise an objective.
    Opb,
    /// As a file in the format WCNF, for MaxSAT solvers. They only answer questions with an objective.
    Wcnf,
}

impl Input {
    /// The format of the program's answer, unless it writes the answer into a file.
    pub(super) const fn answer(self) -> Format {
        match self {
            Input::File | Input::Stdin => Format::Competition,
            Input::Opb => Format::PseudoBoolean,
            Input::Wcnf => Format::MaxSat,
        }
    }
}

/// How a program receives parity constraints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum ParityInput {
    /// As clauses, after cutting each constraint into constraints of at most four literals.
    #[default]
    Clauses,
    /// As lines in the format of CryptoMiniSat. For example, `x1 -2 3 0` says that an odd number of the literals 1, -2
    /// and 3 is true.
    Lines,
}
