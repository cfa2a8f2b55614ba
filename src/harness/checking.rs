//! How an answer of a run is checked: by the problem's checker, with proofs of what it asks to be proved where the plan
//! wants them. Workers check so, and so does whoever checks a kept answer again.

use crate::certify::{self, Certificate};
use crate::claim::{self, CHECK_WORK, Claim, Status};
use crate::engine::{Budget, Stop};
use crate::erased::DynAnswer;
use crate::proof::Proof;
use crate::record::Check;

/// Proofs for the claims of an answer, and why others have none.
#[derive(Default)]
pub(super) struct Proofs {
    proofs: Vec<Proof>,
    /// Claims without a proof, with the reason.
    unproved: Vec<(String, String)>,
}

impl Proofs {
    /// Proves what the checker of an answer asks for.
    pub(super) fn of(answer: &dyn DynAnswer, budget: &mut Budget) -> Self {
        let mut found = Proofs::default();
        for obligation in answer.obligations() {
            let (claim, why) = match certify::certificate(&obligation, certify::MAX_BYTES, budget) {
                Certificate::Proof(proof) => {
                    found.proofs.push(proof);
                    continue;
                }
                Certificate::Satisfiable(claim) => (claim, "its formula has a model".to_owned()),
                Certificate::TooLarge(claim) => (claim, "its plain formula is too large".to_owned()),
                Certificate::TooLong(claim, most) => {
                    (claim, format!("its proof is longer than {most} bytes"))
                }
                Certificate::Stopped(claim, limit) => (claim, format!("proving met the {limit}")),
            };
            found.unproved.push((claim, why));
        }
        found
    }

    /// Bytes of all proofs.
    pub(super) fn bytes(&self) -> u64 {
        self.proofs.iter().map(|proof| proof.refutation.bytes().len() as u64).sum()
    }

    /// Every claim of the answer with its status.
    pub(super) fn check(&self, answer: &dyn DynAnswer, budget: &mut Budget) -> Vec<Claim> {
        let mut claims = answer.check(&self.proofs, budget);
        for Claim { text, status } in &mut claims {
            let reason = self.unproved.iter().find(|(claim, _)| claim == text);
            if let (Status::Open(why), Some((_, reason))) = (status, reason) {
                *why = format!("{why}; {reason}");
            }
        }
        claims
    }
}

/// Checks an answer like the worker that found it, and proves what the checker asks for if `certify` says so.
pub fn recheck(answer: &dyn DynAnswer, certify: bool, stop: &Stop) -> Vec<Claim> {
    let budget = |work| Budget::new(work, stop.clone());
    let proofs = if certify { Proofs::of(answer, &mut budget(None)) } else { Proofs::default() };
    proofs.check(answer, &mut budget(Some(CHECK_WORK)))
}

/// What all claims come to.
pub fn verdict(claims: &[Claim]) -> Check {
    match () {
        () if claim::any_failed(claims) => Check::Wrong,
        () if claim::all_closed(claims) => Check::Checked,
        () => Check::Open,
    }
}
