//! The queue on a folder in memory, with clocks that stand still until a test moves them. Each test is about one
//! property of the queue. `tests/runner/simulated.rs` simulates whole clusters.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on shall panic")]

mod leases;

use super::ending::CANCEL;
use super::*;
use crate::process::Life;
use serde::Deserialize;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

const TEST_LEASE: Duration = Duration::from_secs(10);
const SECOND: Duration = Duration::from_secs(1);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// Whether renamings report that the file is absent, although they succeed.
    is_wrong: Cell<bool>,
    /// Who takes the next batch that somebody else is about to claim.
    quicker: Cell<Option<&'static str>>,
    /// Whether the runner that reads the next batch is suspended right afterwards, until others have done the batch.
    is_suspended: Cell<bool>,
    /// The operations that change something, in their order.
    log: RefCell<Vec<String>>,
    /// How many counters were read.
    reads: Cell<usize>,
    /// The records that were flushed, each with its runner.
    records: RefCell<BTreeMap<u32, String>>,
}

impl World {
    fn pass(&self, time: Duration) {
        self.now.set(self.now.get() + time);
    }

    fn names(&self, part: Part) -> Vec<String> {
        self.files.borrow().keys().filter(|(of, _)| *of == part).map(|(_, name)| name.clone()).collect()
    }

    fn note(&self, what: String) {
        self.log.borrow_mut().push(what);
    }

    fn is_in_log(&self, words: &str) -> bool {
        self.log.borrow().iter().any(|line| line.contains(words))
    }
}

/// The folder as one runner on a machine of its own sees it.
struct Folder {
    world: Rc<World>,
    me: String,
    /// How far this machine's clock is ahead.
    ahead: Duration,
}

impl Storage for Folder {
    type Lock = ();

    fn me(&self) -> &str {
        &self.me
    }
    fn life(&self, _: &str) -> Life {
        Life::Elsewhere
    }
    fn now(&self) -> Duration {
        self.world.now.get() + self.ahead
    }
    fn create_folders(&self) -> io::Result<()> {
        Ok(())
    }
    fn remove_folders(&self) {}
    fn lock(&self) -> io::Result<()> {
        Ok(())
    }
    fn list(&self, part: Part) -> io::Result<Vec<String>> {
        Ok(self.world.names(part))
    }
    fn read(&self, (part, name): Place<'_>) -> io::Result<Vec<u8>> {
        self.world.reads.set(self.world.reads.get() + usize::from(part == Part::Alive));
        let found = self.world.files.borrow().get(&(part, name.to_owned())).cloned();
        if part == Part::Taken && self.world.is_suspended.take() {
            self.world.files.borrow_mut().remove(&(part, name.to_owned()));
            self.world.pass(TEST_LEASE * 2);
        }
        found.ok_or_else(|| io::ErrorKind::NotFound.into())
    }
    fn exists(&self, place: Place<'_>) -> io::Result<bool> {
        Ok(self.read(place).is_ok())
    }
    fn write(&self, (part, name): Place<'_>, bytes: &[u8], flush: Flush) -> io::Result<()> {
        self.world.note(format!("write {part:?} {name} {flush:?}"));
        self.world.files.borrow_mut().insert((part, name.to_owned()), bytes.to_vec());
        Ok(())
    }
    fn rename(&self, from: Place<'_>, to: Place<'_>) -> io::Result<()> {
        if from.0 == Part::Todo
            && let Some(quicker) = self.world.quicker.take()
        {
            self.rename(from, (Part::Taken, &format!("{}@{quicker}", from.1)))?;
        }
        let bytes = self.read(from)?;
        self.world.files.borrow_mut().remove(&(from.0, from.1.to_owned()));
        self.world.files.borrow_mut().insert((to.0, to.1.to_owned()), bytes);
        if self.world.is_wrong.get() { Err(io::ErrorKind::NotFound.into()) } else { Ok(()) }
    }
    fn remove(&self, (part, name): Place<'_>) -> io::Result<()> {
        self.world.note(format!("remove {part:?} {name}"));
        let removed = self.world.files.borrow_mut().remove(&(part, name.to_owned()));
        removed.map(drop).ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

/// The records as one runner knows them.
struct Known {
    world: Rc<World>,
    me: String,
    known: BTreeSet<u32>,
    fresh: Vec<u32>,
    /// The runs that were set aside, and the runners that died.
    aside: Vec<(u32, Vec<String>)>,
}

impl Known {
    fn append(&mut self, run: Number) {
        self.fresh.push(run.0);
        self.known.insert(run.0);
    }
}

impl Records<Number> for Known {
    fn refresh(&mut self) -> io::Result<()> {
        self.world.note("refresh".to_owned());
        self.known.extend(self.world.records.borrow().keys());
        Ok(())
    }
    fn refresh_of(&mut self, runners: &[String]) -> io::Result<()> {
        let records = self.world.records.borrow();
        self.known.extend(records.iter().filter(|(_, by)| runners.contains(by)).map(|(run, _)| *run));
        Ok(())
    }
    fn is_missing(&self, run: &Number) -> bool {
        !self.known.contains(&run.0)
    }
    fn all_missing(&mut self) -> io::Result<Vec<Number>> {
        self.refresh()?;
        Ok((0..4).map(Number).filter(|run| self.is_missing(run)).collect())
    }
    fn sync(&mut self) -> io::Result<()> {
        self.world.note("sync".to_owned());
        self.world.records.borrow_mut().extend(self.fresh.drain(..).map(|run| (run, self.me.clone())));
        Ok(())
    }
    fn set_aside(&mut self, run: &Number, deaths: &[String]) -> io::Result<()> {
        self.append(*run);
        self.aside.push((run.0, deaths.to_vec()));
        Ok(())
    }
}

fn queue(world: &Rc<World>, me: &str, ahead: Duration) -> Queue<Number, Folder> {
    Queue::on(Folder { world: Rc::clone(world), me: me.to_owned(), ahead }, TEST_LEASE).unwrap()
}

fn runner(world: &Rc<World>, me: &str) -> (Holder<Number, Folder>, Known) {
    let (known, fresh, aside) = Default::default();
    let records = Known { world: Rc::clone(world), me: me.to_owned(), known, fresh, aside };
    (Holder::new(queue(world, me, Duration::ZERO)), records)
}

/// A world whose queue has batches of these sizes, with the runs 0, 1, 2, and so on.
fn world(size: usize, runs: u32) -> Rc<World> {
    let world = Rc::new(World::default());
    let submitter = queue(&world, "login", Duration::ZERO);
    submitter.enqueue_batches((0..runs).map(Number).collect(), size, Flush::Now).unwrap();
    submitter.leave_to_others();
    world
}

/// Lets a lease pass in which only this runner is alive.
fn outlive(world: &World, queue: &mut Queue<Number, Folder>) {
    for _ in 0..13 {
        queue.beat().unwrap();
        queue.reclaim().unwrap();
        world.pass(SECOND);
    }
}

#[test]
fn a_batch_has_one_owner() {
    let world = world(1, 2);
    let (mut one, mut two) = (queue(&world, "a", Duration::ZERO), queue(&world, "b", Duration::ZERO));
    // Both have listed the folder before the other one claims.
    let first = one.claim().unwrap().unwrap();
    let second = two.claim().unwrap().unwrap();
    assert_ne!(first.runs, second.runs);
    assert!(one.claim().unwrap().is_none() && two.claim().unwrap().is_none());
    assert!(one.holds(&first) && two.holds(&second));
    // Another one claims the batch at the last moment.
    let world = self::world(1, 2);
    world.quicker.set(Some("b"));
    assert_eq!(queue(&world, "a", Duration::ZERO).claim().unwrap().unwrap().runs, [Number(1)]);
    assert_eq!(world.names(Part::Taken), ["000000-0@b", "000001-1@a"]);
    // A renaming that succeeds but reports an error has claimed the batch.
    let world = self::world(1, 1);
    world.is_wrong.set(true);
    assert_eq!(queue(&world, "a", Duration::ZERO).claim().unwrap().unwrap().runs, [Number(0)]);
}

#[test]
fn an_owner_that_comes_back_repeats_nothing() {
    let world = world(2, 2);
    let (mut owner, mut records) = runner(&world, "a");
    assert_eq!(owner.next(&mut records).unwrap(), Some(Number(0)));
    let (mut other, mut others) = runner(&world, "b");
    outlive(&world, &mut other.queue);
    assert_eq!(other.next(&mut others).unwrap(), Some(Number(0)));
    assert!(!owner.has_lost(&Number(0), &mut records).unwrap(), "the other one has no record of it yet");
    others.append(Number(0));
    other.finish(&Number(0), &mut others).unwrap();
    others.sync().unwrap();
    assert!(owner.has_lost(&Number(0), &mut records).unwrap());
    assert_eq!(owner.next(&mut records).unwrap(), None, "run 1 belongs to the other one");
    assert_eq!(world.names(Part::Deaths), [""; 0], "the owner was alive");
    owner.release().unwrap();
    assert_eq!(
        (world.names(Part::Todo).len(), world.names(Part::Taken)),
        (0, vec!["000000-0~@b".to_owned()])
    );
}

#[test]
fn a_run_that_is_queued_twice_is_carried_out_once() {
    let world = world(1, 1);
    let (mut owner, mut records) = runner(&world, "a");
    owner.queue.add(&[Number(0)]).unwrap();
    assert_eq!(world.names(Part::Todo), ["000000-0", "000000-0+"]);
    assert_eq!(owner.next(&mut records).unwrap(), Some(Number(0)));
    // Another slot looks for work while the run is being carried out.
    assert_eq!(owner.next(&mut records).unwrap(), None);
    records.append(Number(0));
    owner.finish(&Number(0), &mut records).unwrap();
    assert!(owner.queue.is_empty().unwrap());
}

#[test]
fn an_owner_that_is_suspended_while_it_claims_repeats_nothing() {
    let world = world(2, 2);
    let (mut owner, mut records) = runner(&world, "a");
    world.is_suspended.set(true);
    assert_eq!(owner.next(&mut records).unwrap(), None, "others have done the batch meanwhile");
}

#[test]
fn runs_that_were_not_made_are_given_back() {
    let world = world(3, 3);
    let (mut owner, mut records) = runner(&world, "a");
    let run = owner.next(&mut records).unwrap().unwrap();
    records.append(run);
    owner.finish(&run, &mut records).unwrap();
    world.log.borrow_mut().clear();
    owner.release().unwrap();
    assert!(world.is_in_log("write New 000000-0.a Now"), "{:?}", world.log);
    assert_eq!((world.names(Part::Todo), world.names(Part::Taken).len()), (vec!["000000-0".to_owned()], 0));
    let back = queue(&world, "b", Duration::ZERO).claim().unwrap().unwrap();
    assert_eq!((back.runs.as_slice(), back.is_suspect()), ([Number(1), Number(2)].as_slice(), false));
}

#[test]
fn a_batch_is_removed_after_its_records_are_flushed() {
    let world = world(1, 1);
    let (mut owner, mut records) = runner(&world, "a");
    let run = owner.next(&mut records).unwrap().unwrap();
    records.append(run);
    world.log.borrow_mut().clear();
    owner.finish(&run, &mut records).unwrap();
    assert_eq!(*world.log.borrow(), ["sync", "remove Taken 000000-0@a"]);
    assert!(owner.queue.is_empty().unwrap());
    assert_eq!(owner.next(&mut records).unwrap(), None);
}

#[test]
fn files_are_complete_when_they_get_their_names() {
    let world = world(1, 2);
    let mut one = queue(&world, "a", Duration::ZERO);
    let claim = one.claim().unwrap().unwrap();
    one.release(&claim, &claim.runs).unwrap();
    assert!(world.is_in_log("write New 000000-0.login Now"), "{:?}", world.log);
    assert!(!world.is_in_log("write Todo") && !world.is_in_log("write Alive"), "{:?}", world.log);
}

#[test]
fn a_run_that_kills_its_runners_is_set_aside() {
    let world = world(2, 2);
    let (mut last, mut records) = runner(&world, "z");
    for name in ["a", "b", "c"] {
        let (mut dying, mut lost) = runner(&world, name);
        assert_eq!(dying.next(&mut lost).unwrap(), Some(Number(0)), "{name}");
        outlive(&world, &mut last.queue);
    }
    assert_eq!(last.next(&mut records).unwrap(), Some(Number(1)), "the other run of the batch is harmless");
    let names = ["a", "b", "c"].map(str::to_owned).to_vec();
    assert_eq!(records.aside, [(0, names)]);
    // Its deaths no longer count if it is queued again.
    assert_eq!(world.names(Part::Deaths), ["000000-0@a", "000000-0@b"], "those of the divided batch remain");
}

#[test]
fn runs_that_a_dead_runner_has_recorded_are_not_repeated() {
    let world = world(2, 2);
    let (mut dying, mut lost) = runner(&world, "a");
    let run = dying.next(&mut lost).unwrap().unwrap();
    lost.append(run);
    dying.finish(&run, &mut lost).unwrap();
    lost.sync().unwrap();
    let (mut other, mut records) = runner(&world, "b");
    outlive(&world, &mut other.queue);
    assert_eq!(other.next(&mut records).unwrap(), Some(Number(1)));
}

#[test]
fn runs_are_queued_once_and_late_ones_are_compared_with_the_records() {
    let world = world(1, 2);
    let (mut owner, mut records) = runner(&world, "a");
    assert_eq!(owner.next(&mut records).unwrap(), Some(Number(0)));
    let (other, _) = runner(&world, "b");
    other.queue.enqueue((0..3).map(Number).collect()).unwrap();
    assert_eq!(world.names(Part::Todo), ["000000-2+", "000001-1"]);
    // Another one records run 2 meanwhile.
    world.records.borrow_mut().insert(2, "c".to_owned());
    let (mut late, mut others) = runner(&world, "d");
    assert_eq!(late.next(&mut others).unwrap(), Some(Number(1)));
    assert_eq!(late.next(&mut others).unwrap(), None);
}

#[test]
fn missing_runs_are_queued_again_after_a_lease() {
    let world = world(4, 4);
    let (mut owner, mut records) = runner(&world, "a");
    // Another machine was seen, whose records may be visible late.
    let _other = queue(&world, "b", Duration::ZERO);
    owner.queue.reclaim().unwrap();
    world.files.borrow_mut().retain(|(part, _), _| *part != Part::Todo);
    assert_eq!(owner.compare_with_plan(&mut records).unwrap(), Comparison::Unclear);
    world.pass(TEST_LEASE);
    assert_eq!(owner.compare_with_plan(&mut records).unwrap(), Comparison::Requeued(4));
    assert_eq!(world.names(Part::Todo).len(), 4);
}

#[test]
fn a_request_to_stop_is_seen_and_only_the_last_to_leave_removes_batches() {
    let world = world(1, 2);
    let (one, two) = (queue(&world, "a", Duration::ZERO), queue(&world, "b", Duration::ZERO));
    assert!(!one.is_cancelled());
    two.storage.write(CANCEL, b"", Flush::Now).unwrap();
    assert!(one.is_cancelled() && two.is_cancelled());
    one.leave();
    assert_eq!((world.names(Part::Todo).len(), world.names(Part::Alive)), (2, vec!["b".to_owned()]));
    assert!(two.is_cancelled());
    two.leave();
    assert!(world.files.borrow().is_empty(), "{:?}", world.files);
}

#[test]
fn a_clock_that_goes_back_loses_no_batch() {
    let mut late = queue(&world(1, 1), "a", SECOND);
    let claim = late.claim().unwrap().unwrap();
    late.storage.ahead = Duration::ZERO;
    assert!(late.holds(&claim));
}
