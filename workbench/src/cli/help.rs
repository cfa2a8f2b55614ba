//! Help texts and manual pages: the texts of the arguments, preceded by examples.
//!
//! The examples of all commands, run in order, are a walk through the program. `tests/commands/help/mod.rs` runs them.

use super::args::{Args, Man};
use super::exit::{Failure, Status};
use super::program;
use crate::spec::{nearest, suggestion};
use clap::CommandFactory;
use roff::{Roff, roman};
use std::fs;
use std::io::{self, Write};

/// The parts of a help text: the purpose of the command, then its examples, then usage, arguments and notes.
const TEMPLATE: &str = "{about-with-newline}\n{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}";

/// Stands for the program itself in [`EXAMPLES`].
const PROGRAM: &str = "";

/// Each command with its examples.
const EXAMPLES: &[(&str, &[&str])] = &[
    (
        PROGRAM,
        &["counterpoint generate ships hard n=10 | counterpoint compare ships -e 'search:cover,sat:*'"],
    ),
    (
        "judge",
        &[
            "counterpoint generate spot random n=5 --count 9 > games.txt",
            "counterpoint judge spot games.txt",
            "counterpoint judge spot games.txt --engine search:rotate-all",
        ],
    ),
    (
        "solve",
        &[
            "counterpoint generate flip solvable n=4 > board.txt",
            "counterpoint solve flip board.txt --explain",
            "counterpoint solve flip board.txt --engine sat --certify --save answer",
            "counterpoint solve flip board.txt --page lesson.html",
        ],
    ),
    (
        "check",
        &[
            "counterpoint check answer",
            "counterpoint generate ships random n=8 | counterpoint solve ships --json | counterpoint check -",
        ],
    ),
    ("compare", &["counterpoint generate flip solvable n=6 | counterpoint compare flip -e 'search,sat:*'"]),
    (
        "encode",
        &[
            "counterpoint encode flip board.txt --words",
            "counterpoint encode flip board.txt --engine sat:presses/xor=cut3 --output board.cnf",
        ],
    ),
    (
        "generate",
        &[
            "counterpoint generate ships random w=12 h=8 reveal=0.5 --seed 7 --count 2",
            "counterpoint generate flip solvable n=12 --count 5 --formulas formulas --format wcnf",
        ],
    ),
    (
        "study",
        &[
            "counterpoint study flip hardest n=5",
            "counterpoint study spot classes n=3 symmetry=d4 --json",
            "counterpoint generate ships random n=8 reveal=0.7 | counterpoint study ships shoot -",
        ],
    ),
    (
        "play",
        &[
            "counterpoint play spot n=4 limit=none",
            "counterpoint play spot n=3 limit=none start=counted you=2",
        ],
    ),
    (
        "stress",
        &[
            "counterpoint stress flip --count 50 -- counterpoint judge flip",
            "counterpoint stress spot emptied --count 20 -- counterpoint judge spot --rule start=counted",
            "counterpoint stress ships --list",
            "counterpoint stress ships thin packed --seed 7 --count 10 --save tests",
            "counterpoint stress ships --replay tests --count 30 -- counterpoint judge ships",
            "counterpoint stress flip --cnf -r size=2x2 -- counterpoint encode flip -r size=2x2",
        ],
    ),
    ("new", &["counterpoint new first --problem flip"]),
    ("run", &["counterpoint run first --dry-run", "counterpoint run first --jobs 2"]),
    ("status", &["counterpoint status first --by family", "counterpoint status first --records csv"]),
    ("report", &["counterpoint report first"]),
    ("cancel", &["counterpoint cancel first"]),
    ("doctor", &["counterpoint doctor"]),
    (
        "list",
        &["counterpoint list engines ships", "counterpoint list rules flip", "counterpoint list encodings"],
    ),
    ("completions", &["counterpoint completions bash > counterpoint.bash"]),
    ("man", &["counterpoint man solve > solve.1", "counterpoint man --save man"]),
];

/// The command line with its examples.
pub(super) fn command() -> clap::Command {
    let program = program::get();
    let mut command = with_examples(Args::command().name(program.name).version(program.version));
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    for name in names {
        command = command.mut_subcommand(name, with_examples);
    }
    command
}

/// The examples of a command.
fn examples_of(command: &clap::Command) -> Option<&'static [&'static str]> {
    let name = if command.get_name() == program::name() { PROGRAM } else { command.get_name() };
    EXAMPLES.iter().find(|(of, _)| *of == name).map(|(_, lines)| *lines)
}

fn with_examples(command: clap::Command) -> clap::Command {
    let command = match command.get_after_help().map(|notes| unwrapped(&notes.to_string())) {
        Some(notes) => command.after_help(notes),
        None => command,
    };
    match examples_of(&command) {
        Some(lines) => command.before_help(examples(lines)).help_template(TEMPLATE),
        None => command,
    }
}

/// Removes line ends within paragraphs, so that each paragraph wraps at the width of the terminal.
fn unwrapped(notes: &str) -> String {
    notes.split("\n\n").map(|part| part.replace('\n', " ")).collect::<Vec<_>>().join("\n\n")
}

fn examples(lines: &[&str]) -> String {
    let head = if lines.len() == 1 { "Example:" } else { "Examples:" };
    std::iter::once(head.to_owned())
        .chain(lines.iter().map(|line| format!("  {}", program::own(line))))
        .collect::<Vec<_>>()
        .join("\n")
}

/// Prints help or version, coloured if standard output supports it.
pub(super) fn print(text: &clap::Error, out: &mut dyn Write) -> Result<Status, Failure> {
    write!(out, "{}", text.render().ansi())?;
    Ok(Status::Done)
}

/// `man`: writes one page to standard output, or all pages into a folder.
pub(super) fn man(args: &Man, out: &mut dyn Write) -> Result<Status, Failure> {
    let mut command = command().disable_help_subcommand(true);
    command.build();
    if let Some(folder) = &args.save {
        let failed = |error| Failure::usage(format!("{}: cannot be written: {error}", folder.display()));
        fs::create_dir_all(folder).map_err(failed)?;
        let shown = command.get_subcommands().filter(|sub| !sub.is_hide_set());
        for page in std::iter::once(&command).chain(shown) {
            let name = clap_mangen::Man::new(page.clone()).get_filename();
            fs::write(folder.join(name), manual(page)?).map_err(failed)?;
        }
        return Ok(Status::Done);
    }
    let page = match &args.command {
        None => &command,
        Some(name) => command.find_subcommand(name).ok_or_else(|| unknown(&command, name))?,
    };
    out.write_all(&manual(page)?)?;
    Ok(Status::Done)
}

fn unknown(command: &clap::Command, name: &str) -> Failure {
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    let near = nearest(name, names.iter().map(String::as_str));
    Failure::usage(format!("unknown command '{name}'; {}", suggestion(near, &names)))
}

/// The manual page of a command, in roff.
fn manual(command: &clap::Command) -> io::Result<Vec<u8>> {
    let man = clap_mangen::Man::new(command.clone());
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    if let Some(lines) = examples_of(command) {
        let mut roff = Roff::new();
        roff.control("SH", ["EXAMPLES"]).control("nf", []);
        for line in lines {
            roff.text([roman(program::own(line))]);
        }
        roff.control("fi", []).to_writer(&mut page)?;
    }
    if command.get_subcommands().any(|sub| !sub.is_hide_set()) {
        man.render_subcommands_section(&mut page)?;
    }
    man.render_options_section(&mut page)?;
    if let Some(notes) = command.get_after_help() {
        let mut roff = Roff::new();
        roff.control("SH", ["NOTES"]);
        for part in notes.to_string().split("\n\n") {
            roff.text([roman(part)]).control("PP", []);
        }
        roff.to_writer(&mut page)?;
    }
    Ok(page)
}
