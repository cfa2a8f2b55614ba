//! What a solver is and can do, and how a new one is created.

use super::{Recorder, Solver};
use crate::engine::{Budget, Unfinished};
use crate::proof::{Formula, Refutation};
use std::fmt;
use std::sync::Arc;

/// What a solver can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// Keeps learnt clauses from one call to the next; otherwise, each call starts afresh.
    pub incremental: bool,
    /// Supports assumptions; otherwise, they become unit clauses of a fresh run.
    pub assumptions: bool,
    /// Writes DRAT proofs of a single, non-incremental call.
    pub drat: bool,
    /// Writes LRAT proofs of a single, non-incremental call.
    pub lrat: bool,
    /// Writes proofs in the format of VeriPB of a single, non-incremental call, and reads linear constraints.
    pub veripb: bool,
    /// Reads parity constraints without turning them into clauses.
    pub native_parity: bool,
    /// Answers only questions with an objective, because it is a MaxSAT solver.
    pub needs_objective: bool,
    /// How soon a limit stops a call.
    pub stops: Stops,
    /// The counters that it reports.
    pub counts: Counts,
}

impl Capabilities {
    /// The capabilities of a solver that only solves a single formula, which consists of clauses.
    pub const fn new(stops: Stops, counts: &[Count]) -> Self {
        Capabilities {
            incremental: false,
            assumptions: false,
            drat: false,
            lrat: false,
            veripb: false,
            native_parity: false,
            needs_objective: false,
            stops,
            counts: Counts::of(counts),
        }
    }
}

/// How soon a limit stops a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stops {
    /// Within a few thousand steps of the search.
    Soon,
    /// After each 8 KiB of learnt clauses; never while nothing is learnt.
    WhenLearning,
    /// After the call, because a running call cannot be stopped.
    AfterCall,
    /// The solver is a process. It is killed at once or, if it prints counters, up to a second after it was
    /// asked to end. Its conflicts cannot be limited.
    Killed,
}

/// A counter that a solver may report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "external", derive(serde::Serialize, serde::Deserialize))]
pub enum Count {
    /// Conflicts.
    Conflicts,
    /// Decisions.
    Decisions,
    /// Propagated literals.
    Propagations,
    /// Restarts of the search.
    Restarts,
}

impl Count {
    /// All counters.
    pub const ALL: [Count; 4] = [Count::Conflicts, Count::Decisions, Count::Propagations, Count::Restarts];

    /// Its name in configurations and records.
    pub const fn name(self) -> &'static str {
        match self {
            Count::Conflicts => "conflicts",
            Count::Decisions => "decisions",
            Count::Propagations => "propagations",
            Count::Restarts => "restarts",
        }
    }
}

/// A set of counters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts([bool; Count::ALL.len()]);

impl Counts {
    /// The counters of a list.
    pub const fn of(counts: &[Count]) -> Self {
        let (mut set, mut i) = ([false; Count::ALL.len()], 0);
        while i < counts.len() {
            set[counts[i] as usize] = true;
            i += 1;
        }
        Counts(set)
    }

    /// Its counters, in the order of [`Count::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Count> {
        Count::ALL.into_iter().filter(move |&count| self.0[count as usize])
    }
}

/// A description of a solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// Its name in engine ids.
    pub name: String,
    /// Its version; empty if unknown.
    pub version: String,
    /// What it can do.
    pub capabilities: Capabilities,
}

impl Profile {
    /// Creates a profile.
    pub fn new(name: &str, version: &str, capabilities: Capabilities) -> Self {
        Profile { name: name.to_owned(), version: version.to_owned(), capabilities }
    }
}

/// Proves that a formula is unsatisfiable, with a proof of at most this many bytes.
pub type Prove = dyn Fn(&Formula, u64, &mut Budget) -> Result<Refutation, NoProof> + Send + Sync;

/// Why there is no proof that a formula is unsatisfiable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoProof {
    /// The formula has a model, which was tested on every clause.
    Satisfiable,
    /// A limit was reached, the solver failed, or its proof is missing or too long.
    Unfinished(Unfinished),
}

/// A kind of solver: its profile, and a function that creates such a solver. Two factories are equal if their names are
/// equal.
#[derive(Clone)]
pub struct SolverFactory {
    profile: Arc<Profile>,
    make: Arc<dyn Fn() -> Box<dyn Solver> + Send + Sync>,
    /// Proves that formulas are unsatisfiable.
    prove: Option<Arc<Prove>>,
    /// Creates solvers that record the proof of their first call.
    record: Option<Arc<Record>>,
}

/// Creates a solver without clauses that records the proof of its first call, if that call has no assumptions and finds
/// that there is no model.
type Record = dyn Fn(&Recorder) -> Box<dyn Solver> + Send + Sync;

impl SolverFactory {
    /// Creates a factory. Each call of `make` must return a solver without clauses.
    pub fn new(profile: Profile, make: impl Fn() -> Box<dyn Solver> + Send + Sync + 'static) -> Self {
        SolverFactory { profile: Arc::new(profile), make: Arc::new(make), prove: None, record: None }
    }

    /// Adds a function that proves that formulas are unsatisfiable. The proofs need not be trusted.
    #[must_use]
    pub fn with_proofs(
        self,
        prove: impl Fn(&Formula, u64, &mut Budget) -> Result<Refutation, NoProof> + Send + Sync + 'static,
    ) -> Self {
        SolverFactory { prove: Some(Arc::new(prove)), ..self }
    }

    /// Adds a function that creates solvers that record the proof of their first call. Such a call must have no
    /// assumptions; other calls record nothing.
    #[must_use]
    pub(super) fn with_recording(
        self,
        record: impl Fn(&Recorder) -> Box<dyn Solver> + Send + Sync + 'static,
    ) -> Self {
        SolverFactory { record: Some(Arc::new(record)), ..self }
    }

    /// The same factory, but its solvers record their proofs; `None` if they cannot.
    pub fn recording(&self, recorder: &Recorder) -> Option<Self> {
        let (record, recorder) = (Arc::clone(self.record.as_ref()?), recorder.clone());
        Some(SolverFactory { make: Arc::new(move || record(&recorder)), ..self.clone() })
    }

    /// The function that proves that formulas are unsatisfiable, if there is one.
    pub fn prove(&self) -> Option<&Prove> {
        self.prove.as_deref()
    }

    /// Its name in engine ids.
    pub fn name(&self) -> &str {
        &self.profile.name
    }

    /// The description of its solvers.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// A new solver without clauses.
    pub fn fresh(&self) -> Box<dyn Solver> {
        (self.make)()
    }
}

impl PartialEq for SolverFactory {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for SolverFactory {}

impl std::hash::Hash for SolverFactory {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

impl fmt::Debug for SolverFactory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
