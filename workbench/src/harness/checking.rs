//! Checks the answer of a run with the problem's checker. If the plan asks for proofs, the answer's obligations are
//! proved first. Workers use this module, and so does `status --verify`, which checks stored answers again.

use crate::certify::{self, Certificate, Prover};
use crate::claim::{self, CHECK_WORK, Claim, Status};
use crate::engine::{Budget, Limit, Stop};
use crate::erased::DynAnswer;
use crate::proof::Proof;
use crate::record::Check;

/// Proofs of claims of an answer, and the reasons why other claims have no proof.
#[derive(Default)]
pub(super) struct Proofs {
    proofs: Vec<Proof>,
    /// The texts of claims without a proof, each with the reason.
    unproved: Vec<(String, String)>,
    /// The texts of claims that are wrong, because their plain formulas have models.
    refuted: Vec<String>,
    /// The limit that was reached before it was known which claims need a proof.
    unlisted: Option<Limit>,
}

impl Proofs {
    /// Proves the obligations of an answer, as far as the budget allows.
    pub(super) fn of(answer: &dyn DynAnswer, prover: &mut Prover, budget: &mut Budget) -> Self {
        let mut found = Proofs::default();
        let obligations = answer.obligations_within(budget).unwrap_or_else(|limit| {
            found.unlisted = Some(limit);
            Vec::new()
        });
        for obligation in obligations {
            let (claim, why) = match certify::certificate(&obligation, certify::MAX_BYTES, prover, budget) {
                Certificate::Proof(proof) => {
                    found.proofs.push(proof);
                    continue;
                }
                Certificate::Satisfiable(claim) => {
                    found.refuted.push(claim);
                    continue;
                }
                Certificate::Inconclusive(claim) => (claim, "its formula has a model".to_owned()),
                Certificate::TooLarge(claim) => (claim, "its plain formula is too large".to_owned()),
                Certificate::TooLong(claim, max) => (claim, format!("its proof is longer than {max} bytes")),
                Certificate::Stopped(claim, limit) => (claim, format!("proving met the {limit}")),
            };
            found.unproved.push((claim, why));
        }
        found
    }

    /// The total size of the proofs.
    pub(super) fn bytes(&self) -> u64 {
        self.proofs.iter().map(|proof| proof.refutation.bytes().len() as u64).sum()
    }

    /// Checks every claim of the answer. An open claim fails if its plain formula has a model. If a claim stays open
    /// because it has no proof, the reason is added to its status.
    pub(super) fn check(&self, answer: &dyn DynAnswer, budget: &mut Budget) -> Vec<Claim> {
        let mut claims = answer.check(&self.proofs, budget);
        for Claim { text, status } in &mut claims {
            if !status.is_closed() && self.refuted.contains(text) {
                *status = Status::Failed(certify::HAS_MODEL.to_owned());
            }
            let reason = self.unproved.iter().find(|(claim, _)| claim == text);
            let unlisted = || Some(format!("no proof was tried because of the {}", self.unlisted?));
            let reason = reason.map(|(_, reason)| reason.clone()).or_else(unlisted);
            if let (Status::Open(why), Some(reason)) = (status, reason) {
                *why = format!("{why}; {reason}");
            }
        }
        claims
    }
}

/// Checks an answer as the worker that found it did, but without limits on time and memory. Proves its obligations if
/// `certify` is true, with varisat.
pub fn recheck(answer: &dyn DynAnswer, certify: bool, stop: &Stop) -> Vec<Claim> {
    let budget = |work| Budget::new(work, stop.clone());
    let proofs = if certify {
        Proofs::of(answer, &mut Prover::default(), &mut budget(None))
    } else {
        Proofs::default()
    };
    proofs.check(answer, &mut budget(Some(CHECK_WORK)))
}

/// Summarizes the statuses of all claims.
pub fn verdict(claims: &[Claim]) -> Check {
    match () {
        () if claim::any_failed(claims) => Check::Wrong,
        () if claim::all_closed(claims) => Check::Checked,
        () => Check::Open,
    }
}
