//! `check --checker`: runs external proof checkers on the proofs of an answer.
//!
//! A rejection fails the claim. An acceptance is reported beside the claim but proves nothing. If a checker cannot give
//! a verdict, a warning says why. If the reason is a limit or an error, the exit status changes, too.

use super::context::Context;
use super::exit::{Failure, Status};
use super::{config, interrupt, print, verdict};
use crate::checker::{Program, Verdict};
use crate::claim::{self, Claim};
use crate::engine::{Limit, Unfinished};
use crate::process;
use crate::proof::{Obligation, Proof};
use crate::spec::{nearest, suggestion};

/// The external checkers of a command.
pub(super) struct ExternalCheckers {
    programs: Vec<Program>,
    /// For each program, whether it reads the format of at least one proof.
    used: Vec<bool>,
}

impl ExternalCheckers {
    /// Finds the checkers with these names and makes sure that their programs exist.
    pub(super) fn load(context: &Context, names: &[String]) -> Result<Self, Failure> {
        if names.is_empty() {
            return Ok(ExternalCheckers { programs: Vec::new(), used: Vec::new() });
        }
        let checkers = config::load(context)?.checkers;
        let find = |name: &String| {
            let all: Vec<_> = checkers.iter().map(|checker| checker.name.clone()).collect();
            let Some(program) = checkers.iter().find(|checker| checker.name == *name) else {
                let hint = suggestion(nearest(name, all.iter().map(String::as_str)), &all);
                return Err(Failure::usage(format!(
                    "unknown checker '{name}'; {hint}; to add it, write [checker.{name}] in counterpoint.toml"
                )));
            };
            let path = program.command.first().map_or("", String::as_str);
            match process::find(path) {
                Some(_) => Ok(program.clone()),
                None => Err(Failure::usage(format!(
                    "checker {name}: program '{path}' not found; its command is defined in {}; to set another, write \
                     [checker.{name}] in counterpoint.toml",
                    program.origin
                ))),
            }
        };
        let programs = names.iter().map(find).collect::<Result<Vec<_>, _>>()?;
        Ok(ExternalCheckers { used: vec![false; programs.len()], programs })
    }

    /// Runs every checker on every proof whose format it reads, and adds the verdicts to the claims. The status is
    /// `Done` unless a checker reached a limit or failed.
    pub(super) fn check(
        &mut self,
        context: &Context,
        obligations: &[Obligation<'_>],
        proofs: &[Proof],
        claims: &mut [Claim],
    ) -> Status {
        let mut worst = Status::Done;
        if self.programs.is_empty() {
            return worst;
        }
        // Proofs are matched with claims before the loop, because verdicts change the texts of the claims.
        let matched = proofs.iter().map(|proof| {
            let obligation = obligations.iter().find(|obligation| obligation.claim == proof.claim)?;
            let claim = claims.iter().position(|claim| claim.text == proof.claim)?;
            Some((proof, obligation, claim))
        });
        for (proof, obligation, claim) in matched.flatten().collect::<Vec<_>>() {
            for (program, used) in self.programs.iter().zip(&mut self.used) {
                let no_verdict =
                    |why: &str| print::warn(&format!("checker {}: {}: {why}", program.name, proof.claim));
                if !program.reads(&proof.refutation) {
                    let reads =
                        |other: &Proof| other.claim == proof.claim && program.reads(&other.refutation);
                    if proofs.iter().any(reads) {
                        continue;
                    }
                    if !program.reads_with_hints(&proof.refutation) {
                        let format = proof.refutation.format().to_uppercase();
                        no_verdict(&format!("it does not read {format}, the format of the proof"));
                        continue;
                    }
                }
                *used = true;
                let Some(formula) = obligation.formula() else {
                    no_verdict("the plain formula is too large to be written");
                    continue;
                };
                if formula.clauses().any(<[i32]>::is_empty) {
                    no_verdict("the plain formula contains the empty clause, so there is nothing to check");
                    continue;
                }
                let stop = verdict::check_budget().stop();
                let check = || program.check(&formula, proof, &context.children, &stop);
                let checked = interrupt::interruptible(check);
                worst = worst.max(note(checked, &program.name, &mut claims[claim], &no_verdict));
            }
        }
        worst
    }

    /// Returns an error if there is a checker for which no proof has a format that it reads.
    pub(super) fn all_used(&self) -> Result<(), Failure> {
        let unused = self.programs.iter().zip(&self.used).find(|(_, used)| !**used);
        unused.map_or(Ok(()), |(program, _)| {
            let (name, reads) = (&program.name, program.reads.join(" or ").to_uppercase());
            Err(Failure::usage(format!("checker {name}: there is no {reads} proof for it to check")))
        })
    }
}

/// Adds the verdict of a checker to a claim, or prints why there is none. Returns the status that this leads to.
fn note(
    checked: Result<Verdict, Unfinished>,
    name: &str,
    claim: &mut Claim,
    no_verdict: &dyn Fn(&str),
) -> Status {
    match checked {
        Ok(verdict) => {
            add_verdict(claim, name, &verdict);
            Status::Done
        }
        Err(Unfinished::Limit(limit)) => {
            let own = "it reached its own limit".to_owned();
            no_verdict(&if limit == Limit::Solver { own } else { limit.to_string() });
            Status::of(limit)
        }
        Err(Unfinished::Failed(why)) => {
            no_verdict(&format!("error: {why}"));
            Status::Usage
        }
    }
}

/// Adds the verdict of a checker to a claim.
fn add_verdict(claim: &mut Claim, name: &str, verdict: &Verdict) {
    match verdict {
        Verdict::Verified if claim.status.is_closed() => {
            claim.text.push_str(&format!(", also accepted by {name}"))
        }
        Verdict::Verified => {
            claim.text.push_str(&format!(", its proof accepted by {name}, which proves nothing"));
        }
        Verdict::Rejected(words) => {
            let before = match &claim.status {
                claim::Status::Failed(why) => format!("{why}; "),
                _ => String::new(),
            };
            claim.status = claim::Status::Failed(format!("{before}{name} rejects its proof: '{words}'"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::Status;

    #[test]
    fn an_acceptance_proves_nothing_and_a_rejection_fails_any_claim() {
        let elsewhere = Status::ProvedElsewhere("another".to_owned());
        for status in [Status::Open("too large".to_owned()), elsewhere, Status::Failed("line 1".to_owned())] {
            let mut claim = Claim::new("claim", status.clone());
            add_verdict(&mut claim, "liar", &Verdict::Verified);
            assert_eq!(claim.status, status);
            assert_eq!(claim.text, "claim, its proof accepted by liar, which proves nothing");
        }
        for status in [Status::Witness, Status::Recomputed, Status::Open("too large".to_owned())] {
            let mut claim = Claim::new("claim", status);
            add_verdict(&mut claim, "denier", &Verdict::Rejected("no".to_owned()));
            let why = "denier rejects its proof: 'no'".to_owned();
            assert_eq!(claim.status, Status::Failed(why));
        }
    }
}
