//! Proofs for obligations: refutes the plain formulas of a checker.
//!
//! Each proof comes from a fresh solver and a single call. The checker verifies the proof against the plain formula, so
//! nothing here needs to be trusted. If an engine's formula can be derived from the plain formula, the engine's formula
//! is refuted instead, which is often faster.

mod auxiliary;
mod differences;
mod encoding;
mod parities;
mod prover;

pub use encoding::{EncodingError, certificate_of};
pub use prover::Prover;

use crate::engine::{Budget, Limit};
use crate::proof::{Obligation, Proof};

/// A clause as DIMACS literals. Variables that the checker's formula lacks have higher numbers.
type Clause = Vec<i32>;

/// The default limit on the bytes of a proof.
pub const MAX_BYTES: u64 = 1 << 30;

/// Why a claim whose plain formula is satisfiable fails.
pub const HAS_MODEL: &str = "the checker's plain formula for it has a model";

/// The result of trying to prove one obligation. Each string is the text of the obligation's claim.
#[derive(Clone, Debug)]
pub enum Certificate {
    /// A proof, which has not been checked yet.
    Proof(Proof),
    /// The plain formula is satisfiable, so the claim is wrong.
    Satisfiable(String),
    /// The plain formula is satisfiable, but this does not refute the claim; see [`Obligation::sufficient`].
    Inconclusive(String),
    /// The plain formula is too large to be written.
    TooLarge(String),
    /// The proof is longer than this many bytes.
    TooLong(String, u64),
    /// A limit stopped the solver.
    Stopped(String, Limit),
}

/// Tries to prove each obligation with varisat, with at most [`MAX_BYTES`] for each proof.
pub fn certify(obligations: &[Obligation<'_>], budget: &mut Budget) -> Vec<Certificate> {
    let mut prover = Prover::default();
    obligations.iter().map(|obligation| certificate(obligation, MAX_BYTES, &mut prover, budget)).collect()
}

/// Tries to prove one obligation with a proof of at most `max_bytes`.
pub fn certificate(
    obligation: &Obligation<'_>,
    max_bytes: u64,
    prover: &mut Prover,
    budget: &mut Budget,
) -> Certificate {
    let claim = obligation.claim.clone();
    if let Some(refutation) = prover.take_recorded(&claim) {
        return Certificate::Proof(Proof::new(claim, refutation));
    }
    // The formulas of many claims take long to write, so limits are tested before each.
    if let Err(limit) = budget.poll() {
        return Certificate::Stopped(claim, limit);
    }
    let Some(formula) = obligation.formula() else { return Certificate::TooLarge(claim) };
    match prover.refute(&claim, &formula, max_bytes, budget) {
        Ok(Some(refutation)) => Certificate::Proof(Proof::new(claim, refutation)),
        Ok(None) if obligation.is_equivalent() => Certificate::Satisfiable(claim),
        Ok(None) => Certificate::Inconclusive(claim),
        Err(Limit::Memory) => Certificate::TooLong(claim, max_bytes),
        Err(limit) => Certificate::Stopped(claim, limit),
    }
}

/// The proofs among the certificates.
pub fn proofs(certificates: Vec<Certificate>) -> Vec<Proof> {
    let proof = |c| if let Certificate::Proof(proof) = c { Some(proof) } else { None };
    certificates.into_iter().filter_map(proof).collect()
}
