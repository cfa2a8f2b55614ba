//! Measures which instances each side decides by default, where one side once had a cliff or a ceiling: Spot's smudged
//! records with many unknown moves or on large boards, and Ships' positions with few known squares.
//!
//! `cargo bench --bench reach` prints the table as Markdown; `-- spot` prints only the rows of one problem. Instances
//! have seeds from 100,001 upward, which were never used for tuning. Every engine runs on one thread with a limit of 5 s
//! of CPU time for each instance, and keeps its lookup tables from one instance to the next. The checker has its default
//! limit on work and gets no proof. The answers of all engines to one instance are compared, and a contradiction or a
//! refuted claim ends the benchmark with an error.

#![allow(clippy::print_stdout, reason = "the benchmark prints a table")]

use counterpoint::claim::{self, CHECK_WORK};
use counterpoint::engine::{Budget, Limit, Outcome};
use counterpoint::erased::{DynAnswer, DynInstance, DynProblem, DynSession};
use counterpoint::problem::Agreement;
use counterpoint::rules::Settings;
use counterpoint::solver::SolverRegistry;
use counterpoint::spec::{self, EngineSpec};
use cpu_time::ProcessTime;
use std::error::Error;
use std::num::NonZero;
use std::sync::Arc;
use std::time::Duration;

type Fallible<T> = Result<T, Box<dyn Error>>;

const FIRST_SEED: u64 = 100_001;
const LIMIT: Duration = Duration::from_secs(5);

/// Instances of a family, and the engines that solve them.
struct Series {
    problem: &'static str,
    family: &'static str,
    params: &'static [(&'static str, &'static str)],
    seeds: u64,
    engines: &'static str,
}

const FILL: &str = "search:fill,sat:toggles,sat:toggles/distinct=lazy";
const SHIPS: &str = "search:cover,sat:owner";

const fn smudged(params: &'static [(&'static str, &'static str)]) -> Series {
    Series { problem: "spot", family: "smudged", params, seeds: 6, engines: FILL }
}

const fn hard(params: &'static [(&'static str, &'static str)]) -> Series {
    Series { problem: "ships", family: "hard", params, seeds: 60, engines: SHIPS }
}

const SERIES: &[Series] = &[
    smudged(&[("n", "5"), ("unknown", "10")]),
    smudged(&[("n", "8"), ("unknown", "8")]),
    smudged(&[("n", "8"), ("unknown", "16")]),
    smudged(&[("n", "10"), ("unknown", "20")]),
    smudged(&[("n", "20"), ("unknown", "4")]),
    smudged(&[("n", "35"), ("unknown", "4")]),
    smudged(&[("n", "50"), ("unknown", "4")]),
    smudged(&[("n", "50"), ("unknown", "20")]),
    hard(&[("n", "16"), ("hidden", "0.3")]),
    hard(&[("n", "16"), ("hidden", "0.5")]),
    hard(&[("n", "16"), ("hidden", "0.7")]),
    Series {
        problem: "ships",
        family: "contradictory",
        params: &[("n", "12"), ("hits", "11")],
        seeds: 60,
        engines: SHIPS,
    },
];

/// What one engine did with the instances of a series.
#[derive(Default)]
struct Tally {
    unsupported: u64,
    checked: u64,
    /// The times to solve the instances that the engine decided.
    times: Vec<Duration>,
    /// Nodes and conflicts on all instances.
    work: u64,
    check_time: Duration,
}

impl Tally {
    /// Solves an instance and checks the answer.
    fn add(
        &mut self,
        instance: &dyn DynInstance,
        session: &mut dyn DynSession,
    ) -> Fallible<Option<Box<dyn DynAnswer>>> {
        let start = ProcessTime::now();
        let stop = move || (start.elapsed() > LIMIT).then_some(Limit::Cpu);
        let mut budget = Budget::new(None, Arc::new(stop)).on_threads(NonZero::new(1));
        let outcome = session.solve(instance, &mut budget);
        let time = start.elapsed();
        self.work += budget.work.nodes + budget.work.conflicts;
        let answer = match outcome {
            Outcome::Decided(answer) if time <= LIMIT => answer,
            Outcome::Decided(_) | Outcome::GaveUp(..) => return Ok(None),
            Outcome::Unsupported(_) => {
                self.unsupported += 1;
                return Ok(None);
            }
            Outcome::Failed(reason) => return Err(reason.into()),
        };
        self.times.push(time);
        let start = ProcessTime::now();
        let claims = answer.check(&[], &mut Budget::of_work(CHECK_WORK));
        self.check_time += start.elapsed();
        if claim::any_failed(&claims) {
            return Err(format!("a claim is refuted: {claims:?}\n{}", instance.text()).into());
        }
        self.checked += u64::from(claim::all_closed(&claims));
        Ok(Some(answer))
    }

    fn row(&self, what: &str, engine: &EngineSpec, instances: u64) -> String {
        let ms = |time: Duration| format!("{:.3} ms", time.as_secs_f64() * 1e3);
        let mean = |sum: Duration| {
            self.times
                .len()
                .try_into()
                .ok()
                .and_then(|count| sum.checked_div(count))
                .map_or(String::new(), ms)
        };
        let decided = match self.unsupported {
            0 => self.times.len().to_string(),
            count => format!("{}, {count} unsupported", self.times.len()),
        };
        format!(
            "| {what} | {instances} | `{engine}` | {decided} | {} | {} | {} | {} | {} |",
            mean(self.times.iter().sum()),
            self.times.iter().max().map_or(String::new(), |&time| ms(time)),
            self.work / instances,
            self.checked,
            mean(self.check_time),
        )
    }
}

fn measure(problem: &dyn DynProblem, series: &Series) -> Fallible<()> {
    let settings = Settings::new(problem.rules(), &[], &|_| Err("no files".into()))?;
    let params: Vec<_> =
        series.params.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect();
    let seeds = FIRST_SEED..FIRST_SEED + series.seeds;
    let make = |seed| problem.generate(&settings, series.family, &params, seed);
    let instances = seeds.map(make).collect::<Result<Vec<_>, _>>()?;
    let what: Vec<_> = params.iter().map(|(key, value)| format!("{key}={value}")).collect();
    let what = format!("{} {} {}", series.problem, series.family, what.join(" "));
    let mut answers: Vec<Option<Box<dyn DynAnswer>>> = Vec::new();
    answers.resize_with(instances.len(), || None);
    for engine in spec::resolve(problem.engines(), &SolverRegistry::built_in(), series.engines)? {
        let (mut tally, mut session) = (Tally::default(), problem.start(&engine)?);
        for (instance, known) in instances.iter().zip(&mut answers) {
            let Some(answer) = tally.add(&**instance, &mut *session)? else {
                continue;
            };
            if known.as_ref().is_some_and(|known| known.agree(&*answer) == Agreement::Contradict) {
                return Err(format!("two engines contradict each other:\n{}", instance.text()).into());
            }
            *known = Some(answer);
        }
        println!("{}", tally.row(&what, &engine, series.seeds));
    }
    Ok(())
}

fn main() -> Fallible<()> {
    let problems: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let registry = counterpoint::standard();
    println!(
        "| instances | number | engine | decided | mean time | longest | mean work | checked | mean time to check |\n\
         |---|---|---|---|---|---|---|---|---|"
    );
    let is_wanted =
        |series: &&Series| problems.is_empty() || problems.iter().any(|name| name == series.problem);
    for series in SERIES.iter().filter(is_wanted) {
        measure(registry.find(series.problem)?, series)?;
    }
    Ok(())
}
