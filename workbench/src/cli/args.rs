//! The arguments of every command, with their help texts.

mod color;
mod cube;
mod doctor;
mod experiment;
mod play;
mod playground;
mod stress;

pub(super) use color::Color;
pub(super) use cube::Cube;
pub(super) use doctor::Doctor;
pub(super) use experiment::{Cancel, Compact, DEFAULT_PROBLEM, New, On, RecordFormat, Report, Run, Status};
pub(super) use play::Play;
pub(super) use playground::Playground;
pub(super) use stress::Stress;

use super::size::{self, BadValue};
use clap::{Parser, Subcommand, ValueEnum};
use std::num::NonZero;
use std::time::Duration;

/// Solve board problems by search and by SAT, and check every answer.
///
/// Without a command, a search and a SAT engine solve all sample games and some generated ones. Each answer is checked,
/// and a table shows the results.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100, after_help = TOP_STATUS)]
pub(super) struct Args {
    #[command(subcommand)]
    pub(super) command: Option<Command>,
    /// When to use colours.
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub(super) color: Color,
    /// The configuration of external solvers and checkers. Without this option, COUNTERPOINT_CONFIG names it; otherwise
    /// it is `counterpoint.toml` beside the plan or in the working directory.
    #[arg(long, global = true, value_name = "FILE")]
    pub(super) config: Option<std::path::PathBuf>,
    /// Also use the engines, encodings and solvers that the plan of this experiment declares.
    #[arg(long, global = true, value_name = "EXP")]
    pub(super) plan: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Read the judge's input and write exactly the judge's output.
    Judge(Judge),
    /// Solve with one engine, check every claim, and show the evidence.
    Solve(Solve),
    /// Check saved answers claim by claim, or a solver's result for a formula.
    Check(Check),
    /// Solve the same instances with several engines and compare them.
    Compare(Compare),
    /// Write an instance as a formula for solvers or in words, or print the formula's size.
    Encode(Encode),
    /// Split a formula into cubes, which can be solved one by one, and prove that they cover all cases.
    Cube(Cube),
    /// Generate instances of a family from seeds.
    Generate(Generate),
    /// Answer a research question about a problem.
    Study(Study),
    /// Play against the computer. If the number of moves is unlimited, it never loses a game that it can win.
    Play(Play),
    /// Write a page for the browser on which boards are typed or drawn, solved by two engines and explained.
    Playground(Playground),
    /// Test a program that you wrote for a judge: find an input on which it fails, shrink it, and name the likely bug.
    Stress(Stress),
    /// Write a commented plan for a new experiment.
    New(New),
    /// Carry out the missing runs of an experiment, each in a process of its own.
    Run(Run),
    /// Show the progress of an experiment, or write its records as CSV or JSON lines.
    Status(Status),
    /// Write the report of an experiment: a web page, figures and tables for papers, and a section of its README.
    Report(Report),
    /// Merge the files of a finished set of records into one.
    Compact(Compact),
    /// Ask the processes that work on an experiment to stop after their current runs; `run` resumes it.
    Cancel(Cancel),
    /// Show how well this machine or a cluster is suited for measurements, and which programs are missing.
    Doctor(Doctor),
    /// Carry out one run of an experiment. `run` starts this command.
    #[command(hide = true)]
    Worker,
    /// List engines, encodings, solvers, presets for external solvers, checkers, families, questions, or rules.
    List(List),
    /// Write the completion script of a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Write manual pages.
    Man(Man),
}

/// The instances and the rules under which they are read.
#[derive(Debug, clap::Args)]
pub(super) struct Input {
    /// The problem; `list rules` names all problems.
    pub(super) problem: String,
    /// The input file. Without it, or if it is `-`, standard input is read.
    pub(super) file: Option<String>,
    #[command(flatten)]
    pub(super) rules: Rules,
}

#[derive(Clone, Debug, clap::Args)]
pub(super) struct Rules {
    /// Set a rule; see `list rules`. Can be repeated.
    #[arg(short, long = "rule", value_name = "KEY=VALUE", value_parser = pair)]
    pub(super) rule: Vec<(String, String)>,
    /// Short for `--rule dialect=VALUE` (ships).
    #[arg(long, value_name = "auto|uva|poj")]
    pub(super) dialect: Option<String>,
    /// Short for `--rule lenient=yes` (spot).
    #[arg(long)]
    pub(super) lenient: bool,
}

#[derive(Debug, clap::Args)]
pub(super) struct Limits {
    /// Stop after N nodes plus conflicts per instance.
    #[arg(long, value_name = "N")]
    pub(super) work_limit: Option<u64>,
    /// Stop after this much CPU time per instance, such as 500ms or 2s.
    #[arg(long, value_name = "T", value_parser = humantime::parse_duration)]
    pub(super) cpu_limit: Option<Duration>,
    /// The number of threads of a search; by default, one per processor. Answers do not depend on it.
    #[arg(long, value_name = "N")]
    pub(super) threads: Option<NonZero<usize>>,
}

#[derive(Debug, clap::Args)]
#[command(after_help = JUDGE_STATUS)]
pub(super) struct Judge {
    #[command(flatten)]
    pub(super) input: Input,
    /// The engine; `list engines` shows all. The default is `search` unless the problem declares another.
    #[arg(short, long)]
    pub(super) engine: Option<String>,
    #[command(flatten)]
    pub(super) limits: Limits,
}

#[derive(Debug, clap::Args)]
#[command(after_help = SOLVE_STATUS)]
pub(super) struct Solve {
    #[command(flatten)]
    pub(super) input: Input,
    /// The engine; `list engines` shows all. The default is `search` unless the problem declares another.
    #[arg(short, long)]
    pub(super) engine: Option<String>,
    /// Solve only game K, counted from 1.
    #[arg(long, value_name = "K")]
    pub(super) game: Option<usize>,
    /// Write answers as JSON, one object per line.
    #[arg(long)]
    pub(super) json: bool,
    /// Explain each answer in sentences and pictures.
    #[arg(long, conflicts_with = "json")]
    pub(super) explain: bool,
    /// With a SAT solver, prove the claims that need a proof, and store the proofs with the answer.
    #[arg(long)]
    pub(super) certify: bool,
    /// The maximum size of a proof. If a proof is longer, the checker tries to recompute its claim instead.
    #[arg(long, value_name = "SIZE", value_parser = size::parse, default_value = "1GiB", requires = "certify")]
    pub(super) proof_limit: u64,
    /// Write instance.txt, answer.json, picture.svg, and any formulas and proofs into this folder. Takes one game.
    #[arg(long, value_name = "DIR")]
    pub(super) save: Option<std::path::PathBuf>,
    /// Write an interactive lesson about a small board: a web page with the board, the clauses of an encoding in words,
    /// unit propagation step by step, and a solver. Takes one game.
    #[arg(long, value_name = "FILE")]
    pub(super) page: Option<std::path::PathBuf>,
    #[command(flatten)]
    pub(super) limits: Limits,
}

#[derive(Debug, clap::Args)]
#[command(after_help = CHECK_STATUS)]
pub(super) struct Check {
    /// A file of answers, a folder written by `solve --save` or `study --save`, or `-` for standard input. With
    /// `--model`, a formula written by `encode`.
    #[arg(value_name = "ANSWER|DIR|-|FORMULA")]
    pub(super) answer: String,
    /// The solver's output for the formula: `s`, `v`, and `o` lines, or MiniSat's result file.
    #[arg(long, value_name = "FILE")]
    pub(super) model: Option<String>,
    /// Fail each answer whose instance is not a game of this file. The file is read under the rules of the answer;
    /// `-` is standard input. If the answer refers to a formula file, FILE is read in its place, and must have the same
    /// SHA-256.
    #[arg(long, value_name = "FILE", conflicts_with = "model")]
    pub(super) against: Option<String>,
    /// Also check each proof with this external checker, such as drat-trim; see `list checkers`. Can be repeated.
    #[arg(long, value_name = "NAME", conflicts_with = "model")]
    pub(super) checker: Vec<String>,
    /// Let the checker take at most N steps per answer, instead of its default. Claims that need more stay open.
    #[arg(long, value_name = "N", conflicts_with = "model")]
    pub(super) work_limit: Option<u64>,
    /// Stop checking an answer after this much CPU time, such as 500ms or 2s.
    #[arg(long, value_name = "T", value_parser = humantime::parse_duration, conflicts_with = "model")]
    pub(super) cpu_limit: Option<Duration>,
}

#[derive(Debug, clap::Args)]
#[command(after_help = TOP_STATUS)]
pub(super) struct Compare {
    #[command(flatten)]
    pub(super) input: Input,
    /// Engines or patterns such as `sat:*`, comma-separated. Can be repeated.
    #[arg(short, long, value_name = "A,B", default_values_t = ["search".to_owned(), "sat".to_owned()])]
    pub(super) engines: Vec<String>,
    #[command(flatten)]
    pub(super) limits: Limits,
}

const TOP_STATUS: &str = "\
Exit status: 0 success; 1 engines disagree or a claim failed; 2 bad input or usage; 3 a limit was reached;
130 interrupted by Ctrl-C.";

const JUDGE_STATUS: &str = "\
Exit status: 0 success; 2 bad input or usage, or the engine does not support a game; 3 a limit was reached;
130 interrupted by Ctrl-C. Answers that were printed before are valid.";

/// What follows [`JUDGE_STATUS`] if formulas are among the problems.
pub(super) const FORMULA_STATUS: &str =
    "For formulas, success is 10 (satisfiable) or 20 (unsatisfiable), as for SAT solvers.";

const SOLVE_STATUS: &str = "\
Exit status: 0 success, even if a claim is open; 1 a claim failed; 2 bad input or usage, or the engine
does not support a game; 3 a limit was reached; 130 interrupted by Ctrl-C.";

const CHECK_STATUS: &str = "\
Exit status: 0 success, even if a claim is open, for example because of a limit; 1 a claim failed;
2 bad input or usage; 3 the solver's result is unknown; 130 interrupted by Ctrl-C.";

const STUDY_STATUS: &str = "\
Exit status: 0 success; 2 bad input or usage; 3 a limit was reached; 130 interrupted by Ctrl-C.";

const WRITE_STATUS: &str = "\
Exit status: 0 success; 2 bad input or usage.";

#[derive(Debug, clap::Args)]
#[command(after_help = WRITE_STATUS)]
pub(super) struct Encode {
    #[command(flatten)]
    pub(super) input: Input,
    /// The SAT engine whose encoding is used; `list engines` shows all.
    #[arg(short, long, default_value = "sat")]
    pub(super) engine: String,
    /// Encode game K of the input, counted from 1.
    #[arg(long, value_name = "K", default_value_t = 1)]
    pub(super) game: usize,
    /// Print the number of variables, clauses, and literals of each group of constraints instead.
    #[arg(long, conflicts_with = "format")]
    pub(super) stats: bool,
    /// Print the clauses as sentences instead.
    #[arg(long, conflicts_with_all = ["format", "stats"])]
    pub(super) words: bool,
    /// The format of the formula.
    #[arg(long, value_enum, default_value_t = Format::Cnf)]
    pub(super) format: Format,
    /// Write to this file instead of standard output. If it exists, it is replaced, unless it is the input.
    #[arg(short, long, value_name = "OUT")]
    pub(super) output: Option<std::path::PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Format {
    /// DIMACS CNF, with the instance and the names of variables in comments.
    Cnf,
    /// DIMACS CNF with parity constraints as `x` lines (CryptoMiniSat).
    Xcnf,
    /// MaxSAT format since 2022: hard clauses `h`, and weighted soft clauses for the objective.
    Wcnf,
    /// Pseudo-Boolean constraints, with `min:` if there is an objective.
    Opb,
    /// Incremental format: clauses, then one line of assumptions per query.
    Icnf,
}

impl From<Format> for crate::export::Format {
    fn from(format: Format) -> Self {
        match format {
            Format::Cnf => Self::Cnf,
            Format::Xcnf => Self::Xcnf,
            Format::Wcnf => Self::Wcnf,
            Format::Opb => Self::Opb,
            Format::Icnf => Self::Icnf,
        }
    }
}

#[derive(Debug, clap::Args)]
#[command(after_help = WRITE_STATUS)]
pub(super) struct Generate {
    /// The problem.
    pub(super) problem: String,
    /// The family; `list families` shows all.
    pub(super) family: String,
    /// Parameters of the family. Write the size of a board as `n=5`, `w=4 h=6`, `size=5`, or `size=4x6`. Nonzero `w`
    /// and `h` take precedence over `n`.
    #[arg(value_name = "KEY=VALUE", value_parser = pair)]
    pub(super) params: Vec<(String, String)>,
    /// The first seed.
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
    /// The number of instances. Their seeds are consecutive.
    #[arg(long, default_value_t = 1)]
    pub(super) count: u64,
    /// Write the formula of each instance into this folder, with a manifest.csv of sizes and expected answers.
    #[arg(long, value_name = "DIR")]
    pub(super) formulas: Option<std::path::PathBuf>,
    /// The SAT engine whose encoding is used; `list engines` shows all.
    #[arg(short, long, default_value = "sat", requires = "formulas")]
    pub(super) engine: String,
    /// The format of the formulas.
    #[arg(long, value_enum, default_value_t = Format::Cnf, requires = "formulas")]
    pub(super) format: Format,
    /// The CPU time of the search that finds the expected answer of one formula, such as 500ms or 2s.
    #[arg(long, value_name = "T", value_parser = humantime::parse_duration, default_value = "10s", requires = "formulas")]
    pub(super) cpu_limit: Duration,
    #[command(flatten)]
    pub(super) rules: Rules,
}

#[derive(Debug, clap::Args)]
#[command(after_help = STUDY_STATUS)]
pub(super) struct Study {
    /// The problem.
    pub(super) problem: String,
    /// The question; `list questions` shows all.
    pub(super) question: String,
    /// For a question about given games, an input file, or `-` for standard input. As KEY=VALUE, parameters of the
    /// question or rules of the problem. Write the size of a board as `n=5`, `w=4 h=6`, `size=5`, or `size=4x6`.
    #[arg(value_name = "FILE|KEY=VALUE")]
    pub(super) words: Vec<String>,
    /// Use only game K of the file, counted from 1.
    #[arg(long, value_name = "K")]
    pub(super) game: Option<usize>,
    /// Write the findings as JSON, one object per line.
    #[arg(long)]
    pub(super) json: bool,
    /// Write certificates for `check` and drawings into this folder. Replaces files of an earlier run.
    #[arg(long, value_name = "DIR")]
    pub(super) save: Option<std::path::PathBuf>,
    #[command(flatten)]
    pub(super) rules: Rules,
    #[command(flatten)]
    pub(super) limits: Limits,
}

#[derive(Debug, clap::Args)]
#[command(after_help = WRITE_STATUS)]
pub(super) struct List {
    /// What to list.
    #[arg(value_enum)]
    pub(super) kind: Kind,
    /// List only entries of this problem.
    pub(super) problem: Option<String>,
}

/// The tables of `list`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Kind {
    Engines,
    Encodings,
    Solvers,
    Presets,
    Checkers,
    Families,
    Questions,
    Rules,
}

#[derive(Debug, clap::Args)]
#[command(after_help = WRITE_STATUS)]
pub(super) struct Man {
    /// The command. Without it, the page of the program itself is written.
    #[arg(conflicts_with = "save")]
    pub(super) command: Option<String>,
    /// Write the pages of all commands into this folder.
    #[arg(long, value_name = "DIR")]
    pub(super) save: Option<std::path::PathBuf>,
}

/// Parses `KEY=VALUE`.
pub(super) fn pair(text: &str) -> Result<(String, String), BadValue> {
    let (key, value) = text.split_once('=').ok_or_else(|| format!("expected KEY=VALUE, found '{text}'"))?;
    Ok((key.to_owned(), value.to_owned()))
}
