//! The question `hardest`: the most presses that a solvable n×n board needs, which is the covering radius of a code.
//!
//! Every set of presses solves some board. This board needs as many presses as the leader of the set's coset has. The
//! code is the null space; if either colour is allowed, it also contains the presses that turn all squares over.
//! `code.rs` restates the question in terms of spectra. A search by cases proves upper bounds, and boards prove lower
//! bounds.

mod descent;
mod signs;

use super::certificate;
use super::code::{self, Code};
use crate::search::{algebra, elimination};
use crate::{Instance, Rules, Stencil, Target};
use counterpoint_core::board::{Bits, Cell, Size};
use counterpoint_core::engine::{Budget, Limit};
use counterpoint_core::problem::{Param, StudyRequest};
use counterpoint_core::study::{StudyError, StudyOutput, row};
use serde_json::{Map, Value, json};

/// Parameters of [`run`]: the sizes, from n×n to `to`×`to`; the binary logarithm of the maximum number of
/// nodes for each upper bound; and the maximum number of moves in a round of the search for lower bounds.
pub const PARAMS: &[Param] = &[
    Param::number("n", 4.0, 1.0, MAX_SIDE),
    Param::number("to", 0.0, 0.0, MAX_SIDE),
    Param::number("nodes", 20.0, 0.0, 40.0),
    Param::number("moves", 20_000.0, 0.0, 1e9),
];

/// The longest side.
const MAX_SIDE: f64 = 128.0;
/// The search for a better board ends after this many rounds without one.
const ROUNDS: u32 = 4;
/// The maximum number of nodes for each quick search that looks only at sums with an absolute value of at most 1. Kinds
/// with an even number of squares then have sum 0.
const FEW_NODES: u64 = 1 << 16;

/// The findings for a size.
struct Found {
    /// For each kind, the sum of signs on the hardest board found.
    sums: Vec<i32>,
    /// A lower bound on the greatest value of the spectrum of every board.
    least: i32,
}

/// Answers the question `hardest`, with one row per size.
///
/// # Errors
/// Returns that the rules or a size are not supported, or the limit that was reached. The rows found before are
/// reported.
pub fn run(
    &StudyRequest { rules, params, .. }: &StudyRequest<'_, Rules, Instance>,
    budget: &mut Budget,
    report: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    let target = match (&rules.target, rules.colours) {
        (_, 3..) => {
            return Err(StudyError::unsupported("hardest supports only two colours".to_owned()));
        }
        (Target::Board(_), _) => {
            return Err(StudyError::unsupported(
                "hardest supports target=either, white and black, but no file".to_owned(),
            ));
        }
        (Target::Either, _) => "either",
        (Target::White | Target::Black, _) => "one",
    };
    let nodes = 1u64 << params.whole("nodes");
    let mut boards = Vec::new();
    let mut end = Ok(());
    for n in super::sides(params)? {
        let size = Size::new(n, n);
        if rules.stencil != Stencil::Plus {
            algebra::few_enough(size, size.cells())?;
        }
        let before = budget.work.nodes;
        let (nullity, basis) = basis(rules.stencil, size, target, budget)?;
        let mut line = row([("n", n.into()), ("nullity", nullity.into()), ("target", target.into())]);
        if basis.len() > code::MAX_DIMENSIONS {
            line.append(&mut row([("at least", Value::Null), ("at most", Value::Null), ("nodes", 0.into())]));
            report.row(line);
            let few = code::MAX_DIMENSIONS - (basis.len() - nullity);
            let why =
                format!("{size}: a null space of 2^{nullity} elements is too large; the maximum is 2^{few}.");
            report.summary(&why, row([("n", n.into()), ("left_out", why.as_str().into())]));
            report.no_file(&why);
            continue;
        }
        report.progress(format_args!("{size}, {} dimensions, {before} nodes so far", basis.len()));
        let code = code::code(size.cells(), &basis);
        let mut found =
            Found { sums: code.kinds.iter().map(|kind| i32::from(kind.is_odd())).collect(), least: 0 };
        let limit = search(&code, nodes, params.whole("moves"), &mut found, budget);
        let presses = code.presses(code.greatest(&found.sums));
        line.append(&mut row([
            ("at least", presses.into()),
            ("at most", code.presses(found.least).into()),
            ("nodes", (budget.work.nodes - before).into()),
        ]));
        report.row(line);
        boards.push(board(size, &code, &basis, &found));
        end = limit;
        if end.is_err() {
            break;
        }
    }
    if boards.is_empty() {
        return Ok(end?);
    }
    report.file("certificate.json", &|| {
        let members = [("target".to_owned(), target.into()), ("boards".to_owned(), boards.clone().into())];
        certificate::bytes("hardest", rules, members)
    });
    Ok(end?)
}

/// The nullity, and a basis of all press sets that keep a solved board solved.
fn basis(
    stencil: Stencil,
    size: Size,
    target: &str,
    budget: &mut Budget,
) -> Result<(usize, Vec<Bits>), Limit> {
    let all = Bits::ones(size.cells());
    let solutions = elimination::solutions(stencil, size, &all, budget)?;
    let nullity = solutions.null.len();
    let mut basis = solutions.null;
    if target == "either" {
        let [over, _] = solutions.particular;
        basis.extend(over);
    }
    Ok((nullity, basis))
}

/// Raises `found.least` as long as the search by cases proves, within `nodes` nodes, that no board attains this bound.
/// Ends if the search finds a board that attains the bound. If the search runs out of nodes, looks for hard boards by
/// threshold accepting (`descent.rs`).
fn search(code: &Code, nodes: u64, moves: u32, found: &mut Found, budget: &mut Budget) -> Result<(), Limit> {
    let chain = code.chain();
    // The values of a spectrum are all even or all odd.
    found.least = (code.length() % 2) as i32;
    loop {
        let mut within = |reach: i32, nodes: u64| {
            let mut some = budget.part(nodes.min(budget.left()));
            let end = signs::within(code, &chain, (found.least, reach), &mut some);
            budget.work.nodes += some.work.nodes;
            match end {
                Err(Limit::Work) => budget.poll().map(|()| None),
                end => end.map(Some),
            }
        };
        if let Some(Some(sums)) = within(1, FEW_NODES.min(nodes))? {
            found.sums = sums;
            return Ok(());
        }
        match within(found.least, nodes)? {
            Some(None) => found.least += 2,
            Some(Some(sums)) => {
                found.sums = sums;
                return Ok(());
            }
            None => break,
        }
    }
    descent::lower(code, (ROUNDS, moves), found.least, &mut found.sums, budget)
}

/// The entry of a size in a certificate: a coset leader of the greatest weight found, and the order of the cases.
fn board(size: Size, code: &Code, basis: &[Bits], found: &Found) -> Value {
    let mut presses = code.board(size.cells(), &found.sums);
    let lightest = code.lightest(&found.sums);
    basis.iter().enumerate().filter(|(k, _)| lightest >> k & 1 == 1).for_each(|(_, v)| presses.xor(v));
    let place = |cell: Cell| json!(cell.one_based());
    let chain = code.chain().into_iter().map(|kind| place(size.cell(code.kinds[kind].squares[0])));
    let members = [
        ("n", size.width.into()),
        ("presses", presses.count().into()),
        ("most", code.presses(found.least).into()),
        ("rows", json!(certificate::rows(size, &presses.into()))),
        ("chain", chain.collect()),
    ];
    Value::Object(members.map(|(key, value)| (key.to_owned(), value)).into_iter().collect::<Map<_, _>>())
}
