//! Pictures of boards for the page: instances with wrong or contradictory answers first, then a few instances for each
//! choice of parameters. A picture shows the answer of a record if one is stored. Otherwise, the instance is solved
//! again within a work limit.

use super::super::context::Context;
use super::super::exit::Failure;
use super::super::experiment::Experiment;
use crate::engine::Budget;
use crate::erased::{DynAnswer, DynInstance, DynProblem};
use crate::problem::Explanation;
use crate::record::{Origin, Record, Run};
use crate::report::Picture;
use crate::report::dataset::Dataset;
use crate::rules::Settings;
use crate::spec::EngineSpec;
use counterpoint_base::keyed::KeyedMap;
use itertools::Itertools;

/// The maximum number of pictures.
const MAX_PICTURES: usize = 48;
/// The maximum number of instances of one family with the same parameters and rules, apart from those with wrong
/// answers.
const MAX_ALIKE: usize = 3;

/// The work limit, in nodes plus conflicts, when an engine solves an instance again.
const MAX_NODES: u64 = 300_000;

/// The maximum size of a picture, in bytes. Larger ones are left out.
const MAX_BYTES: usize = 100_000;

pub(super) fn pictures(
    context: &Context,
    experiment: &Experiment,
    dataset: &Dataset<'_>,
) -> Result<Vec<Picture>, Failure> {
    let problem = context.registry.find(&experiment.plan.problem)?;
    let planned = &experiment.expanded.runs;
    let mut found = Vec::new();
    for instance in chosen(dataset) {
        let start = dataset.runs.partition_point(|run| run.instance < instance);
        let own = dataset.runs[start..].iter().take_while(|run| run.instance == instance);
        let records: Vec<Record> = own.map(|run| run.record.record()).collect();
        let label = dataset.instances[instance].label.clone();
        let run = records.first().and_then(|record| planned.find(&record.key));
        found.extend(run.and_then(|run| picture(problem, &planned.get(run).run(), &records, label)));
        if found.len() == MAX_PICTURES {
            break;
        }
    }
    Ok(found)
}

/// The indices of instances in `dataset`. Those with a wrong or contradictory answer come first. Then follow the first
/// instance for each choice of family, parameters and rules, the second one for each choice, and so on, up to
/// [`MAX_ALIKE`].
fn chosen(dataset: &Dataset<'_>) -> Vec<usize> {
    let suspect = dataset.runs.iter().filter(|run| run.record.is_wrong()).map(|run| run.instance);
    let mut counts: KeyedMap<String, usize> = KeyedMap::default();
    let mut kinds: KeyedMap<u32, String> = KeyedMap::default();
    let mut alike = Vec::new();
    for (_, mut runs) in &dataset.runs.iter().chunk_by(|run| run.instance) {
        let Some(run) = runs.next() else { continue };
        // Sources with different numbers are of one kind if family, parameters and rules are equal.
        let record = run.record;
        let kind = kinds
            .entry(record.source_number())
            .or_insert_with(|| format!("{} {:?} {:?}", record.family(), record.params(), record.rules()));
        let count = counts.entry(kind.clone()).or_default();
        *count += 1;
        if *count <= MAX_ALIKE {
            alike.push((*count, run.instance));
        }
    }
    alike.sort_by_key(|(count, _)| *count);
    suspect.chain(alike.into_iter().map(|(_, instance)| instance)).unique().collect()
}

fn picture(problem: &dyn DynProblem, run: &Run, records: &[Record], label: String) -> Option<Picture> {
    let stored = records.iter().find_map(|record| {
        let answer = record.findings.answer.as_ref()?.as_object()?;
        Some((problem.restore(answer).ok()?, record.engine.clone()))
    });
    let (answer, by) = stored.or_else(|| solved(problem, run))?;
    // The budget is empty, because a report does not search for minimal unsatisfiable subsets.
    let Explanation { text: words, boards } = answer.explain(&mut Budget::of_work(0));
    let svg = boards.svg();
    (svg.len() <= MAX_BYTES).then(|| Picture {
        instance: label,
        text: answer.instance_text(),
        svg,
        by,
        outcome: answer.outcome(),
        words,
    })
}

/// An answer to the instance of a run, with the id of its engine: the first engine of the problem that supports the
/// instance and solves it within [`MAX_NODES`].
fn solved(problem: &dyn DynProblem, run: &Run) -> Option<(Box<dyn DynAnswer>, String)> {
    let instance = instance(problem, run)?;
    let engines = problem.engines();
    let specs = engines.iter().map(EngineSpec::default_of).filter(|spec| instance.supports(spec).is_ok());
    specs.into_iter().find_map(|spec| {
        let answer = instance.solve(&spec, &mut Budget::of_work(MAX_NODES)).answer()?;
        Some((answer, spec.to_string()))
    })
}

/// The instance of a run. `None` if it is a whole file, or if the program has changed in the meantime.
pub(in crate::cli) fn instance(problem: &dyn DynProblem, run: &Run) -> Option<Box<dyn DynInstance>> {
    let instance = match &run.origin {
        // Files are not read again for pictures.
        Origin::Found { .. } => return None,
        Origin::File { text, .. } => problem.instance(&run.rules, text).ok()?,
        Origin::Family { name, params, seed } => {
            let settings = Settings::from_json(problem.rules(), &run.rules).ok()?;
            problem.generate(&settings, name, params, *seed).ok()?
        }
    };
    (instance.hash() == run.instance_hash).then_some(instance)
}
