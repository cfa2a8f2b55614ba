//! Visits the games of an input one after another.

use super::args::Input;
use super::context::Context;
use super::exit::Failure;
use super::print::{plural, warn};
use super::read::source;
use super::{interrupt, settings};
use crate::erased::DynInstance;
use crate::input::Warnings;

/// Called with each game and its number, counted from 1.
pub(super) type Visit<'a> = &'a mut dyn FnMut(usize, &dyn DynInstance) -> Result<(), Failure>;

/// Calls `visit` with each game until Ctrl-C. An input error is returned after the games before it have been visited.
pub(super) fn each(context: &Context, input: &Input, visit: Visit<'_>) -> Result<(), Failure> {
    let problem = context.registry.find(&input.problem)?;
    let settings = settings::of(problem, &input.rules)?;
    let warnings = Warnings::default();
    let print_warnings = || warnings.take().iter().for_each(|w| warn(&format!("warning: {w}")));
    for (i, instance) in problem.open(&settings, source(input.file.as_deref())?, &warnings)?.enumerate() {
        print_warnings();
        visit(i + 1, &*instance?)?;
        if interrupt::is_requested() {
            break;
        }
    }
    print_warnings();
    Ok(())
}

/// Calls `visit` with each game. `option` names an option on the command line that takes a single game; with it, an
/// input of several games is an error.
pub(super) fn each_or_only(
    context: &Context,
    input: &Input,
    option: Option<&str>,
    visit: Visit<'_>,
) -> Result<(), Failure> {
    match option {
        Some(option) => single_game(context, input, option, visit),
        None => each(context, input, visit),
    }
}

/// Calls `visit` with the only game of the input, if there is one. Returns an error if there are several games.
fn single_game(context: &Context, input: &Input, option: &str, visit: Visit<'_>) -> Result<(), Failure> {
    let problem = context.registry.find(&input.problem)?;
    let settings = settings::of(problem, &input.rules)?;
    let warnings = Warnings::default();
    let mut instances = problem.open(&settings, source(input.file.as_deref())?, &warnings)?;
    let first = instances.next().transpose()?;
    let second = instances.next();
    warnings.take().iter().for_each(|w| warn(&format!("warning: {w}")));
    let Some(instance) = first else { return Ok(()) };
    match second {
        Some(Ok(_)) => Err(Failure::usage(format!(
            "{option} takes one game, but the input has several; choose one with --game"
        ))),
        None => visit(1, &*instance),
        // The first game is complete, so it is visited before the error behind it is reported.
        Some(Err(error)) => visit(1, &*instance).and(Err(error.into())),
    }
}

/// The failure of a command that asks for a game after the last one.
pub(super) fn missing(input: &Input, game: usize, games: usize) -> Failure {
    let name = input.file.as_deref().filter(|name| *name != "-").unwrap_or("standard input");
    let number = plural(games, "game");
    Failure::usage(format!("{name}: there is no game {game}; the input has {number}"))
}
