//! The study `hardness`: for each family of smudged records and each number of unknown moves, the work of the search and
//! of SAT. The records are those that `generate` makes for the same seeds.

use crate::answer::{Answer, Finding};
use crate::search::fill;
use crate::{Instance, Rules, families, formula, sat};
use chacha20::ChaCha8Rng;
use counterpoint_core::engine::{Budget, EngineInfo};
use counterpoint_core::errors::GenerateError;
use counterpoint_core::problem::{Param, Params, StudyRequest};
use counterpoint_core::spec;
use counterpoint_core::study::{Effort, StudyError, StudyOutput, decided, row};
use rand::SeedableRng;
use serde_json::Value;

/// `n`: side of the board. `records`: number of records for each family and number of unknown moves. `most`: maximum
/// number of unknown moves. `step`: the numbers of unknown moves are the multiples of `step` up to `most`. `seed`: seed
/// of the first record. `work`: maximum number of nodes or conflicts on one record. If a record reaches this limit, the
/// work done until then is counted.
pub const PARAMS: &[Param] = &[
    Param::number("n", 5.0, 1.0, 50.0),
    Param::number("records", 4.0, 1.0, 1e6),
    Param::number("most", 6.0, 1.0, 400.0),
    Param::number("step", 2.0, 1.0, 400.0),
    Param::number("seed", 1.0, 0.0, 4e9),
    Param::number("work", 1e5, 1.0, 4e9),
];

/// A generator of records.
type Make = fn(&Rules, &Params, &mut ChaCha8Rng) -> Result<Instance, GenerateError>;

/// The families: name in the rows, parameters, position of the block, generator.
const FAMILIES: [(&str, &[Param], Option<&str>, Make); 5] = [
    ("smudged", families::SMUDGED, None, families::smudged),
    ("block at=0", families::BLOCK, Some("0"), families::block),
    ("block at=0.5", families::BLOCK, Some("0.5"), families::block),
    ("block at=1", families::BLOCK, Some("1"), families::block),
    ("undo", families::UNDO, None, families::undo),
];

/// One row for each family and number of unknown moves.
///
/// # Errors
/// Returns the limit of the budget that was reached, or why an engine does not support a record.
pub fn run(
    request: &StudyRequest<'_, Rules, Instance>,
    budget: &mut Budget,
    output: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    let [n, records, most, step, seed, work] =
        ["n", "records", "most", "step", "seed", "work"].map(|key| request.params.whole(key));
    let fill = spec::built_in(EngineInfo::search("fill", ""), "search:fill")?;
    let toggles = spec::built_in(formula::TOGGLES, "sat:toggles")?;
    for (name, params, at, make) in FAMILIES {
        for unknown in (step..=most).step_by(step as usize) {
            let mut given =
                vec![("n".to_owned(), n.to_string()), ("unknown".to_owned(), unknown.to_string())];
            given.extend(at.map(|at| ("at".to_owned(), at.to_owned())));
            let params = Params::new(params, &given)?;
            let (mut nodes, mut conflicts, mut possible) = (Effort::default(), Effort::default(), 0);
            for i in 0..records {
                let what = format_args!("records of {name}, {unknown} of {most} unknown");
                output.steps((i.into(), records.into()), what);
                let mut rng = ChaCha8Rng::seed_from_u64(u64::from(seed) + u64::from(i));
                let record = make(request.rules, &params, &mut rng)?;
                let searched = nodes.measure(work, budget, |part| {
                    decided(fill::solve(request.rules, &record, &fill, part))
                })?;
                let solved = conflicts.measure(work, budget, |part| {
                    decided(sat::solve(request.rules, &record, &toggles, part))
                })?;
                possible += solved.or(searched).map_or(0, |answer| endings(&answer));
            }
            let mean = |total: u64| Value::from((total as f64 / f64::from(records) * 10.0).round() / 10.0);
            output.row(row([
                ("family", name.into()),
                ("n", n.into()),
                ("unknown", unknown.into()),
                ("records", records.into()),
                ("possible", mean(possible)),
                ("nodes", mean(nodes.total)),
                ("worst_nodes", nodes.worst.into()),
                ("conflicts", mean(conflicts.total)),
                ("worst_conflicts", conflicts.worst.into()),
                ("given_up", (nodes.given_up + conflicts.given_up).into()),
            ]));
        }
    }
    Ok(())
}

/// The number of possible endings; 1 for a complete record.
fn endings(answer: &Answer) -> u64 {
    let Answer::Smudged(findings) = answer else { return 1 };
    findings.iter().filter(|finding| matches!(finding, Finding::Possible(_))).count() as u64
}
