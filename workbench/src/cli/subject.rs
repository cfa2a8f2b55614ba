//! Describes the context of an answer: the size of its instance, its engine and rules. Checks that the files beside an
//! answer belong to it.

use super::context::Context;
use super::encoding::{self, Encoding};
use super::exit::Failure;
use super::explain::picture;
use super::texts::one_line;
use super::{config, interrupt, proofs, read};
use crate::claim::{Claim, Status};
use crate::engine::Side;
use crate::erased::{DynAnswer, DynProblem};
use crate::export::{self, File};
use crate::input::OpenFile;
use crate::proof::{Formula, Obligation};
use crate::solver::SolverRegistry;
use crate::spec;
use serde_json::{Map, Value};
use std::path::Path;

/// The maximum length of a file that is read, in bytes.
const MAX_BYTES: u64 = 1 << 30;

/// The maximum number of characters of a value or line that are shown.
const MAX_SHOWN: usize = 60;

/// Problem, size, engine, and the rules that differ from the judge's, on one line.
pub(super) fn line(
    context: &Context,
    problem: &dyn DynProblem,
    answer: &dyn DynAnswer,
    map: &Map<String, Value>,
) -> String {
    let size = match answer.size() {
        size if size.is_empty() => size,
        size => format!(" {size}"),
    };
    let engine = match map.get("engine").and_then(Value::as_str) {
        Some(engine) if is_known(problem, engine) => format!("by {engine}"),
        Some(engine) if may_be_declared(problem, engine) => {
            let what = if engine.starts_with("exec:") { "the program" } else { "the encoder" };
            let is_here = is_declared(context, problem, engine);
            let note = if is_here { "" } else { " (not declared here; checking does not need it)" };
            format!("by {what} {}{note}", short(engine))
        }
        Some(engine) => format!("by {} (this build lacks it; checking does not need it)", short(engine)),
        None => "by an unnamed engine".to_owned(),
    };
    let rules: Vec<String> =
        answer.changed_rules().iter().map(|(key, value)| format!("{key}={}", short(value))).collect();
    let rules =
        if rules.is_empty() { "the judge's rules".to_owned() } else { format!("rules {}", rules.join(" ")) };
    format!("{}{size}, {engine}, {rules}", problem.name())
}

/// Whether an engine id, without its solver, is the complete id of an engine of this build.
fn is_known(problem: &dyn DynProblem, engine: &str) -> bool {
    let id = engine.split('@').next().unwrap_or_default();
    let found = spec::resolve(problem.engines(), &SolverRegistry::built_in(), id);
    found.is_ok_and(|found| found.len() == 1 && found[0].to_string() == id)
}

/// Whether an engine id could be that of a program or an encoder that a configuration declares. An encoder cannot have
/// the name of an encoding of ours.
fn may_be_declared(problem: &dyn DynProblem, engine: &str) -> bool {
    let Some((side, rest)) = engine.split_once(':') else { return false };
    let name = rest.split(['@', '/']).next().unwrap_or_default();
    let is_plain = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
    let is_own = problem.engines().iter().any(|info| info.side == Side::Sat && info.name == name);
    is_plain && (side == "exec" || side == "sat" && !is_own)
}

/// Whether the configuration declares the engine of this id. A configuration that cannot be read declares nothing.
fn is_declared(context: &Context, problem: &dyn DynProblem, engine: &str) -> bool {
    let id = engine.split(['@', '/']).next().unwrap_or_default();
    let Ok(config) = config::load(context) else { return false };
    config.declared.iter().any(|declared| declared.problem == problem.name() && declared.id() == id)
}

/// A text on one line, truncated if it is long.
fn short(text: &str) -> String {
    let shown = one_line(text.trim_end());
    match shown.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}...", &shown[..end]),
        None => shown,
    }
}

/// For each instance, formula and picture in the folder, the claim that the file belongs to this answer. There are no
/// claims about missing files.
pub(super) fn files(
    context: &Context,
    dir: &Path,
    (problem, answer): (&dyn DynProblem, &dyn DynAnswer),
    obligations: &[Obligation<'_>],
    map: &Map<String, Value>,
    open: &OpenFile<'_>,
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
        let right = same(&text, &answer.instance_text(), "the answer's instance");
        claims.push(claim("instance.txt contains the answer's instance", right));
    }
    for (name, k) in proofs::formulas(dir, obligations.len())? {
        if let Some(text) = read(&name)? {
            let obligation = k.and_then(|k| obligations.get(k));
            claims.push(formula((context, open), &name, &text, obligation, (problem, answer), map));
        }
    }
    if let Some(text) = read("picture.svg")? {
        let drawn = interrupt::interruptible(|| picture(context, answer)).svg();
        let right = same(&text, &drawn, "the picture drawn by this build")
            .map_err(|why| format!("{why}; `solve --save` draws it again").into());
        claims.push(claim("picture.svg shows the answer", right));
    }
    Ok(claims)
}

counterpoint_base::message_errors! {
    /// The error that a file beside an answer does not belong to the answer.
    struct NotOfAnswer;
}

fn claim(text: impl Into<String>, right: Result<(), NotOfAnswer>) -> Claim {
    Claim::new(text, right.map_or_else(|why| Status::Failed(why.into()), |()| Status::Recomputed))
}

/// Compares the lines of two texts. White space at the end of a line or text is ignored. The error describes the first
/// difference.
fn same(found: &str, expected: &str, what: &str) -> Result<(), NotOfAnswer> {
    let (mut found, mut expected) = (found.trim_end().lines(), expected.trim_end().lines());
    for number in 1.. {
        let (found, expected) = (found.next().map(str::trim_end), expected.next().map(str::trim_end));
        match (found, expected) {
            (None, None) => break,
            (one, other) if one == other => {}
            (_, None) => return Err(format!("line {number}: expected the end of {what}").into()),
            (_, Some(line)) => {
                return Err(format!("line {number}: expected '{}' from {what}", short(line)).into());
            }
        }
    }
    Ok(())
}

/// The claim that a file beside an answer contains the right formula. If the file has a head, as `encode` writes it,
/// the right formula is what the engine in the head writes for the answer's instance. Otherwise, the right formula is
/// the checker's own formula for `obligation`. `obligation` is `None` if the name of the file belongs to no obligation.
fn formula(
    (context, open): (&Context, &OpenFile<'_>),
    name: &str,
    text: &str,
    obligation: Option<&Obligation<'_>>,
    (problem, answer): (&dyn DynProblem, &dyn DynAnswer),
    map: &Map<String, Value>,
) -> Claim {
    if let Ok(file) = File::parse(text) {
        let text = format!(
            "{name} contains the formula that {} writes for the answer's instance",
            short(&file.head.engine)
        );
        let expected = (problem.name(), map.get("rules"), answer.instance_text());
        let rules: Option<Value> = serde_json::from_str(&file.head.rules).ok();
        if (file.head.problem.as_str(), rules.as_ref(), file.head.instance.clone()) != expected {
            return Claim::new(
                text,
                Status::Failed("its head names another problem, another instance or other rules".to_owned()),
            );
        }
        let engine = match encoding::sat_engine(context, problem, &file.head.engine) {
            Ok(engine) if engine.declared().is_none() => engine,
            // A check does not run other people's programs.
            Ok(_) => {
                let why = "a declared encoder wrote it, and `check` does not run encoders";
                return Claim::new(text, Status::Open(why.to_owned()));
            }
            Err(_) => {
                let why = "this build lacks that engine, so it cannot write the formula again";
                return Claim::new(text, Status::Open(why.to_owned()));
            }
        };
        let compare = || -> Result<(), NotOfAnswer> {
            let instance = problem
                .instance_with(&rules.unwrap_or_default(), &file.head.instance, open)
                .map_err(String::from)?;
            let encoding = Encoding { instance: &*instance, engine: &engine };
            let difference = export::first_difference(&file, &encoding.head(), &encoding);
            match difference.map_err(|error| error.to_string())? {
                Some(difference) => Err(difference.into()),
                None => Ok(()),
            }
        };
        return claim(text, compare());
    }
    let own = obligation.and_then(Obligation::formula);
    if name.ends_with(".opb") {
        if own.is_some_and(|own| constraints(text).eq(constraints(&own.to_opb()))) {
            return Claim::new(format!("{name} contains the checker's formula"), Status::Recomputed);
        }
        let text = format!("{name} contains a formula of the answer's instance");
        let why = "it has no head as `encode --format opb` writes it, so it cannot be compared";
        return Claim::new(text, Status::Open(why.to_owned()));
    }
    let statement = format!("{name} contains the checker's formula");
    if obligation.is_none() {
        return Claim::new(
            statement,
            Status::Failed("its name belongs to no claim of this answer".to_owned()),
        );
    }
    let Some(own) = own else {
        return Claim::new(statement, Status::Open("it is too large to be written again".to_owned()));
    };
    let right = match Formula::from_dimacs(text.as_bytes()) {
        Ok(found) if clauses(&found) == clauses(&own) => Ok(()),
        Ok(_) => Err("its clauses are different".into()),
        Err(error) => Err(error.to_string().into()),
    };
    claim(statement, right)
}

/// The lines of an OPB file that are not comments.
fn constraints(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('*'))
}

/// The number of variables, and the clauses in sorted order.
fn clauses(formula: &Formula) -> (i32, Vec<&[i32]>) {
    let mut clauses: Vec<&[i32]> = formula.clauses().collect();
    clauses.sort_unstable();
    (formula.n_vars(), clauses)
}
