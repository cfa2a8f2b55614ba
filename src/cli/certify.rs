//! `solve --certify`: the proofs that an answer's claims ask for, and what they took.

use super::args::Solve;
use super::context::Context;
use super::exit::{Failure, Status};
use super::{interrupt, print, verdict};
use crate::certify::{self, Certificate};
use crate::claim::{self, Claim};
use crate::engine::{Budget, Side};
use crate::erased::{DynAnswer, DynInstance};
use crate::proof::{Obligation, Proof};
use crate::solver::SolverRegistry;
use crate::spec::{self, EngineSpec};
use counterpoint_encodings::Cnf;
use std::io::Write;
use std::time::Duration;

/// What was asked, and whom.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) instance: &'a dyn DynInstance,
    pub(super) engine: &'a EngineSpec,
}

impl Asked<'_> {
    /// The formula of an engine for an obligation, if it is one that names its variables.
    fn model(&self, engine: &EngineSpec, answer: &dyn DynAnswer, obligation: usize) -> Option<Cnf> {
        let mut model = Cnf::default();
        let written =
            engine.side == Side::Sat && answer.obligation_formula(engine, obligation, &mut model).is_ok();
        (written && !model.names().is_empty()).then_some(model)
    }

    /// The engine without constraints that are redundant, whose model follows where they do not; `None` if it
    /// has none.
    fn without_redundant(&self, context: &Context) -> Option<EngineSpec> {
        let without = |(axis, value)| format!("/{axis}={}", if value == "yes" { "no" } else { value });
        let axes: String = self.engine.axes().map(without).collect();
        let pattern = format!("{}:{}{axes}", self.engine.side, self.engine.name);
        let problem = context.registry.find(self.instance.problem()).ok()?;
        let found = spec::resolve(problem.engines(), &SolverRegistry::built_in(), &pattern).ok()?.pop()?;
        self.engine.axes().any(|(_, value)| value == "yes").then_some(found)
    }

    /// Proves an obligation by the engine's model or the nearest one that follows from the plain formula, which
    /// is told beside it, or else by that formula.
    fn prove(
        &self,
        context: &Context,
        answer: &dyn DynAnswer,
        (number, obligation): (usize, &Obligation<'_>),
        most_bytes: u64,
        budget: &mut Budget,
    ) -> (Certificate, Option<String>) {
        let mut instead = None;
        let nearest = [Some(self.engine.clone()), self.without_redundant(context)];
        for engine in nearest.into_iter().flatten() {
            let Some(model) = self.model(&engine, answer, number) else { continue };
            match certify::certificate_of(obligation, &model, most_bytes, budget) {
                Ok(certificate) => {
                    if let Some(why) = instead {
                        let mine = &self.engine;
                        print::warn(&format!(
                            "the proof is of the model of {engine} instead of {mine}: {why}"
                        ));
                    }
                    return (certificate, Some(engine.to_string()));
                }
                Err(why) => instead = instead.or(Some(why)),
            }
        }
        if let Some(why) = instead {
            let mine = &self.engine;
            print::warn(&format!("the proof is of the checker's plain formula instead of {mine}: {why}"));
        }
        (certify::certificate(obligation, most_bytes, budget), None)
    }
}

/// What came of certifying an answer.
pub(super) struct Certified {
    pub(super) proofs: Vec<Proof>,
    /// For each proof, what the solver did.
    spent: Vec<Spent>,
    /// Claims whose proofs are too long, with the reason.
    too_long: Vec<(String, String)>,
    pub(super) status: Status,
}

struct Spent {
    /// The engine whose model it refutes; `None` for the checker's plain formula.
    from: Option<String>,
    conflicts: u64,
    time: Duration,
}

impl Certified {
    /// Nothing was asked to be proved.
    pub(super) fn nothing() -> Self {
        Certified { proofs: Vec::new(), spent: Vec::new(), too_long: Vec::new(), status: Status::Done }
    }

    /// Proves what the answer's claims rest on, within the limits given.
    pub(super) fn of(context: &Context, answer: &dyn DynAnswer, args: &Solve, asked: Asked<'_>) -> Self {
        let mut certified = Certified::nothing();
        let mut budget = context.budget(&args.limits);
        for asks in answer.obligations().iter().enumerate() {
            let before = budget.work.conflicts;
            let prove = || asked.prove(context, answer, asks, args.proof_limit, &mut budget);
            let ((certificate, from), time) = context.timed(|| interrupt::listening(prove));
            let unproved = |claim: &str, why: &str| print::warn(&format!("no proof that {claim}: {why}"));
            match certificate {
                Certificate::Proof(proof) => {
                    let conflicts = budget.work.conflicts - before;
                    certified.proofs.push(proof);
                    certified.spent.push(Spent { from, conflicts, time });
                }
                Certificate::Satisfiable(claim) => unproved(&claim, "its formula has a model"),
                Certificate::TooLarge(claim) => unproved(&claim, "its plain formula is too large"),
                Certificate::TooLong(claim, most) => {
                    let why = format!("its proof is longer than {most} bytes");
                    unproved(&claim, &why);
                    certified.too_long.push((claim, why));
                }
                Certificate::Stopped(claim, limit) => {
                    certified.status = certified.status.max(Status::of(limit));
                    unproved(&claim, &limit.to_string());
                }
            }
        }
        certified
    }

    /// Every claim of the answer with its status. What the proofs took in time goes to standard error.
    pub(super) fn check(&self, context: &Context, answer: &dyn DynAnswer) -> Vec<Claim> {
        let check = || answer.check(&self.proofs, &mut verdict::check_budget());
        let (mut claims, time) = context.timed(|| interrupt::listening(check));
        for claim in &mut claims {
            let too_long = self.too_long.iter().find(|(text, _)| *text == claim.text);
            if let (claim::Status::Open(why), Some((_, too_long))) = (&mut claim.status, too_long) {
                *why = format!("{why}; {too_long}");
            }
        }
        for (proof, spent) in self.proofs.iter().zip(&self.spent) {
            print::warn(&format!("proof that {}: {}", proof.claim, print::duration(spent.time)));
        }
        if !self.proofs.is_empty() {
            print::warn(&format!("all claims checked: {}", print::duration(time)));
        }
        claims
    }

    /// A line a proof: what it is, and what checking it took.
    pub(super) fn print(&self, claims: &[Claim], out: &mut dyn Write) -> Result<(), Failure> {
        for (proof, Spent { from, conflicts, .. }) in self.proofs.iter().zip(&self.spent) {
            let claim = claims.iter().find(|claim| claim.text == proof.claim);
            let checked = match claim.map(|claim| &claim.status) {
                Some(claim::Status::Proved(checked)) => format!(
                    ", {} steps, {conflicts} conflicts; {} clauses refuted in {} propagations",
                    checked.steps, checked.clauses, checked.propagations
                ),
                _ => String::new(),
            };
            let bytes = proof.refutation.bytes().len();
            let from = from.as_ref().map_or(String::new(), |engine| format!(" by {engine}"));
            writeln!(out, "  proof of {bytes} bytes{from}{checked}: {}", proof.claim)?;
        }
        Ok(())
    }
}
