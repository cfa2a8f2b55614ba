//! `report`: writes the report of an experiment as a page with figures and tables, and as a section of its README.

mod cache;
mod hypotheses;
mod overview;
pub(in crate::cli) mod pictures;
mod written;

use super::args::Report as Args;
use super::context::Context;
use super::exit::{Failure, Status};
use super::experiment::{Experiment, warn_rejected};
use super::plan_file::{HOME, names};
use super::program;
use super::{print, read};
use crate::harness::Set;
use crate::record::Row;
use crate::report::chart::Chart;
use crate::report::comparison::comparisons;
use crate::report::dataset::Dataset;
use crate::report::paired::{Paired, paired};
use crate::report::section::{Entry, contents, replaced};
use crate::report::{Baseline, Material, about, builds, page};
use crate::report_spec::{About, Figure, ReportSpec};
use cache::Cache;
use serde_json::{Map, Value};
use std::io::{self, Write};
use std::path::Path;
use std::{fmt, fs};
use written::{Files, Writing};

/// README files show the records of this set.
const MAIN: &str = "main";

pub(super) fn run(context: &Context, args: &Args, out: &mut dyn Write) -> Result<Status, Failure> {
    let home = args.exp.is_none();
    let chosen = args.exp.clone().map_or_else(names, |exp| vec![exp]);
    if chosen.is_empty() {
        return Err(Failure::usage(format!("there are no experiments under {HOME}/; name a folder")));
    }
    let cache = Cache::new(context);
    let mut files = Files::default();
    let (mut numbered, mut reported) = (home, Vec::new());
    for exp in &chosen {
        let experiment = cache.experiment(exp)?;
        numbered |= experiment.folder.parent() == Some(Path::new(HOME));
        let loaded = cache.records(&experiment, &args.set)?;
        if home && loaded.records(&experiment).is_empty() {
            print::warn(&format!(
                "{} set '{}' has no records, so no report was written",
                experiment.name, args.set
            ));
            if args.set == MAIN && args.baseline.is_none() && args.output.is_none() {
                written::readme_without_records(&experiment, &mut files)?;
            }
            continue;
        }
        reported.push(one(context, &experiment, &loaded, args, &mut files)?);
    }
    if numbered && args.set == MAIN && args.baseline.is_none() && args.output.is_none() {
        let list = Path::new(HOME).join("README.md");
        let overview = entries(&cache, reported).and_then(|entries| {
            let summary = hypotheses::write(&cache, &mut files)?.map(|text| format!("\n{text}"));
            let table = contents(&entries) + &summary.unwrap_or_default();
            let text = replaced(&read(&list)?, &table, program::name()).map_err(|why| at(&list, why))?;
            files.add_committed(list.clone(), text);
            overview::write(&cache, &mut files)
        });
        match overview {
            // An error in another experiment does not prevent this report.
            Err(failure) if !home => {
                print::warn(&format!(
                    "{}, the overview and the hypotheses were not updated: {}",
                    list.display(),
                    failure.message
                ));
            }
            overview => overview?,
        }
    }
    let writing = if args.check { Writing::Check } else { Writing::Write };
    files.settle(writing, out)
}

/// The records of a set, with the environments in which they were made.
pub(in crate::cli) struct Loaded {
    set: Set,
    /// The name of the set.
    name: String,
    /// The default values of the problem's rules.
    default_rules: Vec<(&'static str, &'static str)>,
    /// The environments, by the hash that records contain.
    environment: Map<String, Value>,
}

impl Loaded {
    fn new(context: &Context, experiment: &Experiment, name: &str) -> Result<Self, Failure> {
        let folder = experiment.set(name)?;
        let set = experiment.records(&folder)?;
        warn_rejected(&set);
        let environment = read::named(&folder, set.environment())?.into_iter();
        let environment =
            environment.filter_map(|(name, one)| Some((name, serde_json::to_value(one).ok()?))).collect();
        let default_rules = experiment.default_rules(context)?;
        Ok(Loaded { set, name: name.to_owned(), default_rules, environment })
    }

    /// The records of the plan's runs, in the order of the plan.
    fn records<'a>(&'a self, experiment: &Experiment) -> Vec<Row<'a>> {
        experiment.whole_runs().filter_map(|run| self.set.record_of(run)).collect()
    }

    /// The dataset of these records.
    pub(in crate::cli) fn dataset(&self, experiment: &Experiment) -> Dataset<'_> {
        Dataset::with_default_rules(self.records(experiment), &experiment.engines(), &self.default_rules)
            .with_sizes_of(&experiment.plan.report_spec)
    }
}

/// Makes the report of one experiment. Returns its entry in the table of experiments.
fn one(
    context: &Context,
    experiment: &Experiment,
    loaded: &Loaded,
    args: &Args,
    files: &mut Files,
) -> Result<Entry, Failure> {
    let records = loaded.records(experiment);
    if records.is_empty() {
        return Err(Failure::usage(format!(
            "{} set '{}' has no records yet; run `{} run {}` first",
            experiment.name,
            loaded.name,
            program::name(),
            experiment.name
        )));
    }
    let beyond = loaded.set.len() - records.len();
    if beyond > 0 {
        let (name, set) = (&experiment.name, &loaded.name);
        print::warn(&format!(
            "{name} set '{set}': {beyond} records were omitted because their runs are not in the plan"
        ));
    }
    let dataset = loaded.dataset(experiment);
    let report_spec = &experiment.plan.report_spec;
    let paired = paired_tests(report_spec, &dataset)?;
    let about = about(report_spec, &dataset, &paired)?;
    let base = args.baseline.as_ref().map(|name| other(context, experiment, name)).transpose()?;
    let baseline = base.as_ref().map(|(other, there, name)| Baseline {
        name: name.clone(),
        records: there.records(other),
        environment: there.environment.clone(),
    });
    let pictures = if args.check { Vec::new() } else { pictures::pictures(context, experiment, &dataset)? };
    let program = program::get();
    let material = Material {
        program: crate::report::Program { name: program.name, version: program.version },
        name: &experiment.name,
        set: &loaded.name,
        problem: &experiment.plan.problem,
        plan: &experiment.text,
        planned: experiment.expanded.runs.len(),
        report_spec,
        about,
        dataset,
        paired,
        environment: loaded.environment.clone(),
        pictures,
        baseline,
    };
    let wrong = material.dataset.runs.iter().filter(|run| run.record.is_wrong()).count();
    if wrong > 0 {
        let (name, set) = (&experiment.name, &loaded.name);
        print::warn(&format!(
            "warning: {name} set '{set}': wrong or contradictory answers: {wrong}; `status` lists them"
        ));
    }
    for (_, warning) in builds::warnings(&material.dataset) {
        print::warn(&format!("warning: {}: {warning}", experiment.name));
    }
    let charts = written::planned_charts(&material)?;
    if !args.check {
        let folder = match &args.output {
            Some(folder) if args.exp.is_some() => folder.clone(),
            Some(folder) => folder.join(&experiment.name),
            None => experiment.folder.join("report"),
        };
        page_and_figures(&material, &charts, &folder, files)?;
    }
    if loaded.name == MAIN && args.baseline.is_none() && args.output.is_none() {
        written::readme(&material, &charts, &experiment.folder, files)?;
    } else if !args.check && args.output.is_none() {
        print::warn(&format!(
            "{}: README.md was not written: it shows only the set 'main', without --baseline",
            experiment.name
        ));
    }
    Ok(entry(&experiment.name, material.about, report_spec))
}

/// The comparisons that a plan asks for.
fn paired_tests(report_spec: &ReportSpec, dataset: &Dataset<'_>) -> Result<Vec<Paired>, Failure> {
    let compare = report_spec.compare.iter().map(|spec| {
        paired(dataset, spec).map_err(|why| Failure::usage(format!("{}: compare: {why}", spec.place)))
    });
    compare.collect()
}

/// Adds the page, and figures and tables for papers, to `files`.
fn page_and_figures(
    material: &Material<'_>,
    charts: &[(Figure, Chart)],
    folder: &Path,
    files: &mut Files,
) -> Result<(), Failure> {
    let found = comparisons(&material.dataset);
    files.add_generated(folder.join("report.html"), page::page(material, &found)?);
    written::figures(material, charts, folder, files)?;
    written::tables(material, &found, folder, files)
}

/// Loads the records that `--baseline NAME` selects: those of a set of this experiment or, if it has no such set, those
/// of the set `main` of another experiment. Returns the experiment, the records, and a name for both.
pub(in crate::cli) fn other(
    context: &Context,
    experiment: &Experiment,
    name: &str,
) -> Result<(Experiment, Loaded, String), Failure> {
    let set = experiment.set(name);
    let own = set.is_ok_and(|folder| folder.is_dir());
    let (other, set) = if own {
        (Experiment::open(context, &experiment.folder.display().to_string())?, name)
    } else {
        let other = Experiment::open(context, name).map_err(|failure| {
            let own = format!("'{name}' is neither a set of {} nor an experiment: ", experiment.name);
            Failure::usage(own + &failure.message)
        })?;
        (other, MAIN)
    };
    let loaded = Loaded::new(context, &other, set)?;
    let name = format!("{} set {set}", other.name);
    Ok((other, loaded, name))
}

/// The entries of the table of experiments. Records are read only for experiments that are not in `reported`.
fn entries(cache: &Cache<'_>, mut reported: Vec<Entry>) -> Result<Vec<Entry>, Failure> {
    let mut entries = Vec::new();
    for name in names() {
        if let Some(known) = reported.iter().position(|entry| entry.name == name) {
            entries.push(reported.swap_remove(known));
            continue;
        }
        let experiment = cache.experiment(&name)?;
        let loaded = cache.records(&experiment, MAIN)?;
        let report_spec = &experiment.plan.report_spec;
        entries.push(if loaded.records(&experiment).is_empty() {
            Entry { name, about: report_spec.about.clone().unanswered(), thumbnail: None }
        } else {
            let dataset = loaded.dataset(&experiment);
            let paired = paired_tests(report_spec, &dataset)?;
            entry(&name, about(report_spec, &dataset, &paired)?, report_spec)
        });
    }
    Ok(entries)
}

fn entry(name: &str, about: About, report_spec: &ReportSpec) -> Entry {
    let thumbnail = report_spec.figures.first().map(|_| format!("{name}/{}", written::THUMBNAIL));
    Entry { name: name.to_owned(), about, thumbnail }
}

/// The text of a file; empty if the file does not exist. Anything but a regular file is refused, because a pipe may
/// wait for a writer forever, and a device may have no end.
fn read(path: &Path) -> Result<String, Failure> {
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(at(path, "is not a regular file"));
    }
    match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        text => text.map_err(|error| at(path, format!("{error}; the file was not changed"))),
    }
}

fn at(path: &Path, why: impl fmt::Display) -> Failure {
    Failure::usage(format!("{}: {why}", path.display()))
}
