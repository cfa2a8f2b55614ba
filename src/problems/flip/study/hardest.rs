//! The most presses that a solvable n×n board needs: the covering radius of the null space as a code.
//!
//! Every set of presses solves some board, and the board needs as many as the lightest of its coset has. Where either
//! colour will do, the presses that turn all squares over join the code. What has to be found is in
//! `code.rs`; the search by cases proves bounds from above, boards show them from below.

mod descent;
mod signs;

use super::certificate;
use super::code::{self, Code};
use crate::board::{Bits, Cell, Size};
use crate::engine::{Budget, Limit};
use crate::problem::{Asked, Param};
use crate::problems::flip::search::{algebra, elimination};
use crate::problems::flip::{Instance, Rules, Stencil, Target};
use crate::study::{Halt, Report, row};
use serde_json::{Map, Value, json};

/// Parameters of [`ask`]: sizes from n×n to `to`×`to`; binary logarithm of the nodes for each bound from above; moves
/// in a round of those from below.
pub const PARAMS: &[Param] = &[
    Param { key: "n", default: 4.0, min: 1.0, max: MAX_SIDE },
    Param { key: "to", default: 0.0, min: 0.0, max: MAX_SIDE },
    Param { key: "nodes", default: 20.0, min: 0.0, max: 40.0 },
    Param { key: "moves", default: 20_000.0, min: 0.0, max: 1e9 },
];

/// The greatest side.
const MAX_SIDE: f64 = 128.0;
/// Rounds without a better board until the search for one ends.
const ROUNDS: u32 = 4;
/// Nodes for each bound from above while kinds of even numbers of squares are left out.
const FEW_NODES: u64 = 1 << 16;

/// What was found for a size.
struct Found {
    /// Sums of signs of a hard board.
    sums: Vec<i32>,
    /// The greatest value of the spectrum is no less for any board.
    least: i32,
}

/// The question `hardest`: a row a size.
///
/// # Errors
/// Rules or a size that are not served, or the limit that was met, after what was found until then.
pub fn ask(
    &Asked { rules, params, .. }: &Asked<'_, Rules, Instance>,
    budget: &mut Budget,
    report: &mut dyn Report,
) -> Result<(), Halt> {
    let target = match (&rules.target, rules.colours) {
        (_, 3..) => {
            return Err(Halt::Refused("hardest boards are looked for of two colours only".to_owned()));
        }
        (Target::Board(_), _) => {
            return Err(Halt::Refused("hardest takes target either, white or black, no file".to_owned()));
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
            algebra::few_enough(size, size.cells()).map_err(Halt::Refused)?;
        }
        let before = budget.work.nodes;
        let (nullity, basis) = basis(rules.stencil, size, target, budget)?;
        let mut line = row([("n", n.into()), ("nullity", nullity.into()), ("target", target.into())]);
        if basis.len() > code::MAX_DIMENSIONS {
            line.append(&mut row([("at least", Value::Null), ("at most", Value::Null), ("nodes", 0.into())]));
            report.row(line);
            let few = code::MAX_DIMENSIONS - (basis.len() - nullity);
            let why = format!("{size}: a null space of 2^{nullity} is too large; up to 2^{few} is served.");
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

/// The nullity, and a basis of all presses that keep a board solved.
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

/// Raises the bound while all cases are gone through within the nodes, then looks for boards that meet it.
fn search(code: &Code, nodes: u64, moves: u32, found: &mut Found, budget: &mut Budget) -> Result<(), Limit> {
    let chain = code.chain();
    // All values of a spectrum are even, or all are odd.
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

/// What a certificate says of a size: presses that no others replace by fewer, and the order of cases.
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
