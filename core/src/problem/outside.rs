//! The capability "outside": other people's programs and encoders as engines.

use super::Problem;
use crate::engine::{Budget, Outcome};
use crate::errors::FormatError;
use crate::named::NamedFormula;
use crate::spec::EngineSpec;

/// What a problem needs so that a configuration can declare programs and encoders as engines.
///
/// | field | the command line gains |
/// |---|---|
/// | `read_verdict` | `[engine.NAME]` with `output = "judge"`: a program that was written for the judge |
/// | `solve_named` | `[encoding.NAME]`: an encoder whose formula a solver of ours solves |
/// | `formula_ignores` | rules that an encoder may support without receiving their values |
///
/// A program that prints our JSON needs none of them.
pub struct Outside<P: Problem> {
    /// Reads what a program for the judge prints about one game.
    pub read_verdict: Option<ReadVerdict<P>>,
    /// Solves an instance by the formula of an encoder.
    pub solve_named: Option<SolveNamed<P>>,
    /// The keys of the rules on which an encoder's formula does not depend, because
    /// [`solve_named`](Self::solve_named) obeys them when it uses the formula. Under the other rules, a right formula
    /// depends on their values, so an encoder that supports them must receive the values.
    pub formula_ignores: &'static [&'static str],
}

impl<P: Problem> Outside<P> {
    /// No field is set.
    pub const NONE: Self = Outside { read_verdict: None, solve_named: None, formula_ignores: &[] };
}

/// Reads what a program for the judge prints about one game, as an answer without evidence. The text must be what
/// [`Problem::write`] writes for game 1, apart from trailing white space. [`Verdict`](super::Verdict) reads its lines.
///
/// # Errors
/// Returns what was found, and what the judge expects.
pub type ReadVerdict<P> = fn(
    &<P as Problem>::Rules,
    &<P as Problem>::Instance,
    &[u8],
) -> Result<<P as Problem>::Answer, FormatError>;

/// Solves an instance by the formula that an encoder printed for it, with the solver of the engine. The variables of
/// the cells have the names that the problem's own formulas give them.
pub type SolveNamed<P> = fn(
    &<P as Problem>::Rules,
    &<P as Problem>::Instance,
    &NamedFormula,
    &EngineSpec,
    &mut Budget,
) -> Outcome<<P as Problem>::Answer>;
