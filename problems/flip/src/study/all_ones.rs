//! The question `all-ones`: the fewest presses that turn every square of an n×n board, from all lights on to all off.
//!
//! With two colours, a solution always exists (Sutner 1989); for the plus stencil the minimum is OEIS A075464. With
//! more than two colours, every square must move on by one colour, which is impossible for some sizes.
//!
//! The study computes the null space and searches for a coset leader. If branch and bound would take too long, the
//! study examines all solutions by Walsh–Hadamard transforms, provided that the dimension of the null space is at most
//! the parameter `transform`. If the dimension is greater, the study searches only solutions that have one of the
//! board's symmetries; the result is an upper bound. With more than two colours, the study uses `search/modular.rs`.

use super::certificate;
use crate::answer::Answer;
use crate::search::least::{Effort, Split, of_coset};
use crate::search::{algebra, elimination, modular, nullity, symmetric};
use crate::{Goal, Instance, Rules, Stencil, Target};
use counterpoint_core::board::{Bits, Digits, Size};
use counterpoint_core::engine::{Budget, Limit, Outcome};
use counterpoint_core::problem::{Param, StudyRequest};
use counterpoint_core::study::{StudyError, StudyOutput, row};
use serde_json::{Map, Value, json};

/// Parameters of [`run`]:
///
/// * `n`, `to`: the sizes, from n×n to `to`×`to`;
/// * `unfolded`: branch and bound is used only if the board folds to an eighth of its squares (`search/folding.rs`)
///   when at most this many dimensions of the null space are decided;
/// * `symmetric`: if no exact search is possible, the search for each symmetry takes at most 2^`symmetric` nodes;
/// * `transform`: if branch and bound is not used, transforms examine null spaces of at most this many dimensions (40
///   take minutes).
pub const PARAMS: &[Param] = &[
    Param::number("n", 4.0, 1.0, MAX_SIDE),
    Param::number("to", 0.0, 0.0, MAX_SIDE),
    Param::number("unfolded", 26.0, 0.0, 48.0),
    Param::number("symmetric", 24.0, 0.0, 48.0),
    Param::number("transform", 30.0, 0.0, 60.0),
];

/// The longest side.
const MAX_SIDE: f64 = 256.0;

/// The findings for a size.
struct Found {
    nullity: usize,
    /// The presses, or a null vector that proves that there is no solution.
    presses: Result<Digits, Digits>,
    /// Whether the presses are known to be the fewest; true if there is no solution.
    optimal: bool,
    /// How transforms showed that the presses are the fewest.
    split: Option<Split>,
}

/// Answers the question `all-ones`, with one row per size.
///
/// # Errors
/// Returns that a size is not supported, or the limit that was reached. The rows found before are reported.
pub fn run(
    &StudyRequest { rules, params, .. }: &StudyRequest<'_, Rules, Instance>,
    budget: &mut Budget,
    report: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    let effort = Effort {
        unfolded: params.whole("unfolded") as usize,
        symmetric_nodes: 1 << params.whole("symmetric"),
        symmetries: symmetric::PAIRS,
        transformed: params.whole("transform") as usize,
    };
    let mut boards = Vec::new();
    let mut end = Ok(());
    for n in super::sides(params)? {
        let size = Size::new(n, n);
        check_size(rules, size)?;
        report.progress(format_args!("{size}"));
        let before = budget.work.nodes;
        let (found, limit) = match rules.colours {
            2 => two_colours(rules.stencil, size, effort, budget, report)?,
            _ => more_colours(rules, size, budget)?,
        };
        let nodes = budget.work.nodes - before;
        let presses = found.presses.as_ref().ok().map(Digits::total);
        let least = match presses {
            None => "impossible",
            Some(_) if found.optimal => "least",
            Some(_) => "at most",
        };
        report.row(row([
            ("n", n.into()),
            ("nullity", found.nullity.into()),
            ("bound", least.into()),
            ("presses", presses.into()),
            ("nodes", nodes.into()),
        ]));
        if !found.optimal && found.presses.is_ok() && rules.colours == 2 && limit.is_ok() {
            report.note(&untried(n, found.nullity));
        }
        boards.push(board(rules.stencil, size, &found));
        end = limit;
        if end.is_err() {
            break;
        }
    }
    report.file("certificate.json", &|| {
        certificate::bytes("all-ones", rules, [("boards".to_owned(), boards.clone().into())])
    });
    Ok(end?)
}

/// A note on what could be tried if only an upper bound was found.
fn untried(n: u32, nullity: usize) -> String {
    format!("{n}x{n}: not all 2^{nullity} solutions were examined; transform={nullity} examines all of them.")
}

fn check_size(rules: &Rules, size: Size) -> Result<(), StudyError> {
    let supported = match (rules.stencil, rules.colours) {
        (stencil, 3..) => modular::supports(stencil, size),
        (Stencil::Plus, _) => Ok(()),
        _ => algebra::few_enough(size, size.cells()),
    };
    Ok(supported?)
}

fn two_colours(
    stencil: Stencil,
    size: Size,
    effort: Effort,
    budget: &mut Budget,
    report: &mut dyn StudyOutput,
) -> Result<(Found, Result<(), Limit>), StudyError> {
    let all = Bits::ones(size.cells());
    let solutions = elimination::solutions(stencil, size, &all, budget)?;
    let nullity = solutions.null.len();
    let [Some(start), _] = solutions.particular else {
        return Err(StudyError::unsupported(format!(
            "elimination found no presses that turn all squares of {size}, but with every stencil there are some"
        )));
    };
    let (best, split, end) = of_coset(effort, size, (start, solutions.null), budget, &mut |done, all| {
        report.steps((done, all), format_args!("cosets of {size}"));
    });
    let (least, end) = end.map_or_else(|limit| (false, Err(limit)), |least| (least, Ok(())));
    let split = split.filter(|_| least);
    Ok((Found { nullity, presses: Ok(best.into()), optimal: least, split }, end))
}

fn more_colours(
    rules: &Rules,
    size: Size,
    budget: &mut Budget,
) -> Result<(Found, Result<(), Limit>), StudyError> {
    let p = rules.colours;
    // All squares have the last colour and must move on to colour 0.
    let lights = Instance { size, squares: Digits::all(size.cells(), p - 1) };
    let rules =
        Rules { size: None, target: Target::White, goal: Goal::Fewest, within: None, ..rules.clone() };
    let nullity = nullity::nullity(p, rules.stencil, size, budget)?;
    let (answer, end) = match modular::solve(&rules, &lights, budget) {
        Outcome::Decided(answer) => (answer, Ok(())),
        Outcome::GaveUp(limit, Some(best)) => (best, Err(limit)),
        Outcome::GaveUp(limit, None) => return Err(limit.into()),
        Outcome::Unsupported(why) => return Err(why.into()),
        Outcome::Failed(why) => return Err(why.into()),
    };
    let found = match answer {
        Answer::Presses { presses, optimal } => {
            Found { nullity, presses: Ok((*presses).clone()), optimal, split: None }
        }
        Answer::Number { presses, .. } => {
            return Err(format!("the engine did not say which {presses} presses suffice").into());
        }
        Answer::Impossible(weights) => {
            let weights = weights.unwrap_or_else(|| Digits::zeros(size.cells()));
            Found { nullity, presses: Err(weights), optimal: true, split: None }
        }
    };
    Ok((found, end))
}

fn first_row(size: Size, vector: &Bits) -> Option<String> {
    certificate::rows(size, &vector.clone().into()).into_iter().next()
}

/// The entry of a board in a certificate. With the plus stencil, only the first row is written, because it determines
/// the others. If transforms found the result, the entry has the basis of the null space and a symmetry, with which the
/// checker repeats their work.
fn board(stencil: Stencil, size: Size, found: &Found) -> Value {
    let rows = |all: &Digits| certificate::rows(size, all);
    let mut board = Map::new();
    board.insert("n".to_owned(), size.width.into());
    board.insert("nullity".to_owned(), found.nullity.into());
    match &found.presses {
        Err(weights) => {
            board.insert("weights".to_owned(), json!(rows(weights)));
        }
        Ok(presses) => {
            board.insert("presses".to_owned(), presses.total().into());
            board.insert("least".to_owned(), found.optimal.into());
            let mut rows = rows(presses);
            if stencil == Stencil::Plus {
                rows.truncate(1);
            }
            board.insert("rows".to_owned(), json!(rows));
            if let (Stencil::Plus, Some(Split { bases, symmetry })) = (stencil, &found.split) {
                for (key, basis) in ["first", "second"].into_iter().zip(bases) {
                    let first_rows: Vec<String> =
                        basis.iter().filter_map(|vector| first_row(size, vector)).collect();
                    board.insert(key.to_owned(), json!(first_rows));
                }
                let name = symmetry
                    .map_or("none", |symmetry| if symmetry.turns == 0 { "mirror" } else { "diagonal" });
                board.insert("symmetry".to_owned(), name.into());
            }
        }
    }
    Value::Object(board)
}
