//! `encode`: a formula as a file, or its size by group of constraints.

use super::args::{Encode, Format};
use super::compare::table;
use super::context::{self, Context, Failure, Status};
use super::dimacs::Dimacs;
use counterpoint_encodings::{Sink, Tally};
use std::fs::File;
use std::io::{BufWriter, Write};

pub(super) fn run(context: &Context, args: &Encode, out: &mut dyn Write) -> Result<Status, Failure> {
    let problem = context.registry.find(&args.input.problem)?;
    let engine = context::engine(problem, &args.engine)?;
    let mut met = false;
    context::games(context, &args.input, &mut |game, case| {
        if game != args.game {
            return Ok(());
        }
        met = true;
        let mut size = Tally::default();
        case.formula(&engine, &mut size).map_err(|e| Failure::usage(format!("game {game}: {e}")))?;
        if args.stats {
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
            return Ok(());
        }
        let Format::Cnf = args.format;
        let write = |out: &mut dyn Write| -> Result<(), Failure> {
            writeln!(out, "c {} {engine}", problem.name())?;
            let mut dimacs = Dimacs::new(out, &size);
            case.formula(&engine, &mut dimacs)?;
            Ok(dimacs.finish()?)
        };
        match &args.output {
            None => write(out),
            Some(path) => {
                let failed = |e| Failure::usage(format!("{}: cannot be written: {e}", path.display()));
                let mut file = BufWriter::with_capacity(1 << 16, File::create(path).map_err(failed)?);
                write(&mut file)?;
                file.flush().map_err(failed)
            }
        }
    })?;
    if met { Ok(Status::Done) } else { Err(Failure::usage(format!("there is no game {}", args.game))) }
}
