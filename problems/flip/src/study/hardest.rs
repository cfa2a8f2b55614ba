//! The question `hardest`: the most presses that a solvable n×n board needs, which is the covering radius of a code.
//!
//! Every set of presses solves some board. This board needs as many presses as the leader of the set's coset has. The
//! code is the null space; if either colour is allowed, it also contains the presses that turn all squares over.
//! `code.rs` restates the question in terms of spectra. A search by cases proves upper bounds, and boards prove lower
//! bounds. `scaled.rs` describes boards whose kinds are those of a smaller board; with them, the most presses of a whole
//! family of boards have a closed form.

mod descent;
mod levels;
mod scaled;
mod signs;

use super::certificate;
use super::code::{self, Code};
use crate::search::{algebra, elimination, nullity};
use crate::{Instance, Rules, Stencil, Target};
use counterpoint_core::board::{Bits, Size};
use counterpoint_core::engine::{Budget, Limit};
use counterpoint_core::problem::{Param, StudyRequest};
use counterpoint_core::study::{StudyError, StudyOutput, row};
use levels::Levels;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Parameters of [`run`]: the sizes, from n×n to `to`×`to`; whether only sizes are reported whose kinds are those of a
/// smaller board, and the greatest nullity of these sizes; the binary logarithm of the maximum number of nodes for each
/// upper bound; and the maximum number of moves in a round of the search for lower bounds.
pub const PARAMS: &[Param] = &[
    Param::number("n", 4.0, 1.0, MAX_SIDE),
    Param::number("to", 0.0, 0.0, MAX_SIDE),
    Param::word("sizes", &["all", "scaled"]),
    Param::number("nullity", code::MAX_DIMENSIONS as f64, 0.0, code::MAX_DIMENSIONS as f64),
    Param::number("nodes", 20.0, 0.0, 40.0),
    Param::number("moves", 20_000.0, 0.0, 1e9),
];

/// The longest side.
const MAX_SIDE: f64 = 255.0;
/// The search for a better board ends after this many rounds without one.
const ROUNDS: u32 = 4;
/// The maximum number of nodes for each quick search that looks only at sums with an absolute value of at most 1. Kinds
/// with an even number of squares then have sum 0.
const FEW_NODES: u64 = 1 << 16;

/// The findings for a size.
#[derive(Default)]
struct Found {
    /// For each kind, the sum of signs on the hardest board found.
    sums: Vec<i32>,
    /// A lower bound on the greatest value of the spectrum of every board.
    least: i32,
    /// Whether `levels.rs` proved this bound.
    two_levels: bool,
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
    let limits = (1u64 << params.whole("nodes"), params.whole("moves"));
    let mut boards = Vec::new();
    let mut end = Ok(());
    let mut levels = Proofs::default();
    for n in super::sides(params)? {
        let size = Size::new(n, n);
        if rules.stencil != Stencil::Plus {
            algebra::few_enough(size, size.cells())?;
        }
        let before = budget.work.nodes;
        let nullity = nullity::nullity(2, rules.stencil, size, budget)?;
        let origin = scaled::origin(rules.stencil, n, nullity, budget)?;
        let left_out = origin.is_none() || nullity > params.whole("nullity") as usize;
        if params.word("sizes") == "scaled" && left_out {
            continue;
        }
        let columns = [("n", n.into()), ("nullity", nullity.into()), ("target", target.into())];
        let mut line = row(columns);
        line.insert("n0".to_owned(), origin.into());
        let dimensions = nullity + usize::from(target == "either");
        if dimensions > code::MAX_DIMENSIONS {
            line.append(&mut row([("at least", Value::Null), ("at most", Value::Null), ("nodes", 0.into())]));
            report.row(line);
            let few = code::MAX_DIMENSIONS - (dimensions - nullity);
            let why =
                format!("{size}: a null space of 2^{nullity} elements is too large; the maximum is 2^{few}.");
            report.summary(&why, row([("n", n.into()), ("left_out", why.as_str().into())]));
            report.no_file(&why);
            continue;
        }
        report.progress(format_args!("{size}, {dimensions} dimensions"));
        let basis = basis(rules.stencil, (size, origin), target, budget)?;
        let code = code::code(size.cells(), &basis);
        let mut found = Found {
            sums: code.kinds.iter().map(|kind| i32::from(kind.is_odd())).collect(),
            ..Found::default()
        };
        let null = code::code(size.cells(), &basis[..nullity]);
        let mut question = Question { code: &code, null: &null, size, proofs: &mut levels };
        let limit = question.search(limits, &mut found, budget);
        let presses = code.presses(code.greatest(&found.sums));
        line.append(&mut row([
            ("at least", presses.into()),
            ("at most", code.presses(found.least).into()),
            ("nodes", (budget.work.nodes - before).into()),
        ]));
        report.row(line);
        boards.push(board((size, origin), &code, &basis, &found));
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

/// A basis of all press sets that keep a solved board solved: the null space, then the presses that turn all squares
/// over if either colour is allowed.
fn basis(
    stencil: Stencil,
    (size, origin): (Size, Option<u32>),
    target: &str,
    budget: &mut Budget,
) -> Result<Vec<Bits>, Limit> {
    let mut solutions = |size: Size| elimination::solutions(stencil, size, &Bits::ones(size.cells()), budget);
    let (null, over) = match origin {
        None => {
            let solutions = solutions(size)?;
            (solutions.null, solutions.particular[0].clone())
        }
        Some(n0) => {
            let null = solutions(Size::new(n0, n0))?.null;
            let over = if target == "either" { solutions(size)?.particular[0].clone() } else { None };
            (null.iter().map(|vector| scaled::copies(vector, n0, size.width)).collect(), over)
        }
    };
    Ok(null.into_iter().chain(over.filter(|_| target == "either")).collect())
}

/// The values that `levels.rs` has excluded: for each list of kinds, with their parities, the least value that is left.
#[derive(Default)]
struct Proofs(BTreeMap<Vec<(u32, bool)>, i32>);

/// The search for the hardest board of a size.
struct Question<'a> {
    code: &'a Code,
    /// The code without the presses that turn all squares over.
    null: &'a Code,
    size: Size,
    proofs: &'a mut Proofs,
}

impl Question<'_> {
    /// Raises `found.least` as long as cases prove, within `nodes` nodes, that no board attains this bound. Ends if the
    /// search finds a board that attains the bound. If the search runs out of nodes, looks for hard boards by threshold
    /// accepting (`descent.rs`).
    fn search(
        &mut self,
        (nodes, moves): (u64, u32),
        found: &mut Found,
        budget: &mut Budget,
    ) -> Result<(), Limit> {
        let code = self.code;
        let chain = code.chain();
        // The values of a spectrum are all even or all odd.
        found.least = (code.length() % 2) as i32;
        loop {
            let mut within = |reach: i32, nodes: u64| {
                part(nodes, budget, |some| signs::within(code, &chain, (found.least, reach), some))
            };
            if let Some(Some(sums)) = within(1, FEW_NODES.min(nodes))? {
                found.sums = sums;
                return Ok(());
            }
            let mut cases = within(found.least, FEW_NODES.min(nodes))?;
            if cases.is_none() && part(nodes, budget, |some| self.excluded(found.least, some))? == Some(true)
            {
                found.least += 2;
                found.two_levels = true;
                continue;
            }
            if cases.is_none() {
                cases = part(nodes, budget, |some| {
                    signs::within(code, &chain, (found.least, found.least), some)
                })?;
            }
            match cases {
                Some(None) => (found.least, found.two_levels) = (found.least + 2, false),
                Some(Some(sums)) => {
                    found.sums = sums;
                    return Ok(());
                }
                None => break,
            }
        }
        descent::lower(code, (ROUNDS, moves), found.least, &mut found.sums, budget)
    }

    /// Whether the two levels show that no spectrum is at most `bound`.
    ///
    /// If either colour is allowed, let p be the number of squares that only the presses that turn all squares over
    /// contain, and a the sum of their signs. Replace a(t) by the sum over both kinds of t, the second one times the sign
    /// of a. The result belongs to the null space, and its spectrum is at most bound - |a|. If p is odd, |a| ≥ 1.
    fn excluded(&mut self, bound: i32, budget: &mut Budget) -> Result<bool, Limit> {
        let Some(levels) = Levels::of(self.null, self.size) else { return Ok(false) };
        let bound = bound - ((self.code.length() - self.null.length()) % 2) as i32;
        if bound % 2 != 0 {
            return Ok(false);
        }
        let kinds = self.null.kinds.iter().map(|kind| (kind.key, kind.is_odd())).collect();
        let least = self.proofs.0.entry(kinds).or_default();
        while *least <= bound && levels.exclude(*least, budget)? {
            *least += 2;
        }
        Ok(*least > bound)
    }
}

/// Runs a search with at most `nodes` nodes; `None` if they are not enough.
fn part<T>(
    nodes: u64,
    budget: &mut Budget,
    search: impl FnOnce(&mut Budget) -> Result<T, Limit>,
) -> Result<Option<T>, Limit> {
    let mut some = budget.part(nodes.min(budget.left()));
    let end = search(&mut some);
    budget.work.nodes += some.work.nodes;
    match end {
        Err(Limit::Work) => budget.poll().map(|()| None),
        end => end.map(Some),
    }
}

/// The entry of a size in a certificate: the hardest board found, and how its upper bound is proved. If the kinds are
/// those of a smaller board, sums of signs describe the board; otherwise the entry contains a coset leader.
fn board((size, origin): (Size, Option<u32>), code: &Code, basis: &[Bits], found: &Found) -> Value {
    let place = |kind: usize| size.cell(code.kinds[kind].squares[0]).one_based();
    let mut members = vec![("n", json!(size.width))];
    let most = code.presses(found.least);
    if let Some(n0) = origin {
        let sums = found.sums.iter().enumerate().filter(|(_, sum)| **sum != 0);
        let sums = sums.map(|(kind, sum)| json!([place(kind)[0], place(kind)[1], sum]));
        members.extend([
            ("k", json!((size.width + 1) / (n0 + 1))),
            ("n0", json!(n0)),
            ("presses", json!(code.presses(code.greatest(&found.sums)))),
            ("most", json!(most)),
            ("sums", sums.collect()),
        ]);
    } else {
        let mut presses = code.board(size.cells(), &found.sums);
        let lightest = code.lightest(&found.sums);
        basis.iter().enumerate().filter(|(k, _)| lightest >> k & 1 == 1).for_each(|(_, v)| presses.xor(v));
        members.extend([
            ("presses", json!(presses.count())),
            ("most", json!(most)),
            ("rows", json!(certificate::rows(size, &presses.into()))),
        ]);
    }
    members.push(match found.two_levels {
        true => ("proof", "two levels".into()),
        false => ("chain", code.chain().into_iter().map(|kind| json!(place(kind))).collect()),
    });
    Value::Object(members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<Map<_, _>>())
}
