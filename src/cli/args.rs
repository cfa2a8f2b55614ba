//! What the command line takes.

mod experiment;
mod play;
mod stress;

pub(super) use experiment::{Cancel, New, Report, Run, Shape, Status};
pub(super) use play::Play;
pub(super) use stress::Stress;

use super::size;
use clap::{Parser, Subcommand, ValueEnum};
use std::num::NonZero;
use std::time::Duration;

/// Board problems solved by search and by SAT, every answer checked.
///
/// Without a command: the tour. All samples and a generated set go through both sides, each answer
/// is checked, and a table tells what came of it.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100, after_help = TOP_STATUS)]
pub(super) struct Args {
    #[command(subcommand)]
    pub(super) command: Option<Command>,
    /// When to use colours.
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub(super) color: Color,
    /// The file that names outside programs; else the one in COUNTERPOINT_CONFIG, else `counterpoint.toml` beside
    /// the plan, else in the working directory.
    #[arg(long, global = true, value_name = "FILE")]
    pub(super) config: Option<std::path::PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Color {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    Always,
    Never,
}

impl Color {
    pub(super) fn write_global(self) {
        match self {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Judge bytes in, judge bytes out.
    Judge(Judge),
    /// Solve with one engine, check every claim, show the evidence.
    Solve(Solve),
    /// Check answers that `solve` wrote, claim by claim, or what a solver says about a formula.
    Check(Check),
    /// Put the same instances through several engines and compare.
    Compare(Compare),
    /// Write a formula as a file for solvers or in words, or tell its size.
    Encode(Encode),
    /// Write seeded instances of a family.
    Generate(Generate),
    /// Ask a question beyond the judge's.
    Study(Study),
    /// Play against a player of ours, which without a limit on moves never loses a won game.
    Play(Play),
    /// Test somebody's judge program on inputs made to hurt; shrink the first failing one and name the likely cause.
    Stress(Stress),
    /// Write a commented plan for a new experiment.
    New(New),
    /// Carry out what is missing of an experiment; every run is a process of its own.
    Run(Run),
    /// Tell how far an experiment is, or write its records as CSV or JSON lines.
    Status(Status),
    /// Write what an experiment's records say: one page, figures and tables for papers, its README's section.
    Report(Report),
    /// Ask whoever runs an experiment to stop once what is being run has ended; `run` goes on from there.
    Cancel(Cancel),
    /// Tell what this machine offers for measuring, and what is missing for what.
    Doctor,
    /// Carry out one run of an experiment.
    #[command(hide = true)]
    Worker,
    /// List engines, encodings, solvers, checkers, families, questions or rules.
    List(List),
    /// Write a completion script for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Write manual pages.
    Man(Man),
}

/// Which instances, under which rules.
#[derive(Debug, clap::Args)]
pub(super) struct Input {
    /// The problem; `list rules` names them all.
    pub(super) problem: String,
    /// The input; standard input if missing or `-`.
    pub(super) file: Option<String>,
    #[command(flatten)]
    pub(super) rules: Rules,
}

#[derive(Clone, Debug, clap::Args)]
pub(super) struct Rules {
    /// Set a rule; may be repeated. See `list rules`.
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
    /// At most N nodes plus conflicts an instance.
    #[arg(long, value_name = "N")]
    pub(super) work_limit: Option<u64>,
    /// At most this much CPU time an instance, such as 500ms or 2s.
    #[arg(long, value_name = "T", value_parser = humantime::parse_duration)]
    pub(super) cpu_limit: Option<Duration>,
    /// Threads that a search may use; one a processor by default. Answers do not depend on it.
    #[arg(long, value_name = "N")]
    pub(super) threads: Option<NonZero<usize>>,
}

#[derive(Debug, clap::Args)]
#[command(after_help = JUDGE_STATUS)]
pub(super) struct Judge {
    #[command(flatten)]
    pub(super) input: Input,
    /// The engine; see `list engines`.
    #[arg(short, long, default_value = "search")]
    pub(super) engine: String,
    #[command(flatten)]
    pub(super) limits: Limits,
}

#[derive(Debug, clap::Args)]
#[command(after_help = SOLVE_STATUS)]
pub(super) struct Solve {
    #[command(flatten)]
    pub(super) input: Input,
    /// The engine; see `list engines`.
    #[arg(short, long, default_value = "search")]
    pub(super) engine: String,
    /// Only game number K, from 1.
    #[arg(long, value_name = "K")]
    pub(super) game: Option<usize>,
    /// Write answers as JSON, one object a line.
    #[arg(long)]
    pub(super) json: bool,
    /// Tell each answer in plain words.
    #[arg(long, conflicts_with = "json")]
    pub(super) explain: bool,
    /// Prove with SAT what the checker asks for, and keep the proofs with the answer.
    #[arg(long)]
    pub(super) certify: bool,
    /// The longest proof that is kept; beyond it the claim stays open.
    #[arg(long, value_name = "SIZE", value_parser = size::parse, default_value = "1GiB", requires = "certify")]
    pub(super) proof_limit: u64,
    /// Write instance.txt, answer.json, picture.svg and any proofs here; one game only.
    #[arg(long, value_name = "DIR")]
    pub(super) save: Option<std::path::PathBuf>,
    /// Write a lesson here, for small boards: one page with the board, a model's clauses in words, unit
    /// propagation step by step, and a solver; one game only.
    #[arg(long, value_name = "FILE")]
    pub(super) page: Option<std::path::PathBuf>,
    #[command(flatten)]
    pub(super) limits: Limits,
}

#[derive(Debug, clap::Args)]
#[command(after_help = CHECK_STATUS)]
pub(super) struct Check {
    /// A file of answers, a folder that `solve --save` or `study --save` wrote, or `-` for standard input; with
    /// `--model`, a formula that `encode` wrote.
    #[arg(value_name = "ANSWER|DIR|-|FORMULA")]
    pub(super) answer: String,
    /// What a solver printed about the formula: `s`, `v` and `o` lines, or MiniSat's result file.
    #[arg(long, value_name = "FILE")]
    pub(super) model: Option<String>,
    /// Fail each answer that is not about a game of this file. Its games are read by the answer's rules; `-` is
    /// standard input.
    #[arg(long, value_name = "FILE", conflicts_with = "model")]
    pub(super) against: Option<String>,
    /// Have each proof checked by this outside program too, such as drat-trim; may be repeated. See
    /// `list checkers`.
    #[arg(long, value_name = "NAME", conflicts_with = "model")]
    pub(super) checker: Vec<String>,
    /// At most N steps of the checker an answer, rather than its usual bound; claims that need more stay open.
    #[arg(long, value_name = "N", conflicts_with = "model")]
    pub(super) work_limit: Option<u64>,
    /// At most this much CPU time an answer, such as 500ms or 2s.
    #[arg(long, value_name = "T", value_parser = humantime::parse_duration, conflicts_with = "model")]
    pub(super) cpu_limit: Option<Duration>,
}

#[derive(Debug, clap::Args)]
#[command(after_help = TOP_STATUS)]
pub(super) struct Compare {
    #[command(flatten)]
    pub(super) input: Input,
    /// Engines and patterns, parted by commas; may be repeated.
    #[arg(short, long, value_name = "A,B", default_values_t = ["search".to_owned(), "sat".to_owned()])]
    pub(super) engines: Vec<String>,
    #[command(flatten)]
    pub(super) limits: Limits,
}

const TOP_STATUS: &str = "\
Exit status: 0 done; 1 engines disagree or a claim failed; 2 bad input or usage; 3 a limit was met;
130 on Ctrl-C.";

const JUDGE_STATUS: &str = "\
Exit status: 0 done; 2 bad input or usage, or the engine does not serve; 3 a limit was met; 130 on
Ctrl-C. What was printed before stands.";

const SOLVE_STATUS: &str = "\
Exit status: 0 done, also with an open claim; 1 a claim failed; 2 bad input or usage, or the engine
does not serve; 3 a limit was met; 130 on Ctrl-C.";

const CHECK_STATUS: &str = "\
Exit status: 0 done, also with an open claim; 1 a claim failed; 2 bad input or usage; 3 a limit was
met, or the solver found nothing out; 130 on Ctrl-C.";

const STUDY_STATUS: &str = "\
Exit status: 0 done; 2 bad input or usage; 3 a limit was met; 130 on Ctrl-C.";

const WRITE_STATUS: &str = "\
Exit status: 0 done; 2 bad input or usage.";

#[derive(Debug, clap::Args)]
#[command(after_help = WRITE_STATUS)]
pub(super) struct Encode {
    #[command(flatten)]
    pub(super) input: Input,
    /// The SAT model; see `list engines`.
    #[arg(short, long, default_value = "sat")]
    pub(super) engine: String,
    /// Which game of the input, from 1.
    #[arg(long, value_name = "K", default_value_t = 1)]
    pub(super) game: usize,
    /// Tell the size by group of constraints instead.
    #[arg(long, conflicts_with = "format")]
    pub(super) stats: bool,
    /// Tell the clauses as sentences instead.
    #[arg(long, conflicts_with_all = ["format", "stats"])]
    pub(super) words: bool,
    /// The format of the formula.
    #[arg(long, value_enum, default_value_t = Format::Cnf)]
    pub(super) format: Format,
    /// Write here instead of to standard output.
    #[arg(short, long, value_name = "OUT")]
    pub(super) output: Option<std::path::PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Format {
    /// DIMACS CNF, the instance and the names of variables in comments.
    Cnf,
    /// The same with parities as `x` lines (CryptoMiniSat).
    Xcnf,
    /// Hard clauses `h`, soft ones with a weight: what is to be made least (MaxSAT since 2022).
    Wcnf,
    /// Pseudo-Boolean constraints with `min:` where something is to be made least.
    Opb,
    /// Clauses, then a line of assumptions for each question (incremental).
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
    /// The family; see `list families`.
    pub(super) family: String,
    /// Parameters of the family. The size of a board is `n=5`, `w=4 h=6`, `size=5` or `size=4x6`; `w` and `h` win over
    /// `n` unless they are 0.
    #[arg(value_name = "KEY=VALUE", value_parser = pair)]
    pub(super) params: Vec<(String, String)>,
    /// The first seed.
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
    /// How many instances, with ascending seeds.
    #[arg(long, default_value_t = 1)]
    pub(super) count: u64,
    /// Write each instance's formula into this folder, with a manifest.csv of sizes and expected answers.
    #[arg(long, value_name = "DIR")]
    pub(super) formulas: Option<std::path::PathBuf>,
    /// The SAT model of the formulas.
    #[arg(short, long, default_value = "sat", requires = "formulas")]
    pub(super) engine: String,
    /// The format of the formulas.
    #[arg(long, value_enum, default_value_t = Format::Cnf, requires = "formulas")]
    pub(super) format: Format,
    #[command(flatten)]
    pub(super) rules: Rules,
}

#[derive(Debug, clap::Args)]
#[command(after_help = STUDY_STATUS)]
pub(super) struct Study {
    /// The problem.
    pub(super) problem: String,
    /// The question; see `list questions`.
    pub(super) question: String,
    /// A file of positions for questions about them, `-` for standard input; parameters of the question, or rules of the
    /// problem, as KEY=VALUE. The size of a board is `n=5`, `w=4 h=6`, `size=5` or `size=4x6`.
    #[arg(value_name = "FILE|KEY=VALUE")]
    pub(super) words: Vec<String>,
    /// Only this game of the file, from 1.
    #[arg(long, value_name = "K")]
    pub(super) game: Option<usize>,
    /// Write each finding as a JSON object on a line of its own.
    #[arg(long)]
    pub(super) json: bool,
    /// Write what comes with the findings into this folder: certificates for `check`, drawings.
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
    /// Only this problem's.
    pub(super) problem: Option<String>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Kind {
    Engines,
    Encodings,
    Solvers,
    Checkers,
    Families,
    Questions,
    Rules,
}

#[derive(Debug, clap::Args)]
#[command(after_help = WRITE_STATUS)]
pub(super) struct Man {
    /// The command; the program itself if missing.
    #[arg(conflicts_with = "save")]
    pub(super) command: Option<String>,
    /// Write all pages into this folder.
    #[arg(long, value_name = "DIR")]
    pub(super) save: Option<std::path::PathBuf>,
}

pub(super) fn pair(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or_else(|| format!("'{text}' is no KEY=VALUE"))?;
    Ok((key.to_owned(), value.to_owned()))
}
