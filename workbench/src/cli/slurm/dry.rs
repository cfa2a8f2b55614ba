//! `run --on slurm --dry-run`.

use super::super::args::Run as Args;
use super::super::context::Context;
use super::super::estimate::likely_s;
use super::super::exit::{Failure, Status};
use super::super::experiment::Experiment;
use super::super::texts::visible;
use super::Submission;
use super::ask::{halved, remedy};
use crate::harness::Set;
use crate::harness::slurm::{ClusterError, Size};
use crate::study::plural;
use humantime::format_duration;
use std::io::Write;
use std::path::Path;

/// Prints what `run --on slurm` would submit.
pub(in crate::cli) fn dry(
    context: &Context,
    experiment: &Experiment,
    (set, folder): (&Set, &Path),
    args: &Args,
    out: &mut dyn Write,
) -> Result<Status, Failure> {
    let mut submission = Submission::of(context, experiment, (set, folder), args)?;
    if submission.missing.is_empty() && submission.halves.is_empty() {
        writeln!(out, "Slurm: all runs have records, so no pilots are needed")?;
        return Ok(Status::Done);
    }
    let live = submission.live(folder, &submission.jobs()?)?;
    submission.size.pilots = submission.size.pilots.saturating_sub(u32::try_from(live).unwrap_or(u32::MAX));
    let living = plural(live, "pilot is", "pilots are");
    if submission.size.pilots == 0 {
        writeln!(out, "Slurm: {living} alive and can do all runs, so no more would be submitted")?;
        return Ok(Status::Done);
    }
    let program = std::path::absolute(folder)?.join("slurm").join("program-HASH");
    let mut text = String::new();
    // `run` submits half as many pilots if the site does not allow all of them.
    let tested = halved(submission.size.pilots, |pilots| {
        submission.size.pilots = pilots;
        text = submission.script(context, experiment, &program, args)?;
        submission.test(context, &text)
    })?;
    let (words, refusal) = match tested {
        Ok(words) => (words, None),
        Err(ClusterError::Refused { words, .. }) => (words.clone(), Some(remedy(&words))),
        Err(error) => return Err(error.into()),
    };
    let Size { pilots, time, .. } = submission.size;
    let (cpus, what) = match submission.settings.exclusive {
        true => (1, "node-hours"),
        false => (submission.settings.cpus, "CPU-hours"),
    };
    // Two digits, unless there are more before the point.
    let hours = |seconds: f64| {
        let hours = seconds * f64::from(cpus) / 3600.0;
        let places = if hours > 0.0 { (1.0 - hours.log10().floor()).clamp(0.0, 4.0) } else { 0.0 };
        format!("{hours:.*}", places as usize)
    };
    let halves = submission.halves.iter().filter_map(|run| run.limits.cpu_s);
    let work: f64 = submission.missing.iter().filter_map(|run| run.limits().cpu_s).chain(halves).sum();
    let likely = likely_s(&submission.missing, set);
    let likely = likely.map_or(String::new(), |seconds| {
        format!("; about {} are likely, according to earlier runs", hours(seconds))
    });
    if live > 0 {
        writeln!(out, "Slurm: {living} alive, and these would be added:")?;
    }
    writeln!(
        out,
        "Slurm: {} of {} on partition {}: at most {} {what}; the limits of the runs add up to {}{likely}",
        plural(pilots as usize, "pilot", "pilots"),
        format_duration(time),
        submission.partition,
        hours(f64::from(pilots) * time.as_secs_f64()),
        hours(work),
    )?;
    writeln!(out, "sbatch --test-only: {}\n", visible(words.trim_start_matches("sbatch: ")))?;
    write!(out, "{text}")?;
    refusal.map_or(Ok(Status::Done), |remedy| {
        Err(Failure::usage(format!(
            "without --dry-run, this command would fail, because Slurm refuses the script; {remedy}"
        )))
    })
}
