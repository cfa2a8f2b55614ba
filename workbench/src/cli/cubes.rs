//! The progress of runs whose formulas are cut into cubes. Halves replace the cubes that were split.

use super::exit::Failure;
use super::experiment::Experiment;
use crate::harness::Set;
use crate::harness::cubes::{Groups, Node, walk};
use crate::harness::plan::PlannedRun;
use crate::record::{ABSENT, REFUTED, Row, Verdict};
use indexmap::IndexMap;
use std::io::Write;

/// The maximum number of cut runs that are listed.
const MAX_LISTED: usize = 20;

/// What is known about the cubes of one run.
#[derive(Default)]
struct Progress<'a> {
    /// The number of cubes, with the halves instead of those that were split.
    leaves: usize,
    /// The number of cubes and halves that were split.
    split: usize,
    refuted: usize,
    absent: usize,
    /// Cubes without a record that are not needed.
    needless: usize,
    /// The record of a cube with a model.
    model: Option<Row<'a>>,
    /// The records of cubes that reached a limit or failed.
    unfinished: Vec<Row<'a>>,
    missing: usize,
}

/// Prints a line for each run that is cut.
pub(super) fn show(experiment: &Experiment, set: &Set, out: &mut dyn Write) -> Result<(), Failure> {
    let runs = &experiment.expanded.runs;
    let groups = Groups::new(runs, set);
    let wholes: Vec<PlannedRun<'_>> = runs.iter().filter(|run| run.cubes().is_some()).collect();
    let listed = wholes.iter().take(MAX_LISTED).map(|whole| (whole.key(), Progress::default()));
    let mut listed: IndexMap<String, Progress<'_>> = listed.collect();
    for cube in runs.iter().filter(|run| run.is_cube()) {
        let whole = cube.cut().and_then(|cut| listed.get_mut(&cut.whole));
        let (Some(progress), Some(number)) = (whole, cube.cube_number()) else { continue };
        let is_needless = groups.is_needless_planned(cube);
        walk((&cube.key(), number), &|key| set.get(key), &mut |node| progress.add(&node, is_needless));
    }
    for (whole, progress) in wholes.iter().zip(listed.values()) {
        writeln!(out, "cubes of {}, {}: {}", whole.key(), whole.engine(), progress.words())?;
    }
    if wholes.len() > MAX_LISTED {
        writeln!(out, "{} more runs are cut into cubes", wholes.len() - MAX_LISTED)?;
    }
    Ok(())
}

impl<'a> Progress<'a> {
    fn add(&mut self, node: &Node<'a>, is_needless: bool) {
        if node.is_split {
            self.split += 1;
            return;
        }
        self.leaves += 1;
        let Some(record) = node.record else {
            match is_needless {
                true => self.needless += 1,
                false => self.missing += 1,
            }
            return;
        };
        match (record.verdict(), record.outcome()) {
            (Some(Verdict::Decided), Some(REFUTED)) => self.refuted += 1,
            (Some(Verdict::Decided), Some(ABSENT)) => self.absent += 1,
            (Some(Verdict::Decided), _) => self.model = self.model.or(Some(record)),
            _ => self.unfinished.push(record),
        }
    }

    fn words(&self) -> String {
        let mut parts = match self.leaves - self.absent {
            0 => vec!["looking ahead refutes the formula".to_owned()],
            cubes => vec![format!("{} of {cubes} refuted", self.refuted)],
        };
        parts.extend((self.split > 0).then(|| format!("{} split into halves", self.split)));
        let name = |record: Row<'_>| record.cube().unwrap_or_default().to_owned();
        parts.extend(self.model.map(|record| format!("cube {} has a model", name(record))));
        for (count, what) in [(self.needless, "not needed"), (self.missing, "without a record")] {
            parts.extend((count > 0).then(|| format!("{count} {what}")));
        }
        parts.extend(self.unfinished.first().map(|&record| {
            let why = match (record.verdict(), record.limit(), record.reason()) {
                (Some(Verdict::Limit), Some(limit), _) => format!("reached the {limit} limit"),
                (Some(Verdict::Unsupported), _, reason) => {
                    format!("is unsupported: {}", reason.unwrap_or_default())
                }
                (_, _, reason) => format!("failed: {}", reason.unwrap_or_default()),
            };
            let more = match self.unfinished.len() - 1 {
                0 => String::new(),
                more => format!(", as {more} more"),
            };
            format!("cube {} {why}{more}", name(record))
        }));
        parts.join("; ")
    }
}
