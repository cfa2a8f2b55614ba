//! What an answer is about, besides its claims: size, engine, rules, and the files that lie beside it.

use super::context::Context;
use super::encoding::{self, Encoding};
use super::exit::Failure;
use super::explain::picture;
use super::print::one_line;
use super::{interrupt, proofs, read};
use crate::claim::{Claim, Status};
use crate::erased::{DynAnswer, DynProblem};
use crate::export::{self, File};
use crate::proof::{Formula, Obligation};
use crate::solver::SolverRegistry;
use crate::spec;
use serde_json::{Map, Value};
use std::path::Path;

/// The longest file that is read.
const MAX_BYTES: u64 = 1 << 30;

/// The longest part of a value or line that is shown.
const MAX_SHOWN: usize = 60;

/// Problem, size, engine, and every rule that is not the judge's, on one line.
pub(super) fn line(problem: &dyn DynProblem, reply: &dyn DynAnswer, map: &Map<String, Value>) -> String {
    let size = match reply.size() {
        size if size.is_empty() => size,
        size => format!(" {size}"),
    };
    let engine = match map.get("engine").and_then(Value::as_str) {
        Some(engine) if is_known(problem, engine) => format!("by {engine}"),
        Some(engine) => format!("by {}, which this build does not have", short(engine)),
        None => "by an engine that is not named".to_owned(),
    };
    let rules: Vec<String> =
        reply.changed_rules().iter().map(|(key, value)| format!("{key}={}", short(value))).collect();
    let rules =
        if rules.is_empty() { "the judge's rules".to_owned() } else { format!("rules {}", rules.join(" ")) };
    format!("{}{size}, {engine}, {rules}", problem.name())
}

/// Whether the part of an id before the solver names exactly one engine.
fn is_known(problem: &dyn DynProblem, engine: &str) -> bool {
    let model = engine.split('@').next().unwrap_or_default();
    let found = spec::resolve(problem.engines(), &SolverRegistry::built_in(), model);
    found.is_ok_and(|found| found.len() == 1 && found[0].to_string() == model)
}

/// A text on one line, cut if it is long.
fn short(text: &str) -> String {
    let shown = one_line(text.trim_end());
    match shown.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}...", &shown[..end]),
        None => shown,
    }
}

/// A claim for each file of the folder that shows the instance, a formula or the answer: it must be this
/// answer's. Files that are not there claim nothing.
pub(super) fn files(
    context: &Context,
    dir: &Path,
    (problem, reply): (&dyn DynProblem, &dyn DynAnswer),
    map: &Map<String, Value>,
) -> Result<Vec<Claim>, Failure> {
    let read = |name: &str| -> Result<Option<String>, Failure> {
        let path = dir.join(name);
        if path.symlink_metadata().is_err() {
            return Ok(None);
        }
        let path = path.display().to_string();
        let bytes = read::bytes(&path, read::regular(&path)?, MAX_BYTES)?;
        Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
    };
    let mut claims = Vec::new();
    if let Some(text) = read("instance.txt")? {
        let right = same(&text, &reply.instance_text(), "the answer's instance");
        claims.push(claim("instance.txt holds the answer's instance", right));
    }
    let obligations = reply.obligations();
    for (name, k) in proofs::formulas(dir, obligations.len())? {
        if let Some(text) = read(&name)? {
            let asked = k.and_then(|k| obligations.get(k));
            claims.push(formula(context, &name, &text, asked, (problem, reply), map));
        }
    }
    if let Some(text) = read("picture.svg")? {
        let drawn = interrupt::listening(|| picture(context, reply)).svg();
        let right = same(&text, &drawn, "the picture that this build draws of the answer")
            .map_err(|why| format!("{why}; `solve --save` draws it again"));
        claims.push(claim("picture.svg shows the answer", right));
    }
    Ok(claims)
}

fn claim(text: impl Into<String>, right: Result<(), String>) -> Claim {
    Claim::new(text, right.map_or_else(Status::Failed, |()| Status::Recomputed))
}

/// Whether two texts have the same lines; how a line ends does not matter.
fn same(found: &str, expected: &str, what: &str) -> Result<(), String> {
    let (mut found, mut expected) = (found.trim_end().lines(), expected.trim_end().lines());
    for number in 1.. {
        let (found, expected) = (found.next().map(str::trim_end), expected.next().map(str::trim_end));
        match (found, expected) {
            (None, None) => break,
            (one, other) if one == other => {}
            (_, None) => return Err(format!("line {number}: {what} has ended before")),
            (_, Some(line)) => return Err(format!("line {number}: {what} has '{}' there", short(line))),
        }
    }
    Ok(())
}

/// A formula beside an answer is the checker's own, or one that an engine writes for the same question.
fn formula(
    context: &Context,
    name: &str,
    text: &str,
    asked: Option<&Obligation<'_>>,
    (problem, reply): (&dyn DynProblem, &dyn DynAnswer),
    map: &Map<String, Value>,
) -> Claim {
    if let Ok(file) = File::parse(text) {
        let told = format!("{name} holds what {} writes for the answer's instance", short(&file.head.engine));
        let answer = (problem.name(), map.get("rules"), reply.instance_text());
        let rules: Option<Value> = serde_json::from_str(&file.head.rules).ok();
        if (file.head.problem.as_str(), rules.as_ref(), file.head.instance.clone()) != answer {
            return Claim::new(
                told,
                Status::Failed("its head names another instance or other rules".to_owned()),
            );
        }
        let engine = match encoding::model(context, problem, &file.head.engine) {
            Ok(engine) => engine,
            Err(_) => {
                let why = "this build does not have that engine, so the formula cannot be written again";
                return Claim::new(told, Status::Open(why.to_owned()));
            }
        };
        let difference =
            problem.instance(&rules.unwrap_or_default(), &file.head.instance).and_then(|instance| {
                let encoding = Encoding { instance: &*instance, engine: &engine };
                export::first_difference(&file, &encoding.head(), &encoding)
            });
        return claim(told, difference.and_then(|found| found.map_or(Ok(()), Err)));
    }
    let told = format!("{name} holds the checker's formula");
    let Some(obligation) = asked else {
        return Claim::new(told, Status::Failed("the answer asks for no such formula".to_owned()));
    };
    let Some(own) = obligation.formula() else {
        return Claim::new(told, Status::Open("it is too large to be written again".to_owned()));
    };
    let right = match Formula::from_dimacs(text.as_bytes()) {
        Ok(found) if clauses(&found) == clauses(&own) => Ok(()),
        Ok(_) => Err("it holds other clauses".to_owned()),
        Err(error) => Err(error.to_string()),
    };
    claim(told, right)
}

/// The clauses in an order of their own.
fn clauses(formula: &Formula) -> (i32, Vec<&[i32]>) {
    let mut clauses: Vec<&[i32]> = formula.clauses().collect();
    clauses.sort_unstable();
    (formula.n_vars(), clauses)
}
