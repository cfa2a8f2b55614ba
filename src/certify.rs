//! Proofs on demand: solves the plain formulas that a checker asks to be refuted.
//!
//! Each proof comes from a fresh solver and a single call, and is handed to the checker, which reads
//! it against its own formula. Nothing is believed on the way.

use crate::engine::{Budget, Limit};
use crate::proof::{Obligation, Proof};
use crate::solver;

/// What became of one obligation.
#[derive(Clone, Debug)]
pub enum Certificate {
    /// A proof, not checked yet.
    Proof(Proof),
    /// The formula has a model: the claim is wrong.
    Satisfiable(String),
    /// The checker's formula is too large to be written.
    TooLarge(String),
    /// A limit came first.
    Stopped(String, Limit),
}

/// Tries to prove each obligation.
pub fn certify(obligations: &[Obligation<'_>], budget: &mut Budget) -> Vec<Certificate> {
    let certificate = |obligation: &Obligation<'_>| {
        let claim = obligation.claim.clone();
        let Some(formula) = obligation.formula() else { return Certificate::TooLarge(claim) };
        match solver::prove(&formula, budget) {
            Ok(Some(drat)) => Certificate::Proof(Proof { claim, drat }),
            Ok(None) => Certificate::Satisfiable(claim),
            Err(limit) => Certificate::Stopped(claim, limit),
        }
    };
    obligations.iter().map(certificate).collect()
}

/// The proofs among the certificates.
pub fn proofs(certificates: Vec<Certificate>) -> Vec<Proof> {
    let proof = |c| if let Certificate::Proof(proof) = c { Some(proof) } else { None };
    certificates.into_iter().filter_map(proof).collect()
}
