//! The study `hardness`: for each family of boards and each size, the share of boards that can be solved, the fewest
//! presses, and the work of the search and of SAT. The boards are those that `generate` makes for the same seeds.

use crate::search::{algebra, nullity};
use crate::{Instance, Rules, families, formula, sat};
use chacha20::ChaCha8Rng;
use counterpoint_core::board::{Digits, Size};
use counterpoint_core::engine::{Budget, EngineInfo};
use counterpoint_core::errors::GenerateError;
use counterpoint_core::problem::{Param, Params, StudyRequest};
use counterpoint_core::spec::{self, EngineSpec};
use counterpoint_core::study::{Effort, StudyError, StudyOutput, decided, row};
use rand::SeedableRng;
use serde_json::Value;

/// `n` and `to`: the sizes, from n×n to `to`×`to`. `boards`: number of boards for each family and size. `seed`: seed of
/// the first board. `work`: maximum number of nodes or conflicts on one board. If a board reaches this limit, the work
/// done until then is counted.
pub const PARAMS: &[Param] = &[
    Param::number("n", 4.0, 1.0, 128.0),
    Param::number("to", 0.0, 0.0, 128.0),
    Param::number("boards", 4.0, 1.0, 1e6),
    Param::number("seed", 1.0, 0.0, 4e9),
    Param::number("work", 1e5, 1.0, 4e9),
];

/// A generator of boards.
type Make = fn(&Rules, &Params, &mut ChaCha8Rng) -> Result<Instance, GenerateError>;

/// Name in the rows, parameters, the parameter that is given, generator.
type Row = (&'static str, &'static [Param], Option<(&'static str, &'static str)>, Make);

/// The families.
const FAMILIES: [Row; 6] = [
    ("random", families::RANDOM, None, families::random),
    ("solvable", families::SOLVABLE, None, families::solvable),
    ("few", families::FEW, None, families::few),
    ("deep", families::DEEP, None, families::deep),
    ("impossible", families::IMPOSSIBLE, None, families::impossible),
    ("impossible sum=long", families::IMPOSSIBLE, Some(("sum", "long")), families::impossible),
];

/// One row for each size and family. Families without a board of the size are left out, and a note says why.
///
/// # Errors
/// Returns the limit of the budget that was reached, or that the search does not support a size.
pub fn run(
    request: &StudyRequest<'_, Rules, Instance>,
    budget: &mut Budget,
    output: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    let rules = request.rules;
    let sizes: Vec<Size> = match rules.size {
        Some(size) => vec![size],
        None => super::sides(request.params)?.map(|n| Size::new(n, n)).collect(),
    };
    for size in sizes {
        nullity::supports(rules.colours, rules.stencil, size)?;
        let nullity = nullity::nullity(rules.colours, rules.stencil, size, budget)?;
        let blank = Instance { size, squares: Digits::zeros(size.cells()) };
        let search = spec::built_in(EngineInfo::search("algebra", ""), "search:algebra")?;
        algebra::supports(rules, &blank, &search)?;
        let presses = spec::built_in(formula::PRESSES, "sat:presses")?;
        let supported = sat::supports(rules, &blank, &presses);
        if let Err(reason) = &supported {
            output.note(&format!("{size}: {presses}: {reason}."));
        }
        let presses = supported.is_ok().then_some(&presses);
        for family in &FAMILIES {
            family_row(request, (size, nullity), family, presses, budget, output)?;
        }
    }
    Ok(())
}

/// Makes the boards of one size and family, solves them, and reports their row. `sat_spec` is `None` if SAT does not
/// support boards of the size.
fn family_row(
    request: &StudyRequest<'_, Rules, Instance>,
    (size, nullity): (Size, usize),
    &(name, params, given, make): &Row,
    sat_spec: Option<&EngineSpec>,
    budget: &mut Budget,
    output: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    let [boards, seed, work] = ["boards", "seed", "work"].map(|key| request.params.whole(key));
    let side = request.rules.size.is_none().then(|| ("n".to_owned(), size.width.to_string()));
    let given = given.map(|(key, value)| (key.to_owned(), value.to_owned()));
    let params = Params::new(params, &side.into_iter().chain(given).collect::<Vec<_>>())?;
    let mut session = algebra::start();
    let (mut nodes, mut conflicts) = (Effort::default(), Effort::default());
    let (mut solvable, mut presses) = (0u32, 0u64);
    for i in 0..boards {
        output.steps((i.into(), boards.into()), format_args!("{size}, boards of {name}"));
        let mut rng = ChaCha8Rng::seed_from_u64(u64::from(seed) + u64::from(i));
        let board = match make(request.rules, &params, &mut rng) {
            Ok(board) => board,
            Err(reason) => {
                output.note(&format!("{name}, {size}: {reason}."));
                return Ok(());
            }
        };
        let searched = nodes.measure(work, budget, |part| decided(session(request.rules, &board, part)))?;
        let solved = match sat_spec {
            None => None,
            Some(spec) => conflicts
                .measure(work, budget, |part| decided(sat::solve(request.rules, &board, spec, part)))?,
        };
        if let Some(count) = searched.or(solved).and_then(|answer| answer.number()) {
            solvable += 1;
            presses += count.presses as u64;
        }
    }
    let mean = |total: u64, of: u32| match of {
        0 => Value::Null,
        _ => Value::from((total as f64 / f64::from(of) * 10.0).round() / 10.0),
    };
    let by_sat = |value: Value| if sat_spec.is_some() { value } else { Value::Null };
    output.row(row([
        ("family", name.into()),
        ("size", size.to_string().into()),
        ("nullity", nullity.into()),
        ("boards", boards.into()),
        ("solvable", solvable.into()),
        ("presses", mean(presses, solvable)),
        ("nodes", mean(nodes.total, boards)),
        ("worst_nodes", nodes.worst.into()),
        ("conflicts", by_sat(mean(conflicts.total, boards))),
        ("worst_conflicts", by_sat(conflicts.worst.into())),
        ("given_up", (nodes.given_up + conflicts.given_up).into()),
    ]));
    Ok(())
}
