//! Measures which instances search and SAT decide, and how long they take. The instances are Spot's smudged records and
//! Ships' positions, some with pentominoes or with six to eight misses allowed.
//!
//! `cargo bench --bench reach` prints one table in Markdown for each part of `parts.rs`; `-- spot ships` prints only
//! these parts. Instances have seeds from 410,001 upward, which were never used for tuning. Every engine runs on one
//! thread with a limit on CPU time for each instance, and keeps its lookup tables from one instance to the next.
//! The checker has its default limit on work and gets no proof. The answers of all engines to one instance are compared,
//! and a contradiction or a refuted claim ends the benchmark with an error.
//!
//! For an engine that uses a SAT solver, "outside the solver" is its CPU time outside the calls of the solver: it builds
//! the formula, adds its clauses to the solver, reads models and, on Ships, tests whether the sets found are lost.
//!
//! An instance that an engine leaves open counts with the time until the engine stopped, so means and ratios that
//! include such instances are lower bounds, marked by ≥. Unsupported instances are not included.

#![allow(clippy::print_stdout, reason = "the benchmark prints a table")]

mod parts;
mod timed;

use counterpoint::claim::{self, CHECK_WORK};
use counterpoint::engine::{Budget, Limit, Outcome};
use counterpoint::erased::{DynAnswer, DynInstance, DynProblem, DynSession};
use counterpoint::problem::Agreement;
use counterpoint::rules::Settings;
use counterpoint::solver::SolverRegistry;
use counterpoint::spec::{self, EngineSpec};
use cpu_time::ProcessTime;
use parts::{PARTS, Part, Row};
use std::error::Error;
use std::num::NonZero;
use std::sync::Arc;
use std::time::Duration;

type Fallible<T> = Result<T, Box<dyn Error>>;

const FIRST_SEED: u64 = 410_001;

/// What one engine did with the instances of a row.
#[derive(Default)]
struct Tally {
    unsupported: u64,
    open: u64,
    checked: u64,
    /// For each supported instance: the CPU time, the part of it outside the solver's calls, and nodes or conflicts.
    times: Vec<Duration>,
    outside: Vec<Duration>,
    work: Vec<u64>,
    check_times: Vec<Duration>,
}

impl Tally {
    /// Solves an instance and checks the answer.
    fn add(
        &mut self,
        instance: &dyn DynInstance,
        session: &mut dyn DynSession,
        limit: Duration,
    ) -> Fallible<Option<Box<dyn DynAnswer>>> {
        timed::take_time_in_calls();
        let start = ProcessTime::now();
        let stop = move || (start.elapsed() > limit).then_some(Limit::Cpu);
        let mut budget = Budget::new(None, Arc::new(stop)).on_threads(NonZero::new(1));
        let outcome = session.solve(instance, &mut budget);
        let time = start.elapsed();
        let answer = match outcome {
            Outcome::Unsupported(_) => {
                self.unsupported += 1;
                return Ok(None);
            }
            Outcome::Failed(reason) => return Err(reason.into()),
            Outcome::Decided(answer) if time <= limit => Some(answer),
            Outcome::Decided(_) | Outcome::GaveUp(..) => None,
        };
        self.times.push(time);
        self.outside.push(time.saturating_sub(timed::take_time_in_calls()));
        self.work.push(budget.work.nodes + budget.work.conflicts);
        let Some(answer) = answer else {
            self.open += 1;
            return Ok(None);
        };
        let start = ProcessTime::now();
        let claims = answer.check(&[], &mut Budget::of_work(CHECK_WORK));
        self.check_times.push(start.elapsed());
        if claim::any_failed(&claims) {
            return Err(format!("a claim is refuted: {claims:?}\n{}", instance.text()).into());
        }
        self.checked += u64::from(claim::all_closed(&claims));
        Ok(Some(answer))
    }

    /// The ratio of the mean times, if the other engine decided all instances.
    fn ratio(&self, other: &Tally) -> String {
        let (mean, others) = (mean(&self.times), mean(&other.times));
        match (mean, others) {
            (Some(mean), Some(others)) if other.open + other.unsupported == 0 => {
                let at_least = if self.open > 0 { "≥ " } else { "" };
                format!("{at_least}{:.1}", mean.as_secs_f64() / others.as_secs_f64().max(1e-9))
            }
            _ => String::new(),
        }
    }

    fn row(&self, what: &str, engine: &EngineSpec, ratio: &str) -> String {
        let decided = self.times.len() as u64 - self.open;
        let decided = match self.unsupported {
            0 => decided.to_string(),
            count => format!("{decided}, {count} unsupported"),
        };
        let at_least = if self.open > 0 { "≥ " } else { "" };
        let is_sat = engine.solver_factory().is_some();
        let (outside, longest) = (mean(&self.outside), self.outside.iter().max().copied());
        let [outside, longest] = if is_sat { [shown(outside), shown(longest)] } else { Default::default() };
        let work = self.work.iter().sum::<u64>().checked_div(self.work.len() as u64);
        let cells = [
            what.to_owned(),
            (self.times.len() as u64 + self.unsupported).to_string(),
            format!("`{engine}`"),
            decided,
            format!("{at_least}{}", shown(mean(&self.times))),
            shown(self.times.iter().max().copied()),
            ratio.to_owned(),
            work.map_or(String::new(), |work| work.to_string()),
            self.work.iter().max().map_or(String::new(), u64::to_string),
            outside,
            longest,
            self.checked.to_string(),
            shown(mean(&self.check_times)),
        ];
        format!("| {} |", cells.join(" | "))
    }
}

fn mean(times: &[Duration]) -> Option<Duration> {
    times.iter().sum::<Duration>().checked_div(times.len().try_into().ok()?)
}

/// A time in milliseconds; empty if there is none.
fn shown(time: Option<Duration>) -> String {
    time.map_or(String::new(), |time| format!("{:.2} ms", time.as_secs_f64() * 1e3))
}

/// The pairs of a list such as `n=8 unknown=16`.
fn pairs(list: &str) -> Vec<(String, String)> {
    let pairs = list.split_whitespace().filter_map(|pair| pair.split_once('='));
    pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
}

fn measure(problem: &dyn DynProblem, part: &Part, Row(count, family, rules): &Row) -> Fallible<()> {
    let settings = Settings::new(problem.rules(), &pairs(rules), &|_| Err("no files".into()))?;
    let (name, params) = family.split_once(' ').unwrap_or((family, ""));
    let make = |seed| problem.generate(&settings, name, &pairs(params), seed);
    let instances = (FIRST_SEED..FIRST_SEED + count).map(make).collect::<Result<Vec<_>, _>>()?;
    let what = format!("{family} {rules}");
    let mut answers: Vec<Option<Box<dyn DynAnswer>>> = Vec::new();
    answers.resize_with(instances.len(), || None);
    let mut first: Option<Tally> = None;
    for engine in spec::resolve(problem.engines(), &SolverRegistry::built_in(), part.engines)? {
        let engine = engine.map_solver(timed::timed);
        let (mut tally, mut session) = (Tally::default(), problem.start(&engine)?);
        for (instance, known) in instances.iter().zip(&mut answers) {
            let Some(answer) = tally.add(&**instance, &mut *session, part.limit)? else {
                continue;
            };
            if known.as_ref().is_some_and(|known| known.agree(&*answer) == Agreement::Contradict) {
                return Err(format!("two engines contradict each other:\n{}", instance.text()).into());
            }
            *known = Some(answer);
        }
        let ratio = first.as_ref().map_or(String::new(), |first| tally.ratio(first));
        println!("{}", tally.row(what.trim_end(), &engine, &ratio));
        first.get_or_insert(tally);
    }
    Ok(())
}

fn main() -> Fallible<()> {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let names: Vec<&str> = PARTS.iter().map(|part| part.name).collect();
    if let Some(unknown) = wanted.iter().find(|name| !names.contains(&name.as_str())) {
        return Err(format!("no part is called '{unknown}'; the parts are {}", names.join(", ")).into());
    }
    let registry = counterpoint::standard();
    for part in PARTS.iter().filter(|part| wanted.is_empty() || wanted.iter().any(|name| name == part.name)) {
        println!(
            "{} (limit {:?})\n\n\
             | instances | number | engine | decided | mean time | longest | ratio | mean work | most work | \
             outside the solver | longest | checked | time to check |\n\
             |---|---|---|---|---|---|---|---|---|---|---|---|---|",
            part.name, part.limit
        );
        for row in part.rows {
            measure(registry.find(part.problem)?, part, row)?;
        }
        println!();
    }
    Ok(())
}
