//! Lists the builds of the program with which each engine was measured, if there are several. Warns if engines that are
//! compared were measured with different builds or on different processors, or if other programs used the processors.

use super::dataset::{Dataset, Run};
use super::{load, nodes};
use itertools::Itertools;

/// Written in place of a build that is not known.
const UNKNOWN: &str = "unknown";

/// The builds of each engine's runs, in the order of [`Dataset::engines`]; `None` if all runs are of one build.
pub(crate) fn of_engines(dataset: &Dataset<'_>) -> Option<Vec<Vec<String>>> {
    if dataset.runs.iter().map(build).all_equal() {
        return None;
    }
    let of = |engine: usize| {
        let runs = dataset.runs.iter().filter(move |run| run.engine == engine);
        runs.map(build).sorted().dedup().map(str::to_owned).collect()
    };
    Some((0..dataset.engines.len()).map(of).collect())
}

/// Warnings if engines that are compared were measured with different builds, or on different processors, if the node
/// explains a part of the differences, and if other programs used the processors. Each warning has a heading.
pub fn warnings(dataset: &Dataset<'_>) -> Vec<(&'static str, String)> {
    let of_builds = ("measured with different builds of the program", "the build");
    let of_processors = ("measured on different processors", "the processor");
    let of_builds = warning(dataset, build, of_builds).map(|text| ("Builds", text));
    let of_processors = warning(dataset, processor, of_processors).map(|text| ("Processors", text));
    let of_nodes = nodes::check(dataset).filter(|found| !found.differing.is_empty());
    let of_nodes = of_nodes.map(|found| ("Nodes", found.sentence()));
    let of_load = load::warning(dataset).map(|text| ("Load", text));
    of_builds.into_iter().chain(of_processors).chain(of_nodes).chain(of_load).collect()
}

/// A warning if engines that are compared have different values of `of`.
fn warning(
    dataset: &Dataset<'_>,
    of: for<'a> fn(&Run<'a>) -> &'a str,
    (how, what): (&str, &str),
) -> Option<String> {
    if dataset.runs.iter().map(of).all_equal() {
        return None;
    }
    let all_of = |runs: &[&Run<'_>]| runs.iter().map(|run| of(run).to_owned()).sorted().dedup().collect_vec();
    let mixed = |runs: &[&Run<'_>]| {
        let by_engine = runs.iter().copied().into_group_map_by(|run| run.engine).into_values();
        !by_engine.map(|runs| all_of(&runs)).all_equal()
    };
    let by_instance = dataset.supported().into_group_map_by(|run| run.instance);
    let count = by_instance.values().filter(|runs| mixed(runs)).count();
    if count == 0 {
        return None;
    }
    let engines = dataset.engines.iter().enumerate().map(|(number, engine)| {
        let runs = dataset.runs.iter().filter(|run| run.engine == number).collect_vec();
        format!("{engine} ({})", all_of(&runs).join(", "))
    });
    let (engines, all) = (engines.collect_vec().join(", "), by_instance.len());
    Some(format!(
        "on {count} of {all} instances, engines are compared that were {how}, so a difference may be due to {what}: \
         {engines}"
    ))
}

fn build<'a>(run: &Run<'a>) -> &'a str {
    run.record.build().unwrap_or(UNKNOWN)
}

fn processor<'a>(run: &Run<'a>) -> &'a str {
    run.record.cpu_model().unwrap_or(UNKNOWN)
}

#[cfg(test)]
mod tests {
    use super::{of_engines, warnings};
    use crate::dataset::Dataset;
    use crate::record::{Record, Records};

    fn record(seed: u64, engine: &str, build: Option<&str>) -> Record {
        Record {
            key: format!("{seed}{engine}"),
            seed,
            instance_hash: seed.to_string(),
            engine: engine.to_owned(),
            build: build.map(str::to_owned),
            ..Record::default()
        }
    }

    fn found(records: &[Record]) -> (Option<Vec<Vec<String>>>, Option<String>) {
        let records = Records::from_iter(records);
        let dataset = Dataset::new(records.iter(), &[]);
        (of_engines(&dataset), warnings(&dataset).pop().map(|(_, text)| text))
    }

    #[test]
    fn one_build_gives_no_warning() {
        for build in [Some("a"), None] {
            assert_eq!(found(&[record(1, "x", build), record(1, "y", build)]), (None, None));
        }
    }

    #[test]
    fn comparisons_across_builds_give_a_warning() {
        let records = [
            record(1, "x", Some("a")),
            record(1, "y", Some("b")),
            record(2, "x", None),
            record(2, "y", None),
        ];
        let (builds, warning) = found(&records);
        assert_eq!(builds.unwrap(), [["a", "unknown"], ["b", "unknown"]]);
        let warning = warning.unwrap();
        assert!(warning.contains("on 1 of 2 instances"), "{warning}");
        assert!(warning.contains("x (a, unknown), y (b, unknown)"), "{warning}");
    }

    #[test]
    fn comparisons_across_processors_give_a_warning() {
        let on = |seed, engine, cpu: &str| Record {
            cpu_model: Some(cpu.to_owned()),
            ..record(seed, engine, Some("a"))
        };
        let (_, warning) =
            found(&[on(1, "x", "EPYC"), on(1, "y", "Xeon"), on(2, "x", "Xeon"), on(2, "y", "Xeon")]);
        let warning = warning.unwrap();
        assert!(
            warning.contains("on 1 of 2 instances, engines are compared that were measured on different"),
            "{warning}"
        );
        assert!(warning.contains("x (EPYC, Xeon), y (Xeon)"), "{warning}");
    }

    #[test]
    fn instances_with_one_build_each_give_no_warning() {
        let (a, b) = (Some("a"), Some("b"));
        let (builds, warning) =
            found(&[record(1, "x", a), record(1, "y", a), record(2, "x", b), record(2, "y", b)]);
        assert_eq!((builds.unwrap().len(), warning), (2, None));
    }
}
