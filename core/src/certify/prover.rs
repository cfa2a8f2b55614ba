//! The solver that refutes obligations.

use crate::engine::{Budget, Limit, Unfinished};
use crate::proof::{Formula, ProofError, Refutation};
use crate::solver::{self, NoProof, Recorded, SolverFactory};

/// Refutes formulas. If the engine's solver is an external solver that writes proofs, this solver refutes them;
/// otherwise, varisat does.
///
/// The proof of an external solver is checked immediately. If the proof is missing, too long or wrong, varisat refutes
/// the formula again. If the engine's solver recorded a proof while it solved the formula, this proof is used first. It
/// is not checked in advance: if it is wrong, the claim fails.
#[derive(Debug, Default)]
pub struct Prover {
    /// The external solver.
    solver: Option<SolverFactory>,
    /// Whether the last proof came from the external solver.
    is_own: bool,
    /// Why varisat had to take over.
    remarks: Vec<String>,
    /// The proof that the engine's solver wrote while it solved, and the solver's name.
    recorded: Option<(Recorded, String)>,
    /// The solver whose recorded proof was the last proof.
    recorder: Option<String>,
}

impl Prover {
    /// The prover for the answers of an engine with this solver.
    pub fn of(solver: Option<&SolverFactory>) -> Self {
        let solver = solver.filter(|factory| factory.prove().is_some());
        Prover { solver: solver.cloned(), ..Prover::default() }
    }

    /// The prover for an answer whose engine has solved the checker's formula itself. If the engine's solver
    /// has recorded no proof, varisat refutes the formula.
    pub fn recorded(recorded: Option<Recorded>, solver: Option<&SolverFactory>) -> Self {
        let name = solver.map_or("", SolverFactory::name).to_owned();
        Prover { recorded: recorded.map(|recorded| (recorded, name)), ..Prover::default() }
    }

    /// The name of the solver whose recorded proof was the last proof; `None` if the proof was made afterwards.
    pub fn recorder(&self) -> Option<&str> {
        self.recorder.as_deref()
    }

    /// Whether there is a recorded proof that has not been handed over yet.
    pub fn has_recorded(&self) -> bool {
        matches!(self.recorded, Some((Recorded::Proof(_), _)))
    }

    /// The recorded proof of this claim, which is handed over only once.
    pub(super) fn take_recorded(&mut self, claim: &str) -> Option<Refutation> {
        self.recorder = None;
        let (recorded, name) = self.recorded.take()?;
        match recorded {
            Recorded::Proof(refutation) => {
                self.recorder = Some(name);
                Some(refutation)
            }
            Recorded::Missing(why) => {
                let remark = format!("solver {name} has not proved that {claim}: {why}");
                self.remarks.push(format!("{remark}; varisat proves it instead"));
                None
            }
        }
    }

    /// The name of the external solver that wrote the last proof; `None` if varisat wrote it.
    pub fn external(&self) -> Option<&str> {
        self.solver.as_ref().filter(|_| self.is_own).map(SolverFactory::name)
    }

    /// Whether a pseudo-Boolean solver writes the proofs. Such a solver refutes the linear form of the plain formula.
    pub fn is_pseudo_boolean(&self) -> bool {
        self.solver.as_ref().is_some_and(|solver| solver.profile().capabilities.veripb)
    }

    /// Why varisat had to prove what the external solver should have proved. Each remark is returned only once.
    pub fn take_remarks(&mut self) -> Vec<String> {
        std::mem::take(&mut self.remarks)
    }

    /// Finds a proof that `formula` is unsatisfiable. `None` if the formula is satisfiable. `claim` is the claim that
    /// the proof proves.
    pub(super) fn refute(
        &mut self,
        claim: &str,
        formula: &Formula,
        max_bytes: u64,
        budget: &mut Budget,
    ) -> Result<Option<Refutation>, Limit> {
        self.is_own = false;
        let own = self.solver.as_ref().and_then(|solver| Some((solver.name().to_owned(), solver.prove()?)));
        if let Some((name, prove)) = own {
            let remark = match prove(formula, max_bytes, budget) {
                Ok(refutation) => match refutation.check_until(formula, &budget.stop()) {
                    Ok(_) => {
                        self.is_own = true;
                        return Ok(Some(refutation));
                    }
                    Err(ProofError::Stopped(limit)) => return Err(limit),
                    Err(error) if !error.is_rejection() => {
                        format!("the proof by solver {name} that {claim} cannot be checked: {error}")
                    }
                    Err(error) => format!(
                        "FAULT of solver {name}: it calls a formula unsatisfiable, but its proof that {claim} is wrong \
                         ({error})"
                    ),
                },
                Err(NoProof::Satisfiable) => return Ok(None),
                Err(NoProof::Unfinished(unfinished)) => {
                    budget.poll()?;
                    let why = match unfinished {
                        Unfinished::Failed(why) => why,
                        Unfinished::Limit(limit) => format!("it reached a limit of its own ({limit})"),
                    };
                    format!("solver {name} has not proved that {claim}: {why}")
                }
            };
            self.remarks.push(format!("{remark}; varisat proves it instead"));
        }
        Ok(solver::prove(formula, max_bytes, budget)?.map(Refutation::Drat))
    }
}
