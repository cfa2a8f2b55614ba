//! Claims that need proofs, and how proofs close them.

use crate::{Drat, Formula, Lrat, Opb, ProofError, VeriPb};
use counterpoint_base::budget::{Limit, Stop};
use counterpoint_base::claim::{Checked, Status};

/// The maximum number of clauses of a plain formula. Larger formulas are not written.
const MAX_CLAUSES: usize = 4_000_000;

/// Why a claim with a proof stays open if its formula has too many clauses.
const TOO_LARGE: &str = "its plain formula is too large to check a proof";

/// A claim that needs a proof. The claim is true if the checker's plain formula is unsatisfiable. The converse holds
/// unless the obligation is only [`sufficient`](Self::sufficient).
pub struct Obligation<'a> {
    /// The text of the claim, as the checker states it; unique within an answer.
    pub claim: String,
    /// The text of the claim in answers of earlier versions of the program; `None` if it was the same.
    pub earlier_claim: Option<String>,
    /// The approximate number of clauses of the formula.
    clauses: usize,
    is_equivalent: bool,
    write: Box<dyn Fn() -> Formula + 'a>,
}

impl<'a> Obligation<'a> {
    /// A claim that is true if and only if a formula of about `clauses` clauses is unsatisfiable. `write` is called
    /// when the formula is needed.
    pub fn new(claim: impl Into<String>, clauses: usize, write: impl Fn() -> Formula + 'a) -> Self {
        Obligation {
            claim: claim.into(),
            earlier_claim: None,
            clauses,
            is_equivalent: true,
            write: Box::new(write),
        }
    }

    /// Declares that the claim may be true even if the formula is satisfiable.
    pub fn sufficient(self) -> Self {
        Obligation { is_equivalent: false, ..self }
    }

    /// Whether the claim is wrong if the formula is satisfiable.
    pub fn is_equivalent(&self) -> bool {
        self.is_equivalent
    }

    /// Sets the text of this claim in answers of earlier versions.
    pub fn with_earlier_claim(self, claim: impl Into<String>) -> Self {
        Obligation { earlier_claim: Some(claim.into()), ..self }
    }

    /// Writes the formula. Returns `None` if it would be too large.
    pub fn formula(&self) -> Option<Formula> {
        (self.clauses <= MAX_CLAUSES).then(|| self.write_formula())
    }

    /// Writes the formula, whatever its size.
    pub(crate) fn write_formula(&self) -> Formula {
        (self.write)()
    }

    /// The approximate number of clauses of the formula.
    pub(crate) fn n_clauses(&self) -> usize {
        self.clauses
    }

    /// The status that a proof gives to this claim. The check ends early when `stop` returns a limit.
    pub fn status(&self, refutation: Refutation, stop: &Stop) -> Status {
        // An answer may have many cases, and each of them writes the whole formula.
        if let Some(limit) = stop() {
            return stopped(limit);
        }
        match self.formula() {
            Some(formula) => Proof::new("", refutation).status(&formula, stop),
            None => Status::Open(TOO_LARGE.to_owned()),
        }
    }
}

/// A proof in one of the formats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refutation {
    /// Clauses without hints. The checker finds out by unit propagation whether they follow.
    Drat(Drat),
    /// Clauses, each with hints that name the clauses from which it follows.
    Lrat(Lrat),
    /// Steps of cutting planes, from the linear form of the formula ([`Opb::of`]).
    VeriPb(VeriPb),
}

impl Refutation {
    /// Checks that this proof refutes `formula`. The check ends early when `stop` returns a limit.
    ///
    /// # Errors
    /// The error names the first step that fails, or says that the proof does not derive the empty clause, or names the
    /// limit.
    pub fn check_until(&self, formula: &Formula, stop: &Stop) -> Result<Checked, ProofError> {
        match self {
            Refutation::Drat(drat) => drat.check_until(formula, stop),
            Refutation::Lrat(lrat) => lrat.check_until(formula, stop),
            Refutation::VeriPb(proof) => proof.check_until(formula, stop),
        }
    }

    /// The names of the formats; see [`Refutation::format`].
    pub const FORMATS: [&str; 3] = ["drat", "lrat", "pbp"];

    /// The proof in a file of this format; `None` if there is no such format.
    pub fn of_format(format: &str, bytes: Vec<u8>) -> Option<Self> {
        match format {
            "drat" => Some(Drat(bytes).into()),
            "lrat" => Some(Lrat(bytes).into()),
            "pbp" => Some(VeriPb(bytes).into()),
            _ => None,
        }
    }

    /// The proof as the bytes of a file.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Refutation::Drat(drat) => &drat.0,
            Refutation::Lrat(lrat) => &lrat.0,
            Refutation::VeriPb(proof) => &proof.0,
        }
    }

    /// The name of the format: the extension of proof files, and the key of the proof in answers.
    pub const fn format(&self) -> &'static str {
        match self {
            Refutation::Drat(_) => "drat",
            Refutation::Lrat(_) => "lrat",
            Refutation::VeriPb(_) => "pbp",
        }
    }
}

impl From<Drat> for Refutation {
    fn from(drat: Drat) -> Self {
        Refutation::Drat(drat)
    }
}

impl From<Lrat> for Refutation {
    fn from(lrat: Lrat) -> Self {
        Refutation::Lrat(lrat)
    }
}

impl From<VeriPb> for Refutation {
    fn from(proof: VeriPb) -> Self {
        Refutation::VeriPb(proof)
    }
}

/// A proof that is submitted for a claim.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The claim, as in [`Obligation::claim`].
    pub claim: String,
    /// The proof.
    pub refutation: Refutation,
    /// The formula that was found beside the proof. It is never used to close the claim. It only shows whether a proof
    /// that does not refute the checker's formula is wrong, or refutes a different formula.
    pub formula: Option<Formula>,
    /// Like `formula`, for a proof in the format of VeriPB: the bytes of the OPB file beside the proof.
    pub opb: Option<Vec<u8>>,
}

impl Proof {
    /// A proof without a formula beside it.
    pub fn new(claim: impl Into<String>, refutation: impl Into<Refutation>) -> Self {
        Proof { claim: claim.into(), refutation: refutation.into(), formula: None, opb: None }
    }

    /// The status that this proof alone gives to the claim. `formula` is the checker's formula.
    fn status(&self, formula: &Formula, stop: &Stop) -> Status {
        let error = match self.refutation.check_until(formula, stop) {
            Ok(checked) => return Status::Proved(checked),
            Err(error) if !error.is_rejection() => return Status::Open(error.to_string()),
            Err(error) => error,
        };
        let elsewhere = match (&self.refutation, &self.formula, &self.opb) {
            (Refutation::VeriPb(proof), _, Some(other)) => {
                Opb::read(other).is_ok_and(|other| proof.check_opb_until(other, stop).is_ok())
            }
            (other_format, Some(other), _) if other != formula => {
                other_format.check_until(other, stop).is_ok()
            }
            _ => false,
        };
        match elsewhere {
            true => Status::ProvedElsewhere(format!(
                "it refutes the formula beside it, but not the checker's: {error}"
            )),
            false => Status::Failed(error.to_string()),
        }
    }
}

/// The status of a claim whose proofs are not checked, because a limit was reached.
fn stopped(limit: Limit) -> Status {
    Status::Open(ProofError::Stopped(limit).to_string())
}

/// The status of a claim: from the proofs that were submitted for it, or else from `otherwise`.
///
/// `otherwise` is called only if the proofs do not close the claim. If `otherwise` refutes the claim, the claim has
/// failed. If `otherwise` closes the claim, the claim is closed unless a proof has failed: a wrong proof is never
/// ignored. Only `stop` limits the checking of proofs.
pub fn close(
    obligation: &Obligation<'_>,
    proofs: &[Proof],
    stop: &Stop,
    otherwise: impl FnOnce() -> Status,
) -> Status {
    let Some(by_proofs) = status_by_proofs(obligation, proofs, stop) else { return otherwise() };
    by_proofs.or_else(otherwise)
}

/// The status that the proofs submitted for a claim give to it; `None` if there are none.
fn status_by_proofs(obligation: &Obligation<'_>, proofs: &[Proof], stop: &Stop) -> Option<Status> {
    if proofs.is_empty() {
        return None;
    }
    // Many claims take long to compare with many proofs, and their formulas take long to write, so a limit is tested
    // before each.
    if let Some(limit) = stop() {
        return Some(stopped(limit));
    }
    let mut submitted = proofs.iter().filter(|proof| proof.claim == obligation.claim).peekable();
    submitted.peek()?;
    let Some(formula) = obligation.formula() else {
        return Some(Status::Open(TOO_LARGE.to_owned()));
    };
    // The worst proof counts: the first one that fails, otherwise the first one that does not close the claim. Each proof
    // reads the whole formula again, so a list of short proofs may take long.
    let mut worst: Option<Status> = None;
    for proof in submitted {
        if worst.is_some()
            && let Some(limit) = stop()
        {
            return Some(worst.filter(|status| !status.is_closed()).unwrap_or_else(|| stopped(limit)));
        }
        let status = proof.status(&formula, stop);
        if status.is_failed() {
            return Some(status);
        }
        let is_worse = worst.as_ref().is_none_or(|worst| worst.is_closed() && !status.is_closed());
        worst = if is_worse { Some(status) } else { worst };
    }
    worst
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot continue must panic")]

    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    fn formula(clauses: &[&[i32]]) -> Formula {
        let mut formula = Formula::new();
        formula.vars(2);
        clauses.iter().for_each(|clause| formula.clause(clause.iter().copied()));
        formula
    }

    /// A proof that is valid (`h`), is wrong (`f`), refutes another formula (`e`), or is for another claim (any other
    /// letter).
    fn proof(kind: char) -> Proof {
        let wrong = Proof::new("claim", Drat::from("0\n"));
        match kind {
            'h' => Proof::new("claim", Drat::from("1 0\n")),
            'f' => wrong,
            'e' => Proof { formula: Some(formula(&[&[]])), ..wrong },
            _ => Proof { claim: "other".to_owned(), ..wrong },
        }
    }

    #[test]
    fn the_worst_proof_counts() {
        let own = || formula(&[&[1, 2], &[1, -2], &[-1, 2], &[-1, -2]]);
        let obligation = Obligation::new("claim", 4, own);
        let stop: Stop = Arc::new(|| None);
        let elsewhere = "proved for another formula";
        for (kinds, by_proofs, if_recomputed, if_refuted) in [
            ("", "open", "recomputed", "failed"),
            ("o", "open", "recomputed", "failed"),
            ("h", "proved", "proved", "proved"),
            ("hoh", "proved", "proved", "proved"),
            ("e", elsewhere, "recomputed", "failed"),
            ("he", elsewhere, "recomputed", "failed"),
            ("f", "failed", "failed", "failed"),
            ("hef", "failed", "failed", "failed"),
        ] {
            let proofs: Vec<Proof> = kinds.chars().map(proof).collect();
            let status = |otherwise: Status| close(&obligation, &proofs, &stop, || otherwise).word();
            assert_eq!(status(Status::Open(String::new())), by_proofs, "{kinds}");
            assert_eq!(status(Status::Recomputed), if_recomputed, "{kinds}");
            assert_eq!(status(Status::Failed(String::new())), if_refuted, "{kinds}");
        }
        assert!(obligation.is_equivalent() && !Obligation::new("claim", 4, own).sufficient().is_equivalent());
        let too_large = Obligation::new("claim", MAX_CLAUSES + 1, own);
        assert!(too_large.formula().is_none());
        let mut cubes = crate::Cubes::new();
        (1..=2).for_each(|lit| cubes.push(&[lit], 2).unwrap());
        let formulas =
            |parts: &[Obligation<'_>]| parts.iter().map(|part| part.formula().is_some()).collect::<Vec<_>>();
        assert_eq!(formulas(&too_large.split(&cubes)), [false; 3]);
        // Only the clauses for the cubes are too many.
        assert_eq!(
            formulas(&Obligation::new("claim", MAX_CLAUSES - 1, own).split(&cubes)),
            [true, true, false]
        );
        assert_eq!(close(&too_large, &[proof('h')], &stop, || Status::Witness).word(), "witness");
    }

    #[test]
    fn a_proof_that_is_not_checked_to_its_end_closes_nothing() {
        let obligation = Obligation::new("claim", 0, || formula(&[&[1]])).with_earlier_claim("earlier");
        assert_eq!(obligation.earlier_claim.as_deref(), Some("earlier"));
        let status =
            |proof: Proof, stop: &Stop| close(&obligation, &[proof], stop, || Status::Recomputed).to_string();
        let cancelled: Stop = Arc::new(|| Some(Limit::Cancelled));
        let long = Proof::new("claim", Drat::from("1 2 0\n".repeat(64)));
        assert_eq!(status(long, &cancelled), "recomputed");
        assert_eq!(obligation.status(Drat::from("1 2 0\n".repeat(64)).into(), &cancelled).word(), "open");
        // The proof refutes the OPB file beside it.
        let pbp = VeriPb::from("pseudo-Boolean proof version 2.0\nconclusion UNSAT\n");
        let stop: Stop = Arc::new(|| None);
        for (opb, word) in [("+1 x1 >= 2 ;\n", "recomputed"), ("+1 x1 >= 1 ;\n", "failed"), ("x", "failed")] {
            let beside = Proof { opb: Some(opb.into()), ..Proof::new("claim", pbp.clone()) };
            assert_eq!(close(&obligation, &[beside], &stop, || Status::Recomputed).word(), word, "{opb}");
        }
    }

    #[test]
    fn no_formula_of_a_case_is_written_after_a_limit() {
        let written = AtomicUsize::new(0);
        let obligation = Obligation::new("claim", 1, || {
            written.fetch_add(1, Relaxed);
            formula(&[&[1]])
        });
        let mut cubes = crate::Cubes::new();
        (1..=2).for_each(|lit| cubes.push(&[lit], 2).unwrap());
        let cancelled: Stop = Arc::new(|| Some(Limit::Cancelled));
        let open = stopped(Limit::Cancelled);
        for part in obligation.split(&cubes) {
            assert_eq!(part.status(Drat::from("0\n").into(), &cancelled), open);
        }
        assert_eq!(written.load(Relaxed), 0);
    }

    #[test]
    fn no_proof_is_checked_after_a_rejected_one_or_after_a_limit() {
        let own = || formula(&[&[1, 2], &[1, -2], &[-1, 2], &[-1, -2]]);
        let obligation = Obligation::new("claim", 4, own);
        // There is one poll before each proof, and no proof is checked to its own first poll.
        let polls = Arc::new(AtomicUsize::new(0));
        let status = |kinds: &str, max: usize| {
            let (proofs, counter): (Vec<Proof>, _) = (kinds.chars().map(proof).collect(), Arc::clone(&polls));
            polls.store(0, Relaxed);
            let limit = move || (counter.fetch_add(1, Relaxed) >= max).then_some(Limit::Cancelled);
            let status = close(&obligation, &proofs, &(Arc::new(limit) as Stop), || Status::Recomputed);
            (status.word(), polls.load(Relaxed))
        };
        assert_eq!(status("hhhhhhhh", 99), ("proved", 8));
        assert_eq!(status("hhfhhhhh", 99), ("failed", 3));
        assert_eq!(status("hhhhhhhh", 3), ("recomputed", 4));
        assert_eq!(status("hhhhhhhf", 3), ("recomputed", 4));
    }

    #[test]
    fn formats_have_names_and_bytes() {
        for format in Refutation::FORMATS {
            let proof = Refutation::of_format(format, b"1 0".to_vec()).unwrap();
            assert_eq!((proof.format(), proof.bytes()), (format, &b"1 0"[..]));
        }
        assert_eq!(Refutation::of_format("txt", Vec::new()), None);
    }
}
