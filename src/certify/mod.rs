//! Proofs on demand: solves the plain formulas that a checker asks to be refuted.
//!
//! Each proof comes from a fresh solver and a single call, and is handed to the checker, which reads
//! it against its own formula. Nothing is believed on the way. Where an engine's model can be derived from
//! that formula, the model itself is what is refuted.

mod auxiliary;
mod model;
mod parities;
mod twins;

pub use model::certificate_of;

use crate::engine::{Budget, Limit};
use crate::proof::{Obligation, Proof};
use crate::solver;

/// Literals over the checker's variables and those beyond.
type Clause = Vec<i32>;

/// The most bytes of a proof, unless told otherwise.
pub const MAX_BYTES: u64 = 1 << 30;

/// What became of one obligation.
#[derive(Clone, Debug)]
pub enum Certificate {
    /// A proof, not checked yet.
    Proof(Proof),
    /// The formula has a model: the claim is wrong.
    Satisfiable(String),
    /// The checker's formula is too large to be written.
    TooLarge(String),
    /// The proof is longer than this many bytes.
    TooLong(String, u64),
    /// A limit came first.
    Stopped(String, Limit),
}

/// Tries to prove each obligation, with at most [`MAX_BYTES`] a proof.
pub fn certify(obligations: &[Obligation<'_>], budget: &mut Budget) -> Vec<Certificate> {
    obligations.iter().map(|obligation| certificate(obligation, MAX_BYTES, budget)).collect()
}

/// Tries to prove one obligation with at most `most_bytes` of proof.
pub fn certificate(obligation: &Obligation<'_>, most_bytes: u64, budget: &mut Budget) -> Certificate {
    let claim = obligation.claim.clone();
    let Some(formula) = obligation.formula() else { return Certificate::TooLarge(claim) };
    match solver::prove(&formula, most_bytes, budget) {
        Ok(Some(drat)) => Certificate::Proof(Proof::new(claim, drat)),
        Ok(None) => Certificate::Satisfiable(claim),
        Err(Limit::Memory) => Certificate::TooLong(claim, most_bytes),
        Err(limit) => Certificate::Stopped(claim, limit),
    }
}

/// The proofs among the certificates.
pub fn proofs(certificates: Vec<Certificate>) -> Vec<Proof> {
    let proof = |c| if let Certificate::Proof(proof) = c { Some(proof) } else { None };
    certificates.into_iter().filter_map(proof).collect()
}
