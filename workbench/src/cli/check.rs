//! `check`: checks every claim of answers and certificates that come from a file.

use super::against::{Against, opener};
use super::answers::{Answers, Entry, GAVE_UP};
use super::args::{Check, Limits};
use super::context::Context;
use super::exit::{Failure, Status};
use super::external_checkers::ExternalCheckers;
use super::print;
use super::texts::one_line;
use super::verdict::{Ended, print_claims, shown, verdict};
use super::{interrupt, proofs, read, subject};
use crate::claim::{self, CHECK_WORK, Claim};
use crate::engine::{Budget, Limit};
use crate::erased::DynProblem;
use crate::errors::FormatError;
use crate::harness::cubes::{self, Folder};
use crate::proof::{Obligation, Proof};
use counterpoint_base::excerpt::excerpt;
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::path::Path;

/// The maximum length of a file of answers, in bytes.
const MAX_BYTES: u64 = 1 << 30;

pub(super) fn run(context: &Context, args: &Check, out: &mut dyn Write) -> Result<Status, Failure> {
    if let Some(model) = &args.model {
        return super::model::run(context, model, &args.answer, out);
    }
    let checkers = ExternalCheckers::load(context, &args.checker)?;
    if args.against.as_deref() == Some("-") && args.answer == "-" {
        return Err(Failure::usage(
            "the answer and the file of --against cannot both be standard input; name a file for one of them",
        ));
    }
    let against = args.against.as_deref().map(Against::load).transpose()?;
    let path = Path::new(&args.answer);
    let dir = path.is_dir().then_some(path);
    let name = dir.map_or(Ok(args.answer.clone()), saved_file)?;
    let text = match dir {
        Some(_) => read::text(&name, read::regular(&name)?, MAX_BYTES)?,
        None => read::whole(&name, MAX_BYTES)?,
    };
    let answers = Answers::new(&name, &text);
    if !text.trim().is_empty() && !answers.any() {
        return Err(Failure::usage(not_an_answer(&name, &text)));
    }
    let mut evidence = Evidence { dir, against, checkers };
    let (mut worst, mut count) = (Status::Done, 0);
    for found in answers {
        count += 1;
        let error = match found {
            Err(why) => why.into(),
            Ok(Entry { place, object }) => {
                match answer(context, args, (&object, count), &mut evidence, out) {
                    Ok(status) => {
                        worst = worst.max(status?);
                        if interrupt::is_requested() {
                            return Ok(Status::Interrupted);
                        }
                        continue;
                    }
                    Err(why) => format!("{place}: answer {count}: {}", one_line(why.message())),
                }
            }
        };
        out.flush()?;
        print::warn(&format!("error: {error}"));
        worst = worst.max(Status::Usage);
    }
    if count == 0 {
        return Err(Failure::usage(format!("{name}: expected an answer, found an empty file")));
    }
    evidence.checkers.all_used()?;
    Ok(worst)
}

/// The message for a file without any answer.
fn not_an_answer(name: &str, text: &str) -> String {
    let from_solver = ["c ", "p cnf ", "* ", "s ", "v "].iter().any(|start| text.starts_with(start));
    let remedy = if from_solver {
        "to check a solver's output for a formula, use `check --model MODEL FORMULA`"
    } else {
        "`check` reads files written by `solve --json` or `solve --save`"
    };
    format!("{name}:1:1: this is not an answer; {remedy}")
}

/// Further evidence for or against answers: their folder, a file of games, and external checkers.
struct Evidence<'a> {
    dir: Option<&'a Path>,
    against: Option<Against>,
    checkers: ExternalCheckers,
}

/// Checks and prints every claim of an answer. The outer error means that the answer itself is malformed.
fn answer(
    context: &Context,
    args: &Check,
    (map, count): (&Map<String, Value>, usize),
    evidence: &mut Evidence<'_>,
    out: &mut dyn Write,
) -> Result<Result<Status, Failure>, FormatError> {
    let Evidence { dir, against, checkers } = evidence;
    if map.contains_key("question") {
        if against.is_some() {
            return Err("--against does not apply to the certificate of a study".into());
        }
        return certificate(context, args, (map, count), out);
    }
    let problem = problem(context, map)?;
    let open = opener(against.as_ref());
    let answer = problem.restore_with(map, &open)?;
    let mut proofs = proofs::embedded(map)?;
    let listed = interrupt::interruptible(|| answer.obligations_within(&mut work_budget(context, args)));
    let obligations = listed.as_deref().unwrap_or_default();
    let mut renamed: HashMap<&str, &str> = HashMap::new();
    for obligation in obligations {
        if let Some(earlier) = &obligation.earlier_claim {
            renamed.entry(earlier).or_insert(&obligation.claim);
        }
    }
    for proof in &mut proofs {
        if let Some(&claim) = renamed.get(&*proof.claim) {
            proof.claim = claim.to_owned();
        }
    }
    let folder = dir.map(|dir| Folder(dir.to_owned()));
    let mut budget_of_cases = work_budget(context, args);
    let cases =
        interrupt::interruptible(|| cubes::check(&*answer, map, folder.as_ref(), &mut budget_of_cases))?;
    let mut check_and_print = || {
        if let Some(dir) = dir {
            proofs.extend(proofs::beside(dir, obligations)?);
        }
        // If the proofs of the cases close the claim that was split, the checker need not search.
        let is_closed = cases.as_ref().is_some_and(|cases| cases.status().is_closed());
        let mut budget = if is_closed { Budget::of_work(0) } else { budget(context, args) };
        let check = || answer.check(&proofs, &mut budget);
        let mut claims = interrupt::interruptible(check);
        if let Some(cases) = &cases {
            claims = cases.added_to(claims);
        }
        claims.extend(unused_proofs(&listed, &proofs));
        if let Some(dir) = dir {
            let subject = (problem, &*answer);
            claims.extend(subject::files(context, dir, subject, obligations, map, &open)?);
            if let Some(cases) = &cases {
                let instance = problem.instance_with(&map["rules"], &answer.instance_text(), &open);
                claims.extend(super::cube::file_claim(context, dir, (problem, instance.ok()), map, cases)?);
            }
        }
        if let Some(against) = against {
            claims.push(against.claim(problem, map)?);
        }
        let external = checkers.check(context, obligations, &proofs, &mut claims);
        // An engine that gave up has settled nothing, even if the checker closed every claim of its best answer.
        let ended = if map.contains_key(GAVE_UP) { Ended::GaveUp } else { Ended::Settled };
        writeln!(out, "answer {count}: {}, {}", answer.outcome(), shown(verdict(&claims, ended)))?;
        writeln!(out, "  {}", subject::line(context, problem, &*answer, map))?;
        print_claims(&claims, out)?;
        out.flush()?;
        let failed = if claim::any_failed(&claims) { Status::Wrong } else { Status::Done };
        Ok(external.max(failed))
    };
    Ok(check_and_print())
}

/// A budget with the limits of the command line. If there is no work limit among them, the usual work limit of checkers
/// holds.
fn budget(context: &Context, args: &Check) -> Budget {
    let work_limit = Some(args.work_limit.unwrap_or(CHECK_WORK));
    context.budget(&Limits { work_limit, cpu_limit: args.cpu_limit, threads: None })
}

/// A budget with the limits of the command line alone.
fn work_budget(context: &Context, args: &Check) -> Budget {
    context.budget(&Limits { work_limit: args.work_limit, cpu_limit: args.cpu_limit, threads: None })
}

/// The file in a folder that `solve --save` or `study --save` wrote: an answer or a certificate.
fn saved_file(dir: &Path) -> Result<String, Failure> {
    let names = ["answer.json", "certificate.json"];
    let found = names.map(|name| dir.join(name)).into_iter().find(|path| path.exists());
    let missing = || format!("{}: contains neither {}", dir.display(), names.join(" nor "));
    Ok(found.ok_or_else(missing)?.display().to_string())
}

/// Checks and prints every claim of a study's certificate.
fn certificate(
    context: &Context,
    args: &Check,
    (map, count): (&Map<String, Value>, usize),
    out: &mut dyn Write,
) -> Result<Result<Status, Failure>, FormatError> {
    let problem = problem(context, map)?;
    let claims = interrupt::interruptible(|| problem.check_study(map, &mut budget(context, args)))?;
    let question = map.get("question").and_then(Value::as_str).unwrap_or_default();
    let mut print = || {
        let verdict = shown(verdict(&claims, Ended::Settled));
        writeln!(out, "certificate {count}: {} {question}, {verdict}", problem.name())?;
        print_claims(&claims, out)?;
        Ok(out.flush()?)
    };
    let status = if claim::any_failed(&claims) { Status::Wrong } else { Status::Done };
    Ok(print().map(|()| if interrupt::is_requested() { Status::Interrupted } else { status }))
}

/// A failed claim for each proof that belongs to no claim of the answer. If a limit was reached before the claims were
/// known, the claim is open.
fn unused_proofs(listed: &Result<Vec<Obligation<'_>>, Limit>, proofs: &[Proof]) -> Vec<Claim> {
    let known: HashSet<&str> = listed.iter().flatten().map(|obligation| &*obligation.claim).collect();
    let unused = proofs.iter().filter(|proof| !known.contains(&*proof.claim));
    let status = match listed {
        Ok(_) => claim::Status::Failed("this proof belongs to no claim of the answer".to_owned()),
        Err(limit) => claim::Status::Open(format!("{limit} before it was known which claims need a proof")),
    };
    unused.map(|proof| Claim::new(excerpt(proof.claim.as_bytes()), status.clone())).collect()
}

fn problem<'a>(context: &'a Context, map: &Map<String, Value>) -> Result<&'a dyn DynProblem, FormatError> {
    let name = map.get("problem").and_then(Value::as_str).ok_or("\"problem\" is missing")?;
    Ok(context.registry.find(name).map_err(String::from)?)
}
