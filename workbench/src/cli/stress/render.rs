//! The output of `stress`: the smallest failing input on standard output, and its description on standard error.

use crate::cli::args::Stress;
use crate::cli::exit::Failure;
use crate::cli::interrupt;
use crate::cli::print::plural;
use crate::cli::program;
use crate::cli::table::{hung_on_stderr, list_of};
use crate::cli::texts::emphasized;
use crate::engine::Budget;
use crate::erased::{MutantInfo, Trials};
use crate::problem::{Effort, Promise};
use crate::process::{self, printable};
use crate::shell::quoted;
use crate::stress::{self, Causes, Finding, Origin, Outcome, Trace, Verdict, first_difference};
use std::fmt::Write as _;
use std::io::Write;
use std::time::Duration;

/// The maximum number of lines of an output that are shown.
const MAX_LINES: usize = 20;

/// Lists the trials, the known bugs, and the known faults of output format.
pub(super) fn list(trials: &dyn Trials, out: &mut dyn Write) -> Result<(), Failure> {
    let (infos, mutants) = (trials.trials(), trials.mutants());
    let forms = if trials.has_judge() { Vec::new() } else { stress::format_faults() };
    let of = |promise, effort| {
        let meant = infos.iter().filter(move |info| info.promise == promise && info.effort == effort);
        meant.map(|info| (info.name, info.about)).collect::<Vec<_>>()
    };
    let bugs = |infos: &[MutantInfo]| infos.iter().map(|info| (info.name, info.fault)).collect();
    let parts = [
        ("families of inputs within the statement:", of(Promise::Promised, Effort::Quick)),
        ("families that are slow to solve, which come last:", of(Promise::Promised, Effort::Heavy)),
        ("families beyond the statement, used with --beyond:", of(Promise::Beyond, Effort::Quick)),
        ("known bugs: the program ...", bugs(&mutants)),
        ("known faults of output format: the program ...", bugs(&forms)),
    ];
    for (title, rows) in parts.iter().filter(|(_, rows)| !rows.is_empty()) {
        let rows = rows.iter().map(|(name, about)| vec![(*name).to_owned(), (*about).to_owned()]);
        writeln!(out, "{title}\n{}", list_of(rows.collect()))?;
    }
    Ok(())
}

/// Prints the outcome of a test. `other` is the other dialect if the program answers inputs in it correctly.
pub(super) fn outcome(
    (outcome, other): (&Outcome, Option<&str>),
    args: &Stress,
    took: Duration,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let mut text = String::new();
    if let Some(finding) = &outcome.silent {
        let why = finding.first.input.games.iter().find_map(|game| game.silent).unwrap_or_default();
        let _ = writeln!(
            text,
            "not a bug: outputs differ only where the problem statement does not define the answer: {why}"
        );
        about((finding, None), args, &mut text);
    }
    let (inputs, games) = (plural(outcome.inputs, "input"), plural(outcome.games, "game"));
    if let Some(Finding { first, .. }) = outcome.unsteady.as_ref().filter(|_| outcome.wrong.is_none()) {
        let (verdict, origin) = (&first.ran.verdict, &first.input.origin);
        let _ = writeln!(
            text,
            "{} {verdict} on {origin}, but not in a second run, so it is ignored: is the machine busy?",
            emphasized("warning:")
        );
    }
    if interrupt::is_requested() {
        text.push_str("interrupted; so far ");
    }
    match &outcome.wrong {
        Some(finding) => {
            if outcome.silent.is_some() {
                text.push('\n');
            }
            let verdict = emphasized(&finding.smallest.ran.verdict.to_string());
            let _ = writeln!(text, "{verdict} on {}", finding.first.input.origin);
            about((finding, other), args, &mut text);
            if let [(origin, verdict), more @ ..] = &outcome.limits[..] {
                let more = match more.len() {
                    0 => String::new(),
                    n => format!(" and {}", plural(n, "further input")),
                };
                let _ = writeln!(text, "also: {verdict} on {origin}{more}");
            }
        }
        None if outcome.inputs == 0 => text.push_str("no input was tested\n"),
        None => {
            let all = if outcome.silent.is_some() { "otherwise accepted" } else { "accepted" };
            let _ = match outcome.unknown {
                0 => write!(text, "{all}: {inputs} with {games} in {:.1} s", took.as_secs_f64()),
                n => write!(
                    text,
                    "no wrong answer: {inputs} in {:.1} s; the program did not know the answer to {n} of them",
                    took.as_secs_f64()
                ),
            };
            let late = took >= Duration::from_secs(args.seconds) && !interrupt::is_requested();
            text.push_str(if late { "; the time limit was reached (--seconds)\n" } else { "\n" });
        }
    }
    if let Some(finding) = outcome.wrong.as_ref().or(outcome.silent.as_ref()) {
        out.write_all(finding.smallest.input.text.as_bytes())?;
        out.flush()?;
    }
    // An error is ignored, because it could not be reported.
    let _ = anstream::stderr().write_all(hung_on_stderr(&text, 2).as_bytes());
    Ok(())
}

/// Describes a difference. Writing to a `String` cannot fail.
fn about((finding, other): (&Finding, Option<&str>), args: &Stress, text: &mut String) {
    let Finding { first, smallest, runs, fails_alone, repeats, minimal, causes, evidence, families } =
        finding;
    let (before, games) = (first.input.games.len(), smallest.input.games.len());
    let (tries, now, bytes) = (plural(*runs, "run"), plural(games, "game"), smallest.input.text.len());
    let _ = match first.input.text.len() {
        _ if smallest.input.text == first.input.text && *minimal => {
            writeln!(
                text,
                "the input is already minimal: {now}, {bytes} bytes; nothing smaller fails ({tries})"
            )
        }
        _ if smallest.input.text == first.input.text => {
            writeln!(text, "no smaller input was found in {tries}: {now}, {bytes} bytes")
        }
        all if (games, bytes) == (before, all) => {
            writeln!(text, "simplified in {tries}: {now}, {bytes} bytes")
        }
        all => writeln!(text, "shrunk in {tries}: {now} of {before}, {bytes} bytes of {all}"),
    };
    if !repeats {
        text.push_str(match first.input.origin {
            Origin::File(_) => {
                "the program does not fail on the same games in our own layout: either it depends on spaces or line ends, or it is nondeterministic\n"
            }
            _ => "a second run on the same input did not fail: the program is nondeterministic\n",
        });
    }
    if !fails_alone {
        let why = match smallest.ran.verdict {
            Verdict::Time | Verdict::Memory | Verdict::TooLong => "each contributes to the total",
            Verdict::WrongAnswer if matches!(causes, Causes::Known(known) if !known.is_empty()) => {
                "see the cause"
            }
            _ => "is some state kept from game to game?",
        };
        let _ = writeln!(text, "no single game fails; these {games} games in one input do: {why}");
    }
    outputs(smallest, text);
    if let Some(game) = wrong_game(smallest) {
        let _ = writeln!(text, "why:");
        // All lines of a game are shown, whereas outputs are truncated.
        for line in game.lines() {
            let _ = writeln!(text, "  {line}");
        }
    }
    match (causes, other) {
        (_, Some(dialect)) => {
            let _ = writeln!(
                text,
                "{} the program reads headers as in --dialect {dialect}",
                emphasized("cause:")
            );
            text.push_str("       (it answers inputs with such headers correctly)\n");
        }
        (Causes::NotSearched, None) => {}
        (Causes::Known(known), None) if known.is_empty() => {
            let _ = writeln!(text, "cause: unknown; no known bug gives these outputs");
            by_family("wrong answers by family:", families, text);
        }
        (Causes::Nearest(near), None) => {
            text.push_str("cause: unknown; no known bug gives all these outputs\n");
            let stress::NearestFault { info, agrees, compared, differs } = near;
            let _ = writeln!(
                text,
                "nearest: {} (the program {}) agrees on {agrees} of {compared} inputs",
                info.name, info.fault
            );
            if agrees == compared {
                text.push_str("         it differs only on shrunk inputs\n");
            }
            by_family("         it differs on:", differs, text);
            by_family("wrong answers by family:", families, text);
        }
        (Causes::Known(known), None) => {
            for cause in known {
                let _ = writeln!(text, "{} the program {}", emphasized("cause:"), cause.fault);
            }
            let one = known.len() == 1;
            let who =
                if one { "a program with this bug prints" } else { "programs with any of these bugs print" };
            let _ = writeln!(text, "       ({who} the same on all {})", plural(*evidence, "input"));
        }
        (Causes::Unsupported, None) => {
            text.push_str("cause: unknown; the known bugs apply only to the judge's rules and board sizes\n")
        }
    }
    let _ = writeln!(text, "to repeat: {}", repeat_command(first, args));
}

/// Writes `head` and, for each family, how many of its inputs have the property that `head` names.
fn by_family(head: &str, families: &[stress::Count], text: &mut String) {
    if families.is_empty() {
        return;
    }
    let counts = families.iter().map(|stress::Count { trial, some, all }| format!("{trial} {some} of {all}"));
    let _ = writeln!(text, "{head} {}", counts.collect::<Vec<_>>().join(", "));
}

/// Shows the expected output, the output of the program, and what the program wrote to standard error.
fn outputs(trace: &Trace, text: &mut String) {
    text.push_str(if trace.input.has_other_outputs { "expected, for example:\n" } else { "expected:\n" });
    lines(&trace.input.expected, text);
    if trace.ran.verdict.has_answer() || trace.ran.verdict == Verdict::NoText {
        let _ = writeln!(text, "the program printed:");
        lines(&trace.ran.output, text);
    }
    if let Some(reason) = &trace.ran.reason {
        let _ = writeln!(text, "it is wrong: {reason}");
    }
    let difference = first_difference(&trace.ran.output, &trace.input.expected);
    if let (Verdict::Presentation, Some(difference)) = (&trace.ran.verdict, difference) {
        let line = difference.line;
        let (printed, expected) = (difference.printed.escape_ascii(), difference.expected.escape_ascii());
        let _ = writeln!(
            text,
            "only white space differs, first in line {line}: \"{printed}\" instead of \"{expected}\""
        );
    }
    if trace.ran.idle {
        text.push_str("it used little CPU time: it may wait for more input, or the machine is busy\n");
    }
    let process::ErrorLines { first, omitted, last } = &trace.ran.errors;
    if !first.is_empty() {
        text.push_str("on standard error:\n");
        first.iter().for_each(|line| text.extend(["  ", line, "\n"]));
        let _ = if *omitted > 0 { writeln!(text, "  ({omitted} more lines)") } else { Ok(()) };
        last.iter().for_each(|line| text.extend(["  ", line, "\n"]));
    }
}

pub(super) fn lines(bytes: &[u8], text: &mut String) {
    let all: Vec<_> = bytes.split(|&b| b == b'\n').collect();
    let all = if all.last().is_some_and(|last| last.is_empty()) { &all[..all.len() - 1] } else { &all[..] };
    for line in all.iter().take(MAX_LINES) {
        let _ = writeln!(text, "  {}", printable(line));
    }
    match all.len() {
        0 => text.push_str("  (nothing)\n"),
        n if n > MAX_LINES => {
            let _ = writeln!(text, "  ({} more lines)", n - MAX_LINES);
        }
        _ => {}
    }
}

/// The maximum number of squares on all boards of an explanation. If there are more, the boards are not shown.
const MAX_SQUARES: usize = 400;

/// The maximum work of an explanation, in nodes plus conflicts.
const MAX_NODES: u64 = 200_000;

/// Explains the right answer to the last game in words and, unless there are many squares, in pictures. In a smallest
/// input, the last game is the one with the wrong answer. `None` if the program did not give a wrong answer.
fn wrong_game(trace: &Trace) -> Option<String> {
    let has_answer = trace.ran.verdict == Verdict::WrongAnswer;
    let last = trace.input.games.last().filter(|_| has_answer);
    last.map(|game| {
        let explanation = game.answer.explain(&mut Budget::of_work(MAX_NODES));
        let words = explanation.text.trim_end().to_owned();
        let squares = explanation.boards.panels.iter().map(|panel| panel.size.cells()).sum::<usize>();
        match (1..=MAX_SQUARES).contains(&squares) {
            true => format!("{words}\n\n{}", explanation.boards.terminal().trim_end()),
            false => words,
        }
    })
}

/// The command that finds the difference again.
fn repeat_command(first: &Trace, args: &Stress) -> String {
    match &first.input.origin {
        Origin::Generated(number, _) => {
            let count = ["--count".to_owned(), number.to_string()];
            command(
                args,
                args.beyond.then(|| "--beyond".to_owned()).into_iter().chain(seed(args)).chain(count),
            )
        }
        Origin::File(name) => command(args, ["--input".to_owned(), name.clone()]),
        Origin::Shrunk => command(args, []),
    }
}

/// The option for the seed.
pub(super) fn seed(args: &Stress) -> [String; 2] {
    ["--seed".to_owned(), args.seed.to_string()]
}

/// The command line of a test of the same program with the same families, rules and limits. `which` has the options
/// that select inputs.
pub(super) fn command(args: &Stress, which: impl IntoIterator<Item = String>) -> String {
    let mut words = vec![program::name().to_owned(), "stress".to_owned(), args.problem.clone()];
    words.extend(args.cnf.then(|| "--cnf".to_owned()));
    words.extend(args.families.iter().cloned());
    for (key, value) in &args.rules.rule {
        words.extend(["-r".to_owned(), format!("{key}={value}")]);
    }
    words.extend(args.rules.dialect.iter().flat_map(|dialect| ["--dialect".to_owned(), dialect.clone()]));
    words.extend(args.rules.lenient.then(|| "--lenient".to_owned()));
    words.extend(which);
    if args.time_limit != Duration::from_secs(2) {
        words.extend(["--time-limit".to_owned(), humantime::format_duration(args.time_limit).to_string()]);
    }
    if let Some(limit) = args.wall_limit {
        words.extend(["--wall-limit".to_owned(), humantime::format_duration(limit).to_string()]);
    }
    if args.memory_limit != 512 << 20 {
        words.extend(["--memory-limit".to_owned(), args.memory_limit.to_string()]);
    }
    words.push("--".to_owned());
    words.extend(args.command.iter().map(|word| word.to_string_lossy().into_owned()));
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}
