//! `solve --certify`: proves the claims of an answer that need a proof, and reports the cost of each proof.

use super::args::Solve;
use super::context::Context;
use super::exit::{Failure, Status};
use super::table::hung;
use super::{interrupt, print, verdict};
use crate::certify::{self, Certificate, Prover};
use crate::claim::{self, Claim};
use crate::engine::{Budget, Side};
use crate::erased::{DynAnswer, DynInstance};
use crate::proof::{Obligation, Proof};
use crate::solver::{Recorder, SolverRegistry};
use crate::spec::{self, EngineSpec};
use counterpoint_encodings::Cnf;
use std::io::Write;
use std::time::Duration;

/// An instance and the engine that solved it.
#[derive(Clone, Copy)]
pub(super) struct Solved<'a> {
    pub(super) instance: &'a dyn DynInstance,
    pub(super) engine: &'a EngineSpec,
    /// The proofs that the engine's solver recorded while it solved; `None` if it records none.
    pub(super) recorder: Option<&'a Recorder>,
    /// The conflicts of the engine.
    pub(super) conflicts: u64,
}

impl Solved<'_> {
    /// The formula of an engine for the obligation with this index; `None` if the engine writes none, or if the formula
    /// names no variables.
    fn formula(&self, engine: &EngineSpec, answer: &dyn DynAnswer, obligation: usize) -> Option<Cnf> {
        let mut formula = Cnf::default();
        let is_own = engine.side == Side::Sat && engine.declared().is_none();
        let written = is_own && answer.obligation_formula(engine, obligation, &mut formula).is_ok();
        (written && !formula.names().is_empty()).then_some(formula)
    }

    /// The engine that results if every axis that is `yes` is set to `no`. Its formula lacks the optional constraints,
    /// so it may follow from the checker's plain formula even if the formula of `engine` does not. `None` if no axis is
    /// `yes`.
    fn without_redundant(&self, context: &Context, engine: &EngineSpec) -> Option<EngineSpec> {
        let without = |(axis, value)| format!("/{axis}={}", if value == "yes" { "no" } else { value });
        let axes: String = engine.axes().map(without).collect();
        let found = self.resolve(context, &format!("{}:{}{axes}", engine.side, engine.name))?;
        engine.axes().any(|(_, value)| value == "yes").then_some(found)
    }

    /// The first engine of ours that matches a pattern.
    fn resolve(&self, context: &Context, pattern: &str) -> Option<EngineSpec> {
        let problem = context.registry.find(self.instance.problem()).ok()?;
        spec::resolve(problem.engines(), &SolverRegistry::built_in(), pattern).ok()?.into_iter().next()
    }

    /// The engine whose encoding is refuted. This is the engine itself, unless it is a declared program or encoder. In
    /// that case, it is our default encoding if that supports the instance.
    fn encoder(&self, context: &Context) -> EngineSpec {
        let default = || self.resolve(context, "sat").filter(|engine| self.instance.supports(engine).is_ok());
        let default = self.engine.declared().and_then(|_| default());
        default.unwrap_or_else(|| self.engine.clone())
    }

    /// Proves an obligation, given with its index. If the engine's solver wrote a proof while it solved, this proof is
    /// preferred. Otherwise, three formulas are candidates: the engine's formula, the engine's formula without optional
    /// constraints, and the checker's plain formula. The first of them that follows from the plain formula is refuted.
    /// The second part of the result is the id of the engine whose formula is refuted; `None` for the plain formula.
    fn prove(
        &self,
        context: &Context,
        answer: &dyn DynAnswer,
        (number, obligation): (usize, &Obligation<'_>),
        max_bytes: u64,
        (prover, budget): (&mut Prover, &mut Budget),
    ) -> (Certificate, Option<String>) {
        if prover.is_pseudo_boolean() || prover.has_recorded() {
            return (certify::certificate(obligation, max_bytes, prover, budget), None);
        }
        let mut rejection = None;
        let own = self.encoder(context);
        let engines = [Some(own.clone()), self.without_redundant(context, &own)];
        for engine in engines.into_iter().flatten() {
            let Some(formula) = self.formula(&engine, answer, number) else { continue };
            match certify::certificate_of(obligation, &formula, max_bytes, prover, budget) {
                // This formula is that of our default encoding, not that of the declared engine. Only a model
                // of the plain formula shows that the engine's claim is wrong.
                Ok(Certificate::Satisfiable(_) | Certificate::Inconclusive(_))
                    if self.engine.declared().is_some() =>
                {
                    return (certify::certificate(obligation, max_bytes, prover, budget), None);
                }
                Ok(certificate) => {
                    if let Some(why) = rejection {
                        print::warn(&format!(
                            "the proof refutes the formula of {engine} instead of the formula of {own}: {why}"
                        ));
                    }
                    return (certificate, Some(engine.to_string()));
                }
                Err(why) => rejection = rejection.or(Some(why)),
            }
        }
        if let Some(why) = rejection {
            print::warn(&format!(
                "the proof refutes the checker's plain formula instead of the formula of {own}: {why}"
            ));
        }
        (certify::certificate(obligation, max_bytes, prover, budget), None)
    }
}

/// The proofs of an answer's claims.
pub(super) struct Certified {
    pub(super) proofs: Vec<Proof>,
    /// The cost of each proof, in the order of `proofs`.
    spent: Vec<Spent>,
    /// The claims that are wrong, because the checker's plain formulas for them have models.
    refuted: Vec<String>,
    /// The claims whose proofs are too long.
    too_long: Vec<TooLong>,
    pub(super) status: Status,
}

/// A claim whose proof is too long.
struct TooLong {
    claim: String,
    reason: String,
}

/// The cost of a proof.
struct Spent {
    /// The engine whose formula the proof refutes; `None` for the checker's plain formula.
    from: Option<String>,
    /// The solver that wrote the proof, if it is an external solver or wrote the proof while it solved. `None` if
    /// varisat wrote the proof afterwards.
    writer: Option<String>,
    conflicts: u64,
    time: Duration,
}

impl Certified {
    /// No proofs, because none were requested.
    pub(super) fn nothing() -> Self {
        Certified {
            proofs: Vec::new(),
            spent: Vec::new(),
            refuted: Vec::new(),
            too_long: Vec::new(),
            status: Status::Done,
        }
    }

    /// Proves the claims of the answer that need a proof, within the given limits.
    pub(super) fn of(context: &Context, answer: &dyn DynAnswer, args: &Solve, solved: Solved<'_>) -> Self {
        let mut certified = Certified::nothing();
        let mut budget = context.budget(&args.limits);
        let factory = solved.engine.solver_factory();
        let recorder = solved.recorder.filter(|_| solved.instance.is_obligation(solved.engine));
        let mut prover = match recorder {
            Some(recorder) => Prover::recorded(recorder.take(), factory),
            None => Prover::of(factory),
        };
        let obligations = match interrupt::interruptible(|| answer.obligations_within(&mut budget)) {
            Ok(obligations) => obligations,
            Err(limit) => {
                print::warn(&format!(
                    "no proof was tried: {limit} before it was known which claims need one"
                ));
                certified.status = certified.status.max(Status::of(limit));
                return certified;
            }
        };
        for obligation in obligations.iter().enumerate() {
            let before = budget.work.conflicts;
            let tools = (&mut prover, &mut budget);
            let prove = || solved.prove(context, answer, obligation, args.proof_limit, tools);
            let ((certificate, from), time) = context.timed(|| interrupt::interruptible(prove));
            prover.take_remarks().iter().for_each(|remark| print::warn(&format!("warning: {remark}")));
            let unproved = |claim: &str, why: &str| print::warn(&format!("no proof that {claim}: {why}"));
            match certificate {
                Certificate::Proof(proof) => {
                    let recorder = prover.recorder().map(|solver| format!("{solver} while it solved"));
                    let conflicts = match recorder {
                        Some(_) => solved.conflicts,
                        None => budget.work.conflicts - before,
                    };
                    certified.proofs.push(proof);
                    let writer = recorder.or_else(|| prover.external().map(str::to_owned));
                    certified.spent.push(Spent { from, writer, conflicts, time });
                }
                Certificate::Satisfiable(claim) if from.is_none() => certified.refuted.push(claim),
                Certificate::Satisfiable(claim) => unproved(&claim, "its formula is satisfiable"),
                Certificate::Inconclusive(claim) => unproved(&claim, "its formula is satisfiable"),
                Certificate::TooLarge(claim) => unproved(&claim, "its plain formula is too large"),
                Certificate::TooLong(claim, limit) => {
                    let reason = format!("its proof is longer than {limit} bytes");
                    unproved(&claim, &reason);
                    certified.too_long.push(TooLong { claim, reason });
                }
                Certificate::Stopped(claim, limit) => {
                    certified.status = certified.status.max(Status::of(limit));
                    unproved(&claim, &limit.to_string());
                }
            }
        }
        certified
    }

    /// Checks every claim of the answer. The times of the proofs and of the check go to standard error.
    pub(super) fn check(&self, context: &Context, answer: &dyn DynAnswer) -> Vec<Claim> {
        let check = || answer.check(&self.proofs, &mut verdict::check_budget());
        let (mut claims, time) = context.timed(|| interrupt::interruptible(check));
        for claim in &mut claims {
            if !claim.status.is_closed() && self.refuted.contains(&claim.text) {
                claim.status = claim::Status::Failed(certify::HAS_MODEL.to_owned());
            }
            let too_long = self.too_long.iter().find(|too_long| too_long.claim == claim.text);
            if let (claim::Status::Open(why), Some(TooLong { reason, .. })) = (&mut claim.status, too_long) {
                *why = format!("{why}; {reason}");
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

    /// Prints one line per proof with its size and cost.
    pub(super) fn print(&self, claims: &[Claim], out: &mut dyn Write) -> Result<(), Failure> {
        for (proof, Spent { from, writer, conflicts, .. }) in self.proofs.iter().zip(&self.spent) {
            let claim = claims.iter().find(|claim| claim.text == proof.claim);
            let checked = match claim.map(|claim| &claim.status) {
                Some(claim::Status::Proved(checked)) => format!(
                    ", {} steps, {conflicts} conflicts; checked against {} clauses in {} propagations",
                    checked.steps, checked.clauses, checked.propagations
                ),
                _ => String::new(),
            };
            let bytes = proof.refutation.bytes().len();
            let from = from.as_ref().map_or(String::new(), |engine| format!(" by {engine}"));
            let writer = writer.as_ref().map_or(String::new(), |solver| format!(", written by {solver}"));
            let line = format!("  proof of {bytes} bytes{from}{writer}{checked}: {}", proof.claim);
            writeln!(out, "{}", hung(&line, 4))?;
        }
        Ok(())
    }
}
