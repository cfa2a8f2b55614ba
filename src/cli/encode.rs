//! `encode`: the formula of a model as a file, in words, or its size by group of constraints.

use super::args::Encode;
use super::context::{self, Context, Failure, Status};
use super::staging::Target;
use super::table::table;
use crate::engine::Side;
use crate::erased::{DynInstance, DynProblem};
use crate::export::{self, ExportError, Formula, Head};
use crate::spec::EngineSpec;
use counterpoint_encodings::{Lit, Sink, SoftSink, Tally};
use std::io::Write;

/// A case through one engine.
pub(super) struct Encoding<'a> {
    pub(super) instance: &'a dyn DynInstance,
    pub(super) engine: &'a EngineSpec,
}

impl Encoding<'_> {
    pub(super) fn head(&self) -> Head {
        Head {
            problem: self.instance.problem().to_owned(),
            // Whichever solver: the formula is the same.
            engine: self.engine.to_string().split('@').next().unwrap_or_default().to_owned(),
            rules: self.instance.rules().to_string(),
            instance: self.instance.text(),
        }
    }
}

impl Formula for Encoding<'_> {
    fn clauses(&self, sink: &mut dyn Sink) -> Result<(), String> {
        self.instance.formula(self.engine, sink)
    }

    fn objective(&self, sink: &mut dyn SoftSink) -> Option<Result<(), String>> {
        self.instance.objective(self.engine, sink)
    }

    fn questions(&self, sink: &mut dyn Sink) -> Option<Result<Vec<Vec<Lit>>, String>> {
        self.instance.questions(self.engine, sink)
    }
}

impl From<ExportError> for Failure {
    fn from(error: ExportError) -> Self {
        match error {
            ExportError::Refused(why) => Failure::usage(why),
            ExportError::Output(error) => error.into(),
        }
    }
}

/// Exactly one engine that makes formulas.
pub(super) fn model(
    context: &Context,
    problem: &dyn DynProblem,
    pattern: &str,
) -> Result<EngineSpec, Failure> {
    let engine = context.engine(problem, pattern)?;
    if engine.side == Side::Search {
        let why =
            format!("{engine} makes no formula; use -e sat, or another of `list engines {}`", problem.name());
        return Err(Failure::usage(why));
    }
    Ok(engine)
}

pub(super) fn run(context: &Context, args: &Encode, out: &mut dyn Write) -> Result<Status, Failure> {
    let problem = context.registry.find(&args.input.problem)?;
    let engine = model(context, problem, &args.engine)?;
    let mut target = args.output.as_deref().map(Target::new).transpose()?;
    let (mut met, mut games) = (false, 0);
    let read = context::games(context, &args.input, &mut |game, instance| {
        games = game;
        if game != args.game {
            return Ok(());
        }
        let encoding = Encoding { instance, engine: &engine };
        let named = |failure: Failure| match failure.message.as_str() {
            "" => failure,
            message => Failure { message: format!("game {game}: {message}"), ..failure },
        };
        write(args, &encoding, target.as_mut().map_or(&mut *out, Target::file)).map_err(named)?;
        met = true;
        Ok(())
    });
    if !met {
        return read.and(Err(context::no_game(&args.input, args.game, games)));
    }
    // A formula that was written whole stands, whatever comes behind its game.
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
