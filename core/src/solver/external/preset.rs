//! Presets: what Counterpoint knows about common solvers.
//!
//! A preset gives the regular expressions that find a solver's counters in its output. It also says how the solver
//! stops at a limit, and what the solver cannot do. The presets were tested with Kissat 4.0.4, CaDiCaL 1.5.3 and 2.2.0,
//! MiniSat 2.2.1, Glucose 4.2.1, CryptoMiniSat 5.11.4 and clasp 3.3.5.

use super::super::Count::{self, Conflicts, Decisions, Propagations, Restarts};
use super::proof::ProofFormat::{self, Drat, Lrat};
use crate::process::StopSignal;

/// What is known about a solver.
#[derive(Debug, PartialEq, Eq)]
pub struct Preset {
    /// Its name in configurations.
    pub name: &'static str,
    /// A command with which the solver prints its counters, and prints its model or writes it into the file `{out}`.
    /// The path of the formula replaces `{}`, or comes last if there is no `{}`.
    pub command: &'static str,
    /// For each counter that the solver prints, a regular expression for its line.
    pub patterns: &'static [(Count, &'static str)],
    /// The counters whose line is missing if they are zero.
    pub absent_if_zero: &'static [Count],
    /// The signal on which the solver prints its counters and exits.
    pub stop_signal: StopSignal,
    /// The exit status and the line with which the solver says that it reached one of its own limits, if it prints no
    /// line that starts with `s`.
    pub gives_up: Option<(i32, &'static str)>,
    /// Whether the solver reads lines that start with `x`.
    pub reads_parity_lines: bool,
    /// What the solver does with lines that start with `x` if it does not read them; empty if it reads them.
    pub on_parity_lines: &'static str,
    /// The formats in which the solver can write proofs.
    pub proofs: &'static [ProofFormat],
}

const PARSE_ERROR: &str = "stops with a parse error";

/// All presets.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "kissat",
        command: "kissat -s",
        patterns: &[
            (Conflicts, r"^c conflicts:\s+(\d+)\s"),
            (Decisions, r"^c decisions:\s+(\d+)\s"),
            (Propagations, r"^c propagations:\s+(\d+)\s"),
            (Restarts, r"^c restarts:\s+(\d+)\s"),
        ],
        absent_if_zero: &[],
        stop_signal: StopSignal::Terminate,
        gives_up: None,
        reads_parity_lines: false,
        on_parity_lines: PARSE_ERROR,
        proofs: &[Drat],
    },
    Preset {
        name: "cadical",
        command: "cadical",
        patterns: &[
            (Conflicts, r"^c conflicts:\s+(\d+)\s"),
            (Decisions, r"^c decisions:\s+(\d+)\s"),
            (Propagations, r"^c propagations:\s+(\d+)\s"),
            (Restarts, r"^c restarts:\s+(\d+)\s"),
        ],
        absent_if_zero: &[Restarts],
        stop_signal: StopSignal::Terminate,
        gives_up: Some((0, "c UNKNOWN")),
        reads_parity_lines: false,
        on_parity_lines: PARSE_ERROR,
        proofs: &[Drat, Lrat],
    },
    Preset {
        name: "minisat",
        command: "minisat {} {out}",
        patterns: &[
            (Conflicts, r"^conflicts\s+: (\d+)\s"),
            (Decisions, r"^decisions\s+: (\d+)\s"),
            (Propagations, r"^propagations\s+: (\d+)\s"),
            (Restarts, r"^restarts\s+: (\d+)"),
        ],
        absent_if_zero: &[],
        stop_signal: StopSignal::Interrupt,
        gives_up: Some((0, "INDETERMINATE")),
        reads_parity_lines: false,
        on_parity_lines: PARSE_ERROR,
        proofs: &[],
    },
    Preset {
        name: "glucose",
        command: "glucose -model",
        patterns: &[
            (Conflicts, r"^c conflicts\s+: (\d+)\s"),
            (Decisions, r"^c decisions\s+: (\d+)\s"),
            (Propagations, r"^c propagations\s+: (\d+)\s"),
            (Restarts, r"^c restarts\s+: (\d+)\s"),
        ],
        absent_if_zero: &[],
        stop_signal: StopSignal::Interrupt,
        gives_up: None,
        reads_parity_lines: false,
        on_parity_lines: PARSE_ERROR,
        proofs: &[Drat],
    },
    Preset {
        name: "cryptominisat",
        command: "cryptominisat5",
        patterns: &[
            (Conflicts, r"^c conflicts\s+: (\d+[KMG]?)\s"),
            (Decisions, r"^c decisions\s+: (\d+[KMG]?)\s"),
            (Propagations, r"^c propagations\s+: (\d+[KMG]?)\s"),
            (Restarts, r"^c restarts\s+: (\d+[KMG]?)\s"),
        ],
        absent_if_zero: &[],
        stop_signal: StopSignal::Interrupt,
        gives_up: None,
        reads_parity_lines: true,
        on_parity_lines: "",
        proofs: &[],
    },
    Preset {
        name: "clasp",
        command: "clasp --stats",
        patterns: &[
            (Conflicts, r"^c Conflicts\s+: (\d+)\s"),
            (Decisions, r"^c Choices\s+: (\d+)"),
            (Restarts, r"^c Restarts\s+: (\d+)"),
        ],
        absent_if_zero: &[],
        stop_signal: StopSignal::Terminate,
        gives_up: None,
        reads_parity_lines: false,
        on_parity_lines: "runs without end",
        proofs: &[],
    },
];

/// The preset of this name.
pub fn preset(name: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.name == name)
}
