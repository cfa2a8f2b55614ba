//! The folder as one pilot sees it: operations take time, some answers are wrong, and for a while the node trusts what it
//! has seen before.

use super::server::{Locks, Random, Server};
use super::world::{SECOND, Time, World};
use counterpoint::harness::{Flush, Part, Place, Storage};
use counterpoint::process::Life;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::io::{self, ErrorKind};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

/// What listing one name costs, compared with a simple operation.
const LISTED_NAME: f64 = 0.01;

/// A pilot, from its start to its end.
pub(crate) struct Pilot {
    pub(crate) world: Arc<World>,
    pub(crate) number: usize,
    pub(crate) name: String,
    pub(crate) random: RefCell<Random>,
    clock: Cell<Time>,
    /// When it dies.
    death: Cell<Time>,
    /// When it is suspended next, and until when.
    freeze: Cell<(Time, Time)>,
    /// The speed of its clock; 1 if the clock is right.
    drift: f64,
    cache: RefCell<Cache>,
}

/// What a node knows about the folder without asking. Each entry contains the time until which the node trusts it.
#[derive(Default)]
struct Cache {
    lists: HashMap<Part, (Time, Vec<String>)>,
    /// Whether a file exists.
    existence: HashMap<(Part, String), (Time, bool)>,
}

/// The folder as a pilot sees it.
#[derive(Clone)]
pub(crate) struct Folder(pub(crate) Rc<Pilot>);

/// A lock on the set.
pub(crate) struct Lock(Folder);

impl Drop for Lock {
    fn drop(&mut self) {
        self.0.0.world.now(|server| server.is_locked = false);
    }
}

fn dead() -> io::Error {
    io::Error::other("the node is dead")
}

fn absent() -> io::Error {
    ErrorKind::NotFound.into()
}

impl Pilot {
    pub(crate) fn new(world: Arc<World>, number: usize, name: String, start: Time) -> Self {
        let setup = world.now(|server| server.setup.clone());
        let seed = setup.seed ^ (number as u64).rotate_left(40) ^ start.rotate_left(20);
        let mut random = Random::new(seed);
        let after =
            |mean: f64, random: &mut Random| (start as f64 + random.exponential(mean) * SECOND) as Time;
        let death = after(setup.life_s, &mut random);
        let begin = after(setup.freeze_s, &mut random);
        let length = random.unit() * 3.0 * setup.lease_s * SECOND;
        let freeze = Cell::new((begin, begin.saturating_add(length as Time)));
        let drift = 1.0 + (random.unit() - 0.5) * 0.002;
        world.now(|server| server.beat(&name, start));
        let (clock, death, random) = (Cell::new(start), Cell::new(death), RefCell::new(random));
        Pilot { world, number, name, random, clock, death, freeze, drift, cache: RefCell::default() }
    }

    /// The true time.
    pub(crate) fn time(&self) -> Time {
        self.clock.get()
    }

    pub(crate) fn is_dead(&self) -> bool {
        self.time() >= self.death.get()
    }

    /// Dies now.
    pub(crate) fn die(&self) {
        self.death.set(self.time());
    }

    /// Lets time pass for this pilot.
    pub(crate) fn advance(&self, length: Time) {
        let now = self.time();
        let mut then = now.saturating_add(length);
        let (begin, end) = self.freeze.get();
        if now < end && then >= begin {
            then = then.saturating_add(end - begin.max(now));
        }
        self.clock.set(then.min(self.death.get()));
    }

    /// Ends.
    pub(crate) fn end(&self) {
        self.world.now(|server| {
            server.forget(&self.name);
            server.measured.deaths += u64::from(self.is_dead());
        });
    }

    /// Carries out an operation that costs as much as `units` simple ones.
    pub(crate) fn operate<T>(
        &self,
        kind: &'static str,
        units: impl FnOnce(&Server) -> f64,
        act: impl FnOnce(&mut Server, Time) -> io::Result<T>,
    ) -> io::Result<T> {
        let (latency, failure) = self.world.now(|server| (server.setup.latency_s, server.setup.failure));
        let half = || (self.random.borrow_mut().exponential(latency / 2.0) * SECOND) as Time;
        self.advance(half());
        if self.is_dead() {
            return Err(dead());
        }
        let is_failure = failure > 0.0 && self.random.borrow_mut().unit() < failure;
        let arrival = self.time();
        let (result, done) = self.world.at(arrival, self.number, |server| {
            let done = server.serve(kind, arrival, units(server));
            let result =
                if is_failure { Err(io::Error::other("input/output error")) } else { act(server, done) };
            (result, done)
        });
        self.advance(done - arrival + half());
        if self.is_dead() { Err(dead()) } else { result }
    }

    fn simple<T>(
        &self,
        kind: &'static str,
        act: impl FnOnce(&mut Server, Time) -> io::Result<T>,
    ) -> io::Result<T> {
        self.operate(kind, |_| 1.0, act)
    }

    /// The time until which the node trusts what it sees now.
    fn trusted(&self) -> Time {
        let most = self.world.now(|server| server.setup.stale_s);
        self.time() + (self.random.borrow_mut().unit() * most * SECOND) as Time
    }

    fn is_known(&self, (part, name): Place<'_>) -> Option<bool> {
        let cache = self.cache.borrow();
        let &(until, exists) = cache.existence.get(&(part, name.to_owned()))?;
        (self.time() < until).then_some(exists)
    }

    fn learn(&self, (part, name): Place<'_>, exists: bool) {
        let until = self.trusted();
        if until > self.time() {
            self.cache.borrow_mut().existence.insert((part, name.to_owned()), (until, exists));
        }
    }

    /// A node sees its own changes at once. Everything else that it has cached remains as it is.
    fn change(&self, (part, name): Place<'_>, exists: bool) {
        let cache = &mut *self.cache.borrow_mut();
        cache.existence.remove(&(part, name.to_owned()));
        if let Some((_, names)) = cache.lists.get_mut(&part) {
            match (names.binary_search_by(|known| known.as_str().cmp(name)), exists) {
                (Ok(at), false) => drop(names.remove(at)),
                (Err(at), true) => names.insert(at, name.to_owned()),
                _ => (),
            }
        }
    }

    fn chance(&self, probability: impl FnOnce(&Server) -> f64) -> bool {
        let probability = self.world.now(|server| probability(server));
        probability > 0.0 && self.random.borrow_mut().unit() < probability
    }
}

impl Storage for Folder {
    type Lock = Lock;

    fn me(&self) -> &str {
        &self.0.name
    }

    fn life(&self, _: &str) -> Life {
        Life::Elsewhere
    }

    fn now(&self) -> Duration {
        Duration::from_secs_f64(self.0.time() as f64 * self.0.drift / SECOND)
    }

    fn create_folders(&self) -> io::Result<()> {
        self.0.operate("mkdir", |_| Part::FOLDERS.len() as f64, |_, _| Ok(()))
    }

    fn remove_folders(&self) {
        let _ = self.0.operate("rmdir", |_| Part::FOLDERS.len() as f64, |_, _| Ok(()));
    }

    fn lock(&self) -> io::Result<Lock> {
        loop {
            let is_free = self.0.simple("lock", |server, _| {
                let is_free = !server.is_locked || server.setup.locks == Locks::DoNothing;
                server.is_locked = true;
                Ok(is_free)
            })?;
            if is_free {
                return Ok(Lock(self.clone()));
            }
            self.0.advance((0.05 * SECOND) as Time);
        }
    }

    fn list(&self, part: Part) -> io::Result<Vec<String>> {
        if let Some((until, names)) = self.0.cache.borrow().lists.get(&part)
            && self.0.time() < *until
        {
            return Ok(names.clone());
        }
        let units = |server: &Server| 1.0 + server.names(part).count() as f64 * LISTED_NAME;
        let names: Vec<String> =
            self.0.operate("list", units, |server, _| Ok(server.names(part).cloned().collect()))?;
        let until = self.0.trusted();
        if until > self.0.time() {
            self.0.cache.borrow_mut().lists.insert(part, (until, names.clone()));
        }
        Ok(names)
    }

    fn read(&self, place: Place<'_>) -> io::Result<Vec<u8>> {
        if self.0.is_known(place) == Some(false) {
            return Err(absent());
        }
        let read = self.0.simple("read", |server, _| {
            Ok(server.files.get(&place.0).and_then(|files| files.get(place.1)).cloned())
        })?;
        match read {
            Some(bytes) => Ok(bytes.to_vec()),
            None => {
                self.0.learn(place, false);
                Err(absent())
            }
        }
    }

    fn exists(&self, place: Place<'_>) -> io::Result<bool> {
        if let Some(exists) = self.0.is_known(place) {
            return Ok(exists);
        }
        let exists = self.0.simple("exists", |server, _| {
            Ok(server.files.get(&place.0).is_some_and(|files| files.contains_key(place.1)))
        })?;
        self.0.learn(place, exists);
        Ok(exists)
    }

    fn write(&self, place: Place<'_>, bytes: &[u8], _: Flush) -> io::Result<()> {
        // The file is created, written and closed.
        self.0.operate(
            "write",
            |_| 3.0,
            |server, _| {
                server.files.entry(place.0).or_default().insert(place.1.to_owned(), bytes.into());
                Ok(())
            },
        )?;
        self.0.change(place, true);
        Ok(())
    }

    fn rename(&self, from: Place<'_>, to: Place<'_>) -> io::Result<()> {
        let is_wrong = self.0.chance(|server| server.setup.wrong_answer);
        let is_beat = matches!(to.0, Part::Alive | Part::Beats);
        let is_lost = is_beat && self.0.chance(|server| server.setup.lost_beat);
        self.0.simple("rename", |server, now| {
            let Some(bytes) = server.files.get_mut(&from.0).and_then(|files| files.remove(from.1)) else {
                return Err(absent());
            };
            if from.0 == Part::Taken && !from.1.ends_with(&format!("@{}", self.0.name)) {
                server.rob(from.1, now);
            }
            if to.0 == Part::Alive && !is_lost {
                server.beat(to.1, now);
            }
            if !is_lost {
                server.files.entry(to.0).or_default().insert(to.1.to_owned(), bytes);
            }
            if is_wrong { Err(absent()) } else { Ok(()) }
        })?;
        self.0.change(from, false);
        self.0.change(to, true);
        Ok(())
    }

    fn remove(&self, place: Place<'_>) -> io::Result<()> {
        let removed = self.0.simple("remove", |server, _| {
            Ok(server.files.get_mut(&place.0).and_then(|files| files.remove(place.1)).is_some())
        })?;
        self.0.change(place, false);
        if removed { Ok(()) } else { Err(absent()) }
    }
}
