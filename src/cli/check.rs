//! `check`: every claim of an answer that comes from a file, with its status.

use super::against::Against;
use super::answers::Answers;
use super::answers::GAVE_UP;
use super::args::{Check, Limits};
use super::context::Context;
use super::exit::{Failure, Status};
use super::print::{self, one_line};
use super::verdict::{Ended, print_claims, shown, verdict};
use super::voices::ExternalCheckers;
use super::{interrupt, proofs, read, subject};
use crate::claim::{self, CHECK_WORK, Claim};
use crate::engine::Budget;
use crate::erased::{DynAnswer, DynProblem};
use crate::proof::Proof;
use counterpoint_base::excerpt::excerpt;
use serde_json::{Map, Value};
use std::io::Write;
use std::path::Path;

/// The longest file of answers that is read.
const MAX_BYTES: u64 = 1 << 30;

pub(super) fn run(context: &Context, args: &Check, out: &mut dyn Write) -> Result<Status, Failure> {
    if let Some(model) = &args.model {
        return super::model::run(context, model, &args.answer, out);
    }
    let voices = ExternalCheckers::load(context, &args.checker)?;
    if args.against.as_deref() == Some("-") && args.answer == "-" {
        return Err(Failure::usage(
            "standard input is the answer or the file of --against; name a file for the other",
        ));
    }
    let against = args.against.as_deref().map(Against::load).transpose()?;
    let path = Path::new(&args.answer);
    let dir = path.is_dir().then_some(path);
    let name = dir.map_or(Ok(args.answer.clone()), kept)?;
    let text = read::whole(&name, MAX_BYTES)?;
    let answers = Answers::new(&name, &text);
    if !text.trim().is_empty() && !answers.any() {
        return Err(Failure::usage(no_answer(&name, &text)));
    }
    let mut beside = Beside { dir, against, voices };
    let (mut worst, mut count) = (Status::Done, 0);
    for found in answers {
        count += 1;
        let broken = match found {
            Err(why) => why,
            Ok((place, map)) => match answer(context, args, (&map, count), &mut beside, out) {
                Ok(status) => {
                    worst = worst.max(status?);
                    if interrupt::asked() {
                        return Ok(Status::Interrupted);
                    }
                    continue;
                }
                Err(why) => format!("{place}: answer {count}: {}", one_line(&why)),
            },
        };
        out.flush()?;
        print::warn(&format!("error: {broken}"));
        worst = worst.max(Status::Usage);
    }
    if count == 0 {
        return Err(Failure::usage(format!("{name}: there is no answer in it")));
    }
    beside.voices.all_asked()?;
    Ok(worst)
}

/// What a file is that holds no answer, and what to do with it.
fn no_answer(name: &str, text: &str) -> String {
    let solvers = ["c ", "p cnf ", "* ", "s ", "v "].iter().any(|start| text.starts_with(start));
    let remedy = if solvers {
        "for what a solver printed about a formula, use `check --model MODEL FORMULA`"
    } else {
        "`check` reads what `solve --json` or `solve --save` wrote"
    };
    format!("{name}:1:1: this is not an answer; {remedy}")
}

/// What answers are held against: the folder they come from, a file, and outside checkers.
struct Beside<'a> {
    dir: Option<&'a Path>,
    against: Option<Against>,
    voices: ExternalCheckers,
}

/// Every claim of an answer; outside, what is wrong with the answer itself.
fn answer(
    context: &Context,
    args: &Check,
    (map, count): (&Map<String, Value>, usize),
    beside: &mut Beside<'_>,
    out: &mut dyn Write,
) -> Result<Result<Status, Failure>, String> {
    let Beside { dir, against, voices } = beside;
    if map.contains_key("question") {
        if against.is_some() {
            return Err("this is a study's certificate; --against takes answers".to_owned());
        }
        return certificate(context, args, (map, count), out);
    }
    let problem = problem(context, map)?;
    let reply = problem.restore(map)?;
    let mut proofs = proofs::embedded(map)?;
    for obligation in reply.obligations() {
        let formerly = |proof: &&mut Proof| obligation.formerly.as_ref() == Some(&proof.claim);
        proofs.iter_mut().filter(formerly).for_each(|proof| proof.claim.clone_from(&obligation.claim));
    }
    let mut tell = || {
        if let Some(dir) = dir {
            proofs.extend(proofs::beside(dir, &reply.obligations())?);
        }
        let check = || reply.check(&proofs, &mut budget(context, args));
        let mut claims = interrupt::listening(check);
        claims.extend(idle(&*reply, &proofs));
        if let Some(dir) = dir {
            claims.extend(subject::files(context, dir, (problem, &*reply), map)?);
        }
        if let Some(against) = against {
            claims.push(against.claim(problem, map)?);
        }
        let spoken = voices.speak(context, &reply.obligations(), &proofs, &mut claims);
        // An engine that gave up has settled nothing, whatever the checker could close.
        let ended = if map.contains_key(GAVE_UP) { Ended::GaveUp } else { Ended::Settled };
        writeln!(out, "answer {count}: {}, {}", reply.outcome(), shown(verdict(&claims, ended)))?;
        writeln!(out, "  {}", subject::line(problem, &*reply, map))?;
        print_claims(&claims, out)?;
        out.flush()?;
        let failed = if claim::any_failed(&claims) { Status::Wrong } else { Status::Done };
        Ok(spoken.max(failed))
    };
    Ok(tell())
}

/// What a limit does not set is as the checker has it anywhere.
fn budget(context: &Context, args: &Check) -> Budget {
    let work_limit = Some(args.work_limit.unwrap_or(CHECK_WORK));
    context.budget(&Limits { work_limit, cpu_limit: args.cpu_limit, threads: None })
}

/// What a folder keeps: an answer of `solve`, or a certificate of `study`.
fn kept(dir: &Path) -> Result<String, Failure> {
    let names = ["answer.json", "certificate.json"];
    let found = names.map(|name| dir.join(name)).into_iter().find(|path| path.exists());
    let nothing = || format!("{}: holds no {}", dir.display(), names.join(" and no "));
    Ok(found.ok_or_else(nothing)?.display().to_string())
}

/// A study's certificate, claim by claim.
fn certificate(
    context: &Context,
    args: &Check,
    (map, count): (&Map<String, Value>, usize),
    out: &mut dyn Write,
) -> Result<Result<Status, Failure>, String> {
    let problem = problem(context, map)?;
    let claims = interrupt::listening(|| problem.check_study(map, &mut budget(context, args)))?;
    let question = map.get("question").and_then(Value::as_str).unwrap_or_default();
    let mut tell = || {
        let verdict = shown(verdict(&claims, Ended::Settled));
        writeln!(out, "certificate {count}: {} {question}, {verdict}", problem.name())?;
        print_claims(&claims, out)?;
        Ok(out.flush()?)
    };
    let status = if claim::any_failed(&claims) { Status::Wrong } else { Status::Done };
    Ok(tell().map(|()| if interrupt::asked() { Status::Interrupted } else { status }))
}

/// A failed claim for each proof that nothing rests on.
fn idle(reply: &dyn DynAnswer, proofs: &[Proof]) -> Vec<Claim> {
    let obligations = reply.obligations();
    let idle = proofs.iter().filter(|proof| obligations.iter().all(|o| o.claim != proof.claim));
    let failed = |proof: &Proof| {
        let why = "there is a proof, but the answer asks for no such proof".to_owned();
        Claim::new(excerpt(proof.claim.as_bytes()), claim::Status::Failed(why))
    };
    idle.map(failed).collect()
}

fn problem<'a>(context: &'a Context, map: &Map<String, Value>) -> Result<&'a dyn DynProblem, String> {
    let name = map.get("problem").and_then(Value::as_str).ok_or("\"problem\" is missing")?;
    context.registry.find(name)
}
