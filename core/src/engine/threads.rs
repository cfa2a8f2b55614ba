//! Runs independent pieces of work on several threads, or one after another if no thread can be started.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Returns the results of `work(0)`, `work(1)` … `work(count - 1)` in this order, whichever thread computed them.
pub fn map<T: Send>(threads: usize, count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let threads = threads.min(count);
    if threads <= 1 {
        return (0..count).map(work).collect();
    }
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(count)));
    let run = || {
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            if i >= count {
                return;
            }
            let result = work(i);
            // The lock is poisoned only if a thread has panicked; the scope then passes the panic on.
            if let Ok(mut done) = done.lock() {
                done.push((i, result));
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            // If no thread can be started, this one does all the work.
            drop(thread::Builder::new().spawn_scoped(scope, run));
        }
        run();
    });
    let mut done = done.into_inner().unwrap_or_default();
    done.sort_unstable_by_key(|(i, _)| *i);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_does_not_depend_on_the_threads() {
        for (threads, count) in [(1, 5), (2, 100), (7, 3), (3, 0)] {
            assert!(map(threads, count, |i| i * i).into_iter().eq((0..count).map(|i| i * i)));
        }
    }
}
