//! `check --checker`: what outside programs say about the proofs that are handed over.
//!
//! A "no" fails the claim; a "yes" is told beside it and closes nothing. Whoever is asked for and cannot be
//! heard is said so, with an exit status that tells.

use super::context::Context;
use super::exit::{Failure, Status};
use super::{config, interrupt, print, verdict};
use crate::checker::{Program, Verdict};
use crate::claim::{self, Claim};
use crate::engine::{Limit, Unfinished};
use crate::process;
use crate::proof::{Obligation, Proof};
use crate::spec::{nearest, suggestion};

/// The programs that were asked for.
pub(super) struct ExternalCheckers {
    programs: Vec<Program>,
    /// For each, whether it was given any proof.
    asked: Vec<bool>,
}

impl ExternalCheckers {
    /// The checkers of these names, each with a program that is there.
    pub(super) fn load(context: &Context, names: &[String]) -> Result<Self, Failure> {
        if names.is_empty() {
            return Ok(ExternalCheckers { programs: Vec::new(), asked: Vec::new() });
        }
        let checkers = config::load(context)?.checkers;
        let each = |name: &String| {
            let all: Vec<_> = checkers.iter().map(|checker| checker.name.clone()).collect();
            let Some(program) = checkers.iter().find(|checker| checker.name == *name) else {
                let hint = suggestion(nearest(name, all.iter().map(String::as_str)), &all);
                return Err(Failure::usage(format!(
                    "no checker is called '{name}'; {hint}; others are named in counterpoint.toml as [checker.{name}]"
                )));
            };
            let runs = program.command.first().map_or("", String::as_str);
            match process::find(runs) {
                Some(_) => Ok(program.clone()),
                None => Err(Failure::usage(format!(
                    "checker {name}: the program '{runs}' is not found; its command stands in {}, another may \
                     stand in counterpoint.toml as [checker.{name}]",
                    program.origin
                ))),
            }
        };
        let programs = names.iter().map(each).collect::<Result<Vec<_>, _>>()?;
        Ok(ExternalCheckers { asked: vec![false; programs.len()], programs })
    }

    /// Asks every program about every proof that it reads, and tells in the claims what they say.
    pub(super) fn speak(
        &mut self,
        context: &Context,
        obligations: &[Obligation<'_>],
        proofs: &[Proof],
        claims: &mut [Claim],
    ) -> Status {
        let mut worst = Status::Done;
        // By the texts as they are now: opinions are added to them.
        let places = proofs.iter().map(|proof| {
            let obligation = obligations.iter().find(|obligation| obligation.claim == proof.claim)?;
            let claim = claims.iter().position(|claim| claim.text == proof.claim)?;
            Some((proof, obligation, claim))
        });
        for (proof, obligation, claim) in places.flatten().collect::<Vec<_>>() {
            for (program, asked) in self.programs.iter().zip(&mut self.asked) {
                let unheard =
                    |why: &str| print::warn(&format!("checker {}: {}: {why}", program.name, proof.claim));
                if !program.reads(&proof.refutation) {
                    let reads =
                        |other: &Proof| other.claim == proof.claim && program.reads(&other.refutation);
                    if proofs.iter().any(reads) {
                        continue;
                    }
                    let format = proof.refutation.format().to_uppercase();
                    unheard(&format!("the proof is in {format}, which it does not read"));
                    continue;
                }
                *asked = true;
                let Some(formula) = obligation.formula() else {
                    unheard("the plain formula is too large to be written");
                    continue;
                };
                if formula.clauses().any(<[i32]>::is_empty) {
                    unheard("the plain formula has an empty clause, so there is nothing to check");
                    continue;
                }
                let stop = verdict::check_budget().stop();
                let ask = || program.check(&formula, &proof.refutation, &context.children, &stop);
                match interrupt::listening(ask) {
                    Ok(opinion) => tell(&mut claims[claim], &program.name, &opinion),
                    Err(Unfinished::Limit(limit)) => {
                        let own = "its own limit".to_owned();
                        unheard(&if limit == Limit::Solver { own } else { limit.to_string() });
                        worst = worst.max(Status::of(limit));
                    }
                    Err(Unfinished::Failed(why)) => {
                        unheard(&format!("error: {why}"));
                        worst = worst.max(Status::Usage);
                    }
                }
            }
        }
        worst
    }

    /// That every program was given a proof.
    pub(super) fn all_asked(&self) -> Result<(), Failure> {
        let idle = self.programs.iter().zip(&self.asked).find(|(_, asked)| !**asked);
        idle.map_or(Ok(()), |(program, _)| {
            let (name, reads) = (&program.name, program.reads.join(" or ").to_uppercase());
            Err(Failure::usage(format!("checker {name}: there is no proof in {reads} that it could check")))
        })
    }
}

/// Adds one opinion to a claim.
fn tell(claim: &mut Claim, name: &str, opinion: &Verdict) {
    match opinion {
        Verdict::Verified if claim.status.is_closed() => {
            claim.text.push_str(&format!(", also verified by {name}"))
        }
        Verdict::Verified => {
            claim.text.push_str(&format!(", its proof verified by {name}, which closes nothing"));
        }
        Verdict::Rejected(words) => {
            let before = match &claim.status {
                claim::Status::Failed(why) => format!("{why}; "),
                _ => String::new(),
            };
            claim.status =
                claim::Status::Failed(format!("{before}{name} does not verify its proof: '{words}'"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::Status;

    #[test]
    fn a_yes_closes_nothing_and_a_no_fails_everything() {
        let elsewhere = Status::ProvedElsewhere("another".to_owned());
        for status in [Status::Open("too large".to_owned()), elsewhere, Status::Failed("line 1".to_owned())] {
            let mut claim = Claim::new("claim", status.clone());
            tell(&mut claim, "liar", &Verdict::Verified);
            assert_eq!(claim.status, status);
            assert_eq!(claim.text, "claim, its proof verified by liar, which closes nothing");
        }
        for status in [Status::Witness, Status::Recomputed, Status::Open("too large".to_owned())] {
            let mut claim = Claim::new("claim", status);
            tell(&mut claim, "denier", &Verdict::Rejected("no".to_owned()));
            let why = "denier does not verify its proof: 'no'".to_owned();
            assert_eq!(claim.status, Status::Failed(why));
        }
    }
}
