//! Measures the overhead of experiments: how much more time a run of an external solver takes in an experiment than the
//! bare process of the solver.
//!
//! `cargo bench --bench overhead` prints the table as Markdown. With `-- --baseline PROGRAM`, it also shows another
//! build of `counterpoint`, and the measurements of the two builds alternate. `-- 1.5kB mixed` prints only these rows.
//!
//! The solver is this program: it reads a formula and prints a model at once, so its own time is small. Every clause
//! has a negated variable, so all variables are false in the model. `run` hashes and reads each file, starts a worker
//! and the solver, reads and checks the model, and writes a record. A row shows the time from the start of
//! `counterpoint run` to its end, minus the time of the bare processes, divided by the number of files. It shows wall
//! time and, in parentheses, CPU time. Each of these times is the least of three measurements.

#![allow(clippy::print_stdout, reason = "the benchmark prints a table")]

use std::error::Error;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};
use wait4::Wait4;

type Fallible<T> = Result<T, Box<dyn Error>>;

/// The number of measurements. Rows show the least of them.
const ROUNDS: usize = 3;

/// The name of each row, with the numbers of files and their sizes in bytes.
const ROWS: [(&str, &[(usize, usize)]); 5] = [
    ("1.5kB", &[(1_000, 1_500)]),
    ("15kB", &[(1_000, 15_000)]),
    ("150kB", &[(300, 150_000)]),
    ("1.5MB", &[(100, 1_500_000)]),
    ("mixed", &[(700, 1_500), (200, 15_000), (80, 150_000), (20, 1_500_000)]),
];

/// Wall and CPU time.
#[derive(Clone, Copy)]
struct Spent {
    wall: Duration,
    cpu: Duration,
}

impl Spent {
    const MAX: Spent = Spent { wall: Duration::MAX, cpu: Duration::MAX };

    fn least(self, other: Spent) -> Spent {
        Spent { wall: self.wall.min(other.wall), cpu: self.cpu.min(other.cpu) }
    }
}

/// Prints a model of a formula in which all variables are false.
fn solve(path: &str) -> Fallible<()> {
    let text = fs::read_to_string(path)?;
    let header = text.lines().find_map(|line| line.strip_prefix("p cnf ")).ok_or("no header")?;
    let variables: usize = header.split(' ').next().unwrap_or_default().parse()?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    out.write_all(b"s SATISFIABLE\nv")?;
    (1..=variables).try_for_each(|variable| write!(out, " -{variable}"))?;
    out.write_all(b" 0\n")?;
    Ok(out.flush()?)
}

/// Writes a formula of about `bytes` bytes. The numbers come from a linear congruential generator.
fn write_formula(path: &Path, bytes: usize, seed: usize) -> Fallible<()> {
    let clauses = bytes / (3 * (bytes / 60).max(10).to_string().len() + 6);
    let variables = (clauses / 4).max(3);
    let mut out = BufWriter::new(File::create(path)?);
    writeln!(out, "p cnf {variables} {clauses}")?;
    let mut state = seed as u64 + 1;
    let mut random = |max: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % max
    };
    for _ in 0..clauses {
        let [a, b, c] = [(); 3].map(|()| random(variables) + 1);
        let [b_sign, c_sign] = [(); 2].map(|()| if random(2) == 0 { "" } else { "-" });
        writeln!(out, "-{a} {b_sign}{b} {c_sign}{c} 0")?;
    }
    Ok(out.flush()?)
}

/// Runs a program and waits for it.
fn process(program: &Path, args: &[&str], status: i32) -> Fallible<Spent> {
    let start = Instant::now();
    let child = Command::new(program).args(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let end = child.wait4()?;
    let wall = start.elapsed();
    if end.status.code() != Some(status) {
        return Err(format!("{} {args:?}: {}", program.display(), end.status).into());
    }
    Ok(Spent { wall, cpu: end.rusage.utime + end.rusage.stime })
}

/// Runs the solver on each file, one after another.
fn bare(solver: &Path, files: &[PathBuf]) -> Fallible<Spent> {
    let mut sum = Spent { wall: Duration::ZERO, cpu: Duration::ZERO };
    for file in files {
        let one = process(solver, &["--solve", &file.to_string_lossy()], 10)?;
        (sum.wall, sum.cpu) = (sum.wall + one.wall, sum.cpu + one.cpu);
    }
    Ok(sum)
}

fn row(name: &str, parts: &[(usize, usize)], programs: &[PathBuf]) -> Fallible<()> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("overhead");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("files"))?;
    let mut files = Vec::new();
    for &(count, bytes) in parts {
        for _ in 0..count {
            let file = folder.join(format!("files/{}.cnf", files.len()));
            write_formula(&file, bytes, files.len())?;
            files.push(file);
        }
    }
    let solver = std::env::current_exe()?;
    let plan = format!(
        "problem = \"cnf\"\nengines = [\"sat@at-once\"]\nlimits = {{ cpu = \"10s\", memory = \"1GiB\" }}\n\
         [solver.at-once]\ncommand = ['{}', \"--solve\"]\n[[family]]\nfiles = \"files/*.cnf\"\n",
        solver.display()
    );
    fs::write(folder.join("plan.toml"), plan)?;
    let mut alone = Spent::MAX;
    let mut spent = vec![Spent::MAX; programs.len()];
    for _ in 0..ROUNDS {
        alone = alone.least(bare(&solver, &files)?);
        for (program, spent) in programs.iter().zip(&mut spent) {
            let _ = fs::remove_dir_all(folder.join("results"));
            *spent = spent.least(process(program, &["run", &folder.to_string_lossy()], 0)?);
        }
    }
    let show = |wall: Duration, cpu: Duration| {
        let [wall, cpu] = [wall, cpu].map(|time| time.as_secs_f64() * 1e3 / files.len() as f64);
        format!("{wall:.2} ms ({cpu:.2} ms)")
    };
    let more = |of: &Spent| show(of.wall.saturating_sub(alone.wall), of.cpu.saturating_sub(alone.cpu));
    let columns: Vec<String> = spent.iter().map(more).collect();
    println!("| {name} | {} | {} | {} |", files.len(), show(alone.wall, alone.cpu), columns.join(" | "));
    fs::remove_dir_all(folder)?;
    Ok(())
}

fn main() -> Fallible<ExitCode> {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    if let [flag, path] = args.as_slice()
        && flag == "--solve"
    {
        solve(path)?;
        return Ok(ExitCode::from(10));
    }
    let mut args = args.into_iter();
    let (mut programs, mut wanted) = (Vec::new(), Vec::new());
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--baseline" => programs.push(PathBuf::from(args.next().ok_or("--baseline needs a program")?)),
            _ => wanted.push(arg),
        }
    }
    let before = if programs.is_empty() { "" } else { " before: more |" };
    let line = if programs.is_empty() { "" } else { "---|" };
    programs.push(PathBuf::from(env!("CARGO_BIN_EXE_counterpoint")));
    println!("| size of each file | files | bare solver |{before} now: more |\n|---|---|---|{line}---|");
    for (name, parts) in ROWS {
        if wanted.is_empty() || wanted.iter().any(|w| w == name) {
            row(name, parts, &programs)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
