//! `stress --cnf`: tests an encoder by comparing the models of its formulas with the models of our formulas.

use super::super::read;
use super::super::table::hung_on_stderr;
use super::{Clock, MAX_INPUT, files, render};
use crate::cli::args::Stress;
use crate::cli::context::Context;
use crate::cli::exit::{Failure, Status};
use crate::cli::interrupt;
use crate::cli::print::plural;
use crate::cli::texts::emphasized;
use crate::erased::EncodingInfo;
use crate::input::{Source, Warnings};
use crate::stress::Bench;
use crate::stress::cnf::{
    self, BadFormula, Board, Difference, Fault, Finding, Origin, Outcome, Setup, TrialResult,
};
use std::fmt::Write as _;
use std::io::Write;
use std::sync::Arc;

/// The default number of random boards, which are tested after the tiny ones.
const RANDOM: u64 = 200;

/// The maximum number of clauses that are shown for each model.
const MAX_CLAUSES: usize = 12;

pub(super) fn run(
    context: &Context,
    args: &Stress,
    bench: Bench<'_>,
    out: &mut dyn Write,
) -> Result<Status, Failure> {
    let info = bench.trials.encoding(&bench.settings)?.ok_or_else(|| {
        let name = &args.problem;
        format!("{name} has no encoders, because its instances are formulas; omit --cnf to test a solver")
    })?;
    if args.command.is_empty() {
        return Err(Failure::usage("no encoder to test: write its command after `--`"));
    }
    let mut given = Vec::new();
    if let Some(folder) = &args.replay {
        for (path, text) in files::replay(folder)? {
            given.extend(boards(&bench, &path.display().to_string(), &text)?);
        }
    }
    if let Some(file) = &args.input {
        given = boards(&bench, file, &read::whole(file, MAX_INPUT)?)?;
    }
    let program = super::program(context, args, &bench);
    let (clock, threads) = (Clock::new(args), super::threads(args));
    let over = |stage| clock.is_over(stage);
    let setup = Setup { bench, program, threads, is_over: &over, seed: args.seed };
    let outcome = interrupt::interruptible(|| match &args.input {
        Some(_) => cnf::given(&setup, &given),
        None => cnf::audit(&setup, &given, args.count.unwrap_or(RANDOM)),
    })?;
    if let (Some(folder), Some(finding)) = (&args.save, &outcome.wrong) {
        save(folder, &setup, finding)?;
    }
    let mut text = String::new();
    match &outcome.wrong {
        Some(finding) => {
            out.write_all(setup.bench.trials.input(&*finding.smallest.board.instance).as_bytes())?;
            out.flush()?;
            found(&setup, &info, finding, args, &mut text);
        }
        None => alike(&info, &outcome, clock.start.elapsed().as_secs_f64(), &mut text),
    }
    // An error is ignored, because it could not be reported.
    let _ = anstream::stderr().write_all(hung_on_stderr(&text, 2).as_bytes());
    Ok(super::status(outcome.wrong.is_some()))
}

/// Reads the boards of a text.
fn boards(bench: &Bench<'_>, name: &str, text: &str) -> Result<Vec<Board>, Failure> {
    let warnings = Warnings::default();
    let mut boards = Vec::new();
    for instance in bench.problem.open(&bench.settings, Source::from_text(name, text), &warnings)? {
        let instance = instance.map_err(|error| Failure::usage(error.to_string()))?;
        boards.push(Board { instance: Arc::from(instance), origin: Origin::File(name.to_owned()) });
    }
    if boards.is_empty() {
        return Err(Failure::usage(format!("{name}: contains no board")));
    }
    Ok(boards)
}

/// Saves the board as found, and the smallest board with the program's output.
fn save(folder: &std::path::Path, setup: &Setup<'_>, finding: &Finding) -> Result<(), Failure> {
    let name = match &finding.first.origin {
        Origin::File(name) => files::stem(name),
        Origin::Tiny(number) => format!("tiny-{number:04}"),
        Origin::Random(number) => format!("random-{number:04}"),
        Origin::Smaller => "board".to_owned(),
    };
    let first = setup.bench.trials.input(&*finding.first.instance);
    files::write_parts(folder, &name, &[("in", first.as_bytes())])?;
    let smallest = setup.bench.trials.input(&*finding.smallest.board.instance);
    let parts = [("in", smallest.as_bytes()), ("cnf", &finding.smallest.output[..])];
    files::write_parts(folder, &format!("{name}-small"), &parts)
}

/// Reports that no difference was found. Writing to a `String` cannot fail, here and below.
fn alike(info: &EncodingInfo, outcome: &Outcome, seconds: f64, text: &mut String) {
    let cnf::Boards { given, tiny, random } = outcome.boards;
    if given + tiny + random == 0 {
        text.push_str("no board was tested\n");
        return;
    }
    if interrupt::is_requested() {
        text.push_str("interrupted; so far ");
    }
    let mut kinds = Vec::new();
    kinds.extend((given > 0).then(|| format!("{} of yours", plural(given, "board"))));
    let extent = &info.extent;
    kinds.extend((outcome.tiny > 0).then(|| match tiny == outcome.tiny {
        true => format!("all {tiny} tiny boards ({extent})"),
        false => format!("{tiny} of {} tiny boards ({extent})", outcome.tiny),
    }));
    kinds.extend((random > 0).then(|| plural(random, "random board")));
    let models = plural(outcome.models, "model");
    let result = if outcome.models > 0 { "accepted" } else { "no difference" };
    let _ = writeln!(text, "{result}: {models} on {} in {seconds:.1} s", kinds.join(", "));
    if outcome.models == 0 {
        text.push_str("no board that was tested has a model, so an encoder that prints only unsatisfiable formulas would pass\n");
        text.push_str("test boards that have models: --input FILE, or more time with --seconds\n");
    }
    if outcome.partial > 0 {
        let boards = plural(outcome.partial, "board");
        let _ = writeln!(text, "on {boards}, only the first models that the solver found were compared");
    }
    if outcome.undecided > 0 {
        let boards = plural(outcome.undecided, "board");
        let _ = writeln!(
            text,
            "on {boards} of these, the solver reached its limit, so not all models were compared"
        );
    }
}

fn found(setup: &Setup<'_>, info: &EncodingInfo, finding: &Finding, args: &Stress, text: &mut String) {
    let TrialResult::Wrong(fault) = &finding.smallest.result else { return };
    let _ = writeln!(text, "{} on {}", emphasized(&heading(fault)), finding.first.origin);
    let _ = writeln!(text, "shrunk: {} tried", plural(finding.tried, "smaller board"));
    match fault {
        Fault::Program(_, quote) => {
            if !quote.is_empty() {
                let _ = writeln!(text, "{}", quote.trim_start_matches("; "));
            }
        }
        Fault::Formula(BadFormula { line, message }) => {
            let _ = writeln!(text, "line {line} of its output: {message}");
        }
        Fault::Unnamed(name, near) => {
            let _ = writeln!(
                text,
                "the cell '{name}' needs a variable: it is true in some of our models and false in others"
            );
            let _ = match near {
                Some(near) => writeln!(text, "is it the variable that the program calls '{near}'?"),
                None => writeln!(text, "declare its variable by a line such as 'c varname 1 {name}'"),
            };
        }
        Fault::Models(difference) => {
            let _ = writeln!(text, "models must be {}", info.models);
            differ(setup, finding, difference, text);
        }
    }
    let which = match &finding.first.origin {
        Origin::File(name) => vec!["--input".to_owned(), name.clone()],
        Origin::Random(number) => {
            render::seed(args).into_iter().chain(["--count".to_owned(), number.to_string()]).collect()
        }
        Origin::Tiny(_) | Origin::Smaller => Vec::new(),
    };
    let _ = writeln!(text, "to repeat: {}", render::command(args, which));
}

fn heading(fault: &Fault) -> String {
    match fault {
        Fault::Program(verdict, _) => verdict.to_string(),
        Fault::Formula(_) => "malformed formula".to_owned(),
        Fault::Unnamed(..) => "a cell without a variable".to_owned(),
        Fault::Models(Difference { missing: Some(_), extra: Some(_), .. }) => "different models".to_owned(),
        Fault::Models(Difference { missing: Some(_), .. }) => "missing model".to_owned(),
        Fault::Models(_) => "extra model".to_owned(),
    }
}

fn differ(setup: &Setup<'_>, finding: &Finding, difference: &Difference, text: &mut String) {
    let instance = &*finding.smallest.board.instance;
    let count = |n: Option<usize>| n.map_or("too many to list".to_owned(), |n| n.to_string());
    let [ours, theirs] = difference.models.map(count);
    let _ = writeln!(text, "number of models: {ours} of our formula, {theirs} of the program's formula");
    let mut show = |what: &str, values: &Option<Vec<Option<bool>>>, why: &str, clauses: &[String]| {
        let Some(values) = values else { return };
        let cells = setup.bench.trials.cells(instance);
        let is_true = cells.iter().zip(values).filter(|(_, value)| **value == Some(true));
        let names: Vec<_> = is_true.map(|(cell, _)| cell.name.as_str()).collect();
        let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        let _ = writeln!(text, "{what}, true variables: {names}");
        for line in setup.bench.trials.draw(instance, values).terminal().lines() {
            let _ = writeln!(text, "  {line}");
        }
        if !clauses.is_empty() {
            let _ = writeln!(text, "{why}");
        }
        for clause in clauses.iter().take(MAX_CLAUSES) {
            let _ = writeln!(text, "  {clause}");
        }
        if clauses.len() > MAX_CLAUSES {
            let _ = writeln!(text, "  ({} more clauses)", clauses.len() - MAX_CLAUSES);
        }
    };
    show(
        "missing model",
        &difference.missing,
        "clauses of the program that forbid it:",
        &finding.against_missing,
    );
    show("extra model", &difference.extra, "clauses of our formula that forbid it:", &finding.against_extra);
}
