//! Work by number, on several threads: which result counts as first does not depend on them.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// What came of a number.
pub(super) enum Step<T> {
    /// This.
    Done(T),
    /// There is nothing of this number.
    Nothing,
    /// Somebody asked to stop.
    Stop,
}

/// The work of a number, with what a thread keeps.
pub(super) type DoStep<'c, W, T> = &'c (dyn Fn(&mut W, u64) -> Result<Step<T>, String> + Sync);

/// What a thread does.
pub(super) struct Crew<'c, W, T> {
    /// Threads.
    pub(super) threads: usize,
    /// Whether nothing further shall be begun.
    pub(super) over: &'c (dyn Fn() -> bool + Sync),
    /// Makes what a thread keeps from number to number.
    pub(super) start: &'c (dyn Fn() -> Result<W, String> + Sync),
    /// Does the work of a number.
    pub(super) step: DoStep<'c, W, T>,
    /// Whether numbers above this one are no longer wanted.
    pub(super) ends: &'c (dyn Fn(&T) -> bool + Sync),
}

/// Works these numbers off in ascending order. Each result comes with its number.
///
/// # Errors
/// The first one that a thread met.
pub(super) fn work<W, T: Send>(crew: &Crew<'_, W, T>, numbers: Range<u64>) -> Result<Vec<(u64, T)>, String> {
    let (next, last) = (AtomicU64::new(numbers.start), AtomicU64::new(numbers.end));
    let done = Mutex::new(Vec::new());
    let work = || -> Result<(), String> {
        let mut kept = (crew.start)()?;
        while !(crew.over)() {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= last.load(Ordering::Relaxed) {
                break;
            }
            let result = match (crew.step)(&mut kept, number)? {
                Step::Done(result) => result,
                Step::Nothing => continue,
                Step::Stop => break,
            };
            if (crew.ends)(&result) {
                last.fetch_min(number + 1, Ordering::Relaxed);
            }
            done.lock().unwrap_or_else(PoisonError::into_inner).push((number, result));
        }
        Ok(())
    };
    let threads = (crew.threads as u64).min(numbers.end.saturating_sub(numbers.start)).max(1);
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
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.retain(|(number, _)| *number < last.load(Ordering::Relaxed));
    done.sort_by_key(|(number, _)| *number);
    Ok(done)
}
