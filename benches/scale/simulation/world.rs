//! A simulated cluster: a virtual clock, a server that keeps the folder, and nodes that fail.
//!
//! Each pilot is a thread, but only one of them runs at a time: the one whose next operation reaches the server first.
//! An operation waits for its turn, takes effect, and then moves its pilot's own clock to the moment at which the answer
//! is back. So operations of different pilots interleave as on a real server, and the same seed always gives the same
//! history.

use super::server::{Server, Setup};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// Nanoseconds since the start of the simulation.
pub(crate) type Time = u64;

/// Nanoseconds of a second.
pub(crate) const SECOND: f64 = 1e9;

/// The stack of a pilot's thread in bytes.
const STACK: usize = 256 << 10;

/// What all pilots share.
pub(crate) struct World {
    state: Mutex<State>,
    /// One for each pilot, and one for the thread that waits for their end.
    wake: Vec<Condvar>,
}

struct State {
    server: Server,
    /// The pilots that wait, by the time of their next operations.
    waiting: BinaryHeap<Reverse<(Time, u64, usize)>>,
    /// The number of operations so far. It decides between operations at the same time.
    count: u64,
    /// Which pilot runs.
    turn: usize,
}

impl World {
    /// A cluster with this many pilots.
    pub(crate) fn new(setup: Setup) -> Arc<Self> {
        let wake = (0..=setup.pilots).map(|_| Condvar::new()).collect();
        let turn = setup.pilots;
        let state = State { server: Server::new(setup), waiting: BinaryHeap::new(), count: 0, turn };
        Arc::new(World { state: Mutex::new(state), wake })
    }

    /// Lets pilots work, each from the given time on, until all of them have ended.
    pub(crate) fn run(self: &Arc<Self>, starts: &[Time], work: impl Fn(usize, Time) + Send + Sync + 'static) {
        let work = Arc::new(work);
        let mut state = self.lock();
        state.waiting.extend(starts.iter().enumerate().map(|(pilot, start)| Reverse((*start, 0, pilot))));
        drop(state);
        let threads: Vec<_> = (starts.iter().copied().enumerate())
            .map(|(pilot, start)| {
                let (world, work) = (Arc::clone(self), Arc::clone(&work));
                let body = move || {
                    drop(world.wait(world.lock(), pilot));
                    work(pilot, start);
                    drop(world.hand_over(world.lock()));
                };
                thread::Builder::new().stack_size(STACK).spawn(body).expect("a thread can be started")
            })
            .collect();
        let state = self.hand_over(self.lock());
        drop(self.wait(state, self.end()));
        threads.into_iter().for_each(|thread| thread.join().expect("a pilot does not panic"));
    }

    /// The number that stands for the thread that waits for the end.
    fn end(&self) -> usize {
        self.wake.len() - 1
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>, pilot: usize) -> MutexGuard<'a, State> {
        self.wake[pilot]
            .wait_while(state, |state| state.turn != pilot)
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets the next pilot run.
    fn hand_over<'a>(&self, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        let next = state.waiting.pop().map(|Reverse((_, _, pilot))| pilot);
        state.turn = next.unwrap_or(self.end());
        self.wake[state.turn].notify_one();
        state
    }

    /// Waits until all operations of other pilots before this moment are done, and then calls `act`.
    pub(crate) fn at<T>(&self, time: Time, pilot: usize, act: impl FnOnce(&mut Server) -> T) -> T {
        let mut state = self.lock();
        state.count += 1;
        let count = state.count;
        state.waiting.push(Reverse((time, count, pilot)));
        state = self.hand_over(state);
        state = self.wait(state, pilot);
        act(&mut state.server)
    }

    /// Looks at the server without waiting. Only the pilot whose turn it is may do so.
    pub(crate) fn now<T>(&self, act: impl FnOnce(&mut Server) -> T) -> T {
        act(&mut self.lock().server)
    }
}
