//! A problem whose engines misbehave in different ways, for tests of the runner.

use crate::deaths::visit;
use counterpoint::claim::{Claim, Status};
use counterpoint::engine::{Budget, EngineInfo, Outcome};
use counterpoint::errors::{FormatError, RulesError};
use counterpoint::input::{Source, Warnings};
use counterpoint::named::NamedFormula;
use counterpoint::problem::{
    self, Engine, Family, Formulas, Outside, Param, Problem, Reader, Scope, Session,
};
use counterpoint::proof::Proof;
use counterpoint::rules::Settings;
use counterpoint::solver;
use counterpoint::spec::EngineSpec;
use serde_json::{Map, Value, json};
use std::hint::black_box;
use std::io::{self, Write};
use std::time::Duration;

/// A run on this number calls [`visit`] with the phase `killing`, so a test can make the run kill its runner.
pub(crate) const DEADLY: u32 = 666;

/// The problem panics when it reads an answer about this number from JSON. Claims about it stay open.
pub(crate) const UNREADABLE: u32 = 1313;

/// The problem: is a number even?
pub(crate) struct Parity;

const fn engine(name: &'static str, start: fn() -> Session<Parity>) -> Engine<Parity> {
    Engine {
        info: EngineInfo::search(name, "a test double"),
        supports: |(), _, _| Ok(()),
        start,
        formula: None,
    }
}

fn even(n: u32) -> Outcome<bool> {
    Outcome::Decided(n.is_multiple_of(2))
}

/// Never ends, and never polls its budget.
fn forever() -> ! {
    loop {
        black_box(());
    }
}

/// Allocates memory and writes to it, without end.
pub(crate) fn eat() -> ! {
    let mut eaten: Vec<Vec<u8>> = Vec::new();
    loop {
        eaten.push(black_box(vec![1; 1 << 22]));
    }
}

/// Adds clauses without end, and never solves them.
fn build(spec: &EngineSpec) -> ! {
    let mut solver = spec.solver();
    loop {
        let lit = solver.new_var().pos_lit();
        solver.clause(&[lit, !lit]);
        // The pause lets the run reach its wall limit before it uses much memory.
        std::thread::sleep(Duration::from_micros(10));
    }
}

/// Solves a formula with one variable and one model. In this model, the variable is true iff the number is even.
fn one_call(n: u32, spec: &EngineSpec, budget: &mut Budget) -> Outcome<bool> {
    let mut solver = spec.solver();
    let is_even = solver.new_var();
    solver.clause(&[is_even.lit(n % 2 == 1)]);
    visit("building");
    if n == DEADLY {
        visit("killing");
    }
    let solved = solver::step(solver, &[], budget);
    visit("solving");
    match solved {
        Ok((true, solver)) => Outcome::Decided(solver.value(is_even.pos_lit())),
        Ok((false, _)) => Outcome::Failed("the solver is wrong".to_owned()),
        Err(why) => why.outcome(None),
    }
}

/// Reads what [`Parity::write`] writes.
fn verdict(printed: &[u8]) -> Result<bool, FormatError> {
    match printed.trim_ascii_end() {
        b"true" => Ok(true),
        b"false" => Ok(false),
        _ => Err("expected 'true' or 'false'".into()),
    }
}

/// Solves an encoder's formula, in which the variable `even` is true iff the number is even.
fn named((): &(), _: &u32, formula: &NamedFormula, spec: &EngineSpec, budget: &mut Budget) -> Outcome<bool> {
    let is_even = match formula.expect("even") {
        Ok(is_even) => is_even,
        Err(why) => return Outcome::Failed(format!("{spec}: {why}")),
    };
    let mut solver = spec.solver();
    formula.write(&mut *solver);
    match solver::step(solver, &[], budget) {
        Ok((true, solver)) => Outcome::Decided(solver.value(is_even)),
        Ok((false, _)) => Outcome::Decided(false),
        Err(why) => why.outcome(None),
    }
}

impl Problem for Parity {
    type Rules = ();
    type Instance = u32;
    type Answer = bool;
    const NAME: &'static str = "parity";
    const ABOUT: &'static str = "is the number even?";
    const ENGINES: &'static [Engine<Self>] = &[
        engine("even", || Box::new(|(), &n, _, _| even(n))),
        engine("slow", || {
            Box::new(|(), &n, _, _| {
                std::thread::sleep(Duration::from_millis(20));
                even(n)
            })
        }),
        engine("forever", || Box::new(|(), _, _, _| forever())),
        engine("polite", || {
            Box::new(|(), _, _, budget| {
                loop {
                    if let Err(limit) = budget.node() {
                        return Outcome::GaveUp(limit, Some(true));
                    }
                }
            })
        }),
        engine("sleepy", || {
            Box::new(|(), _, _, _| {
                loop {
                    std::thread::sleep(Duration::from_secs(1));
                }
            })
        }),
        engine("hungry", || Box::new(|(), _, _, _| eat())),
        engine("crash", || Box::new(|(), _, _, _| std::process::abort())),
        engine("liar", || Box::new(|(), &n, _, _| Outcome::Decided(!n.is_multiple_of(2)))),
        engine("choosy", || {
            Box::new(
                |(), &n, _, _| {
                    if n < 3 { even(n) } else { Outcome::Unsupported("the number is too large".into()) }
                },
            )
        }),
        engine("orphan", || {
            Box::new(|(), _, _, _| {
                // Start a process that would outlive this one.
                let child = std::process::Command::new("sleep").arg("1000").spawn();
                drop(child);
                forever()
            })
        }),
        Engine {
            info: EngineInfo::sat("unit", "one clause", &[]),
            supports: |(), _, _| Ok(()),
            start: || Box::new(|(), &n, spec, budget| one_call(n, spec, budget)),
            formula: None,
        },
        Engine {
            info: EngineInfo::sat("builder", "never done with its formula", &[]),
            supports: |(), _, _| Ok(()),
            start: || Box::new(|(), _, spec, _| build(spec)),
            formula: None,
        },
    ];
    const FAMILIES: &'static [Family<Self>] = &[Family {
        name: "number",
        about: "n",
        params: &[Param::number("n", 8.0, 0.0, 1e6)],
        make: |(), params, _| {
            visit("reading");
            Ok(params.whole("n"))
        },
    }];
    const FORMULAS: Formulas<Self> = Formulas {
        obligations: Some(|(), _, _, _| {
            visit("certifying");
            Ok(Vec::new())
        }),
        ..Formulas::NONE
    };
    const OUTSIDE: Outside<Self> = Outside {
        read_verdict: Some(|(), _, printed| verdict(printed)),
        solve_named: Some(named),
        ..Outside::NONE
    };
    const SAMPLE: &'static str = "4\n";

    fn rules(_: &Settings) -> Result<(), RulesError> {
        Ok(())
    }
    fn read<'a>((): (), _: Scope, mut source: Source<'a>, _: &'a Warnings) -> Reader<'a, u32> {
        problem::reader(move || {
            let Some(line) = source.next_nonblank()? else { return Ok(None) };
            Ok(line.tokens().next().and_then(|token| token.number()))
        })
    }
    fn write_instance((): &(), n: &u32) -> String {
        format!("{n}\n")
    }
    fn write(_: usize, _: &u32, answer: &bool, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{answer}")
    }
    fn outcome(answer: &bool) -> String {
        if *answer { "even" } else { "odd" }.to_owned()
    }
    fn to_json(_: &u32, answer: &bool) -> Map<String, Value> {
        visit("writing");
        Map::from_iter([("outcome".to_owned(), json!(Self::outcome(answer)))])
    }
    fn from_json(n: &u32, json: &Map<String, Value>) -> Result<bool, FormatError> {
        assert_ne!(*n, UNREADABLE, "this problem cannot read answers about this number");
        Ok(json.get("outcome") == Some(&json!("even")))
    }
    fn check((): &(), n: &u32, answer: &bool, _: &[Proof], _: &mut Budget) -> Vec<Claim> {
        // A slow check, for a test of limits.
        if *n == 999 {
            std::thread::sleep(Duration::from_secs(4));
        }
        visit("checking");
        // Claims about numbers above 1,000 stay open.
        let status = match n.is_multiple_of(2) == *answer {
            _ if *n > 1000 => Status::Open("the number is too large".to_owned()),
            true => Status::Recomputed,
            false => Status::Failed("it is not".to_owned()),
        };
        vec![Claim::new(format!("the number is {}", Self::outcome(answer)), status)]
    }
}
