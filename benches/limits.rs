//! Measures how close the searches are to the limits of the machine. `paper-notes.md` contains the table.
//!
//! `cargo bench --bench limits` prints the table as Markdown. `-- spot flip` prints only the rows of these problems,
//! and `-- runs` only those of whole experiments. Instances have seeds from 100,001 upward, which were never used for
//! tuning.
//!
//! There are three kinds of rows:
//! * A row about one process shows the time and the peak memory of the fastest of several runs. With `-- --baseline
//!   PROGRAM`, it also shows another build of `counterpoint`, whose runs alternate with those of this build.
//! * A row with a mean is about the engine alone: CPU time for each instance, without reading, writing and process
//!   start. Lookup tables that the engine keeps are part of the time of the instance for which they are computed.
//! * The rows about random 39×39 boards and about experiments show processes that run only once each.

#![allow(clippy::print_stdout, reason = "the benchmark prints a table")]

use counterpoint::engine::Budget;
use counterpoint::erased::{JudgeJob, Phase};
use counterpoint::input::Source;
use counterpoint::rules::Settings;
use counterpoint::solver::SolverRegistry;
use counterpoint::spec;
use cpu_time::ThreadTime;
use itertools::Itertools;
use std::cell::Cell;
use std::error::Error;
use std::fs::File;
use std::hint::black_box;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use wait4::Wait4;

type Fallible<T> = Result<T, Box<dyn Error>>;
type Pairs = Vec<(String, String)>;

const FIRST_SEED: u64 = 100_001;
const RUNS: usize = 5;

fn pairs(text: &str) -> Pairs {
    let pair = |word: &str| word.split_once('=').map(|(key, value)| (key.to_owned(), value.to_owned()));
    text.split_whitespace().filter_map(pair).collect()
}

/// Prints the engine's time for each instance of a file, in nanoseconds.
fn each(problem: &str, engine: &str, rules: &str, file: &str) -> Fallible<()> {
    let registry = counterpoint::standard();
    let problem = registry.find(problem)?;
    let settings = Settings::new(problem.rules(), &pairs(rules), &|name| Err(name.into()))?;
    let engine = spec::resolve(problem.engines(), &SolverRegistry::built_in(), engine)?.remove(0);
    let start = Cell::new(ThreadTime::now());
    let running = |phase| match phase {
        Phase::Engine => start.set(ThreadTime::now()),
        Phase::Between => println!("{}", start.get().elapsed().as_nanos()),
    };
    let source = Source::new(file, BufReader::with_capacity(1 << 16, File::open(file)?));
    let (budget, warn) = (&Budget::unlimited, &|_: &str| ());
    let job = JudgeJob { settings: &settings, engine: &engine, source, budget, warn, running: &running };
    problem.judge(job, &mut io::sink())?;
    Ok(())
}

/// The resources of one run of a program.
struct Run {
    wall: Duration,
    cpu: Duration,
    peak_bytes: u64,
}

fn process(program: &Path, args: &str, input: Option<&Path>) -> Fallible<Run> {
    let stdin = input.map_or(Ok(Stdio::null()), |path| File::open(path).map(Stdio::from))?;
    let start = Instant::now();
    let child = Command::new(program)
        .args(args.split_whitespace())
        .stdin(stdin)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let end = child.wait4()?;
    let wall = start.elapsed();
    if !end.status.success() {
        return Err(format!("{} {args}: {}", program.display(), end.status).into());
    }
    let cpu = end.rusage.utime + end.rusage.stime;
    Ok(Run { wall, cpu, peak_bytes: end.rusage.maxrss })
}

/// The programs to measure, and a folder for inputs.
struct Bench {
    now: PathBuf,
    before: Option<PathBuf>,
    folder: PathBuf,
}

impl Bench {
    /// Runs this build and, if `before` is given, the other build alternately, and returns the fastest run of each. A
    /// run of more than two seconds is not repeated.
    fn fastest_runs(&self, args: &str, input: Option<&Path>) -> Fallible<(Option<Run>, Run)> {
        let mut best: (Option<Run>, Option<Run>) = (None, None);
        for _ in 0..RUNS {
            if let Some(before) = &self.before
                && best.0.as_ref().is_none_or(|run| run.wall < Duration::from_secs(2))
            {
                // An older build may not know the command.
                best.0 = faster(best.0, process(before, args, input).ok());
            }
            if best.1.as_ref().is_none_or(|run| run.wall < Duration::from_secs(2)) {
                best.1 = faster(best.1, Some(process(&self.now, args, input)?));
            }
        }
        Ok((best.0, best.1.ok_or("no run")?))
    }

    /// A file of `count` generated instances. `what` consists of problem, family, parameters and rules.
    fn games(&self, what: &str, count: u64) -> Fallible<PathBuf> {
        self.generated(what, FIRST_SEED, count)
    }

    fn generated(&self, what: &str, first: u64, count: u64) -> Fallible<PathBuf> {
        let path = self.folder.join("games.txt");
        let made = Command::new(&self.now)
            .args(["generate", "--seed", &first.to_string(), "--count", &count.to_string()])
            .args(what.split_whitespace())
            .stdout(File::create(&path)?)
            .status()?;
        if made.success() { Ok(path) } else { Err(format!("generate {what}: {made}").into()) }
    }

    /// The engine's times for the instances of a file, in ascending order. A separate process measures them, so that
    /// this process stays small: the peak memory reported for a child is at least that of its parent.
    fn each(&self, problem: &str, engine: &str, rules: &str, file: &Path) -> Fallible<Vec<Duration>> {
        let args = ["--each", problem, engine, rules];
        let output = Command::new(std::env::current_exe()?).args(args).arg(file).output()?;
        let lines = String::from_utf8(output.stdout)?;
        let times: Result<Vec<_>, _> =
            lines.lines().map(|line| line.parse().map(Duration::from_nanos)).collect();
        let mut times = times?;
        times.sort_unstable();
        if output.status.success() { Ok(times) } else { Err(String::from_utf8_lossy(&output.stderr).into()) }
    }
}

fn faster(a: Option<Run>, b: Option<Run>) -> Option<Run> {
    a.into_iter().chain(b).min_by_key(|run| run.wall)
}

fn show(time: Duration) -> String {
    let s = time.as_secs_f64();
    match s {
        _ if s >= 1.0 => format!("{s:.2} s"),
        _ if s >= 1e-3 => format!("{:.2} ms", s * 1e3),
        _ => format!("{:.1} µs", s * 1e6),
    }
}

fn megabytes(bytes: u64) -> String {
    format!("{} MB", bytes.div_ceil(1_000_000))
}

/// Prints one row of the table.
fn line(work: &str, before: &str, now: &str, limit: &str) {
    println!("| {work} | {before} | {now} | {limit} |");
}

fn process_line(work: &str, (before, now): (Option<Run>, Run), limit: &str) {
    let text = |run: &Run| format!("{}, {}", show(run.wall), megabytes(run.peak_bytes));
    let cpu = if now.cpu > now.wall { format!(" ({} CPU)", show(now.cpu)) } else { String::new() };
    line(work, &before.as_ref().map_or("–".to_owned(), text), &(text(&now) + &cpu), limit);
}

/// The median of at least one time; the times must be in ascending order.
fn median(times: &[Duration]) -> Duration {
    (times[(times.len() - 1) / 2] + times[times.len() / 2]) / 2
}

fn instances_line(work: &str, times: &[Duration]) {
    let mean = times.iter().sum::<Duration>() / times.len().max(1) as u32;
    let (median, worst) = (show(median(times)), show(times[times.len() - 1]));
    line(work, "", &format!("mean {}, median {median}, worst {worst}", show(mean)), "");
}

/// Reads a file and counts its tokens, which is the least that any reader must do. Returns the size and the time.
fn splitting(file: &Path) -> Fallible<(u64, Duration)> {
    let once = || -> io::Result<_> {
        let start = Instant::now();
        let mut reader = BufReader::with_capacity(1 << 16, File::open(file)?);
        let (mut bytes, mut tokens, mut inside) = (0, 0u64, false);
        loop {
            let chunk = reader.fill_buf()?;
            if chunk.is_empty() {
                break;
            }
            for &byte in chunk {
                tokens += u64::from(byte > b' ' && !inside);
                inside = byte > b' ';
            }
            let length = chunk.len();
            bytes += length as u64;
            reader.consume(length);
        }
        black_box(tokens);
        Ok((start.elapsed(), bytes))
    };
    let runs: Vec<_> = (0..RUNS).map(|_| once()).collect::<Result<_, _>>()?;
    let (time, bytes) = runs.into_iter().min().unwrap_or_default();
    Ok((bytes, time))
}

/// The text of the column `physical limit`, for a time that [`splitting`] returned.
fn reading(time: Duration) -> String {
    format!("read and split into tokens: {}", show(time))
}

/// The time of random reads from a table. Visiting an edge of a graph takes at least one such read.
fn random_reads(reads: u64, table_bytes: usize) -> Duration {
    let table = vec![1u8; table_bytes];
    let start = Instant::now();
    let (mut at, mut sum) = (1u64, 0u64);
    for _ in 0..reads {
        at = at.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        sum += u64::from(table[(at >> 33) as usize % table_bytes]);
    }
    black_box(sum);
    start.elapsed()
}

fn spot(bench: &Bench) -> Fallible<()> {
    for count in [2_500, 5_000, 10_000, 20_000] {
        let file = bench.games("spot random n=50", count)?;
        let (bytes, least) = splitting(&file)?;
        let runs = bench.fastest_runs("judge spot", Some(&file))?;
        let rate = bytes as f64 / runs.1.wall.as_secs_f64() / 1e6;
        let work = format!("judge spot, {count} games N=50, {}: {rate:.0} MB/s", megabytes(bytes));
        process_line(&work, runs, &reading(least));
    }
    for (n, edges) in [(2, 6), (3, 566), (4, 131_008), (5, 104_857_888)] {
        let limit = format!("one random read per edge: {}", show(random_reads(edges, 1 << 22)));
        let args = format!("study spot classes n={n}");
        process_line(&args, bench.fastest_runs(&args, None)?, &limit);
    }
    Ok(())
}

fn ships(bench: &Bench) -> Fallible<()> {
    let mut all = Vec::new();
    for n in [6, 8, 10, 12, 16] {
        let mut times = Vec::new();
        for reveal in ["0.1", "0.3", "0.5", "0.7", "0.9"] {
            let file = bench.games(&format!("ships random n={n} reveal={reveal}"), 60)?;
            times.extend(bench.each("ships", "search", "", &file)?);
        }
        times.sort_unstable();
        instances_line(&format!("ships random {n}×{n}, 10 to 90 % uncovered, 300 boards"), &times);
        all.extend(times);
    }
    all.sort_unstable();
    instances_line("ships random, all of these", &all);
    let hard = ["0.3", "0.5", "0.6", "0.7"]
        .map(|hidden| (format!("hard n=16 hidden={hidden}"), format!("hard 16×16, hidden {hidden}"), 300));
    let contradictory = [10, 12, 16].into_iter().cartesian_product([8, 11, 13, 15]).map(|(n, hits)| {
        (format!("contradictory n={n} hits={hits}"), format!("contradictory {n}×{n}, {hits} hits"), 100)
    });
    let families: Vec<_> = hard.into_iter().chain(contradictory).collect();
    for (engine, how) in [("search", ""), ("sat", ", by SAT")] {
        for (family, words, boards) in &families {
            let file = bench.games(&format!("ships {family}"), *boards)?;
            let work = format!("ships {words}, {boards} boards{how}");
            instances_line(&work, &bench.each("ships", engine, "", &file)?);
        }
    }
    for (family, known) in [("random n=8 reveal=0", "nothing"), ("random n=8 reveal=0.1", "10 %")] {
        let file = bench.games(&format!("ships {family}"), 100)?;
        for misses in 6..=8 {
            let times = bench.each("ships", "search", &format!("misses={misses}"), &file)?;
            instances_line(&format!("ships 8×8, {known} uncovered, {misses} misses, 100 boards"), &times);
        }
    }
    for n in 7..=10 {
        let args = format!("study ships count w={n} h={n}");
        process_line(&args, bench.fastest_runs(&args, None)?, "");
    }
    Ok(())
}

fn flip(bench: &Bench) -> Fallible<()> {
    let boards = bench.folder.join("boards.txt");
    let mut out = BufWriter::new(File::create(&boards)?);
    for board in 0..1u32 << 16 {
        for row in 0..4 {
            let squares = (0..4).map(|col| if board >> (4 * row + col) & 1 == 1 { 'b' } else { 'w' });
            writeln!(out, "{}", squares.collect::<String>())?;
        }
    }
    out.into_inner()?;
    let (_, least) = splitting(&boards)?;
    process_line(
        "judge flip, all 65,536 boards 4×4",
        bench.fastest_runs("judge flip", Some(&boards))?,
        &reading(least),
    );
    for n in [1_000, 2_000, 4_000, 8_000, 16_000] {
        let boards = (32_000 / n).min(8);
        let file = bench.games(&format!("flip solvable n={n}"), boards)?;
        let rules = format!("goal=any size={n}x{n}");
        instances_line(
            &format!("flip {n}×{n}, any solution, {boards} boards: engine alone"),
            &bench.each("flip", "search", &rules, &file)?,
        );
        let file = bench.games(&format!("flip solvable n={n}"), 1)?;
        let runs = bench.fastest_runs(&format!("judge flip -r goal=any -r size={n}x{n}"), Some(&file))?;
        let (_, least) = splitting(&file)?;
        process_line(&format!("flip {n}×{n}, any solution: whole process"), runs, &reading(least));
    }
    for (n, d) in [(9, 8), (30, 20), (47, 30), (39, 32)] {
        let file = bench.games(&format!("flip black n={n}"), 1)?;
        let work = format!("flip, all-black board {n}×{n}, fewest presses, nullity {d}");
        process_line(
            &work,
            bench.fastest_runs(&format!("judge flip -r target=white -r size={n}x{n}"), Some(&file))?,
            "",
        );
    }
    for target in ["either", "white"] {
        let mut runs = Vec::new();
        for seed in (FIRST_SEED..).take(8) {
            let file = bench.generated("flip solvable n=39", seed, 1)?;
            runs.push(process(
                &bench.now,
                &format!("judge flip -r size=39x39 -r target={target}"),
                Some(&file),
            )?);
        }
        runs.sort_unstable_by_key(|run| run.wall);
        let text = |wall, cpu| format!("{} ({} CPU)", show(wall), show(cpu));
        let of = |value: fn(&Run) -> Duration| {
            let mut values: Vec<Duration> = runs.iter().map(value).collect();
            values.sort_unstable();
            median(&values)
        };
        let (median, slowest) = (text(of(|run| run.wall), of(|run| run.cpu)), &runs[runs.len() - 1]);
        let worst = text(slowest.wall, slowest.cpu);
        let work = format!("flip 39×39, target {target}, 8 random boards, fewest presses, nullity 32");
        line(&work, "", &format!("median {median}, worst {worst}"), "");
    }
    Ok(())
}

/// Prints how long a run of an experiment takes, and how much longer that is than starting a process. The runs are
/// trivial and take place one after another.
fn runs(bench: &Bench) -> Fallible<()> {
    let start = process(&bench.now, "--version", None)?.wall;
    for count in [100, 300, 1_000, 3_000] {
        let folder = bench.folder.join("experiment");
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder)?;
        let seeds = format!("seeds = \"{FIRST_SEED}..{}\"", FIRST_SEED + count);
        let plan = "problem = \"flip\"\nengines = [\"search\"]\n[[family]]\nname = \"random\"\nn = 4\n";
        std::fs::write(folder.join("plan.toml"), format!("{plan}{seeds}\n"))?;
        let folder = folder.display();
        let planned = process(&bench.now, &format!("run {folder} --dry-run"), None)?.wall;
        let ran = process(&bench.now, &format!("run {folder}"), None)?.wall;
        let each = ran.saturating_sub(planned) / count as u32;
        let work = format!("experiment of {count} trivial runs, per run");
        let now = format!("{}, {} more than a process start", show(each), show(each.saturating_sub(start)));
        line(&work, "", &now, &format!("process start: {}", show(start)));
    }
    Ok(())
}

/// Prints some rows of the table.
type Table = fn(&Bench) -> Fallible<()>;

fn main() -> Fallible<()> {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    if let [flag, problem, engine, rules, file] = args.as_slice()
        && flag == "--each"
    {
        return each(problem, engine, rules, file);
    }
    let mut args = args.into_iter();
    let (mut before, mut wanted) = (None, Vec::new());
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--baseline" => before = Some(PathBuf::from(args.next().ok_or("--baseline needs a program")?)),
            _ => wanted.push(arg),
        }
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).to_owned();
    let bench = Bench { now: PathBuf::from(env!("CARGO_BIN_EXE_counterpoint")), before, folder };
    println!("| work | before | now | physical limit |\n|---|---|---|---|");
    process_line("start of the program (`--version`)", bench.fastest_runs("--version", None)?, "");
    let tables: [(&str, Table); 4] = [("spot", spot), ("ships", ships), ("flip", flip), ("runs", runs)];
    for (name, table) in tables {
        if wanted.is_empty() || wanted.iter().any(|w| w == name) {
            table(&bench)?;
        }
    }
    Ok(())
}
