//! Proofs that a solver writes while it solves the formula of an engine, so that "unsatisfiable" needs no second run.

use crate::proof::Refutation;
use std::sync::{Arc, Mutex, PoisonError};

/// What became of the proof of a call of a solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// The proof. Nobody has checked it.
    Proof(Refutation),
    /// Why there is no proof, although the solver answered "unsatisfiable".
    Missing(String),
}

/// Receives the proof of a solver's first call. Clones share what they receive.
#[derive(Clone, Debug)]
pub struct Recorder {
    last: Arc<Mutex<Option<Recorded>>>,
    max_bytes: u64,
}

impl Recorder {
    /// A recorder of proofs of at most `max_bytes`.
    pub fn new(max_bytes: u64) -> Self {
        Recorder { last: Arc::default(), max_bytes }
    }

    /// The maximum length of a proof.
    pub fn max_bytes(&self) -> u64 {
        self.max_bytes
    }

    /// Replaces what was received before.
    pub(super) fn note(&self, recorded: Option<Recorded>) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = recorded;
    }

    /// What was received since the last call of this function; `None` if the solver has not answered "unsatisfiable".
    pub fn take(&self) -> Option<Recorded> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// The message for a proof that is longer than this many bytes.
pub(super) fn too_long(max: u64) -> String {
    format!("its proof is longer than {max} bytes")
}
