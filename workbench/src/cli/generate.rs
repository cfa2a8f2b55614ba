//! `generate`: writes instances generated from seeds as one input.

use super::args::Generate;
use super::context::Context;
use super::exit::{Failure, Status};
use super::settings;
use std::io::Write;

pub(super) fn run(context: &Context, args: &Generate, out: &mut dyn Write) -> Result<Status, Failure> {
    if let Some(folder) = &args.formulas {
        return super::formulas::run(context, args, folder, out);
    }
    let problem = context.registry.find(&args.problem)?;
    let settings = settings::of(problem, &args.rules)?;
    if problem.info().has_files && args.count > 1 {
        return Err(Failure::usage(format!(
            "an input of {} is one instance; with --formulas DIR, each instance gets a file of its own",
            problem.name()
        )));
    }
    for k in 0..args.count {
        let seed = args.seed.checked_add(k).ok_or_else(|| {
            Failure::usage("a seed would be greater than 2^64 - 1; use a smaller --seed or --count")
        })?;
        let text = problem.generate(&settings, &args.family, &args.params, seed)?.text();
        if k > 0 {
            out.write_all(problem.info().separators.between.as_bytes())?;
        }
        out.write_all(text.strip_suffix(problem.info().separators.end).unwrap_or(&text).as_bytes())?;
    }
    out.write_all(problem.info().separators.end.as_bytes())?;
    Ok(Status::Done)
}
