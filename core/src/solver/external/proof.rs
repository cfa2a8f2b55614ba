//! Proofs that an external solver writes. They need not be trusted.

use super::super::recorder::{Recorded, Recorder, too_long};
use super::super::{NoProof, Verdict};
use super::External;
use crate::engine::{Budget, Unfinished};
use crate::proof::{Constraint, Drat, Formula, Lrat, Refutation, VeriPb};
use counterpoint_encodings::{Linear, Lit, Relation, Sink};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The placeholder for the proof's path in the arguments that ask for a proof.
pub const PROOF: &str = "{proof}";

/// How a program writes proofs.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ProofOutput {
    /// The arguments that follow all others. The proof's path replaces [`PROOF`].
    pub arguments: Vec<String>,
    /// The format of its proofs.
    pub format: ProofFormat,
}

/// A format of proofs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum ProofFormat {
    /// DRAT, as text or binary.
    Drat,
    /// LRAT, as text or binary.
    Lrat,
    /// The format of VeriPB, for programs that read OPB.
    VeriPb,
}

impl ProofFormat {
    /// A proof of this format. Nobody has checked it.
    fn refutation(self, bytes: Vec<u8>) -> Refutation {
        match self {
            ProofFormat::Drat => Drat(bytes).into(),
            ProofFormat::Lrat => Lrat(bytes).into(),
            ProofFormat::VeriPb => VeriPb(bytes).into(),
        }
    }

    /// Its name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            ProofFormat::Drat => "DRAT",
            ProofFormat::Lrat => "LRAT",
            ProofFormat::VeriPb => "VeriPB",
        }
    }
}

impl External {
    /// Proves that a formula is unsatisfiable.
    pub(super) fn prove(
        mut self,
        formula: &Formula,
        format: ProofFormat,
        max_bytes: u64,
        budget: &mut Budget,
    ) -> Result<Refutation, NoProof> {
        if formula.clauses().any(<[i32]>::is_empty) {
            return Ok(Drat(Vec::new()).into());
        }
        for _ in 0..formula.n_vars() {
            self.new_var();
        }
        let add = |sink: &mut Self, constraint: Constraint<'_>| {
            let (Constraint::Clause(lits) | Constraint::AtMost(_, lits)) = constraint;
            let lits = lits.iter().filter_map(|&lit| Lit::from_ipasir(lit).ok());
            match constraint {
                Constraint::Clause(_) => sink.clause(&lits.collect::<Vec<_>>()),
                Constraint::AtMost(max, _) => {
                    let terms: Vec<_> = lits.map(|lit| (1, lit)).collect();
                    sink.linear(&Linear { terms: &terms, relation: Relation::AtMost, bound: max as i64 });
                }
            }
        };
        // A VeriPB proof refers to inequalities by their numbers in the file, so the program reads the file
        // that the checker writes.
        let written = (format == ProofFormat::VeriPb).then(|| formula.to_opb());
        match written {
            Some(_) => formula.constraints().for_each(|constraint| add(&mut self, constraint)),
            None => formula.clauses().for_each(|clause| add(&mut self, Constraint::Clause(clause))),
        }
        let failed = |why| NoProof::Unfinished(Unfinished::Failed(why));
        let file = self
            .children
            .file()
            .map_err(|e| failed(format!("a file for its proof cannot be created: {e}")))?;
        let model = self
            .run(&[], (written.as_deref(), Some((file.path(), max_bytes))), budget)
            .map_err(NoProof::Unfinished)?;
        if model.is_some() {
            return Err(NoProof::Satisfiable);
        }
        let bytes = read_proof(file.path(), max_bytes).map_err(|missing| failed(missing.to_string()))?;
        Ok(format.refutation(bytes))
    }
}

impl External {
    /// Solves the formula, and records the proof if there is no model.
    pub(super) fn solve_and_record(
        mut self: Box<Self>,
        recorder: &Recorder,
        format: ProofFormat,
        budget: &mut Budget,
    ) -> Verdict {
        recorder.note(None);
        let name = &self.program.name;
        let file = match self.children.file() {
            Ok(file) => file,
            Err(error) => {
                return Verdict::Failed(format!(
                    "solver {name}: a file for its proof cannot be created: {error}"
                ));
            }
        };
        let max_bytes = recorder.max_bytes();
        let has_empty_clause = self.formula.cnf().clauses().any(<[Lit]>::is_empty);
        let result = self.run(&[], (None, Some((file.path(), max_bytes))), budget);
        if is_too_long((file.path(), max_bytes)) {
            // The proof is too long, so the program may have been stopped. It runs again without a proof,
            // because its answer is still wanted.
            let verdict = self.call(&[], budget);
            let is_unsat = matches!(verdict, Verdict::Unsat(_));
            recorder.note(is_unsat.then(|| Recorded::Missing(too_long(max_bytes))));
            return verdict;
        }
        match result {
            Ok(Some(model)) => {
                self.model = model;
                Verdict::Sat(self)
            }
            Ok(None) => {
                // The empty clause of the formula needs no step.
                let proof = match has_empty_clause {
                    true => Ok(Drat(Vec::new()).into()),
                    false => read_proof(file.path(), max_bytes).map(|bytes| format.refutation(bytes)),
                };
                recorder.note(Some(
                    proof.map_or_else(|missing| Recorded::Missing(missing.to_string()), Recorded::Proof),
                ));
                Verdict::Unsat(self)
            }
            Err(Unfinished::Limit(limit)) => Verdict::Stopped(limit),
            Err(Unfinished::Failed(reason)) => Verdict::Failed(format!("solver {name}: {reason}")),
        }
    }
}

/// Whether a file is longer than this many bytes.
pub(super) fn is_too_long((path, max): (&Path, u64)) -> bool {
    path.metadata().is_ok_and(|found| found.len() > max)
}

/// Why there is no proof.
#[derive(Debug, thiserror::Error)]
enum Missing {
    #[error("its proof cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    #[error("it wrote no proof")]
    Empty,
    /// The proof is longer than this many bytes.
    #[error("{}", too_long(*.0))]
    TooLong(u64),
}

/// Reads the proof that a program wrote. The file may have been replaced by anything.
fn read_proof(path: &Path, max_bytes: u64) -> Result<Vec<u8>, Missing> {
    let is_file = path.symlink_metadata().is_ok_and(|found| found.is_file());
    let mut bytes = Vec::new();
    if is_file {
        File::open(path)?.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes)?;
    }
    match bytes.len() as u64 {
        0 => Err(Missing::Empty),
        length if length > max_bytes => Err(Missing::TooLong(max_bytes)),
        _ => Ok(bytes),
    }
}
