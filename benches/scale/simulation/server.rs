//! The simulated file server with the folder of one set: the files of the queue and the records, what operations cost,
//! and what was measured. It also knows which batches the pilots hold, and so notices if a batch is taken from a pilot
//! whose lease has not expired.

use super::world::{SECOND, Time};
use counterpoint::harness::Part;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// What is simulated.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    pub(crate) seed: u64,
    pub(crate) pilots: usize,
    pub(crate) runs: u32,
    /// The number of runs of a batch.
    pub(crate) batch: usize,
    /// The mean time of a run in seconds; times are exponentially distributed.
    pub(crate) run_s: f64,
    pub(crate) lease_s: f64,
    /// The time between two flushes of a pilot's records, in seconds. It is one second in reality. A longer
    /// time makes the simulation faster; the load is counted as if it were one second.
    pub(crate) flush_s: f64,
    /// The mean time that a request and its answer together spend on the network, in seconds.
    pub(crate) latency_s: f64,
    /// How many operations the server carries out in a second.
    pub(crate) capacity: f64,
    /// For how many seconds, at most, a node trusts what it knows about the folder.
    pub(crate) stale_s: f64,
    /// The probability that a renaming succeeds but reports that the file is absent.
    pub(crate) wrong_answer: f64,
    /// The probability that an increment of a counter is lost.
    pub(crate) lost_beat: f64,
    /// The probability that an operation fails.
    pub(crate) failure: f64,
    /// The mean life of a node in seconds.
    pub(crate) life_s: f64,
    /// The mean time in seconds until a pilot is suspended for up to three leases.
    pub(crate) freeze_s: f64,
    /// The mean time in seconds until a pilot is asked to end; it begins again later.
    pub(crate) requeue_s: f64,
    /// The mean time in seconds between two interruptions of the server, each of up to two leases.
    pub(crate) outage_s: f64,
    /// Whether locks work between nodes.
    pub(crate) locks: Locks,
    /// The runs that kill their pilots.
    pub(crate) killers: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Locks {
    Work,
    DoNothing,
}

impl Setup {
    /// A cluster without faults: a quick NFS server with caches of up to a minute.
    pub(crate) fn sound(pilots: usize, runs: u32, batch: usize, run_s: f64) -> Self {
        Setup {
            seed: 1,
            pilots,
            runs,
            batch,
            run_s,
            lease_s: 180.0,
            flush_s: 1.0,
            latency_s: 0.0005,
            capacity: 10_000.0,
            stale_s: 60.0,
            wrong_answer: 0.0,
            lost_beat: 0.0,
            failure: 0.0,
            life_s: f64::INFINITY,
            freeze_s: f64::INFINITY,
            requeue_s: f64::INFINITY,
            outage_s: f64::INFINITY,
            locks: Locks::Work,
            killers: Vec::new(),
        }
    }

    /// How long a run takes, which does not depend on who does it.
    pub(crate) fn length(&self, run: u32) -> Time {
        let mut random = Random::new(self.seed ^ (u64::from(run) << 20));
        (random.exponential(self.run_s) * SECOND) as Time
    }
}

/// A source of pseudo-random numbers (SplitMix64).
#[derive(Clone)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Between 0 and 1.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Exponentially distributed.
    pub(crate) fn exponential(&mut self, mean: f64) -> f64 {
        -mean * (1.0 - self.unit()).ln()
    }
}

/// What was measured.
#[derive(Clone, Debug, Default)]
pub(crate) struct Measured {
    /// The number of operations, by kind.
    pub(crate) operations: BTreeMap<&'static str, u64>,
    /// For how long the server was busy.
    pub(crate) busy: Time,
    /// The sum of the times that operations waited for the server, and the longest of them.
    pub(crate) waited: Time,
    pub(crate) longest_wait: Time,
    /// The number of runs that were begun, and the time that was spent on them.
    pub(crate) begun: u64,
    pub(crate) worked: Time,
    /// The number of pilots that died.
    pub(crate) deaths: u64,
    /// Batches that were taken from a live pilot before its lease had expired.
    pub(crate) robbed: Vec<String>,
}

/// The server.
pub(crate) struct Server {
    pub(crate) setup: Setup,
    pub(crate) random: Random,
    pub(crate) files: BTreeMap<Part, BTreeMap<String, Arc<[u8]>>>,
    /// Until when it is busy.
    free: Time,
    /// The next interruption: when it begins and when it ends.
    outage: (Time, Time),
    pub(crate) is_locked: bool,
    /// When each record was written, in this order.
    pub(crate) log: Vec<Time>,
    /// For each run, the number of the first record of it, counted from 1; 0 if there is none.
    pub(crate) first: Vec<u32>,
    /// For each pilot that has written records, their runs.
    pub(crate) segments: HashMap<String, Vec<u32>>,
    /// The number of runs that have a record, and when the last of them got it.
    pub(crate) recorded: (u32, Time),
    /// The runs that were set aside.
    aside: BTreeSet<u32>,
    /// For each pilot that has not ended, when its counter last changed, and the longest time that it was unchanged.
    beats: HashMap<String, (Time, Time)>,
    pub(crate) measured: Measured,
}

impl Server {
    pub(crate) fn new(setup: Setup) -> Self {
        let first = vec![0; setup.runs as usize];
        let random = Random::new(setup.seed);
        let (files, log, segments, aside, beats, measured) = Default::default();
        let mut server = Server {
            setup,
            random,
            files,
            free: 0,
            outage: (0, 0),
            is_locked: false,
            log,
            first,
            segments,
            recorded: (0, 0),
            aside,
            beats,
            measured,
        };
        server.plan_outage();
        server
    }

    fn plan_outage(&mut self) {
        let begin = self.outage.1 as f64 + self.random.exponential(self.setup.outage_s) * SECOND;
        let length = self.random.unit() * 2.0 * self.setup.lease_s * SECOND;
        self.outage = (begin as Time, (begin + length) as Time);
    }

    /// Carries out an operation that arrives now and costs as much as `units` simple ones. Returns when it is done.
    pub(crate) fn serve(&mut self, kind: &'static str, now: Time, units: f64) -> Time {
        let cost = (units / self.setup.capacity * SECOND) as Time;
        let mut begin = self.free.max(now);
        while begin >= self.outage.1 {
            self.plan_outage();
        }
        if begin >= self.outage.0 {
            begin = self.outage.1;
        }
        self.free = begin + cost;
        let measured = &mut self.measured;
        *measured.operations.entry(kind).or_default() += 1;
        measured.busy += cost;
        measured.waited += begin - now;
        measured.longest_wait = measured.longest_wait.max(begin - now);
        self.free
    }

    pub(crate) fn names(&self, part: Part) -> impl Iterator<Item = &String> {
        self.files.get(&part).into_iter().flat_map(BTreeMap::keys)
    }

    /// Adds a record.
    pub(crate) fn record(&mut self, run: u32, pilot: &str, time: Time) {
        self.log.push(time);
        match self.segments.get_mut(pilot) {
            Some(segment) => segment.push(run),
            None => drop(self.segments.insert(pilot.to_owned(), vec![run])),
        }
        let first = &mut self.first[run as usize];
        if *first == 0 {
            *first = self.log.len() as u32;
            self.recorded = (self.recorded.0 + 1, time);
        }
    }

    /// Notes that a run was set aside.
    pub(crate) fn set_aside(&mut self, run: u32) {
        self.aside.insert(run);
    }

    /// When the last operation was done.
    pub(crate) fn end(&self) -> Time {
        self.free
    }

    /// The runs that were set aside.
    pub(crate) fn aside(&self) -> Vec<u32> {
        self.aside.iter().copied().collect()
    }

    /// Notes that a pilot has incremented its counter, or that it has begun.
    pub(crate) fn beat(&mut self, pilot: &str, now: Time) {
        let (last, longest) = self.beats.entry(pilot.to_owned()).or_insert((now, 0));
        *longest = now.saturating_sub(*last).max(*longest);
        *last = now;
    }

    /// Notes that a pilot has ended.
    pub(crate) fn forget(&mut self, pilot: &str) {
        self.beats.remove(pilot);
    }

    /// Notes that a batch is moved from `taken` to `todo` by another pilot than its owner. A live pilot that has always
    /// incremented its counter within a lease must not lose its batch.
    pub(crate) fn rob(&mut self, name: &str, now: Time) {
        let owner = name.rsplit_once('@').map_or("", |(_, owner)| owner);
        let lease = (self.setup.lease_s * SECOND) as Time;
        if let Some((last, longest)) = self.beats.get(owner)
            && now.saturating_sub(*last).max(*longest) < lease
        {
            self.measured.robbed.push(name.to_owned());
        }
    }
}
