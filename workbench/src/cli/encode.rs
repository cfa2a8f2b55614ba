//! `encode`: writes the formula of an instance to a file or in words, or prints its size by group of constraints.

use super::args::Encode;
use super::context::Context;
use super::encoding::{Encoding, sat_engine};
use super::exit::{Failure, Status};
use super::games;
use super::staging::{Target, refuse_own_input};
use super::table::{Hanging, table};
use crate::export::{self, Formula};
use counterpoint_encodings::{Sink, Tally};
use std::io::Write;

pub(super) fn run(context: &Context, args: &Encode, out: &mut dyn Write) -> Result<Status, Failure> {
    let problem = context.registry.find(&args.input.problem)?;
    let engine = sat_engine(context, problem, &args.engine)?;
    if let Some(output) = &args.output {
        refuse_own_input(output, "--output", args.input.file.as_deref())?;
    }
    let mut target = args.output.as_deref().map(Target::new).transpose()?;
    let (mut found, mut games) = (false, 0);
    let read = games::each(context, &args.input, &mut |game, instance| {
        games = game;
        if game != args.game {
            return Ok(());
        }
        let encoding = Encoding { instance, engine: &engine };
        let with_game = |failure: Failure| match failure.message.as_str() {
            "" => failure,
            message => Failure { message: format!("game {game}: {message}"), ..failure },
        };
        match &mut target {
            Some(target) => write(args, &encoding, target.file()),
            // The longer lines of a sentence are indented more than sentences are.
            None if args.words => write(args, &encoding, &mut Hanging::new(out, 4)),
            None => write(args, &encoding, out),
        }
        .map_err(with_game)?;
        found = true;
        Ok(())
    });
    if !found {
        return read.and(Err(games::missing(&args.input, args.game, games)));
    }
    // A complete formula is kept even if there is an input error after the encoded game.
    target.map_or(Ok(()), Target::publish)?;
    read.map(|()| Status::Done)
}

fn write(args: &Encode, encoding: &Encoding<'_>, out: &mut dyn Write) -> Result<(), Failure> {
    if args.stats {
        stats(encoding, out)
    } else if args.words {
        Ok(export::words(encoding, out)?)
    } else {
        export::write(args.format.into(), &encoding.head(), encoding, out)?;
        Ok(())
    }
}

fn stats(encoding: &Encoding<'_>, out: &mut dyn Write) -> Result<(), Failure> {
    let mut size = Tally::default();
    encoding.clauses(&mut size)?;
    let mut rows: Vec<Vec<String>> = (size.rows().iter())
        .map(|r| {
            let label = if r.label.is_empty() { "variables" } else { &r.label };
            vec![label.to_owned(), r.vars.to_string(), r.clauses.to_string(), r.lits.to_string()]
        })
        .collect();
    let lits: u64 = size.rows().iter().map(|r| r.lits).sum();
    rows.push(vec![
        "total".to_owned(),
        size.n_vars().to_string(),
        size.n_clauses().to_string(),
        lits.to_string(),
    ]);
    writeln!(out, "{}", table(&["group", ">variables", ">clauses", ">literals"], rows))?;
    Ok(())
}
