//! External solvers: honest ones are compared with brute force, the faults of others are reported, and no process
//! survives its run.

use crate::fakes;
use chacha20::ChaCha8Rng;
use counterpoint::engine::{Budget, Limit, Unfinished};
use counterpoint::process::{Children, Counter, Limits};
use counterpoint::solver::external::{self, Input, ParityInput, Program, Statistics};
use counterpoint::solver::{self, Count, Solver};
use counterpoint_encodings::Lit;
use rand::{RngExt, SeedableRng};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

fn program(command: Vec<String>) -> Program {
    let (name, origin) = ("fake".to_owned(), "here".to_owned());
    Program { name, command, origin, ..Program::default() }
}

fn fresh(program: &Program) -> Box<dyn Solver> {
    external::factory(program.clone(), Arc::default()).fresh()
}

fn lits(dimacs: &[i32]) -> Vec<Lit> {
    dimacs.iter().map(|&l| Lit::from_ipasir(l).unwrap()).collect()
}

/// Solves a formula: exactly one of the variables 1 and 2 is true.
fn ask(program: &Program, budget: &mut Budget) -> Result<bool, Unfinished> {
    let mut solver = fresh(program);
    let _: Vec<_> = (0..2).map(|_| solver.new_var()).collect();
    solver.clause(&lits(&[1, 2]));
    solver.clause(&lits(&[-1, -2]));
    solver::step(solver, &[], budget).map(|(sat, _)| sat)
}

fn failure(command: Vec<String>) -> String {
    match ask(&program(command), &mut Budget::unlimited()) {
        Err(Unfinished::Failed(reason)) => reason,
        other => panic!("{other:?}"),
    }
}

/// The path of a file for one test. The file does not exist.
fn own_file(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&path);
    path
}

fn argument(key: &str, path: &Path) -> String {
    format!("{key}={}", path.display())
}

/// Without a preset, comments that end with the word UNKNOWN mean that a solver has reached a limit of its own.
#[test]
fn solvers_may_give_up_without_a_preset() {
    let ask = |text: &str| {
        let command = ["sh", "-c", text].map(str::to_owned).to_vec();
        ask(&program(command), &mut Budget::unlimited())
    };
    for text in ["echo c UNKNOWN", "echo 'c 1.0'; echo; echo c; echo 'c   UNKNOWN'", "echo c INDETERMINATE"] {
        assert_eq!(ask(text), Err(Unfinished::Limit(Limit::Solver)), "{text}");
    }
    for text in [
        "true",
        "echo 'c 1.0'",
        "echo UNKNOWN",
        "echo c UNKNOWN; echo more",
        "echo c UNKNOWN; echo 'v 1 2 0'",
        "echo c UNKNOWN; exit 1",
        "echo c UNKNOWN; exit 10",
        "echo c UNKNOWN; kill -SEGV $$",
        "echo cUNKNOWN",
        "echo c UNKNOWNS",
    ] {
        assert!(matches!(ask(text), Err(Unfinished::Failed(_))), "{text}");
    }
}

/// A solver that is refused a block of memory uses little memory, and only its message says why it ended.
#[test]
#[cfg(target_os = "linux")]
fn refused_memory_is_a_limit() {
    let limited = Limits { memory: Some(100 << 20), ..Limits::default() };
    for (text, limits, is_limit) in [
        ("echo std::bad_alloc >&2; kill -ABRT $$", limited, true),
        ("echo out-of-memory >&2; exit 1", limited, true),
        ("echo out-of-memory >&2; exit 1", Limits::default(), false),
        ("echo out-of-memory; exit 1", limited, false),
    ] {
        let command = ["sh", "-c", text].map(str::to_owned).to_vec();
        let result = ask(&Program { limits, ..program(command) }, &mut Budget::unlimited());
        match is_limit {
            true => assert_eq!(result, Err(Unfinished::Limit(Limit::Memory)), "{text}"),
            false => assert!(matches!(result, Err(Unfinished::Failed(_))), "{text}: {result:?}"),
        }
    }
}

/// Waits until a fake has written its process number.
fn number(path: &Path) -> String {
    loop {
        if let Ok(number) = std::fs::read_to_string(path) {
            return number;
        }
        std::thread::yield_now();
    }
}

/// Waits until a process is gone or a zombie.
#[cfg(target_os = "linux")]
fn wait_until_gone(number: &str) {
    let dead = |stat: &str| stat.rsplit_once(')').is_some_and(|(_, rest)| rest.starts_with(" Z"));
    while std::fs::read_to_string(format!("/proc/{number}/stat")).is_ok_and(|stat| !dead(&stat)) {
        std::thread::yield_now();
    }
}

#[test]
fn honest_programs_agree_with_brute_force() {
    let plain = program(fakes::command("honest", &[]));
    let stdin = Program { input: Input::Stdin, ..plain.clone() };
    let minisat = program(fakes::command("honest", &["out={out}", "{}"]));
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for (i, program) in [plain, stdin, minisat].iter().cycle().take(24).enumerate() {
        let n = rng.random_range(2..=6);
        let mut random = |most| -> Vec<i32> {
            let length = rng.random_range(1..=most);
            (0..length).map(|_| rng.random_range(1..=n) * if rng.random() { 1 } else { -1 }).collect()
        };
        let (mut solver, mut clauses) = (fresh(program), Vec::new());
        let _: Vec<_> = (0..n).map(|_| solver.new_var()).collect();
        for _ in 0..3 {
            for _ in 0..2 * n {
                clauses.push(random(3));
                solver.clause(&lits(clauses.last().unwrap()));
            }
            let assumed = random(2);
            let (sat, next) = solver::step(solver, &lits(&assumed), &mut Budget::unlimited()).unwrap();
            solver = next;
            let truth = (0..1u32 << n).any(|m| {
                let holds = |l: &i32| (m >> (l.unsigned_abs() - 1) & 1 == 1) == (*l > 0);
                clauses.iter().all(|c| c.iter().any(holds)) && assumed.iter().all(holds)
            });
            assert_eq!(sat, truth, "{i}: {clauses:?} under {assumed:?}");
            let holds = |l: &i32| solver.value(lits(&[*l])[0]);
            assert!(!sat || clauses.iter().all(|c| c.iter().any(holds)) && assumed.iter().all(holds));
        }
    }
}

#[test]
fn parity_constraints_reach_programs_that_read_them() {
    let clauses = program(fakes::command("honest", &[]));
    let lines = Program { parity: ParityInput::Lines, ..clauses.clone() };
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for i in 0..40 {
        let n: i32 = rng.random_range(1..=6);
        let mut parity = || -> (Vec<i32>, bool) {
            let signed = |v: i32| [v, -v, 0, 0][rng.random_range(0..4)];
            let some = (1..=n).map(signed).filter(|l| *l != 0).collect();
            (some, rng.random())
        };
        let parities: Vec<_> = (0..n).map(|_| parity()).collect();
        let holds = |m: u32, l: &i32| (m >> (l.unsigned_abs() - 1) & 1 == 1) == (*l > 0);
        let odd = |m, lits: &[i32]| lits.iter().filter(|l| holds(m, l)).count() % 2 == 1;
        let truth = (0..1u32 << n).any(|m| parities.iter().all(|(lits, is_odd)| odd(m, lits) == *is_odd));
        for program in [&clauses, &lines] {
            let mut solver = fresh(program);
            let _: Vec<_> = (0..n).map(|_| solver.new_var()).collect();
            parities.iter().for_each(|(some, odd)| solver.xor(&lits(some), *odd));
            let nonempty = parities.iter().filter(|(some, _)| !some.is_empty()).count();
            let is_native = program.parity == ParityInput::Lines;
            assert!(!is_native || solver.n_clauses() >= nonempty as u64, "{i}");
            let (sat, _) = solver::step(solver, &[], &mut Budget::unlimited()).unwrap();
            assert_eq!(sat, truth, "{i}: {parities:?}");
        }
    }
}

#[test]
fn each_failure_has_its_message() {
    for (command, words) in [
        (fakes::command("liar", &[]), "solver fake: its model does not satisfy clause 2: -1 -2 0"),
        (fakes::command("partial", &[]), "solver fake: its model does not contain variable 2"),
        (fakes::command("mismatch", &[]), "answered unsatisfiable, but ended with exit status: 10"),
        (fakes::command("crash", &[]), "was killed by signal 6"),
        (vec!["echo".to_owned(), "hello".to_owned()], "the first line on standard output is 'hello /"),
        (vec!["false".to_owned()], "ended with exit status: 1; it wrote nothing"),
        (
            ["sh", "-c", "printf '\\377\\376\\0\\001 rest'; exit 10"].map(str::to_owned).to_vec(),
            "; the first line on standard output is not text: '\u{fffd}\u{fffd}\u{fffd}\u{fffd} rest'",
        ),
        (vec!["yes".to_owned()], "wrote more than"),
        (
            vec!["no-such-solver".to_owned()],
            "solver fake: program 'no-such-solver' not found; its command is defined in here",
        ),
        (vec!["/".to_owned()], "program '/' cannot be run"),
    ] {
        let reason = failure(command);
        assert!(reason.contains(words), "{reason}");
    }
}

#[test]
fn the_solvers_own_limit_is_a_limit_and_an_empty_clause_needs_no_run() {
    let unknown = program(fakes::command("unknown", &[]));
    assert_eq!(ask(&unknown, &mut Budget::unlimited()), Err(Unfinished::Limit(Limit::Solver)));
    let mut solver = fresh(&unknown);
    solver.clause(&[]);
    assert!(!solver::step(solver, &[], &mut Budget::unlimited()).unwrap().0);
    let limited = ask(&unknown, &mut Budget::of_work(9));
    assert!(
        matches!(limited, Err(Unfinished::Failed(why)) if why.contains("a work limit cannot stop an external solver"))
    );
}

#[test]
#[cfg(target_os = "linux")]
fn limits_stop_programs_that_use_too_much_time_or_memory() {
    let cpu = Limits { cpu: Some(Duration::from_millis(100)), ..Limits::default() };
    let stubborn = Program { limits: cpu, ..program(fakes::command("stubborn", &[])) };
    assert_eq!(ask(&stubborn, &mut Budget::unlimited()), Err(Unfinished::Limit(Limit::Cpu)));
    let memory = Limits { memory: Some(64 << 20), ..Limits::default() };
    let hungry = Program { limits: memory, ..program(fakes::command("hungry", &[])) };
    assert_eq!(ask(&hungry, &mut Budget::unlimited()), Err(Unfinished::Limit(Limit::Memory)));
}

/// A program that sleeps uses no CPU time, but a limit on wall time kills it and its child.
#[test]
#[cfg(target_os = "linux")]
fn a_limit_on_wall_time_kills_a_sleeping_program() {
    let pid = own_file("sleeper-pid");
    let limits = Limits { wall: Some(Duration::from_millis(300)), ..Limits::default() };
    let sleeper = Program { limits, ..program(fakes::command("parent", &[&argument("pid", &pid)])) };
    assert_eq!(ask(&sleeper, &mut Budget::unlimited()), Err(Unfinished::Limit(Limit::Wall)));
    // The program may have been killed before it started its child.
    if let Ok(number) = std::fs::read_to_string(&pid) {
        wait_until_gone(&number);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn no_process_outlives_its_run() {
    let pid = own_file("external-pid");
    // A program that is stopped as soon as its child exists. The child must be killed, too.
    let parent = program(fakes::command("parent", &[&argument("pid", &pid)]));
    let there = pid.clone();
    let stop = Arc::new(move || there.exists().then_some(Limit::Cancelled));
    let stopped = ask(&parent, &mut Budget::new(None, stop));
    assert_eq!(stopped, Err(Unfinished::Limit(Limit::Cancelled)));
    wait_until_gone(&number(&pid));
    // A program that answers and leaves its child behind.
    std::fs::remove_file(&pid).unwrap();
    let leaver = program(fakes::command("leaver", &[&argument("pid", &pid)]));
    assert_eq!(ask(&leaver, &mut Budget::unlimited()), Ok(false));
    wait_until_gone(&number(&pid));
}

#[test]
fn cpu_time_of_children_counts_and_none_starts_after_the_end() {
    let children = Arc::new(Children::default());
    let factory = external::factory(program(fakes::command("honest", &[])), Arc::clone(&children));
    let run = || solver::step(factory.fresh(), &[], &mut Budget::unlimited()).map(|(sat, _)| sat);
    assert_eq!(run(), Ok(true));
    assert!(children.cpu() > Duration::ZERO);
    children.end();
    assert!(matches!(run(), Err(Unfinished::Failed(_))));
}

/// A solver that is a shell script, with the statistics of a preset.
fn script(text: &str, preset: &str) -> Program {
    let command = ["sh", "-c", text].map(str::to_owned).to_vec();
    Program { statistics: Statistics::Preset(preset.to_owned()), ..program(command) }
}

#[test]
fn counters_come_from_the_output_and_add_up() {
    let children = Arc::new(Children::default());
    let minisat =
        "echo 'conflicts             : 5           (85328 /sec)'; echo 'decisions   : x' >&2; exit 20";
    let wrong = Statistics::Patterns(vec![(Count::Restarts, "^never (x)$".to_owned())]);
    let text = "echo 'c conflicts: 3 x'; echo 'c conflicts: 4 x' >&2; echo s UNSATISFIABLE; exit 20";
    for (program, result, conflicts) in [
        (script(text, "kissat"), Ok(false), 8),
        (Program { statistics: wrong, ..script(text, "kissat") }, Ok(false), 0),
        (script(minisat, "minisat"), Err("printed no line"), 10),
    ] {
        let factory = external::factory(program, Arc::clone(&children));
        let mut budget = Budget::unlimited();
        for _ in 0..2 {
            match (solver::step(factory.fresh(), &[], &mut budget), result) {
                (Ok((sat, _)), Ok(expected)) => assert_eq!(sat, expected),
                (Err(Unfinished::Failed(why)), Err(words)) => assert!(why.contains(words), "{why}"),
                (other, _) => panic!("{:?}", other.map(|(sat, _)| sat)),
            }
        }
        assert_eq!(budget.work.conflicts, conflicts);
        assert_eq!(budget.work.restarts, 0);
    }
    let noted =
        |name: &str, is_found| Counter { program: "fake".to_owned(), name: name.to_owned(), is_found };
    let expected = [("conflicts", true), ("decisions", false), ("propagations", false), ("restarts", false)]
        .map(|(n, f)| noted(n, f));
    assert_eq!(children.take_counters(), expected);
}

/// What a program prints after the signal counts, but not its answer.
#[test]
#[cfg(target_os = "linux")]
fn a_program_is_asked_to_end_and_may_print_its_counters() {
    let own = |cpu_ms| Limits { cpu: Some(Duration::from_millis(cpu_ms)), ..Limits::default() };
    let busy = "while :; do :; done";
    for (signal, preset, line) in
        [("TERM", "kissat", "c conflicts: 42 x"), ("INT", "minisat", "conflicts : 42 x")]
    {
        let text = format!("trap 'echo {line}; echo s UNSATISFIABLE; exit 20' {signal}; {busy}");
        let program = Program { limits: own(100), ..script(&text, preset) };
        let mut budget = Budget::unlimited();
        assert_eq!(ask(&program, &mut budget), Err(Unfinished::Limit(Limit::Cpu)));
        assert_eq!(budget.work.conflicts, 42, "{preset}");
        // Without statistics, the program is killed immediately.
        let silent = Program { statistics: Statistics::None, ..program };
        let mut budget = Budget::unlimited();
        assert_eq!(ask(&silent, &mut budget), Err(Unfinished::Limit(Limit::Cpu)));
        assert_eq!(budget.work.conflicts, 0, "{preset}");
    }
    // A program that ignores the signal is killed, and so is its child.
    let pid = own_file("deaf-pid");
    let text = format!("trap '' TERM; sleep 1000 & echo $! > {}; {busy}", pid.display());
    let deaf = Program { limits: own(200), ..script(&text, "kissat") };
    assert_eq!(ask(&deaf, &mut Budget::unlimited()), Err(Unfinished::Limit(Limit::Cpu)));
    wait_until_gone(number(&pid).trim());
}

#[test]
fn presets_know_how_a_solver_gives_up() {
    let ask = |text: &str, preset| ask(&script(text, preset), &mut Budget::unlimited());
    let own = Err(Unfinished::Limit(Limit::Solver));
    assert_eq!(ask("echo c UNKNOWN; exit 0", "cadical"), own);
    assert_eq!(ask("echo INDETERMINATE; exit 0", "minisat"), own);
    assert_eq!(ask("echo s INDETERMINATE; exit 15", "cryptominisat"), own);
    for (text, preset) in [
        ("echo c UNKNOWN; exit 1", "cadical"),
        ("echo c UNKNOWNS; exit 0", "cadical"),
        ("echo c UNKNOWN; exit 0", "kissat"),
    ] {
        assert!(matches!(ask(text, preset), Err(Unfinished::Failed(_))), "{text}");
    }
}
