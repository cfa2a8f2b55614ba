//! Runs numbered tasks on several threads. The first result that `is_last` accepts ends the series. The results up to
//! that one do not depend on the number of threads.

use super::error::StressError;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// The result of a task.
pub(super) enum Step<T> {
    /// The task was run.
    Done(T),
    /// There is no task of this number.
    Skipped,
    /// The user asked to stop.
    Stopped,
}

/// Runs the task with this number. The state belongs to the thread.
pub(super) type RunTask<'t, S, T> = &'t (dyn Fn(&mut S, u64) -> Result<Step<T>, StressError> + Sync);

/// How to run numbered tasks.
pub(super) struct Tasks<'t, S, T> {
    /// The number of threads.
    pub(super) threads: usize,
    /// Whether to start no further task.
    pub(super) is_over: &'t (dyn Fn() -> bool + Sync),
    /// Creates the state that a thread keeps from task to task.
    pub(super) start: &'t (dyn Fn() -> Result<S, StressError> + Sync),
    /// Runs the task of a number.
    pub(super) run: RunTask<'t, S, T>,
    /// Whether tasks with higher numbers are not needed after this result.
    pub(super) is_last: &'t (dyn Fn(&T) -> bool + Sync),
}

/// Starts these tasks in ascending order, up to and including the first one whose result `is_last` accepts. Returns the
/// results in ascending order, each with its number.
///
/// # Errors
/// The first error of any thread.
pub(super) fn run<S, T: Send>(
    tasks: &Tasks<'_, S, T>,
    numbers: Range<u64>,
) -> Result<Vec<(u64, T)>, StressError> {
    let (next, end) = (AtomicU64::new(numbers.start), AtomicU64::new(numbers.end));
    let results = Mutex::new(Vec::new());
    let work = || -> Result<(), StressError> {
        let mut state = (tasks.start)()?;
        while !(tasks.is_over)() {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= end.load(Ordering::Relaxed) {
                break;
            }
            let result = match (tasks.run)(&mut state, number)? {
                Step::Done(result) => result,
                Step::Skipped => continue,
                Step::Stopped => break,
            };
            if (tasks.is_last)(&result) {
                end.fetch_min(number + 1, Ordering::Relaxed);
            }
            results.lock().unwrap_or_else(PoisonError::into_inner).push((number, result));
        }
        Ok(())
    };
    let threads = (tasks.threads as u64).min(numbers.end.saturating_sub(numbers.start)).max(1);
    let first_error = Mutex::new(None);
    let work_or_fail = || {
        if let Err(error) = work() {
            // Make the other threads stop.
            end.store(0, Ordering::Relaxed);
            first_error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
    };
    thread::scope(|scope| {
        (1..threads).for_each(|_| drop(scope.spawn(work_or_fail)));
        work_or_fail();
    });
    if let Some(error) = first_error.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.retain(|(number, _)| *number < end.load(Ordering::Relaxed));
    results.sort_by_key(|(number, _)| *number);
    Ok(results)
}
