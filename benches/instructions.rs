//! Counts the instructions of the hot loops with callgrind and compares the counts with `benches/instructions.txt`.
//!
//! Unlike times, counts are reproducible: with the same tool chain they differ by a fraction of a percent. So `cargo
//! bench --bench instructions` fails if a count has grown by more than 5 %, and `-- --bless` writes the new counts to
//! the file. The benchmark needs `valgrind`.
//!
//! The program runs itself under callgrind once for each case. Only instructions inside [`counted`] are counted.

#![allow(clippy::print_stdout, reason = "the benchmark prints a table")]

use counterpoint::engine::Budget;
use counterpoint::erased::{DynProblem, JudgeJob};
use counterpoint::input::Source;
use counterpoint::rules::Settings;
use counterpoint::solver::SolverRegistry;
use counterpoint::spec;
use counterpoint::study::Row;
use std::collections::BTreeMap;
use std::error::Error;
use std::hint::black_box;
use std::num::NonZero;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The maximum ratio of a new count to the old one.
const MAX_GROWTH: f64 = 1.05;

/// The work of a case.
enum Load {
    /// `judge` on games from fixed seeds, including reading and writing.
    Judge {
        engine: &'static str,
        rules: &'static [(&'static str, &'static str)],
        family: &'static str,
        params: &'static [(&'static str, &'static str)],
        games: u64,
    },
    /// A study with these parameters.
    Study { question: &'static str, keys: &'static [(&'static str, &'static str)] },
}

const CASES: &[(&str, &str, Load)] = &[
    ("spot-judge", "spot", judge("search", "random", &[("n", "50")], 200)),
    ("spot-judge-late", "spot", judge("search", "late", &[("n", "20")], 100)),
    ("spot-canonical", "spot", judge("search:canonical", "random", &[("n", "50")], 50)),
    ("spot-classes", "spot", Load::Study { question: "classes", keys: &[("n", "4")] }),
    ("ships-judge", "ships", judge("search", "random", &[("n", "10"), ("reveal", "0.5")], 200)),
    ("ships-hard", "ships", judge("search", "hard", &[("n", "16"), ("hidden", "0.5")], 50)),
    ("ships-contradictory", "ships", judge("search", "contradictory", &[("n", "12"), ("hits", "11")], 50)),
    ("ships-count", "ships", Load::Study { question: "count", keys: &[("w", "5"), ("h", "6")] }),
    ("flip-judge", "flip", judge("search", "random", &[("n", "4")], 500)),
    (
        "flip-any-250",
        "flip",
        Load::Judge {
            engine: "search",
            rules: &[("goal", "any"), ("size", "250x250")],
            family: "solvable",
            params: &[("n", "250")],
            games: 2,
        },
    ),
    (
        "flip-least-19",
        "flip",
        Load::Judge {
            engine: "search",
            rules: &[("size", "19x19")],
            family: "solvable",
            params: &[("n", "19")],
            games: 1,
        },
    ),
];

const fn judge(
    engine: &'static str,
    family: &'static str,
    params: &'static [(&'static str, &'static str)],
    games: u64,
) -> Load {
    Load::Judge { engine, rules: &[], family, params, games }
}

/// Callgrind counts only inside this function, which it finds by its name.
#[inline(never)]
fn counted<T>(work: &mut dyn FnMut() -> T) -> T {
    // `black_box` prevents a tail call, which would leave the counted region at once.
    black_box(work())
}

fn owned(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect()
}

fn settings(problem: &dyn DynProblem, rules: &[(&str, &str)]) -> Result<Settings, String> {
    Ok(Settings::new(problem.rules(), &owned(rules), &|name| {
        Err(format!("{name}: no file is read here").into())
    })?)
}

/// Prepares a case, and then does its work inside [`counted`].
fn perform(name: &str) -> Result<(), Box<dyn Error>> {
    let (_, problem, load) = CASES.iter().find(|instance| instance.0 == name).ok_or("no such case")?;
    let registry = counterpoint::standard();
    let problem = registry.find(problem)?;
    match load {
        Load::Judge { engine, rules, family, params, games } => {
            let settings = settings(problem, rules)?;
            let engine = spec::resolve(problem.engines(), &SolverRegistry::built_in(), engine)?.remove(0);
            let mut text = String::new();
            for seed in 1..=*games {
                let game = problem.generate(&settings, family, &owned(params), seed)?.text();
                text += if seed == 1 { "" } else { problem.info().separators.between };
                text += game.strip_suffix(problem.info().separators.end).unwrap_or(&game);
            }
            text += problem.info().separators.end;
            counted(&mut || {
                let source = Source::from_text("games", &text);
                let (budget, warn, running) = (&one_thread, &|_: &str| (), &|_| ());
                let job = JudgeJob { settings: &settings, engine: &engine, source, budget, warn, running };
                problem.judge(job, &mut Vec::new()).map(drop)
            })?;
        }
        Load::Study { question, keys } => {
            let settings = settings(problem, &[])?;
            counted(&mut || {
                let mut rows: Vec<Row> = Vec::new();
                problem.study(&settings, question, &owned(keys), None, &mut one_thread(), &mut rows)?;
                drop(black_box(rows));
                Ok::<_, Box<dyn Error>>(())
            })?;
        }
    }
    Ok(())
}

/// A budget with one thread, because callgrind counts only the thread that runs [`counted`].
fn one_thread() -> Budget {
    Budget::unlimited().on_threads(Some(NonZero::<usize>::MIN))
}

/// The numbers of instructions of all cases, counted on all processors: other processes do not change a count.
fn count_all() -> Vec<Result<u64, String>> {
    let next = AtomicUsize::new(0);
    let counts: Vec<OnceLock<_>> = CASES.iter().map(|_| OnceLock::new()).collect();
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, NonZero::get) {
            scope.spawn(|| {
                while let index = next.fetch_add(1, Relaxed)
                    && let Some((name, ..)) = CASES.get(index)
                {
                    counts[index].get_or_init(|| count(name));
                }
            });
        }
    });
    counts.into_iter().map(|count| count.into_inner().ok_or("not counted".to_owned())?).collect()
}

/// The number of instructions of a case.
fn count(name: &str) -> Result<u64, String> {
    let own = std::env::current_exe().map_err(|error| format!("the benchmark has no path: {error}"))?;
    let run = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=*counted*"])
        .arg(own)
        .args(["--perform", name])
        .output()
        .map_err(|error| format!("valgrind cannot be run: {error}"))?;
    let output = String::from_utf8_lossy(&run.stderr);
    let collected = output.lines().find_map(|line| line.split_once("Collected : "));
    match collected.and_then(|(_, figure)| figure.trim().parse().ok()) {
        Some(count) if run.status.success() && count > 0 => Ok(count),
        _ => Err(format!("{name}: no count in the output of valgrind:\n{output}")),
    }
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [flag, name] = args.as_slice()
        && flag == "--perform"
    {
        perform(name)?;
        return Ok(ExitCode::SUCCESS);
    }
    let baseline = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/instructions.txt");
    let known = std::fs::read_to_string(&baseline).unwrap_or_default();
    let known: BTreeMap<&str, u64> = (known.lines())
        .filter_map(|line| line.split_once(' ').and_then(|(name, count)| Some((name, count.parse().ok()?))))
        .collect();
    let mut found = String::new();
    let mut grown = Vec::new();
    println!("{:<24}{:>16}{:>16}{:>10}", "case", "before", "now", "ratio");
    for ((name, ..), count) in CASES.iter().zip(count_all()) {
        let now = count?;
        found += &format!("{name} {now}\n");
        let before = known.get(name).copied().unwrap_or(0);
        let ratio = now as f64 / before as f64;
        println!("{name:<24}{before:>16}{now:>16}{ratio:>10.3}");
        if ratio > MAX_GROWTH {
            grown.push(format!("{name}: {before} instructions before, {now} now; `-- --bless` accepts this"));
        }
    }
    if args.iter().any(|arg| arg == "--bless") {
        std::fs::write(baseline, found)?;
    } else if !grown.is_empty() {
        return Err(grown.join("\n").into());
    }
    Ok(ExitCode::SUCCESS)
}
