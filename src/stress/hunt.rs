//! Many runs, in parallel, told by number: which one counts as first does not depend on threads.

use super::input::{Input, Reference};
use super::program::Ran;
use super::{Setup, Stage};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

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
    let (next, last) = (AtomicU64::new(numbers.start), AtomicU64::new(numbers.end));
    let traces = Mutex::new(Vec::new());
    let work = || -> Result<(), String> {
        let mut reference = setup.bench.reference()?;
        while !(setup.over)(stage) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= last.load(Ordering::Relaxed) {
                break;
            }
            let input = make(number, &mut reference).filter(|input| !input.games.is_empty());
            let Some(input) = input else { continue };
            let Some(ran) = setup.program.run(&input)? else { break };
            let trace = Trace { input, ran };
            if ends(&trace) {
                last.fetch_min(number + 1, Ordering::Relaxed);
            }
            traces.lock().unwrap_or_else(PoisonError::into_inner).push((number, trace));
        }
        Ok(())
    };
    let threads = (setup.threads as u64).min(numbers.end.saturating_sub(numbers.start)).max(1);
    let failed = Mutex::new(None);
    let guarded = || {
        if let Err(error) = work() {
            last.store(0, Ordering::Relaxed);
            failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
    };
    thread::scope(|scope| {
        (1..threads).for_each(|_| drop(scope.spawn(guarded)));
        guarded();
    });
    if let Some(error) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    let mut traces = traces.into_inner().unwrap_or_else(PoisonError::into_inner);
    traces.retain(|(number, _)| *number < last.load(Ordering::Relaxed));
    traces.sort_by_key(|(number, _)| *number);
    Ok(traces)
}
