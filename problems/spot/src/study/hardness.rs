//! The study `hardness`: for each family of smudged records and each number of unknown moves, the work of the search and
//! of SAT. The records are those that `generate` makes for the same seeds.

use crate::answer::{Answer, Finding};
use crate::search::fill;
use crate::{Instance, Rules, families, formula, sat};
use counterpoint_core::engine::{Budget, EngineInfo, Limit, Outcome};
use counterpoint_core::errors::GenerateError;
use counterpoint_core::problem::{Param, Params, StudyRequest};
use counterpoint_core::solver::SolverRegistry;
use counterpoint_core::spec::{self, EngineSpec};
use counterpoint_core::study::{StudyError, StudyOutput, row};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
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

/// The work of one engine over all records of a row.
#[derive(Default)]
struct Effort {
    total: u64,
    worst: u64,
    given_up: u64,
}

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
    let fill = engine(EngineInfo::search("fill", ""))?;
    let toggles = engine(formula::TOGGLES)?;
    for (name, params, at, make) in FAMILIES {
        for unknown in (step..=most).step_by(step as usize) {
            let mut given =
                vec![("n".to_owned(), n.to_string()), ("unknown".to_owned(), unknown.to_string())];
            given.extend(at.map(|at| ("at".to_owned(), at.to_owned())));
            let params = Params::new(params, &given)?;
            let (mut nodes, mut conflicts, mut possible) = (Effort::default(), Effort::default(), 0);
            for i in 0..records {
                output
                    .progress(format_args!("{name}, {unknown} of {most} unknown: {i} of {records} records"));
                let mut rng = ChaCha8Rng::seed_from_u64(u64::from(seed) + u64::from(i));
                let record = make(request.rules, &params, &mut rng)?;
                let searched = measure(&mut nodes, work, budget, |part| {
                    fill::solve(request.rules, &record, &fill, part)
                })?;
                let solved = measure(&mut conflicts, work, budget, |part| {
                    sat::solve(request.rules, &record, &toggles, part)
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

/// The engine with the default of every axis.
fn engine(info: EngineInfo) -> Result<EngineSpec, StudyError> {
    let id = format!("{}:{}", info.side, info.name);
    let found = spec::resolve(&[info], &SolverRegistry::built_in(), &id)?;
    found.into_iter().next().ok_or_else(|| StudyError::unsupported(format!("{id} does not name an engine")))
}

/// Solves one record and adds its work to `effort`; `None` if the record reaches its own limit `work`.
fn measure(
    effort: &mut Effort,
    work: u32,
    budget: &mut Budget,
    solve: impl FnOnce(&mut Budget) -> Outcome<Answer>,
) -> Result<Option<Answer>, StudyError> {
    let mut part = budget.part(budget.left().min(work.into()));
    let outcome = solve(&mut part);
    let here = part.work.nodes + part.work.conflicts;
    budget.work.nodes += part.work.nodes;
    budget.work.conflicts += part.work.conflicts;
    effort.total += here;
    effort.worst = effort.worst.max(here);
    match outcome {
        Outcome::Decided(answer) => Ok(Some(answer)),
        Outcome::GaveUp(Limit::Work, _) => {
            budget.poll()?;
            effort.given_up += 1;
            Ok(None)
        }
        Outcome::GaveUp(limit, _) => Err(limit.into()),
        Outcome::Unsupported(reason) => Err(reason.into()),
        Outcome::Failed(reason) => Err(StudyError::unsupported(reason)),
    }
}

/// The number of possible endings; 1 for a complete record.
fn endings(answer: &Answer) -> u64 {
    let Answer::Smudged(findings) = answer else { return 1 };
    findings.iter().filter(|finding| matches!(finding, Finding::Possible(_))).count() as u64
}
