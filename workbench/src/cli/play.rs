//! `play`: a game against the computer on a terminal or through pipes, one move per line.

use super::args::{Play, Rules};
use super::context::Context;
use super::exit::{Failure, Status};
use super::settings::{self, split};
use super::{print, read};
use crate::problem::Turn;
use std::io::{BufRead, IsTerminal, Write};

/// The maximum length of a line, in bytes. A longer line is read as several.
const MAX_LINE: u64 = 1 << 12;

pub(super) fn run(context: &Context, args: &Play, out: &mut dyn Write) -> Result<Status, Failure> {
    let problem = context.registry.find(&args.problem)?;
    let params = problem.info().play.unwrap_or_default();
    let (params, rules) = split(problem, "the game", params, &args.keys)?;
    let rules = Rules { rule: [args.rules.rule.clone(), rules].concat(), ..args.rules.clone() };
    let mut opponent = problem.play(&settings::of(problem, &rules)?, &params)?;
    let mut lines = std::io::stdin().lock();
    let prompt = std::io::stdin().is_terminal();
    if prompt {
        writeln!(out, "{}\n", opponent.intro())?;
    }
    writeln!(out, "{}", opponent.show())?;
    loop {
        match opponent.turn() {
            Turn::Over(outcome) => {
                writeln!(out, "{outcome}")?;
                return Ok(Status::Done);
            }
            Turn::Mine => {
                let mv = opponent.my_move();
                writeln!(out, "I play {mv}\n{}", opponent.show())?;
                continue;
            }
            Turn::Yours if prompt => write!(out, "your move (? for a hint, q to end): ")?,
            Turn::Yours => {}
        }
        out.flush()?;
        let mut line = Vec::new();
        let read = std::io::Read::take(&mut lines, MAX_LINE).read_until(b'\n', &mut line);
        let line = String::from_utf8_lossy(&line);
        match line.trim() {
            _ if read::named("standard input".as_ref(), read)? == 0 => return Ok(Status::Done),
            "" => {}
            "q" => return Ok(Status::Done),
            "?" => writeln!(out, "{}", opponent.hint())?,
            text => match opponent.your_move(text) {
                Ok(()) => writeln!(out, "{}", opponent.show())?,
                Err(why) => print::warn(why.message()),
            },
        }
    }
}
