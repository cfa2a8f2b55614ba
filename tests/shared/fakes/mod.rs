//! Fake solvers and proof checkers that lie, hang, crash or use much memory, and honest ones.
//!
//! A fake is the test program itself, with the name of the fake among its arguments. The test harness takes the
//! arguments for names of tests, so it runs the test `fakes::fake`, which then acts as the fake.

#![allow(
    clippy::print_stdout,
    clippy::zombie_processes,
    reason = "fakes answer on standard output, and some intentionally leave a child behind"
)]

#[allow(dead_code, reason = "each test file uses a part")]
pub(crate) mod home;

use std::io::{Read, Write};
use std::process::{Command, exit};

/// The command of a fake: program and arguments. The formula's path follows them.
pub(crate) fn command(kind: &str, more: &[&str]) -> Vec<String> {
    let exe = std::env::current_exe().unwrap().to_string_lossy().into_owned();
    let args = ["fakes::fake", "--exact", "--nocapture", kind];
    std::iter::once(exe).chain(args.iter().chain(more).map(|&arg| arg.to_owned())).collect()
}

struct Args(Vec<String>);

impl Args {
    fn value(&self, key: &str) -> Option<&str> {
        self.0.iter().find_map(|arg| arg.strip_prefix(key)?.strip_prefix('='))
    }

    /// The formula: the number of variables, and the constraints, each with the prefix `x` if it is a parity
    /// constraint. The text is also appended to the file `log`, if that is given.
    fn formula(&self) -> (u32, Vec<(&'static str, Vec<i32>)>) {
        let mut text = String::new();
        match self.0.last().filter(|path| path.starts_with('/')) {
            Some(path) => text = std::fs::read_to_string(path).unwrap(),
            None => drop(std::io::stdin().read_to_string(&mut text).unwrap()),
        }
        if let Some(log) = self.value("log") {
            let mut log = std::fs::OpenOptions::new().create(true).append(true).open(log).unwrap();
            log.write_all(text.as_bytes()).unwrap();
        }
        let mut lines = text.lines();
        let header: Vec<_> = lines.next().unwrap().split(' ').collect();
        let clause = |line: &str| {
            let line = line.strip_suffix('0').unwrap();
            let (sign, lits) = line.strip_prefix('x').map_or(("", line), |lits| ("x", lits));
            (sign, lits.split_whitespace().map(|l| l.parse().unwrap()).collect())
        };
        let clauses: Vec<_> = lines.map(clause).collect();
        assert_eq!(header[3], clauses.len().to_string());
        (header[2].parse().unwrap(), clauses)
    }

    /// Answers correctly, in the format that the arguments ask for.
    fn honest(&self) -> ! {
        let (n, clauses) = self.formula();
        let literal = |m: u32, v: u32| if m >> v & 1 == 1 { v as i32 + 1 } else { -(v as i32) - 1 };
        let holds = |m: u32, l: &i32| literal(m, l.unsigned_abs() - 1) == *l;
        let model = (0..1u32 << n).find(|&m| {
            clauses.iter().all(|(sign, lits)| {
                let true_ones = lits.iter().filter(|l| holds(m, l)).count();
                if *sign == "x" { true_ones % 2 == 1 } else { true_ones > 0 }
            })
        });
        let values: String = model.map_or(String::new(), |m| {
            (0..n).map(|v| format!("{} ", literal(m, v))).collect::<String>() + "0\n"
        });
        match (self.value("out"), model) {
            (Some(out), Some(_)) => std::fs::write(out, format!("SAT\n{values}")).unwrap(),
            (Some(out), None) => std::fs::write(out, "UNSAT\n").unwrap(),
            (None, Some(_)) => println!("s SATISFIABLE\nv {values}"),
            (None, None) => println!("s UNSATISFIABLE"),
        }
        exit(if model.is_some() { 10 } else { 20 })
    }

    /// Reads OPB and answers correctly, with an optimum if there is an objective. With `cost=K`, it prints the cost K.
    /// With `model=true`, it says that the model in which all variables are true is optimal.
    fn sums(&self) -> ! {
        let text = std::fs::read_to_string(self.0.last().unwrap()).unwrap();
        let n: u32 = text.split_whitespace().nth(2).unwrap().parse().unwrap();
        let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        let sum = |m: u32, words: &[&str]| -> i64 {
            let term = |two: &[&str]| {
                let var: u32 = two[1].strip_prefix('x').unwrap().parse().unwrap();
                assert!((1..=n).contains(&var));
                two[0].parse::<i64>().unwrap() * i64::from(m >> (var - 1) & 1)
            };
            words.chunks(2).map(term).sum()
        };
        let holds = |m: u32, row: &[&str]| {
            let [terms @ .., relation, bound, ";"] = row else { panic!("{row:?}") };
            let (sum, bound) = (sum(m, terms), bound.parse().unwrap());
            match *relation {
                ">=" => sum >= bound,
                relation => relation == "=" && sum == bound,
            }
        };
        let objective = rows.iter().find(|row| row[0] == "min:");
        let cost = |m: u32| objective.map_or(0, |row| sum(m, &row[1..row.len() - 1]));
        let hard: Vec<_> = rows.iter().filter(|row| !["*", "min:"].contains(&row[0])).collect();
        assert_eq!(rows[0][4], hard.len().to_string());
        let models = (0..1u32 << n).filter(|&m| hard.iter().all(|row| holds(m, row)));
        let best = models.min_by_key(|&m| cost(m)).or(self.value("model").map(|_| 0));
        let Some(best) = best else {
            println!("s UNSATISFIABLE");
            exit(20)
        };
        let best = if self.value("model").is_some() { u32::MAX } else { best };
        // The model is spread over two lines, and its verdict follows it, as clasp writes them.
        let value = |v: u32| format!("{}x{}", if best >> v & 1 == 1 { "" } else { "-" }, v + 1);
        let values: Vec<String> = (0..n).map(value).collect();
        let (first, second) = values.split_at(values.len() / 2);
        let printed = self.value("cost").map_or(cost(best), |cost| cost.parse().unwrap());
        if objective.is_some() {
            println!("o {}\no {printed}", printed + 1);
        }
        println!("v {}\nv {}", first.join(" "), second.join(" "));
        match objective {
            Some(_) => println!("s OPTIMUM FOUND"),
            None => println!("s SATISFIABLE"),
        }
        exit(if objective.is_some() { 30 } else { 10 })
    }

    /// Reads WCNF and answers correctly; with `digits=yes`, the model is one digit for each variable.
    fn soft(&self) -> ! {
        let text = std::fs::read_to_string(self.0.last().unwrap()).unwrap();
        let clause = |words: &str| -> Vec<i32> {
            let lits = words.strip_suffix('0').unwrap().split_whitespace();
            lits.map(|lit| lit.parse().unwrap()).collect()
        };
        let rows: Vec<_> = text.lines().map(|line| line.split_once(' ').unwrap()).collect();
        let rows: Vec<_> = rows.into_iter().map(|(weight, words)| (weight, clause(words))).collect();
        let n = rows.iter().flat_map(|(_, lits)| lits).map(|lit| lit.unsigned_abs()).max().unwrap_or(0);
        let holds = |m: u32, lits: &[i32]| {
            lits.iter().any(|lit| (m >> (lit.unsigned_abs() - 1) & 1 == 1) == (*lit > 0))
        };
        let cost = |m: u32| -> u64 {
            let broken = rows.iter().filter(|(weight, lits)| *weight != "h" && !holds(m, lits));
            broken.map(|(weight, _)| weight.parse::<u64>().unwrap()).sum()
        };
        let models =
            (0..1u32 << n).filter(|&m| rows.iter().all(|(weight, lits)| *weight != "h" || holds(m, lits)));
        let Some(best) = models.min_by_key(|&m| cost(m)) else {
            println!("s UNSATISFIABLE");
            exit(20)
        };
        println!("o {}\ns OPTIMUM FOUND", cost(best));
        let is_true = |v: u32| best >> v & 1 == 1;
        if self.value("digits").is_some() {
            println!("v {}", (0..n).map(|v| if is_true(v) { '1' } else { '0' }).collect::<String>());
        } else {
            let lit = |v: u32| if is_true(v) { v as i32 + 1 } else { -(v as i32) - 1 };
            println!("v {} 0", (0..n).map(|v| lit(v).to_string()).collect::<Vec<_>>().join(" "));
        }
        exit(0)
    }

    /// Prints a model in which all variables are true; the last `less` variables are missing.
    fn all_true(&self, less: u32) -> ! {
        let values: Vec<_> = (1..=self.formula().0 - less).map(|v| v.to_string()).collect();
        println!("s SATISFIABLE\nv {} 0", values.join(" "));
        exit(10)
    }

    /// Prints a proof checker's verdict. The last two arguments must be a formula and a proof.
    fn verdict(&self, words: &str, status: i32) -> ! {
        let [.., formula, proof] = &self.0[..] else { panic!("{:?}", self.0) };
        assert!(std::fs::read_to_string(formula).unwrap().starts_with("p cnf "));
        let proof = std::fs::read_to_string(proof).unwrap();
        assert!(proof.lines().all(|line| line.ends_with('0')), "{proof}");
        println!("\n\r{words}");
        exit(status)
    }

    /// Prints a verdict of VeriPB. The last two arguments must be an OPB file and a proof of a version that VeriPB reads.
    fn pseudo_boolean_verdict(&self, words: &str, status: i32) -> ! {
        let [.., formula, proof] = &self.0[..] else { panic!("{:?}", self.0) };
        assert!(std::fs::read_to_string(formula).unwrap().starts_with("* #variable= "));
        assert!(std::fs::read_to_string(proof).unwrap().starts_with("pseudo-Boolean proof version 2"));
        println!("Running VeriPB version 3.0.2\n{words}");
        exit(status)
    }

    /// Starts a child that sleeps for a long time, and writes the child's process number to a file.
    fn fork(&self) {
        let child = Command::new("sleep").arg("1000").spawn().unwrap();
        self.write_pid(child.id());
    }

    /// Writes a process number to the file `pid`, where the test reads it.
    fn write_pid(&self, id: u32) {
        let Some(path) = self.value("pid") else { return };
        std::fs::write(format!("{path}.new"), id.to_string()).unwrap();
        std::fs::rename(format!("{path}.new"), path).unwrap();
    }
}

/// Becomes the fake that the arguments name. As a test, it does nothing.
#[test]
fn fake() {
    let args = Args(std::env::args().skip(1).collect());
    // On a machine with one processor, the harness begins the line with the name of the test.
    println!();
    args.0.iter().for_each(|kind| play(kind, &args));
}

fn play(kind: &str, args: &Args) {
    match kind {
        "honest" => args.honest(),
        "sums" => args.sums(),
        "soft" => args.soft(),
        "liar" => args.all_true(0),
        "partial" => args.all_true(1),
        "mismatch" => {
            println!("s UNSATISFIABLE");
            exit(10);
        }
        "unknown" => {
            println!("s UNKNOWN");
            exit(0);
        }
        "verifier" => args.verdict("s VERIFIED", 0),
        "pb-verifier" => args.pseudo_boolean_verdict("s VERIFIED UNSATISFIABLE", 0),
        "pb-denier" => args.pseudo_boolean_verdict("Error: proof.pbp:3: it is not implied", 1),
        "pb-mute" => args.pseudo_boolean_verdict("s VERIFIED NO CONCLUSION", 0),
        "formal" => args.verdict("s VERIFIED UNSAT", 0),
        "denier" => args.verdict("s NOT VERIFIED", 1),
        "kind-denier" => args.verdict("c Checking failed at line: 7. Reason: x", 0),
        "undecided" => args.verdict("s VERIFIED\ns NOT VERIFIED", 0),
        "ashamed" => args.verdict("s VERIFIED", 1),
        "mute" => args.verdict("s DERIVATION", 0),
        "weary" => args.verdict("s TIMEOUT", 0),
        "crash" => std::process::abort(),
        // Fails from the 13th call on.
        "moody" => {
            let path = args.value("count").unwrap();
            let mut file = std::fs::OpenOptions::new().create(true).append(true).open(path).unwrap();
            file.write_all(b".").unwrap();
            if file.metadata().unwrap().len() > 12 { exit(3) } else { args.honest() }
        }
        // Ignores SIGINT and SIGTERM, and uses CPU time.
        "stubborn" => {
            ctrlc::set_handler(|| ()).unwrap();
            args.write_pid(std::process::id());
            loop {
                std::hint::spin_loop();
            }
        }
        "hungry" => {
            let mut eaten = Vec::new();
            loop {
                eaten.push(vec![1u8; 1 << 20]);
            }
        }
        "parent" => {
            args.fork();
            loop {
                std::thread::park();
            }
        }
        "leaver" => {
            args.fork();
            println!("s UNSATISFIABLE");
            exit(20);
        }
        _ => {}
    }
}
