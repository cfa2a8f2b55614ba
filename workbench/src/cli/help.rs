//! Help texts and manual pages: the texts of the arguments, preceded by examples.
//!
//! The examples of all commands, run in order, are a walk through the program. `tests/commands/help/mod.rs` runs them.
//! If a program lacks a problem, examples with this problem are omitted. A command that loses an example in this way
//! gets another one, with a problem that the program has. If no problem supports a command, the command is hidden.

mod examples;
mod manual;
mod width;

use super::args::{Args, DEFAULT_PROBLEM, FORMULA_STATUS, Man};
use super::exit::{Failure, Status};
use super::program;
use super::staging::replace;
use crate::engine::Side;
use crate::erased::{DynProblem, ProblemInfo};
use crate::registry::{Program, Registry};
use crate::spec::{nearest, suggestion};
use clap::CommandFactory;
use examples::{EXAMPLES, PROGRAM};
use std::fs;
use std::io::Write;

/// The parts of a help text: the purpose of the command, then its examples, then usage, arguments and notes.
const TEMPLATE: &str = "{about-with-newline}\n{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}";

/// The description of a program with other problems.
const ABOUT: &str = "Solve instances by search and by SAT, and check every answer";

/// The description of what a program with other problems does without a command.
const TOUR: &str = "Without a command, a search and a SAT engine solve all sample games and some generated ones. Each answer \
                    is checked, and a table shows the results.";

/// The problems that [`EXAMPLES`] name.
const EXAMPLE_PROBLEMS: &[&str] = &["spot", "ships", "flip"];

/// The examples of programs that lack the problems of [`EXAMPLES`]: for each command, a condition, and lines in which
/// PROBLEM stands for the first problem that meets the condition, and FAMILY for its first family.
const OTHER_EXAMPLES: &[(&str, IsSupported, &[&str])] = &[
    (
        PROGRAM,
        has_families,
        &["counterpoint generate PROBLEM FAMILY | counterpoint compare PROBLEM -e ENGINES"],
    ),
    (
        "judge",
        has_families,
        &[
            "counterpoint generate PROBLEM FAMILY --count 9 > games.txt",
            "counterpoint judge PROBLEM games.txt",
        ],
    ),
    ("judge", always, &["counterpoint judge PROBLEM games.txt"]),
    ("solve", always, &["counterpoint solve PROBLEM games.txt --game 1 --explain --save answer"]),
    ("compare", always, &["counterpoint compare PROBLEM games.txt -e ENGINES"]),
    ("encode", has_encodings, &["counterpoint encode PROBLEM games.txt --words"]),
    ("cube", has_cubes, &["counterpoint cube PROBLEM games.txt --cubes 8 --output cubes"]),
    ("generate", has_families, &["counterpoint generate PROBLEM FAMILY --seed 7 --count 2"]),
    ("study", has_studies, &["counterpoint list questions PROBLEM"]),
    ("play", has_play, &["counterpoint play PROBLEM"]),
    ("playground", always, &["counterpoint playground --module problems.wasm"]),
    ("stress", has_stress, &["counterpoint stress PROBLEM --count 50 -- counterpoint judge PROBLEM"]),
    ("new", always, &["counterpoint new first --problem PROBLEM"]),
    ("list", always, &["counterpoint list engines PROBLEM"]),
];

/// The commands that a program hides if none of its problems supports them.
const CAPABILITIES: &[(&str, IsSupported)] = &[
    ("encode", has_encodings),
    ("cube", has_cubes),
    ("generate", has_families),
    ("study", has_studies),
    ("play", has_play),
    ("stress", has_stress),
];

/// Whether a problem supports a command.
type IsSupported = fn(&ProblemInfo) -> bool;

fn always(_: &ProblemInfo) -> bool {
    true
}

fn has_encodings(info: &ProblemInfo) -> bool {
    info.engines.iter().any(|engine| engine.side == Side::Sat)
}

fn has_cubes(problem: &ProblemInfo) -> bool {
    problem.has_cubes
}

fn has_families(info: &ProblemInfo) -> bool {
    !info.families.is_empty()
}

fn has_studies(info: &ProblemInfo) -> bool {
    !info.studies.is_empty()
}

fn has_play(info: &ProblemInfo) -> bool {
    info.play.is_some()
}

fn has_stress(info: &ProblemInfo) -> bool {
    info.stress.is_some()
}

/// The command line for the problems of a registry, without the texts that only help shows. Building these texts takes
/// longer than everything else that the start of the program does.
pub(super) fn plain(registry: &Registry) -> clap::Command {
    let program = registry.program();
    let command = Args::command().name(program.name).version(program.version);
    let command = match program.revision {
        "" => command,
        // clap keeps only static texts, and the command line is made once.
        revision => command.long_version(&*format!("{} ({revision})", program.version).leak()),
    };
    match registry.iter().next() {
        Some(first) if registry.find(DEFAULT_PROBLEM).is_err() => {
            command.mut_subcommand("new", |new| new.mut_arg("problem", |arg| arg.default_value(first.name())))
        }
        _ => command,
    }
}

/// The command line with its descriptions and examples, for the problems of a registry.
pub(super) fn command(registry: &Registry) -> clap::Command {
    let mut command = plain(registry);
    if command.get_name() != Program::default().name {
        command = command.about(ABOUT).long_about(format!("{ABOUT}.\n\n{TOUR}"));
    }
    command = with_examples(command, registry);
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    for name in names {
        command = command.mut_subcommand(name, |sub| with_examples(for_problems(sub, registry), registry));
    }
    command
}

/// A command without the arguments and notes that belong to problems that the program lacks. If no problem supports the
/// command, it is hidden.
fn for_problems(mut command: clap::Command, registry: &Registry) -> clap::Command {
    let is_registered = |name: &str| registry.iter().any(|problem| problem.name() == name);
    for (problem, argument) in [("ships", "dialect"), ("spot", "lenient")] {
        if !is_registered(problem) && command.get_arguments().any(|arg| arg.get_id() == argument) {
            command = command.mut_arg(argument, |arg| arg.hide(true));
        }
    }
    if is_registered("cnf") && command.get_name() == "judge" {
        let notes = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        command = command.after_help(format!("{notes} {FORMULA_STATUS}"));
    }
    match CAPABILITIES.iter().find(|(name, _)| *name == command.get_name()) {
        Some((_, is_supported)) if !registry.iter().any(|problem| is_supported(problem.info())) => {
            command.hide(true).before_help("No problem of this program supports this command.")
        }
        _ => command,
    }
}

/// The examples of a command.
fn examples_of(command: &clap::Command, registry: &Registry) -> Vec<String> {
    let name = if command.get_name() == registry.program().name { PROGRAM } else { command.get_name() };
    let is_missing = |problem: &&&str| registry.find(problem).is_err();
    let missing: Vec<&str> = EXAMPLE_PROBLEMS.iter().filter(is_missing).copied().collect();
    let lines = EXAMPLES.iter().find(|(of, _)| *of == name).map_or(&[][..], |(_, lines)| lines);
    let names = |line: &str, problem: &str| line.split([' ', '|']).any(|word| word == problem);
    let shown: Vec<String> = (lines.iter())
        .filter(|line| !missing.iter().any(|problem| names(line, problem)))
        .map(|&line| program::own(line))
        .collect();
    if shown.len() == lines.len() && !shown.is_empty() {
        return shown;
    }
    let other = |(_, is_supported, lines): &(&str, IsSupported, &[&str])| {
        let problem = registry.iter().find(|problem| is_supported(problem.info()))?;
        Some(lines.iter().map(|line| program::own(&filled(line, problem))).collect::<Vec<_>>())
    };
    let other = OTHER_EXAMPLES.iter().filter(|(of, ..)| *of == name).find_map(other);
    other.into_iter().flatten().chain(shown).collect()
}

/// A line of [`OTHER_EXAMPLES`] for a problem.
fn filled(line: &str, problem: &dyn DynProblem) -> String {
    let info = problem.info();
    let sides = [(Side::Search, "search:*"), (Side::Sat, "sat:*")];
    let engines = sides.iter().filter(|(side, _)| info.engines.iter().any(|engine| engine.side == *side));
    let engines: Vec<&str> = engines.map(|(_, pattern)| *pattern).collect();
    let family = info.families.first().map_or("FAMILY", |family| family.name);
    let line = line.replace("ENGINES", &format!("'{}'", engines.join(",")));
    line.replace("PROBLEM", problem.name()).replace("FAMILY", family)
}

fn with_examples(command: clap::Command, registry: &Registry) -> clap::Command {
    let command = match command.get_after_help().map(|notes| unwrapped(&notes.to_string())) {
        Some(notes) => command.after_help(notes),
        None => command,
    };
    match &examples_of(&command, registry)[..] {
        [] if command.get_before_help().is_some() => command.help_template(TEMPLATE),
        [] => command,
        lines => command.before_help(examples(lines)).help_template(TEMPLATE),
    }
}

/// Removes line ends within paragraphs, so that each paragraph wraps at the width of the terminal.
fn unwrapped(notes: &str) -> String {
    notes.split("\n\n").map(|part| part.replace('\n', " ")).collect::<Vec<_>>().join("\n\n")
}

fn examples(lines: &[String]) -> String {
    let head = if lines.len() == 1 { "Example:" } else { "Examples:" };
    std::iter::once(head.to_owned())
        .chain(
            lines.iter().map(|line| {
                format!("  {}", width::broken(line, width::columns().saturating_sub(2), " \\", 6))
            }),
        )
        .collect::<Vec<_>>()
        .join("\n")
}

/// Prints help or version, coloured if standard output supports it.
pub(super) fn print(text: &clap::Error, out: &mut dyn Write) -> Result<Status, Failure> {
    out.write_all(width::with_broken_usage(&text.render().ansi().to_string()).as_bytes())?;
    Ok(Status::Done)
}

/// `man`: writes one page to standard output, or all pages into a folder.
pub(super) fn man(registry: &Registry, args: &Man, out: &mut dyn Write) -> Result<Status, Failure> {
    let mut command = command(registry).disable_help_subcommand(true);
    command.build();
    let written = |page: &clap::Command| manual::page(&command, page, &examples_of(page, registry)).render();
    if let Some(folder) = &args.save {
        let failed = |error| Failure::usage(format!("{}: cannot be written: {error}", folder.display()));
        fs::create_dir_all(folder).map_err(failed)?;
        let shown = command.get_subcommands().filter(|sub| !sub.is_hide_set());
        for page in std::iter::once(&command).chain(shown) {
            replace(&folder.join(manual::file_name(page)), written(page)).map_err(failed)?;
        }
        return Ok(Status::Done);
    }
    let page = match &args.command {
        None => &command,
        Some(name) => command.find_subcommand(name).ok_or_else(|| unknown(&command, name))?,
    };
    out.write_all(written(page).as_bytes())?;
    Ok(Status::Done)
}

fn unknown(command: &clap::Command, name: &str) -> Failure {
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    let near = nearest(name, names.iter().map(String::as_str));
    Failure::usage(format!("unknown command '{name}'; {}", suggestion(near, &names)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::double::Parity;

    #[test]
    fn the_help_names_only_registered_problems() {
        let registry = Registry::empty().named("mine", "1.0").with::<Parity>();
        let mut command = command(&registry);
        command.build();
        let mut pages = vec![command.render_long_help().to_string()];
        pages.extend(command.get_subcommands_mut().map(|sub| sub.render_long_help().to_string()));
        for name in ["spot", "ships", "flip", "board"] {
            let is_named =
                |line: &&str| line.trim_start().starts_with("counterpoint ") && line.contains(name);
            assert_eq!(pages.iter().flat_map(|page| page.lines()).find(is_named), None);
        }
        assert!(pages[0].starts_with(ABOUT), "{}", pages[0]);
        for name in ["judge", "solve", "compare", "new", "list"] {
            let lines = examples_of(command.find_subcommand(name).unwrap(), &registry);
            assert!(lines.iter().any(|line| line.contains(" parity")), "{name}: {lines:?}");
        }
        let play = command.find_subcommand_mut("play").unwrap();
        assert!(play.is_hide_set());
        let page = play.render_long_help().to_string();
        assert!(page.contains("No problem of this program supports this command."), "{page}");
        let new = command.find_subcommand("new").unwrap();
        let default = new.get_arguments().find(|arg| arg.get_id() == "problem").unwrap().get_default_values();
        assert_eq!(default, ["parity"]);
    }
}
