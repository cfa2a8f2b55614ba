//! `check --model`: checks the result of a SAT solver for a formula that `encode` wrote.
//!
//! The head of the file names an instance and an engine, and the file must contain the formula that this engine writes
//! for this instance. If the solver found a model, the model must satisfy the formula of the file; then the model is
//! decoded, and the resulting answer is checked like any other. If the solver says that there is no model, a search
//! looks for a solution.

use super::context::Context;
use super::encoding::{self, Encoding};
use super::exit::{Failure, Status};
use super::expected::{Expected, Searched, expected};
use super::verdict::{self, Ended, print_claims, shown, verdict};
use super::{interrupt, read};
use crate::claim::{self, Claim};
use crate::erased::DynProblem;
use crate::export::{File, Format, Model, Numbering, Verdict, first_difference, verify_model};
use crate::problem::{Assignment, ModelKind};
use std::io::Write;

/// The maximum length of a file that is read, in bytes.
const MAX_BYTES: u64 = 1 << 31;

pub(super) fn run(
    context: &Context,
    model: &str,
    formula: &str,
    out: &mut dyn Write,
) -> Result<Status, Failure> {
    if model == "-" && formula == "-" {
        let why = "the model and the formula cannot both be standard input; name a file for one of them";
        return Err(Failure::usage(why));
    }
    let whole = |name: &str| read::whole(name, MAX_BYTES);
    let failed = |name: &str, why: &dyn ToString| Failure::usage(format!("{name}:{}", why.to_string()));
    let file = File::parse(&whole(formula)?).map_err(|e| failed(formula, &e))?;
    let model_name = model;
    let model = Model::parse(&whole(model)?, file.n_vars).map_err(|e| failed(model_name, &e))?;

    let inside = |why: String| Failure::usage(format!("{formula}: {why}"));
    let problem = context.registry.find(&file.head.problem).map_err(|e| inside(e.into()))?;
    let engine = encoding::sat_engine(context, problem, &file.head.engine)
        .map_err(|failure| inside(failure.message))?;
    let rules =
        serde_json::from_str(&file.head.rules).map_err(|e| inside(format!("the rules in its head: {e}")))?;
    let instance = problem
        .instance_with(&rules, &file.head.instance, &read::referenced)
        .map_err(|e| inside(e.into()))?;

    let mut claims = Vec::new();
    let encoding = Encoding { instance: &*instance, engine: &engine };
    let claim = format!("the file contains the formula that {engine} writes");
    claims.push(
        match first_difference(&file, &encoding.head(), &encoding)
            .map_err(|error| inside(error.to_string()))?
        {
            None => Claim::new(claim, claim::Status::Recomputed),
            Some(difference) => Claim::new(claim, claim::Status::Failed(difference)),
        },
    );
    let (outcome, text) = match model.verdict {
        Verdict::Satisfiable | Verdict::Optimum => {
            claims.extend(satisfies(&file, &model));
            let value = |lit| model.value(lit) == Some(true);
            let mut sink = Numbering::new(file.format);
            let kind = match model.verdict {
                _ if file.format == Format::Icnf => ModelKind::UnderAssumptions,
                Verdict::Optimum if file.has_costs() => ModelKind::Optimum,
                _ => ModelKind::Plain,
            };
            let model = Assignment { spec: &engine, sink: &mut sink, value: &value, kind };
            let read = || instance.read_model(model, &mut verdict::check_budget());
            let decoded = interrupt::interruptible(read).map_err(|e| inside(e.into()))?;
            claims.extend(decoded.claims);
            (decoded.outcome, decoded.text)
        }
        Verdict::Unsatisfiable if file.questions > 1 => {
            let open = format!(
                "the file has {} queries; the output does not say which is unsatisfiable",
                file.questions
            );
            claims.push(Claim::new("a query has no model", claim::Status::Open(open)));
            ("no model".to_owned(), String::new())
        }
        Verdict::Unsatisfiable => {
            let status = match interrupt::interruptible(|| refuted(context, problem, &encoding))? {
                Some(why) => claim::Status::Failed(why),
                None => {
                    let open = "the solver gave no proof; `solve --certify` writes one";
                    claim::Status::Open(open.to_owned())
                }
            };
            claims.push(Claim::new("the formula has no model", status));
            ("no model".to_owned(), String::new())
        }
        Verdict::Unknown => {
            let message = format!("{model_name}: the solver's result is unknown");
            return Err(Failure { status: Status::Limit, message });
        }
    };
    writeln!(
        out,
        "model of {engine}, {}: {outcome}, {}",
        problem.name(),
        shown(verdict(&claims, Ended::Settled))
    )?;
    print_claims(&claims, out)?;
    out.write_all(text.as_bytes())?;
    Ok(if claim::any_failed(&claims) { Status::Wrong } else { Status::Done })
}

/// Shows that a solver's verdict "unsatisfiable" is wrong: returns the name of a search and the solution that it finds,
/// if the checker accepts this solution. `None` if no such solution is found.
fn refuted(
    context: &Context,
    problem: &dyn DynProblem,
    encoding: &Encoding<'_>,
) -> Result<Option<String>, Failure> {
    let Searched::Answer(expected) = expected(context, problem, encoding, None)? else { return Ok(None) };
    let Expected { search, satisfiable, outcome, claims, .. } = expected;
    let shown =
        claims.iter().any(|claim| claim.status == claim::Status::Witness) && !claim::any_failed(&claims);
    Ok((shown && satisfiable == Some(true)).then(|| format!("{search} finds {outcome}")))
}

/// The claim that the model satisfies the hard constraints. If it does and the solver printed a cost, also the claim
/// that the model has this cost.
fn satisfies(file: &File, model: &Model) -> Vec<Claim> {
    let hard = match (file.hard_constraints(), file.constraints()) {
        (hard, all) if hard < all => format!("{hard} hard constraints"),
        (hard, _) => format!("{hard} constraints"),
    };
    let checked = verify_model(file, model);
    let cost = checked.as_ref().ok().copied();
    let mut claims = vec![Claim::replayed(
        format!("the model satisfies all {hard}"),
        checked.map(drop).map_err(|e| e.to_string()),
    )];
    if let (Some(said), Some(cost)) = (model.cost, cost) {
        let right = if said == cost { Ok(()) } else { Err(format!("it costs {cost}")) };
        claims.push(Claim::replayed(format!("the model costs {said}"), right));
    }
    claims
}
