//! Rewrites a proof of any format as DRAT text.

use crate::binary::{Binary, is_binary_drat, is_binary_lrat};
use crate::steps::{HintedStep, HintedSteps, Kind, Steps};
use crate::text::Text;
use crate::{Drat, Place, ProofError, Refutation};
use std::io::Write;

impl Refutation {
    /// This proof as DRAT text, with each literal replaced by the result of `rename`. The result contains neither hints
    /// nor the deletions of an LRAT proof.
    ///
    /// # Errors
    /// Returns an error if the proof is malformed, or has steps that are not clauses.
    pub fn to_drat_text(&self, rename: impl Fn(i32) -> i32) -> Result<Drat, ProofError> {
        match self {
            Refutation::Drat(drat) if is_binary_drat(&drat.0) => {
                drat_steps(&mut Binary::new(&drat.0), rename)
            }
            Refutation::Drat(drat) => drat_steps(&mut Text::new(&drat.0), rename),
            Refutation::Lrat(lrat) if is_binary_lrat(&lrat.0) => {
                lrat_steps(&mut Binary::new(&lrat.0), rename)
            }
            Refutation::Lrat(lrat) => lrat_steps(&mut Text::new(&lrat.0), rename),
            Refutation::VeriPb(_) => {
                let place = Place::Column { line: 1, column: 1 };
                Err(ProofError::Unsupported { place, what: "cutting planes as DRAT".to_owned() })
            }
        }
    }
}

fn drat_steps(steps: &mut impl Steps, rename: impl Fn(i32) -> i32) -> Result<Drat, ProofError> {
    let (mut text, mut lits) = (Vec::new(), Vec::new());
    while let Some(kind) = steps.next(&mut lits)? {
        write(&mut text, kind, &lits, &rename);
        lits.clear();
    }
    Ok(Drat(text))
}

fn lrat_steps(steps: &mut impl HintedSteps, rename: impl Fn(i32) -> i32) -> Result<Drat, ProofError> {
    let (mut text, mut step) = (Vec::new(), HintedStep::default());
    while let Some(kind) = steps.next(&mut step)? {
        if kind == Kind::Add {
            write(&mut text, kind, &step.lits, &rename);
        }
        step.lits.clear();
        step.numbers.clear();
    }
    Ok(Drat(text))
}

fn write(text: &mut Vec<u8>, kind: Kind, lits: &[i32], rename: impl Fn(i32) -> i32) {
    if kind == Kind::Delete {
        text.extend_from_slice(b"d ");
    }
    for &lit in lits {
        // Writing to memory cannot fail.
        let _ = write!(text, "{} ", rename(lit));
    }
    text.extend_from_slice(b"0\n");
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on shall panic")]

    use crate::{Drat, Lrat, Refutation};

    #[test]
    fn every_format_becomes_drat_text() {
        let text =
            |proof: Refutation| String::from_utf8(proof.to_drat_text(|lit| 10 * lit).unwrap().0).unwrap();
        assert_eq!(text(Drat::from("c x\n1 -2 0\nd 1 0\n0\n").into()), "10 -20 0\nd 10 0\n0\n");
        assert_eq!(text(Drat::from(&b"a\x02\x05\0d\x02\0a\0"[..]).into()), "10 -20 0\nd 10 0\n0\n");
        assert_eq!(text(Lrat::from("5 1 -2 0 1 2 0\n5 d 1 0\n6 0 5 0\n").into()), "10 -20 0\n0\n");
        // In binary, the clause -4 and its hint 1; a text would begin with a number.
        assert_eq!(text(Lrat::from(&b"a\x0a\x09\0\x02\0"[..]).into()), "-40 0\n");
        assert_eq!(text(Drat::from("").into()), "");
        assert!(Refutation::from(Drat::from("1 x 0\n")).to_drat_text(|lit| lit).is_err());
    }
}
