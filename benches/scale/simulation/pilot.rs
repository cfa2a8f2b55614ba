//! The work of pilots: the loop of `counterpoint run` in one thread. Runs only take time.

use super::folder::{Folder, Pilot};
use super::server::{Server, Setup};
use super::world::{SECOND, Time, World};
use counterpoint::harness::{Comparison, Flush, Holder, Idle, Item, MAX_DEATHS, Queue, Records};
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::collections::HashSet;
use std::io;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How long a pilot without work waits.
const IDLE: Time = 100_000_000;

/// The number of records that can be read in the time of a simple operation: 100 kB in 0.1 ms.
const RECORDS: f64 = 100.0;

/// The minimum pause between the end of a pilot and the start of the one that replaces it, in seconds.
const RESTART_S: f64 = 120.0;

/// The maximum number of pilots that take one place in the array, one after another. Tests end long before
/// that.
const MAX_PILOTS: u32 = 1000;

/// A run: its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Number(pub(crate) u32);

impl Item for Number {
    fn key(&self) -> String {
        self.0.to_string()
    }

    fn is(&self, other: &Self) -> bool {
        self == other
    }
}

/// Records as one pilot knows them.
struct Known {
    pilot: Rc<Pilot>,
    runs: u32,
    /// How many of the server's records it has read, from the first one on.
    read: usize,
    /// Runs of which it knows a record, besides those that it has read in this way.
    known: HashSet<u32>,
    /// Records that were not flushed.
    fresh: Vec<Number>,
    flushed: Time,
    /// How often they are flushed.
    interval: Time,
}

impl Known {
    fn append(&mut self, run: Number) {
        self.fresh.push(run);
        self.known.insert(run.0);
    }

    /// Flushes if the last flush was at least `interval` ago.
    fn tick(&mut self) -> io::Result<()> {
        if self.pilot.time() - self.flushed >= self.interval { self.sync() } else { Ok(()) }
    }
}

impl Records<Number> for Known {
    fn refresh(&mut self) -> io::Result<()> {
        let read = self.read;
        let stale = self.pilot.world.now(|server| server.setup.stale_s);
        let lag = (self.pilot.random.borrow_mut().unit() * stale * SECOND) as Time;
        self.read = self.pilot.operate(
            "records",
            |server| server.segments.len() as f64 + (server.log.len() - read) as f64 / RECORDS,
            |server, now| Ok(read.max(server.log.partition_point(|time| time + lag <= now))),
        )?;
        Ok(())
    }

    fn refresh_of(&mut self, pilots: &[String]) -> io::Result<()> {
        let runs = |server: &Server| -> Vec<u32> {
            pilots.iter().filter_map(|pilot| server.segments.get(pilot)).flatten().copied().collect()
        };
        let units = |server: &Server| pilots.len() as f64 + runs(server).len() as f64 / RECORDS;
        self.known.extend(self.pilot.operate("records", units, |server, _| Ok(runs(server)))?);
        Ok(())
    }

    fn is_missing(&self, run: &Number) -> bool {
        let first = self.pilot.world.now(|server| server.first[run.0 as usize]) as usize;
        (first == 0 || first > self.read) && !self.known.contains(&run.0)
    }

    fn all_missing(&mut self) -> io::Result<Vec<Number>> {
        (self.read, self.known) = Default::default();
        self.refresh()?;
        Ok((0..self.runs).map(Number).filter(|run| self.is_missing(run)).collect())
    }

    fn sync(&mut self) -> io::Result<()> {
        self.flushed = self.pilot.time();
        if self.fresh.is_empty() {
            return Ok(());
        }
        let (fresh, name) = (std::mem::take(&mut self.fresh), &self.pilot.name);
        // A real pilot that has new records flushes every second.
        let flushes = (self.interval as f64 / SECOND).min(fresh.len() as f64);
        self.pilot.operate(
            "sync",
            |_| 2.0 * flushes.max(1.0),
            |server, now| {
                fresh.iter().for_each(|run| server.record(run.0, name, now));
                Ok(())
            },
        )
    }

    fn set_aside(&mut self, run: &Number, deaths: &[String]) -> io::Result<()> {
        assert!(deaths.len() >= MAX_DEATHS, "set aside after {} deaths", deaths.len());
        self.append(*run);
        self.pilot.world.now(|server| server.set_aside(run.0));
        Ok(())
    }
}

/// How a pilot ended.
#[derive(Debug, PartialEq, Eq)]
enum End {
    /// Nothing is left to do.
    Done,
    /// It died, failed or was asked to end. Another one takes its place.
    Replaced,
}

/// What a process works with.
struct Process {
    pilot: Rc<Pilot>,
    holder: Holder<Number, Folder>,
    records: Known,
    setup: Setup,
    beaten: Cell<Time>,
}

fn time(seconds: f64) -> Time {
    (seconds * SECOND) as Time
}

impl Process {
    fn open(pilot: &Rc<Pilot>) -> io::Result<Self> {
        let setup = pilot.world.now(|server| server.setup.clone());
        let (runs, flushed) = (setup.runs, pilot.time());
        let queue = Queue::on(Folder(Rc::clone(pilot)), Duration::from_secs_f64(setup.lease_s))?;
        let records = Known {
            pilot: Rc::clone(pilot),
            runs,
            read: 0,
            known: HashSet::new(),
            fresh: Vec::new(),
            flushed,
            interval: time(setup.flush_s),
        };
        let holder = Holder::new(queue);
        Ok(Process { pilot: Rc::clone(pilot), holder, records, setup, beaten: Cell::new(flushed) })
    }

    fn interval(&self) -> Time {
        time(self.setup.lease_s) / 10
    }

    /// Lets time pass. Beats and flushes as the main thread of a runner does.
    fn pass(&mut self, mut length: Time) -> io::Result<()> {
        loop {
            let now = self.pilot.time();
            let mut next = (self.beaten.get() + self.interval()).saturating_sub(now);
            if !self.records.fresh.is_empty() {
                next = next.min((self.records.flushed + self.records.interval).saturating_sub(now));
            }
            let step = length.min(next);
            self.pilot.advance(step);
            length -= step;
            self.records.tick()?;
            if self.pilot.time() >= self.beaten.get() + self.interval() {
                self.beaten.set(self.pilot.time());
                self.holder.queue.beat()?;
                self.holder.queue.reclaim()?;
            }
            if self.pilot.is_dead() {
                return Err(io::Error::other("the node is dead"));
            }
            if length == 0 {
                return Ok(());
            }
        }
    }

    fn execute(&mut self, run: Number) -> io::Result<()> {
        let length = self.setup.length(run.0);
        self.pilot.world.now(|server| {
            server.measured.begun += 1;
            server.measured.worked += length;
        });
        self.pass(length)?;
        if self.setup.killers.contains(&run.0) {
            self.pilot.die();
            return Err(io::Error::other("killed by a run"));
        }
        if !self.holder.has_lost(&run, &mut self.records)? {
            self.records.append(run);
        }
        self.holder.finish(&run, &mut self.records)
    }

    fn work(&mut self, until: Time) -> io::Result<End> {
        while self.pilot.time() < until {
            if let Some(run) = self.holder.next(&mut self.records)? {
                self.execute(run)?;
                continue;
            }
            if self.holder.idle()? == Some(Idle::Empty) {
                if !self.holder.queue.retire()? {
                    return Ok(End::Done);
                }
                match self.holder.compare_with_plan(&mut self.records)? {
                    Comparison::Complete | Comparison::Incomplete => return Ok(End::Done),
                    Comparison::Requeued(_) | Comparison::Unclear => (),
                }
            }
            self.pass(IDLE)?;
        }
        Ok(End::Replaced)
    }

    /// Gives back what it holds, as far as that is still possible.
    fn close(&mut self) -> io::Result<()> {
        let flushed = self.records.sync();
        let released = self.holder.release();
        self.holder.queue.leave_to_others();
        flushed.and(released)
    }
}

/// The work of a pilot and of those that take its place.
fn occupy(world: &Arc<World>, number: usize, mut start: Time) {
    for count in 0..MAX_PILOTS {
        let name = format!("n{number}.1.{count}.1");
        let pilot = Rc::new(Pilot::new(Arc::clone(world), number, name, start));
        let requeue = world.now(|server| server.setup.requeue_s);
        let until = start as f64 + pilot.random.borrow_mut().exponential(requeue) * SECOND;
        let mut process = Process::open(&pilot);
        let end = process.as_mut().map_or(End::Replaced, |process| {
            // A pilot first reads all records.
            let read = process.records.refresh();
            let end = read.and_then(|()| process.work(until as Time)).unwrap_or(End::Replaced);
            let closed = process.close();
            if closed.is_err() { End::Replaced } else { end }
        });
        pilot.end();
        if end == End::Done {
            return;
        }
        let pause = RESTART_S + pilot.random.borrow_mut().exponential(RESTART_S);
        start = pilot.time() + time(pause);
    }
}

/// Submits the runs that have no record, then lets all pilots work until they end. Returns when the submission ended.
pub(crate) fn round(world: &Arc<World>, begin: Time) -> Time {
    let ended = Arc::new(Mutex::new(begin));
    let (shared, at) = (Arc::clone(world), Arc::clone(&ended));
    world.run(&[begin], move |number, start| {
        let pilot = Rc::new(Pilot::new(Arc::clone(&shared), number, format!("login.1.{start}.1"), start));
        let submitted = Process::open(&pilot).and_then(|mut process| {
            let runs = process.records.all_missing()?;
            process.holder.queue.enqueue_batches(runs, process.setup.batch, Flush::Now)?;
            process.holder.queue.leave_to_others();
            Ok(())
        });
        pilot.end();
        let _ = submitted;
        *at.lock().unwrap_or_else(PoisonError::into_inner) = pilot.time();
    });
    let submitted = *ended.lock().unwrap_or_else(PoisonError::into_inner);
    let pilots = world.now(|server| server.setup.pilots);
    // Slurm starts them within a few seconds.
    let starts: Vec<Time> = (0..pilots as u64).map(|i| submitted + i * time(10.0) / pilots as u64).collect();
    let shared = Arc::clone(world);
    world.run(&starts, move |number, start| occupy(&shared, number, start));
    submitted
}
