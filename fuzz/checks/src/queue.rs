//! The queue of runs against a model: several runners on a folder in memory, some of which die, sleep or leave.
//!
//! The model knows which runs were queued and which were finished. No other run may ever be missing, and two runners
//! hold the same run only if one of them was silent for the length of a lease.

use crate::input::Input;
use counterpoint::harness::{Claim, Flush, Item, Part, Place, Queue, Storage};
use counterpoint::process::Life;
use serde::{Deserialize, Serialize};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::rc::Rc;
use std::time::Duration;

const LEASE: Duration = Duration::from_secs(10);

/// The number of runners. The first of them submits the runs.
const RUNNERS: usize = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Number(u32);

impl Item for Number {
    fn key(&self) -> String {
        self.0.to_string()
    }
}

/// What all runners share.
#[derive(Default)]
struct World {
    files: RefCell<BTreeMap<(Part, String), Vec<u8>>>,
    now: Cell<Duration>,
    /// Whether the next renaming reports that the file is absent, although it succeeds.
    misreports: Cell<bool>,
    ended: RefCell<BTreeSet<String>>,
    /// Whether runners are on different machines, so that only leases show who has ended.
    is_remote: Cell<bool>,
}

/// The folder as one runner sees it.
struct Folder {
    world: Rc<World>,
    me: String,
}

fn absent<T>() -> io::Result<T> {
    Err(io::ErrorKind::NotFound.into())
}

impl Storage for Folder {
    type Lock = ();

    fn me(&self) -> &str {
        &self.me
    }
    fn life(&self, name: &str) -> Life {
        match (self.world.is_remote.get(), self.world.ended.borrow().contains(name)) {
            (true, _) => Life::Elsewhere,
            (false, true) => Life::Ended,
            (false, false) => Life::Running,
        }
    }
    fn now(&self) -> Duration {
        self.world.now.get()
    }
    fn create_folders(&self) -> io::Result<()> {
        Ok(())
    }
    fn remove_folders(&self) {}
    fn lock(&self) -> io::Result<()> {
        Ok(())
    }
    fn list(&self, part: Part) -> io::Result<Vec<String>> {
        let files = self.world.files.borrow();
        Ok(files.keys().filter(|(of, _)| *of == part).map(|(_, name)| name.clone()).collect())
    }
    fn read(&self, (part, name): Place<'_>) -> io::Result<Vec<u8>> {
        self.world.files.borrow().get(&(part, name.to_owned())).cloned().map_or_else(absent, Ok)
    }
    fn exists(&self, place: Place<'_>) -> io::Result<bool> {
        Ok(self.read(place).is_ok())
    }
    fn write(&self, (part, name): Place<'_>, bytes: &[u8], _: Flush) -> io::Result<()> {
        self.world.files.borrow_mut().insert((part, name.to_owned()), bytes.to_vec());
        Ok(())
    }
    fn rename(&self, from: Place<'_>, to: Place<'_>) -> io::Result<()> {
        let mut files = self.world.files.borrow_mut();
        let Some(bytes) = files.remove(&(from.0, from.1.to_owned())) else { return absent() };
        files.insert((to.0, to.1.to_owned()), bytes);
        if self.world.misreports.replace(false) { absent() } else { Ok(()) }
    }
    fn remove(&self, (part, name): Place<'_>) -> io::Result<()> {
        self.world.files.borrow_mut().remove(&(part, name.to_owned())).map_or_else(absent, |_| Ok(()))
    }
}

impl World {
    /// The runs in all batches that wait or are held, each as often as it occurs.
    fn queued(&self) -> Vec<Number> {
        let files = self.files.borrow();
        let batches = files.iter().filter(|((part, _), _)| [Part::Todo, Part::Taken].contains(part));
        batches
            .flat_map(|(_, bytes)| serde_json::from_slice::<Vec<Number>>(bytes).unwrap_or_default())
            .collect()
    }

    fn pass(&self, seconds: u64) {
        self.now.set(self.now.get() + Duration::from_secs(seconds));
    }
}

/// A runner, with the runs of the batches that it holds, as it believes.
struct Runner {
    name: String,
    queue: Queue<Number, Folder>,
    claims: Vec<Claim<Number>>,
    last_beat: Duration,
}

/// What the model knows.
#[derive(Default)]
struct Model {
    queued: BTreeSet<Number>,
    finished: BTreeSet<Number>,
    /// Whether some living runner was silent for so long that others may have taken its batches.
    had_silence: bool,
}

impl Model {
    fn check(&self, world: &World, what: &str) {
        let (found, mut unique) = (world.queued(), BTreeSet::new());
        for run in &found {
            let is_new = unique.insert(*run);
            assert!(is_new || self.had_silence, "run {run:?} is in two batches after {what}");
            assert!(self.queued.contains(run), "run {run:?} was never queued; after {what}");
        }
        for run in &self.queued {
            assert!(unique.contains(run) || self.finished.contains(run), "run {run:?} is lost after {what}");
        }
    }
}

fn start(world: &Rc<World>, number: usize) -> Runner {
    let name = format!("runner{number}");
    let folder = Folder { world: Rc::clone(world), me: name.clone() };
    let queue = Queue::on(folder, LEASE).expect("memory can be written");
    Runner { name, queue, claims: Vec::new(), last_beat: world.now.get() }
}

pub(crate) fn queue(data: &[u8]) {
    let input = &mut Input::new(data);
    let world = Rc::new(World::default());
    world.is_remote.set(input.flag());
    let mut model = Model::default();
    let mut runners = vec![start(&world, 0)];
    let (runs, size) = (input.number(0..=9), input.number(1..=4));
    enqueue(&runners[0], runs, size, &mut model);
    model.check(&world, "the first batches");
    let mut started = 1;
    for _ in 0..40 {
        if input.is_empty() {
            break;
        }
        if runners.len() < RUNNERS && input.rarely(4) {
            runners.push(start(&world, started));
            started += 1;
        }
        let at = input.number(0..=runners.len() - 1);
        let what = input.number(0..=11);
        step(&world, &mut runners, at, what, input, &mut model);
        model.check(&world, &format!("operation {what} of runner {at}"));
    }
    finish(&world, runners, &mut model);
}

fn enqueue(runner: &Runner, runs: u32, size: usize, model: &mut Model) {
    let runs: Vec<Number> = (0..runs).map(Number).filter(|run| !model.finished.contains(run)).collect();
    runner.queue.enqueue_batches(runs.clone(), size, Flush::Now).expect("memory can be written");
    model.queued.extend(runs);
}

/// An operation of one runner.
fn step(
    world: &Rc<World>,
    runners: &mut Vec<Runner>,
    at: usize,
    what: u8,
    input: &mut Input<'_>,
    model: &mut Model,
) {
    let others = runners.len() > 1;
    let runner = &mut runners[at];
    match what {
        0..=2 => {
            world.misreports.set(input.rarely(6));
            if let Some(claim) = runner.queue.claim().expect("memory can be read") {
                assert!(!claim.runs.is_empty(), "an empty batch");
                runner.claims.push(claim);
            }
            world.misreports.set(false);
        }
        3 | 4 => {
            if let Some(claim) = runner.claims.pop() {
                model.finished.extend(&claim.runs);
                runner.queue.finish(&claim).expect("memory can be written");
            }
        }
        5 => {
            if let Some(claim) = runner.claims.pop() {
                // The runs that are not given back were recorded.
                let left = input.number(0..=claim.runs.len());
                model.finished.extend(&claim.runs[..claim.runs.len() - left]);
                let left = &claim.runs[claim.runs.len() - left..];
                runner.queue.release(&claim, left).expect("memory can be written");
            }
        }
        6 => {
            runner.queue.beat().expect("memory can be written");
            runner.last_beat = world.now.get();
        }
        7 => {
            world.pass(input.number(0..=6));
            let is_silent = |runner: &Runner| world.now.get() - runner.last_beat > LEASE / 2;
            model.had_silence |= runners.iter().any(is_silent);
        }
        8 | 9 => drop(runner.queue.reclaim().expect("memory can be read")),
        // The last runner does not die, because it carries out what is left.
        10 if others => {
            let dead = runners.remove(at);
            world.ended.borrow_mut().insert(dead.name);
        }
        11 if others => {
            let (runs, size) = (input.number(0..=12), input.number(1..=3));
            // The caller has read the records: finished runs are not queued again.
            let is_alone = runners.len() == 1;
            if !is_alone {
                enqueue(&runners[at], runs, size, model);
            }
        }
        _ => {}
    }
}

/// The first runner carries out all runs that are left, once the leases of the others have expired.
fn finish(world: &Rc<World>, mut runners: Vec<Runner>, model: &mut Model) {
    let mut last = runners.remove(0);
    runners.iter().for_each(|other| _ = world.ended.borrow_mut().insert(other.name.clone()));
    for _ in 0..40 {
        while let Some(claim) = last.claims.pop() {
            model.finished.extend(&claim.runs);
            last.queue.finish(&claim).expect("memory can be written");
        }
        last.queue.beat().expect("memory can be written");
        last.queue.reclaim().expect("memory can be read");
        world.pass(1);
        while let Some(claim) = last.queue.claim().expect("memory can be read") {
            last.claims.push(claim);
        }
        model.check(world, "the end");
    }
    assert!(last.claims.is_empty() && last.queue.is_empty().expect("memory can be read"), "batches are left");
    assert!(model.finished.is_superset(&model.queued), "runs are left");
    last.queue.leave();
    let left: Vec<_> = world.files.borrow().keys().cloned().collect();
    assert!(left.is_empty(), "{left:?}");
}
