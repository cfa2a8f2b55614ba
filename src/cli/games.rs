//! The games of an input, one after another.

use super::args::Input;
use super::context::Context;
use super::exit::Failure;
use super::print::warn;
use super::read::source;
use super::{interrupt, settings};
use crate::erased::DynInstance;
use crate::input::Warnings;

/// Is called with the number of a game, from 1, and the game.
pub(super) type Visit<'a> = &'a mut dyn FnMut(usize, &dyn DynInstance) -> Result<(), Failure>;

/// Calls `visit` with each game until Ctrl-C. An error in the input comes after the games before it.
pub(super) fn each(context: &Context, input: &Input, visit: Visit<'_>) -> Result<(), Failure> {
    let problem = context.registry.find(&input.problem)?;
    let settings = settings::of(problem, &input.rules)?;
    let warnings = Warnings::default();
    let tell = || warnings.take().iter().for_each(|w| warn(&format!("warning: {w}")));
    for (i, instance) in problem.open(&settings, source(input.file.as_deref())?, &warnings)?.enumerate() {
        tell();
        visit(i + 1, &*instance?)?;
        if interrupt::asked() {
            break;
        }
    }
    tell();
    Ok(())
}

/// Calls `visit` with each game; with an option that takes one game alone, with the only one.
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

/// Calls `visit` with the only game, for there is to be no other where this option is given.
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
        Some(Ok(_)) => Err(Failure::usage(format!("{option} takes one game; name it with --game"))),
        None => visit(1, &*instance),
        // The game is complete, so it is answered before the error behind it.
        Some(Err(error)) => visit(1, &*instance).and(Err(error.into())),
    }
}

/// That an input has fewer games than the one asked for.
pub(super) fn missing(input: &Input, game: usize, games: usize) -> Failure {
    let name = input.file.as_deref().filter(|name| *name != "-").unwrap_or("standard input");
    let number = if games == 1 { "1 game".to_owned() } else { format!("{games} games") };
    Failure::usage(format!("{name}: there is no game {game}, only {number}"))
}
