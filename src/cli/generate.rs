//! `generate`: seeded instances as one input.

use super::args::Generate;
use super::context::{self, Context, Failure, Status};
use std::io::Write;

pub(super) fn run(context: &Context, args: &Generate, out: &mut dyn Write) -> Result<Status, Failure> {
    let problem = context.registry.find(&args.problem)?;
    let settings = context::settings(problem, &args.rules)?;
    let seeds = args.seed..args.seed.saturating_add(args.count);
    let text = |seed| problem.generate(&settings, &args.family, &args.params, seed).map(|case| case.text());
    let texts: Vec<String> = seeds.map(text).collect::<Result<_, _>>()?;
    out.write_all(problem.join(&texts).as_bytes())?;
    Ok(Status::Done)
}
