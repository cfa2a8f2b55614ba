//! `check`: every claim of an answer that comes from a file, with its status.

use super::against::Against;
use super::args::{Check, Limits};
use super::context::{self, Context, Failure, Status};
use super::interrupt;
use super::solve::{Ended, GAVE_UP, one_line, print_claims, shown, verdict};
use super::voices::Voices;
use super::{proofs, subject};
use crate::claim::{self, CHECK_WORK, Claim};
use crate::engine::Budget;
use crate::erased::{Reply, Workbench};
use crate::proof::{self, Proof};
use serde_json::{Deserializer, Map, Value};
use std::io::Write;
use std::path::Path;

/// The longest file of answers that is read.
const MOST_BYTES: u64 = 1 << 30;
/// The deepest nesting that is read: a plan of shots nests once for every square of a board.
const MOST_DEPTH: usize = 1 << 9;

pub(super) fn run(context: &Context, args: &Check, out: &mut dyn Write) -> Result<Status, Failure> {
    if let Some(model) = &args.model {
        return super::model::run(context, model, &args.answer, out);
    }
    let mut voices = Voices::load(context, &args.checker)?;
    if args.against.as_deref() == Some("-") && args.answer == "-" {
        return Err(Failure::usage(
            "standard input is the answer or the file of --against; name a file for the other",
        ));
    }
    let mut against = args.against.as_deref().map(Against::load).transpose()?;
    let path = Path::new(&args.answer);
    let dir = path.is_dir().then_some(path);
    let name = dir.map_or(Ok(args.answer.clone()), kept)?;
    let text = context::whole(&name, MOST_BYTES)?;
    if ["c ", "p cnf ", "* ", "s ", "v "].iter().any(|start| text.starts_with(start)) {
        return Err(Failure::usage(format!(
            "{name}: this is no answer; for what a solver printed about a formula say check --model MODEL FORMULA"
        )));
    }
    if deepest(&text) > MOST_DEPTH {
        return Err(Failure::usage(format!("{name}: JSON nested deeper than {MOST_DEPTH} is not read")));
    }
    let (mut worst, mut count) = (Status::Done, 0);
    let mut json = Deserializer::from_str(&text);
    // The depth was looked at above.
    json.disable_recursion_limit();
    for object in json.into_iter::<Value>() {
        count += 1;
        let object =
            object.map_err(|e| Failure::usage(format!("{name}:{}:{}: {e}", e.line(), e.column())))?;
        let failure = |why: String| Failure::usage(format!("{name}: answer {count}: {}", one_line(&why)));
        let map = object.as_object().ok_or_else(|| failure("no JSON object".to_owned()))?;
        if map.contains_key("question") {
            if against.is_some() {
                return Err(failure("this is a study's certificate; --against takes answers".to_owned()));
            }
            worst = worst.max(certificate(context, args, (map, count), out).map_err(failure)??);
            continue;
        }
        let problem = problem(context, map).map_err(failure)?;
        let reply = problem.restore(map).map_err(failure)?;
        let mut proofs = proofs::embedded(map).map_err(failure)?;
        if let Some(dir) = dir {
            proofs.extend(proofs::beside(dir, &reply.obligations())?);
        }
        let check = || reply.check(&proofs, &mut budget(context, args));
        let mut claims = interrupt::listening(check);
        claims.extend(idle(&*reply, &proofs));
        if let Some(dir) = dir {
            claims.extend(subject::files(context, dir, (problem, &*reply), map)?);
        }
        if let Some(against) = &mut against {
            claims.push(against.claim(problem, map)?);
        }
        let spoken = voices.speak(context, &reply.obligations(), &proofs, &mut claims);
        worst = worst.max(spoken);
        // An engine that gave up has settled nothing, whatever the checker could close.
        let ended = if map.contains_key(GAVE_UP) { Ended::GaveUp } else { Ended::Settled };
        writeln!(out, "answer {count}: {}, {}", reply.outcome(), shown(verdict(&claims, ended)))?;
        writeln!(out, "  {}", subject::line(problem, &*reply, map))?;
        print_claims(&claims, out)?;
        out.flush()?;
        if claim::any_failed(&claims) {
            worst = worst.max(Status::Wrong);
        }
        if interrupt::asked() {
            return Ok(Status::Interrupted);
        }
    }
    if count == 0 {
        return Err(Failure::usage(format!("{name}: there is no answer in it")));
    }
    voices.all_asked()?;
    Ok(worst)
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
fn idle(reply: &dyn Reply, proofs: &[Proof]) -> Vec<Claim> {
    let obligations = reply.obligations();
    let idle = proofs.iter().filter(|proof| obligations.iter().all(|o| o.claim != proof.claim));
    let failed = |proof: &Proof| {
        let why = "there is a proof, but the answer asks for no such proof".to_owned();
        Claim::new(proof::excerpt(proof.claim.as_bytes()), claim::Status::Failed(why))
    };
    idle.map(failed).collect()
}

/// How deep brackets and braces nest outside strings.
fn deepest(text: &str) -> usize {
    let (mut depth, mut most, mut in_string, mut escaped) = (0usize, 0, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => depth += 1,
            b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
        most = most.max(depth);
    }
    most
}

fn problem<'a>(context: &'a Context, map: &Map<String, Value>) -> Result<&'a dyn Workbench, String> {
    let name = map.get("problem").and_then(Value::as_str).ok_or("\"problem\" is missing")?;
    context.registry.find(name)
}
