//! `study`: answers a research question with a table or JSON lines, and writes certificates and drawings.

mod printer;

use super::args::{Input, Rules, Study, pair};
use super::context::Context;
use super::exit::{Failure, Status};
use super::proofs::{self, refuse_foreign_files};
use super::settings::{self, Pairs, split};
use super::{games, interrupt, print};
use crate::erased::{DynInstance, DynProblem};
use crate::rules::Settings;
use crate::study::{PositionInput, StudyError};
use printer::Printer;
use std::io::Write;

pub(super) fn run(context: &Context, args: &Study, out: &mut dyn Write) -> Result<Status, Failure> {
    let problem = context.registry.find(&args.problem)?;
    let (file, keys) = split_words(&args.words)?;
    if let Some(folder) = &args.save {
        refuse_foreign_files(&proofs::STUDY, folder, file.as_deref())?;
    }
    let studies = &problem.info().studies;
    let found = studies.iter().find(|study| study.name == args.question);
    // The problem itself refuses an unknown question.
    let (params, rules) = match found {
        Some(found) => split(problem, found.name, found.params, &keys)?,
        None => (keys, Vec::new()),
    };
    let rules = Rules { rule: [args.rules.rule.clone(), rules].concat(), ..args.rules.clone() };
    let settings = settings::of(problem, &rules)?;
    let query = Query { context, args, problem, settings, params };
    let mut printer = Printer::new(args, out);
    let end = match (problem.position(&args.question), file) {
        (PositionInput::None, Some(file)) => {
            Err(Failure::usage(format!("{} takes no input file, found '{file}'", args.question)))
        }
        (PositionInput::None, None) if args.game.is_some() => Err(Failure::usage(format!(
            "--game does not apply to {}, which takes no input file",
            args.question
        ))),
        (PositionInput::None, None) => query.answer(None, &mut printer).map(|()| Status::Done),
        (PositionInput::Optional, None) if args.game.is_none() => {
            query.answer(None, &mut printer).map(|()| Status::Done)
        }
        (_, file) => query.answer_games(&Input { problem: args.problem.clone(), file, rules }, &mut printer),
    };
    printer.finish()?;
    end
}

/// A question with its parameters and rules.
struct Query<'a> {
    context: &'a Context,
    args: &'a Study,
    problem: &'a dyn DynProblem,
    settings: Settings,
    params: Pairs,
}

impl Query<'_> {
    /// Answers the question. If a position is given, the answer is about this position.
    fn answer(&self, position: Option<&dyn DynInstance>, printer: &mut Printer<'_>) -> Result<(), Failure> {
        let mut budget = self.context.budget(&self.args.limits);
        let question = &self.args.question;
        let answer =
            || self.problem.study(&self.settings, question, &self.params, position, &mut budget, printer);
        interrupt::interruptible(answer).map_err(|error| {
            let status = if let StudyError::Limit(limit) = error { Status::of(limit) } else { Status::Usage };
            Failure { status, message: error.to_string() }
        })
    }

    /// Answers the question about each game. A limit ends only the current game; each game has limits of its own.
    fn answer_games(&self, input: &Input, printer: &mut Printer<'_>) -> Result<Status, Failure> {
        let (mut games, mut answered, mut worst) = (0, 0, Status::Done);
        let single = (self.args.save.is_some() && self.args.game.is_none()).then_some("--save");
        games::each_or_only(self.context, input, single, &mut |game, instance| {
            games = game;
            if self.args.game.is_some_and(|wanted| wanted != game) {
                return Ok(());
            }
            answered += 1;
            printer.set_game(game);
            match self.answer(Some(instance), printer) {
                Err(failure) if failure.status == Status::Limit => {
                    print::warn(&format!("game {game}: {}", failure.message));
                    worst = Status::Limit;
                    Ok(())
                }
                end => end,
            }
        })?;
        printer.for_all_games(|rows, report| self.problem.sum_up(&self.args.question, rows, report));
        match self.args.game {
            _ if interrupt::is_requested() => Ok(Status::Interrupted),
            Some(game) if answered == 0 => Err(games::missing(input, game, games)),
            _ => Ok(worst),
        }
    }
}

/// Separates the arguments into a file, if there is one, and keys with values.
fn split_words(words: &[String]) -> Result<(Option<String>, Pairs), Failure> {
    let (keys, files): (Vec<&String>, Vec<&String>) = words.iter().partition(|word| word.contains('='));
    if let [first, second, ..] = files[..] {
        return Err(Failure::usage(format!(
            "expected one file, found '{first}' and '{second}'; write parameters as KEY=VALUE"
        )));
    }
    let keys = keys.into_iter().map(|word| pair(word)).collect::<Result<_, _>>()?;
    Ok((files.first().map(|file| file.to_string()), keys))
}
