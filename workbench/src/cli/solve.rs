//! `solve`: solves each game with one engine, checks every claim, and shows or saves the evidence.

use super::answers::GAVE_UP;
use super::args::Solve;
use super::certify::{Certified, Solved};
use super::context::Context;
use super::exit::{Failure, Status};
use super::explain::{self, UNLIMITED};
use super::print::{self, describe};
use super::proofs::refuse_foreign_files;
use super::staging::{refuse_own_input, replace};
use super::table::terminal_width;
use super::verdict::{self, Ended, print_with_remedies, shown, verdict};
use super::{games, interrupt, lesson, outside, proofs, texts};
use crate::board::Sheet;
use crate::claim::{self, Claim};
use crate::engine::{Budget, Limit, Outcome, Work};
use crate::erased::{DynAnswer, DynInstance, DynProblem};
use crate::solver::Recorder;
use crate::spec::EngineSpec;
use serde_json::Value;
use std::cell::LazyCell;
use std::io::Write;
use std::path::Path;

/// The work limit for finding out which open claims a proof could close.
const MAX_LISTING_WORK: u64 = 1_000_000;

pub(super) fn run(context: &Context, args: &Solve, out: &mut dyn Write) -> Result<Status, Failure> {
    let problem = context.registry.find(&args.input.problem)?;
    let engine = args.engine.as_deref().unwrap_or(problem.info().default_engine);
    let engine = context.engine(problem, engine)?;
    if let Some(dir) = &args.save {
        refuse_foreign_files(&proofs::ANSWER, dir, args.input.file.as_deref())?;
    }
    if let Some(page) = &args.page {
        refuse_own_input(page, "--page", args.input.file.as_deref())?;
    }
    let recorder = args.certify.then(|| Recorder::new(args.proof_limit));
    let (session_engine, recorder) = recording(&engine, recorder);
    let mut session = problem.start(&session_engine)?;
    let (mut worst, mut solved, mut games) = (Status::Done, 0, 0);
    let single = if args.save.is_some() { Some("--save") } else { args.page.as_ref().map(|_| "--page") };
    games::each_or_only(
        context,
        &args.input,
        single.filter(|_| args.game.is_none()),
        &mut |game, instance| {
            games = game;
            let wanted = args.game.is_none_or(|k| k == game);
            if !wanted {
                return Ok(());
            }
            solved += 1;
            let mut budget = context.budget(&args.limits);
            // Discard what was recorded while an earlier game was solved.
            let _ = recorder.as_ref().and_then(Recorder::take);
            let outcome = interrupt::interruptible(|| session.solve(instance, &mut budget));
            let (answer, gave_up) = match outcome {
                Outcome::Decided(answer) => (answer, None),
                Outcome::GaveUp(limit, Some(best)) => {
                    print::warn(&format!("game {game}: {limit}; this is the best answer so far"));
                    (best, Some(limit))
                }
                Outcome::GaveUp(limit, None) => {
                    print::warn(&format!("game {game}: {limit}; no answer"));
                    worst = worst.max(Status::of(limit));
                    return Ok(());
                }
                Outcome::Unsupported(reason) => {
                    let other = supporting(problem, instance, &engine);
                    return Err(Failure::usage(format!(
                        "game {game}: {engine} does not support this instance: {reason}{other}"
                    )));
                }
                Outcome::Failed(reason) => {
                    let remedy = outside::remedy_of_failure(problem, &engine, &instance.rules(), &reason);
                    let remedy = remedy.map_or(String::new(), |remedy| format!("; {remedy}"));
                    return Err(Failure::usage(format!("game {game}: {reason}{remedy}")));
                }
            };
            let (recorder, conflicts) = (recorder.as_ref(), budget.work.conflicts);
            let solved = Solved { instance, engine: &engine, recorder, conflicts };
            let checked = CheckedAnswer::of(context, &*answer, args, solved, gave_up);
            // If the picture is saved, it must not depend on the limits, because `check` draws it again to compare.
            let limits = if args.save.is_some() { &UNLIMITED } else { &args.limits };
            let explanation = LazyCell::new(|| {
                interrupt::interruptible(|| answer.explain(&mut explain::budget(context, limits)))
            });
            worst = worst.max(checked.status());
            if let Some(remark) = answer.remark() {
                print::warn(&format!("game {game}: {remark}"));
            }
            if claim::any_failed(&checked.claims)
                && let Some(remedy) =
                    outside::remedy(problem, &engine, &answer.changed_rules(), &instance.text())
            {
                print::warn(&format!("game {game}: {engine} is wrong; {remedy}"));
            }
            if args.json {
                let json = checked.json(&engine.to_string(), Embed::Proofs);
                texts::harmless(out, |out| writeln!(out, "{json}"))?;
            } else {
                let hints = !args.certify && gave_up.is_none();
                let provable = if hints { checked.provable() } else { Vec::new() };
                checked.print(game, (&engine.to_string(), &budget.work), &provable, out)?;
                if args.explain {
                    let width = terminal_width().unwrap_or(usize::MAX);
                    writeln!(out, "{}", explanation.text_in(width).trim_end())?;
                    write!(out, "\n{}", explanation.boards.terminal_in(width))?;
                }
            }
            if let Some(dir) = &args.save {
                let mut limits = context.budget(&args.limits);
                checked.save(dir, instance, &engine.to_string(), &explanation.boards, &mut limits)?;
            }
            if let Some(file) = &args.page {
                lesson::write(context, instance, (&*answer, &explanation.text, &engine), file)?;
            }
            Ok(out.flush()?)
        },
    )?;
    match args.game {
        _ if interrupt::is_requested() => Ok(Status::Interrupted),
        Some(game) if solved == 0 => Err(games::missing(&args.input, game, games)),
        _ => Ok(worst),
    }
}

/// The engine with a solver that records its proofs, and the recorder. If the solver cannot record proofs, the engine
/// is unchanged, and there is no recorder.
fn recording(engine: &EngineSpec, recorder: Option<Recorder>) -> (EngineSpec, Option<Recorder>) {
    let factory = recorder.as_ref().and_then(|recorder| engine.solver_factory()?.recording(recorder));
    match factory {
        Some(factory) => (engine.clone().map_solver(|_| factory), recorder),
        None => (engine.clone(), None),
    }
}

/// The end of an error message: names the other engines that support the instance.
fn supporting(problem: &dyn DynProblem, instance: &dyn DynInstance, refused: &EngineSpec) -> String {
    let specs = problem.engines().iter().map(EngineSpec::default_of).collect::<Vec<_>>();
    let others: Vec<_> = specs
        .iter()
        .filter(|c| *c != refused && instance.supports(c).is_ok())
        .map(EngineSpec::to_string)
        .collect();
    if others.is_empty() {
        "; no engine does".to_owned()
    } else {
        format!("; use -e {}", others.join(" or "))
    }
}

/// An answer with its checked claims and proofs.
struct CheckedAnswer<'a> {
    answer: &'a dyn DynAnswer,
    claims: Vec<Claim>,
    /// The limit at which the engine gave up; `None` if it settled the question.
    gave_up: Option<Limit>,
    /// The proofs; none without `--certify`.
    certified: Certified,
}

/// Whether the JSON contains the proofs.
#[derive(Clone, Copy, PartialEq)]
enum Embed {
    Proofs,
    Nothing,
}

impl<'a> CheckedAnswer<'a> {
    fn of(
        context: &Context,
        answer: &'a dyn DynAnswer,
        args: &Solve,
        solved: Solved<'_>,
        gave_up: Option<Limit>,
    ) -> Self {
        let certified =
            if args.certify { Certified::of(context, answer, args, solved) } else { Certified::nothing() };
        let claims = certified.check(context, answer);
        CheckedAnswer { answer, claims, gave_up, certified }
    }

    fn status(&self) -> Status {
        let settled = self.gave_up.map_or(Status::Done, Status::of);
        let checked = if claim::any_failed(&self.claims) { Status::Wrong } else { Status::Done };
        settled.max(checked).max(self.certified.status)
    }

    fn json(&self, engine: &str, embed: Embed) -> Value {
        let mut json = self.answer.to_json(engine, &self.claims);
        let Value::Object(map) = &mut json else { return json };
        if let Some(limit) = self.gave_up {
            map.insert(GAVE_UP.to_owned(), limit.to_string().into());
        }
        let proofs: Vec<_> = self.certified.proofs.iter().filter_map(proofs::to_json).collect();
        if embed == Embed::Proofs && !proofs.is_empty() {
            map.insert("proofs".to_owned(), proofs.into());
        }
        json
    }

    /// The open claims that have an obligation; none if it takes too long to find out.
    fn provable(&self) -> Vec<String> {
        let is_open = |claim: &Claim| matches!(claim.status, claim::Status::Open(_));
        if !self.claims.iter().any(is_open) {
            return Vec::new();
        }
        let mut budget = verdict::check_budget().part(MAX_LISTING_WORK);
        let listed = interrupt::interruptible(|| self.answer.obligations_within(&mut budget));
        let claims = listed.unwrap_or_default().into_iter().map(|obligation| obligation.claim);
        claims.filter(|text| self.claims.iter().any(|c| c.text == *text && is_open(c))).collect()
    }

    /// Prints the answer, the engine with its work, and the claims. `provable` lists the open claims that a proof may
    /// close.
    fn print(
        &self,
        game: usize,
        (engine, work): (&str, &Work),
        provable: &[String],
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let ended = self.gave_up.map_or(Ended::Settled, |_| Ended::GaveUp);
        let verdict = shown(verdict(&self.claims, ended));
        writeln!(out, "game {game}: {}, {verdict}", self.answer.outcome())?;
        writeln!(out, "  by {engine}: {}", describe(work))?;
        let remedy = |claim: &Claim| provable.contains(&claim.text).then_some("`--certify` may prove it");
        print_with_remedies(&self.claims, &remedy, out)?;
        self.certified.print(&self.claims, out)
    }

    fn save(
        &self,
        dir: &Path,
        instance: &dyn DynInstance,
        engine: &str,
        sheet: &Sheet,
        budget: &mut Budget,
    ) -> Result<(), Failure> {
        let failed = |e| Failure::usage(format!("{}: cannot be written: {e}", dir.display()));
        std::fs::create_dir_all(dir).map_err(failed)?;
        let write = |name: &str, text: &str| replace(&dir.join(name), text).map_err(failed);
        write("instance.txt", &instance.text())?;
        write("answer.json", &format!("{:#}\n", self.json(engine, Embed::Nothing)))?;
        write("picture.svg", &sheet.svg())?;
        let listed = interrupt::interruptible(|| self.answer.obligations_within(budget));
        let obligations = match listed {
            Ok(obligations) => obligations,
            Err(_) if self.certified.proofs.is_empty() => Vec::new(),
            // There are proofs, so the list of obligations was completed before. Complete it again, without a limit.
            Err(_) => self.answer.obligations(),
        };
        proofs::save(dir, &obligations, &self.certified.proofs).map_err(failed)
    }
}
