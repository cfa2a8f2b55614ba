//! Measures the length of proofs that a Flip board is impossible, for each encoding of parity constraints.
//!
//! `cargo bench --bench walls` prints a Markdown table. For each n, the board is the impossible random n×n board with
//! the lowest seed. `sat:presses` encodes this board with each parity encoding except `native`. varisat refutes the
//! formula; the DRAT steps of the proof are counted and discarded. No time is measured, so the numbers are the same on
//! every machine.

#![allow(clippy::print_stdout, reason = "the benchmark prints a table")]

use counterpoint::engine::{Budget, Outcome};
use counterpoint::erased::{DynInstance, DynProblem};
use counterpoint::rules::Settings;
use counterpoint::solver::SolverRegistry;
use counterpoint::spec;
use counterpoint_encodings::{Cnf, Parity, Sink};
use std::cell::Cell;
use std::error::Error;
use std::io::{self, Write};
use std::rc::Rc;
use varisat::{ExtendFormula, ProofFormat};

type Fallible<T> = Result<T, Box<dyn Error>>;

/// Each n up to 11 for which the null space of the n×n board is not trivial.
const SIZES: [u32; 4] = [4, 5, 9, 11];

/// The length of a proof.
#[derive(Clone, Copy, Default)]
struct Length {
    bytes: usize,
    steps: usize,
}

/// A writer that measures a proof in text format.
struct Measure(Rc<Cell<Length>>);

impl Write for Measure {
    fn write(&mut self, block: &[u8]) -> io::Result<usize> {
        let Length { bytes, steps } = self.0.get();
        let lines = block.iter().filter(|&&byte| byte == b'\n').count();
        self.0.set(Length { bytes: bytes + block.len(), steps: steps + lines });
        Ok(block.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn refute(cnf: &Cnf) -> Fallible<Length> {
    let length = Rc::new(Cell::new(Length::default()));
    let mut solver = varisat::Solver::new();
    solver.write_proof(Measure(Rc::clone(&length)), ProofFormat::Drat);
    for clause in cnf.clauses() {
        let lit = |lit: &counterpoint_encodings::Lit| {
            varisat::Lit::from_var(varisat::Var::from_index(lit.vidx()), lit.is_pos())
        };
        solver.add_clause(&clause.iter().map(lit).collect::<Vec<_>>());
    }
    if solver.solve()? {
        return Err("the formula of an impossible board is satisfiable".into());
    }
    solver.close_proof()?;
    Ok(length.get())
}

/// The first impossible board, with its seed.
fn impossible(flip: &dyn DynProblem, settings: &Settings, n: u32) -> Fallible<(u64, Box<dyn DynInstance>)> {
    let engines = spec::resolve(flip.engines(), &SolverRegistry::built_in(), "search")?;
    for seed in 1.. {
        let instance = flip.generate(settings, "random", &[("n".to_owned(), n.to_string())], seed)?;
        if let Outcome::Decided(answer) = instance.solve(&engines[0], &mut Budget::unlimited())
            && answer.outcome() == "impossible"
        {
            return Ok((seed, instance));
        }
    }
    Err("every board is solvable".into())
}

fn main() -> Fallible<()> {
    let registry = counterpoint::standard();
    let flip = registry.find("flip")?;
    let settings = Settings::new(flip.rules(), &[], &|_| Err("no files".into()))?;
    println!(
        "| n (seed) | parity encoding | variables | clauses | DRAT steps | DRAT bytes |\n|---|---|---|---|---|---|"
    );
    for n in SIZES {
        let (seed, instance) = impossible(flip, &settings, n)?;
        for xor in Parity::NAMES.into_iter().filter(|xor| *xor != "native") {
            let mut cnf = Cnf::default();
            let engines = spec::resolve(
                flip.engines(),
                &SolverRegistry::built_in(),
                &format!("sat:presses/xor={xor}"),
            )?;
            instance.formula(&engines[0], &mut cnf)?;
            let Length { bytes, steps } = refute(&cnf)?;
            println!(
                "| {n} ({seed}) | {xor} | {} | {} | {steps} | {bytes} |",
                cnf.n_vars(),
                cnf.clauses().len()
            );
        }
    }
    Ok(())
}
