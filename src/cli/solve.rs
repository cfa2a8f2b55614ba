//! `solve`: one engine, every claim checked, the evidence shown or saved.

use super::args::Solve;
use super::context::{self, Context, Failure, Status};
use super::interrupt;
use crate::certify::{self, Certificate};
use crate::choice::Choice;
use crate::claim::{self, Claim};
use crate::engine::{Limit, Outcome, Work};
use crate::erased::{Case, Reply, Workbench};
use crate::proof::Proof;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::Path;

pub(super) fn run(context: &Context, args: &Solve, out: &mut dyn Write) -> Result<Status, Failure> {
    let problem = context.registry.find(&args.input.problem)?;
    let engine = context::engine(problem, &args.engine)?;
    let mut runner = problem.start(&engine)?;
    let (mut worst, mut met) = (Status::Done, 0);
    context::games(context, &args.input, &mut |game, case| {
        let wanted = args.game.is_none_or(|k| k == game);
        if !wanted {
            return Ok(());
        }
        met += 1;
        if args.save.is_some() && met > 1 {
            return Err(Failure::usage("--save takes one game; name it with --game"));
        }
        let mut budget = context::budget(&args.limits);
        let outcome = interrupt::listening(|| runner.solve(case, &mut budget));
        let (reply, gave_up) = match outcome {
            Outcome::Decided(reply) => (reply, None),
            Outcome::GaveUp(limit, Some(best)) => {
                context::warn(&format!("game {game}: {limit}; this is the best answer so far"));
                (best, Some(limit))
            }
            Outcome::GaveUp(limit, None) => {
                context::warn(&format!("game {game}: {limit}; no answer"));
                worst = worst.max(Status::of(limit));
                return Ok(());
            }
            Outcome::Unsupported(reason) => {
                let other = others(problem, case);
                return Err(Failure::usage(format!(
                    "game {game}: {engine} does not serve it: {reason}{other}"
                )));
            }
        };
        let answer = Answer::of(&*reply, args, gave_up);
        worst = worst.max(answer.status());
        if let Some(remark) = reply.remark() {
            context::warn(&format!("game {game}: {remark}"));
        }
        if args.json {
            writeln!(out, "{}", answer.json(&engine.to_string(), Embed::Proofs))?;
        } else {
            answer.print(game, &engine.to_string(), &budget.work, out)?;
            if args.explain {
                writeln!(out, "{}", reply.explain().trim_end())?;
            }
        }
        if let Some(dir) = &args.save {
            answer.save(dir, case, &engine.to_string())?;
        }
        Ok(out.flush()?)
    })?;
    match args.game {
        _ if interrupt::asked() => Ok(Status::Interrupted),
        Some(game) if met == 0 => Err(Failure::usage(format!("there is no game {game}"))),
        _ => Ok(worst),
    }
}

/// Which engines do serve a case, in words.
fn others(problem: &dyn Workbench, case: &dyn Case) -> String {
    let choices = problem.engines().iter().map(Choice::default_of).collect::<Vec<_>>();
    let serving: Vec<_> =
        choices.iter().filter(|c| case.supports(c).is_ok()).map(Choice::to_string).collect();
    if serving.is_empty() {
        "; no engine does".to_owned()
    } else {
        format!("; use -e {}", serving.join(" or "))
    }
}

/// A reply with its claims and proofs.
struct Answer<'a> {
    reply: &'a dyn Reply,
    claims: Vec<Claim>,
    proofs: Vec<Proof>,
    /// The limit that ended the engine before it had settled the question.
    gave_up: Option<Limit>,
    /// How proving went.
    certified: Status,
}

/// The member of an answer's JSON that names the limit which ended its engine.
pub(super) const GAVE_UP: &str = "gave_up";

/// Whether proofs go into the JSON.
#[derive(Clone, Copy, PartialEq)]
enum Embed {
    Proofs,
    Nothing,
}

impl<'a> Answer<'a> {
    fn of(reply: &'a dyn Reply, args: &Solve, gave_up: Option<Limit>) -> Self {
        let (mut proofs, mut certified) = (Vec::new(), Status::Done);
        if args.certify {
            let obligations = reply.obligations();
            let certificates =
                interrupt::listening(|| certify::certify(&obligations, &mut context::budget(&args.limits)));
            for certificate in &certificates {
                match certificate {
                    Certificate::Proof(_) => {}
                    Certificate::Satisfiable(claim) => {
                        context::warn(&format!("no proof that {claim}: its formula has a model"));
                    }
                    Certificate::TooLarge(claim) => {
                        context::warn(&format!("no proof that {claim}: its plain formula is too large"));
                    }
                    Certificate::Stopped(claim, limit) => {
                        certified = certified.max(Status::of(*limit));
                        context::warn(&format!("no proof that {claim}: {limit}"));
                    }
                }
            }
            proofs = certify::proofs(certificates);
        }
        let check = || reply.check(&proofs, &mut context::check_budget());
        let claims = interrupt::listening(check);
        Answer { reply, claims, proofs, gave_up, certified }
    }

    fn status(&self) -> Status {
        let settled = self.gave_up.map_or(Status::Done, Status::of);
        let checked = if claim::any_failed(&self.claims) { Status::Wrong } else { Status::Done };
        settled.max(checked).max(self.certified)
    }

    fn json(&self, engine: &str, embed: Embed) -> Value {
        let mut json = self.reply.to_json(engine, &self.claims);
        let Value::Object(map) = &mut json else { return json };
        if let Some(limit) = self.gave_up {
            map.insert(GAVE_UP.to_owned(), limit.to_string().into());
        }
        if embed == Embed::Proofs && !self.proofs.is_empty() {
            let proof = |p: &Proof| json!({ "claim": p.claim, "drat": p.drat.0 });
            map.insert("proofs".to_owned(), self.proofs.iter().map(proof).collect());
        }
        json
    }

    fn print(&self, game: usize, engine: &str, work: &Work, out: &mut dyn Write) -> Result<(), Failure> {
        let ended = self.gave_up.map_or(Ended::Settled, |_| Ended::GaveUp);
        let verdict = shown(verdict(&self.claims, ended));
        writeln!(out, "game {game}: {}, {verdict}", self.reply.outcome())?;
        writeln!(out, "  by {engine}: {}", describe(work))?;
        print_claims(&self.claims, out)?;
        for proof in &self.proofs {
            writeln!(out, "  proof of {} bytes: {}", proof.drat.bytes(), proof.claim)?;
        }
        Ok(())
    }

    fn save(&self, dir: &Path, case: &dyn Case, engine: &str) -> Result<(), Failure> {
        let failed = |e| Failure::usage(format!("{}: cannot be written: {e}", dir.display()));
        std::fs::create_dir_all(dir).map_err(failed)?;
        let write = |name: &str, text: &str| std::fs::write(dir.join(name), text).map_err(failed);
        write("instance.txt", &case.text())?;
        write("answer.json", &format!("{:#}\n", self.json(engine, Embed::Nothing)))?;
        write("picture.svg", &self.reply.picture())?;
        self.save_proofs(dir).map_err(failed)
    }

    /// The checker's formulas and the proofs that there are; those of an earlier answer go.
    fn save_proofs(&self, dir: &Path) -> io::Result<()> {
        for entry in std::fs::read_dir(dir)? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let is = |start: &str, end: &str| name.starts_with(start) && name.ends_with(end);
            if is("proof", ".drat") || is("formula", ".cnf") {
                std::fs::remove_file(&path)?;
            }
        }
        let obligations = self.reply.obligations();
        for (k, obligation) in obligations.iter().enumerate() {
            let (formula, proof) = proof_files(k, obligations.len());
            if let Some(text) = obligation.formula() {
                std::fs::write(dir.join(formula), text.to_dimacs())?;
            }
            if let Some(found) = self.proofs.iter().find(|p| p.claim == obligation.claim) {
                std::fs::write(dir.join(proof), &found.drat.0)?;
            }
        }
        Ok(())
    }
}

/// The files of obligation `k` of `n`: plain names if it is the only one.
pub(super) fn proof_files(k: usize, n: usize) -> (String, String) {
    let number = if n == 1 { String::new() } else { format!("-{}", k + 1) };
    (format!("formula{number}.cnf"), format!("proof{number}.drat"))
}

/// The verdict on an answer with a failed claim.
const WRONG: &str = "WRONG";

/// A verdict as it is printed.
pub(super) fn shown(verdict: &str) -> String {
    if verdict == WRONG { context::loud(verdict) } else { verdict.to_owned() }
}

/// Whether the engine came to its end.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Ended {
    Settled,
    GaveUp,
}

/// `checked`, or what keeps the answer from being so.
pub(super) fn verdict(claims: &[Claim], ended: Ended) -> &'static str {
    match ended {
        _ if claim::any_failed(claims) => WRONG,
        Ended::GaveUp => "not settled",
        Ended::Settled if claim::all_closed(claims) => "checked",
        Ended::Settled => "not checked: a claim is open",
    }
}

/// A line a claim.
pub(super) fn print_claims(claims: &[Claim], out: &mut dyn Write) -> Result<(), Failure> {
    for claim in claims {
        let why = claim.status.reason().map_or(String::new(), |why| format!(" ({why})"));
        writeln!(out, "  {:<11} {}{why}", claim.status.word(), claim.text)?;
    }
    Ok(())
}

/// The counters that are not zero.
pub(super) fn describe(work: &Work) -> String {
    let plural = |n: u64, one: &str| if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") };
    let counted = [
        (work.nodes, "node"),
        (work.solves, "call"),
        (work.conflicts, "conflict"),
        (work.variables, "variable"),
        (work.clauses, "clause"),
    ];
    let parts: Vec<_> = counted.iter().filter(|(n, _)| *n > 0).map(|&(n, one)| plural(n, one)).collect();
    if parts.is_empty() { "nothing to search".to_owned() } else { parts.join(", ") }
}
