//! `study`: a question beyond the judge's, answered as a table or as JSON lines, with certificates and drawings beside.

mod heard;

use super::args::{Input, Rules, Study, pair};
use super::context::Context;
use super::exit::{Failure, Status};
use super::settings::{self, Pairs, split};
use super::{games, interrupt, print};
use crate::erased::{DynInstance, DynProblem};
use crate::rules::Settings;
use crate::study::{PositionInput, StudyError};
use heard::Heard;
use std::io::Write;

pub(super) fn run(context: &Context, args: &Study, out: &mut dyn Write) -> Result<Status, Failure> {
    let problem = context.registry.find(&args.problem)?;
    let (file, keys) = sorted(&args.words)?;
    let studies = &problem.info().studies;
    let found = studies.iter().find(|study| study.name == args.question);
    // A question that the problem does not have is its own to refuse.
    let (params, rules) = match found {
        Some(found) => split(problem, found.name, &found.params, &keys)?,
        None => (keys, Vec::new()),
    };
    let rules = Rules { rule: [args.rules.rule.clone(), rules].concat(), ..args.rules.clone() };
    let settings = settings::of(problem, &rules)?;
    let asked = Asked { context, args, problem, settings, params };
    let mut heard = Heard::new(args, out);
    let end = match (problem.position(&args.question), file) {
        (PositionInput::None, Some(file)) => {
            Err(Failure::usage(format!("{} is about no position, so '{file}' is not read", args.question)))
        }
        (PositionInput::None, None) if args.game.is_some() => {
            Err(Failure::usage(format!("{} is about no position, so --game is not for it", args.question)))
        }
        (PositionInput::None, None) => asked.of(None, &mut heard).map(|()| Status::Done),
        (PositionInput::Optional, None) if args.game.is_none() => {
            asked.of(None, &mut heard).map(|()| Status::Done)
        }
        (_, file) => asked.of_games(&Input { problem: args.problem.clone(), file, rules }, &mut heard),
    };
    heard.finish()?;
    end
}

/// A question with all that it needs but a position.
struct Asked<'a> {
    context: &'a Context,
    args: &'a Study,
    problem: &'a dyn DynProblem,
    settings: Settings,
    params: Pairs,
}

impl Asked<'_> {
    fn of(&self, position: Option<&dyn DynInstance>, heard: &mut Heard<'_>) -> Result<(), Failure> {
        let mut budget = self.context.budget(&self.args.limits);
        let question = &self.args.question;
        let answer =
            || self.problem.study(&self.settings, question, &self.params, position, &mut budget, heard);
        interrupt::listening(answer).map_err(|halt| {
            let status = if let StudyError::Limit(limit) = halt { Status::of(limit) } else { Status::Usage };
            Failure { status, message: halt.to_string() }
        })
    }

    /// A limit ends a game; those behind it have limits of their own.
    fn of_games(&self, input: &Input, heard: &mut Heard<'_>) -> Result<Status, Failure> {
        let (mut games, mut met, mut worst) = (0, 0, Status::Done);
        let alone = (self.args.save.is_some() && self.args.game.is_none()).then_some("--save");
        games::each_or_only(self.context, input, alone, &mut |game, instance| {
            games = game;
            if self.args.game.is_some_and(|wanted| wanted != game) {
                return Ok(());
            }
            met += 1;
            heard.game(game);
            match self.of(Some(instance), heard) {
                Err(failure) if failure.status == Status::Limit => {
                    print::warn(&format!("game {game}: {}", failure.message));
                    worst = Status::Limit;
                    Ok(())
                }
                end => end,
            }
        })?;
        heard.together(|rows, report| self.problem.sum_up(&self.args.question, rows, report));
        match self.args.game {
            _ if interrupt::asked() => Ok(Status::Interrupted),
            Some(game) if met == 0 => Err(games::missing(input, game, games)),
            _ => Ok(worst),
        }
    }
}

/// The file, if one is named, and the keys with their values.
fn sorted(words: &[String]) -> Result<(Option<String>, Pairs), Failure> {
    let (keys, files): (Vec<&String>, Vec<&String>) = words.iter().partition(|word| word.contains('='));
    if let [first, second, ..] = files[..] {
        return Err(Failure::usage(format!(
            "'{first}' and '{second}' are two files; a question takes one, and KEY=VALUE"
        )));
    }
    let keys = keys.into_iter().map(|word| pair(word)).collect::<Result<_, _>>()?;
    Ok((files.first().map(|file| file.to_string()), keys))
}
