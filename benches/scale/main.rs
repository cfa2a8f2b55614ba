//! Measures the queue on a simulated cluster: how much it burdens the shared folder, when the last run has its record,
//! and how much work is done twice when nodes fail.
//!
//! `cargo bench --bench scale` prints the table. `-- --write` also writes `benches/scale/results.csv` and
//! `benches/scale/scale.svg`. `-- --draw` only draws the rows of `results.csv` again. `-- 1000` simulates
//! only the rows with 1000 pilots. The simulated file server carries out 10,000 operations per second. The
//! mean network delay of an operation is 0.5 ms, and each node caches what it has seen for up to a minute.
//! Nodes live for a day on average.

#![allow(clippy::print_stdout, reason = "the benchmark prints a table")]

mod figure;
mod simulation;

use counterpoint::harness::Queue;
use simulation::{Folder, Number, SECOND, Setup, World, round};
use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::num::NonZero;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

/// The mean life of a node in seconds.
const LIFE_S: f64 = 86_400.0;

/// What was simulated, and what was measured.
pub(crate) struct Row {
    pilots: usize,
    runs: u32,
    batch: usize,
    run_s: f64,
    /// The load of the server from the submission to the last record, in simple operations in a second.
    operations: f64,
    /// The part of the time in which the server was busy.
    busy: f64,
    /// How long an operation waited for the server, on average and at most.
    wait_s: f64,
    longest_wait_s: f64,
    /// When the last run had its record, after the end of the submission.
    last_s: f64,
    /// The same, if no pilot ever waited.
    ideal_s: f64,
    deaths: u64,
    /// How often a run was begun again, and the time that was spent on these repetitions.
    again: u64,
    again_s: f64,
}

const COLUMNS: &str =
    "pilots,runs,batch,run_s,operations_per_s,busy,wait_s,longest_wait_s,last_s,ideal_s,deaths,again,again_s";

impl Row {
    /// Reads a line of the table; `None` if it is damaged.
    fn read(line: &str) -> Option<Self> {
        let fields: Vec<f64> = line.split(',').map(|field| field.parse().ok()).collect::<Option<_>>()?;
        let [pilots, runs, batch, run_s, operations, busy, rest @ ..] = fields.as_slice() else {
            return None;
        };
        let &[wait_s, longest_wait_s, last_s, ideal_s, deaths, again, again_s] = rest else { return None };
        let (pilots, runs, batch) = (*pilots as usize, *runs as u32, *batch as usize);
        let (run_s, operations, busy, deaths, again) =
            (*run_s, *operations, *busy, deaths as u64, again as u64);
        Some(Row {
            pilots,
            runs,
            batch,
            run_s,
            operations,
            busy,
            wait_s,
            longest_wait_s,
            last_s,
            ideal_s,
            deaths,
            again,
            again_s,
        })
    }

    fn csv(&self) -> String {
        let Row { pilots, runs, batch, run_s, operations, busy, wait_s, .. } = self;
        let Row { longest_wait_s, last_s, ideal_s, deaths, again, again_s, .. } = self;
        format!(
            "{pilots},{runs},{batch},{run_s},{operations:.1},{busy:.4},{wait_s:.6},{longest_wait_s:.3},{last_s:.1},\
             {ideal_s:.1},{deaths},{again},{again_s:.1}"
        )
    }
}

fn simulate(pilots: usize, runs: u32, batch: usize, run_s: f64) -> Row {
    let setup = Setup { life_s: LIFE_S, flush_s: 10.0, ..Setup::sound(pilots, runs, batch, run_s) };
    let world = World::new(setup);
    let submitted = round(&world, 0);
    world.now(|server| {
        let total: f64 = server.measured.operations.values().sum::<u64>() as f64;
        let seconds = |time: u64| time as f64 / SECOND;
        let whole = seconds(server.recorded.1);
        let work: f64 = (0..runs).map(|run| seconds(server.setup.length(run))).sum();
        Row {
            pilots,
            runs,
            batch,
            run_s,
            operations: seconds(server.measured.busy) * server.setup.capacity / whole,
            busy: seconds(server.measured.busy) / whole,
            wait_s: seconds(server.measured.waited) / total,
            longest_wait_s: seconds(server.measured.longest_wait),
            last_s: whole - seconds(submitted),
            ideal_s: work / pilots as f64,
            deaths: server.measured.deaths,
            again: server.measured.begun - u64::from(runs),
            again_s: seconds(server.measured.worked) - work,
        }
    })
}

/// For how long each pilot works in the rows with growing numbers of pilots, in seconds.
pub(crate) const WORK_S: f64 = 2000.0;

/// The rows: numbers of pilots and of runs, sizes of batches, and mean times of runs in seconds.
fn rows() -> Vec<(usize, u32, usize, f64)> {
    let mut rows = Vec::new();
    for run_s in [1.0, 10.0] {
        for pilots in [1, 3, 10, 30, 100, 300, 1000] {
            let runs = (WORK_S / run_s * pilots as f64) as u32;
            rows.push((pilots, runs, Queue::<Number, Folder>::batch_size(runs as usize, pilots), run_s));
        }
    }
    for batch in [30, 125, 300, 1000] {
        rows.push((1000, 1_000_000, batch, 1.0));
    }
    rows.push((1000, 10_000_000, 1000, 0.3));
    rows
}

/// Simulates rows, as many at a time as there are processors, the last ones first, because these take the longest. Prints
/// each as soon as it is done.
fn simulate_all(rows: &[(usize, u32, usize, f64)]) -> Vec<Row> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let left = Mutex::new(rows.iter().enumerate().rev());
    let done = Mutex::new(BTreeMap::new());
    let work = || {
        loop {
            let next = lock(&left).next();
            let Some((place, &(pilots, runs, batch, run_s))) = next else { return };
            let row = simulate(pilots, runs, batch, run_s);
            println!("{}", row.csv());
            lock(&done).insert(place, row);
        }
    };
    thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    done.into_inner().unwrap_or_else(PoisonError::into_inner).into_values().collect()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let wanted = |pilots: usize| {
        let mut numbers = args.iter().filter_map(|arg| arg.parse::<usize>().ok()).peekable();
        numbers.peek().is_none() || numbers.any(|number| number == pilots)
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/scale");
    if args.iter().any(|arg| arg == "--draw") {
        let text = fs::read_to_string(folder.join("results.csv"))?;
        let rows: Option<Vec<Row>> = text.lines().skip(1).map(Row::read).collect();
        fs::write(folder.join("scale.svg"), figure::figure(&rows.ok_or("results.csv is damaged")?))?;
        return Ok(());
    }
    println!("{COLUMNS}");
    let rows: Vec<_> = rows().into_iter().filter(|row| wanted(row.0)).collect();
    let done = simulate_all(&rows);
    if args.iter().any(|arg| arg == "--write") {
        let lines: Vec<String> = done.iter().map(|row| row.csv() + "\n").collect();
        fs::write(folder.join("results.csv"), format!("{COLUMNS}\n{}", lines.concat()))?;
        fs::write(folder.join("scale.svg"), figure::figure(&done))?;
    }
    Ok(())
}
