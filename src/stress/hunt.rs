//! Runs of the program on inputs by number.

use super::crew::{self, Crew, Step};
use super::input::{Input, Reference};
use super::program::Ran;
use super::{Setup, Stage};
use std::ops::Range;

/// An input and what the program made of it.
#[derive(Clone)]
pub struct Trace {
    /// The input.
    pub input: Input,
    /// The run.
    pub ran: Ran,
}

/// Makes the input of a number; `None` where there is none.
pub(super) type MakeInput<'m> = &'m (dyn Fn(u64, &mut Reference<'_>) -> Option<Input> + Sync);

/// Runs the program on the inputs of these numbers, in ascending order. Once `ends` says so of one, those above are
/// left out. Each trace comes with its number.
///
/// # Errors
/// Why the program or the reference cannot be run.
pub(super) fn run(
    (setup, stage): (&Setup<'_>, Stage),
    numbers: Range<u64>,
    make: MakeInput<'_>,
    ends: &(dyn Fn(&Trace) -> bool + Sync),
) -> Result<Vec<(u64, Trace)>, String> {
    let step = |reference: &mut Reference<'_>, number| {
        let Some(input) = make(number, reference).filter(|input| !input.games.is_empty()) else {
            return Ok(Step::Nothing);
        };
        let ran = setup.program.run(&input)?;
        Ok(ran.map_or(Step::Stop, |ran| Step::Done(Trace { input, ran })))
    };
    let crew = Crew {
        threads: setup.threads,
        over: &|| (setup.over)(stage),
        start: &|| setup.bench.reference(),
        step: &step,
        ends,
    };
    crew::work(&crew, numbers)
}
