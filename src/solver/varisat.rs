//! varisat: the default solver, and the one that writes proofs.
//!
//! varisat offers neither limits nor statistics, but it writes its native proof into any
//! `io::Write`. An owned sink reads that stream: each conflict is an asymmetric-tautology step with
//! other than one antecedent, or of the empty clause (shortenings by a unit have one), and an error from
//! the sink stops the solver. The stream comes in blocks of 8 KiB, so a limit acts when a block is full.

use super::{Capabilities, Count, Profile, Solver, SolverFactory, Stops, Verdict};
use crate::engine::{Budget, Limit, Stop};
use crate::proof::{Drat, Formula};
use counterpoint_encodings::{Lit, Sink, Var};
use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;
use varisat::{ExtendFormula, ProofFormat};
use varisat_internal_proof::{ProofStep, binary_format::Parser};

/// varisat by name.
pub(super) fn factory() -> SolverFactory {
    let capabilities = Capabilities {
        incremental: true,
        assumptions: true,
        drat: true,
        lrat: false,
        native_parity: false,
        stops: Stops::WhenLearning,
        counts: &[Count::Conflicts],
    };
    SolverFactory::new(Profile::new("varisat", "0.2.2", capabilities), || Box::new(Varisat::new()))
}

struct Varisat {
    solver: varisat::Solver<'static>,
    stream: Rc<RefCell<Stream>>,
    n_vars: u32,
    n_clauses: u64,
    clause: Vec<varisat::Lit>,
    model: Vec<bool>,
}

/// What the proof stream has told so far, and what bounds it.
struct Stream {
    parser: Parser,
    /// The beginning of a step whose end has not come yet.
    torn: Vec<u8>,
    conflicts: u64,
    most: u64,
    stop: Stop,
    stopped: Option<Limit>,
}

impl Stream {
    fn take(&mut self, block: &[u8]) {
        self.torn.extend_from_slice(block);
        let mut rest = &self.torn[..];
        loop {
            let mut ahead = rest;
            let Ok(step) = self.parser.parse_step(&mut ahead) else { break };
            if let ProofStep::AtClause { clause, propagation_hashes, .. } = step {
                self.conflicts += u64::from(clause.is_empty() || propagation_hashes.len() != 1);
            }
            rest = ahead;
        }
        let done = self.torn.len() - rest.len();
        self.torn.drain(..done);
    }
}

struct CountingSink(Rc<RefCell<Stream>>);

impl Write for CountingSink {
    fn write(&mut self, block: &[u8]) -> io::Result<usize> {
        let mut stream = self.0.borrow_mut();
        if stream.stopped.is_none() {
            stream.take(block);
            stream.stopped = (stream.stop)().or((stream.conflicts > stream.most).then_some(Limit::Work));
        }
        // A refused block is offered again when the writer is dropped; to read it twice would tear
        // the stream, on which the parser panics.
        match stream.stopped {
            Some(_) => Err(io::Error::other("stopped")),
            None => Ok(block.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn lit(lit: Lit) -> varisat::Lit {
    varisat::Lit::from_index(lit.vidx(), lit.is_pos())
}

impl Varisat {
    fn new() -> Self {
        let stream = Rc::new(RefCell::new(Stream {
            parser: Parser::default(),
            torn: Vec::new(),
            conflicts: 0,
            most: u64::MAX,
            stop: Budget::unlimited().stop(),
            stopped: None,
        }));
        let mut solver = varisat::Solver::new();
        // Before the first variable: varisat panics otherwise.
        solver.write_proof(CountingSink(Rc::clone(&stream)), ProofFormat::Varisat);
        Varisat { solver, stream, n_vars: 0, n_clauses: 0, clause: Vec::new(), model: Vec::new() }
    }
}

impl Sink for Varisat {
    fn new_var(&mut self) -> Var {
        self.solver.new_var();
        self.n_vars += 1;
        Var::new(self.n_vars - 1)
    }

    fn n_vars(&self) -> u32 {
        self.n_vars
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.n_clauses += 1;
        self.clause.clear();
        self.clause.extend(lits.iter().map(|&l| lit(l)));
        self.solver.add_clause(&self.clause);
    }
}

impl Solver for Varisat {
    fn solve(mut self: Box<Self>, assumptions: &[Lit], budget: &mut Budget) -> Verdict {
        let before = {
            let mut stream = self.stream.borrow_mut();
            stream.most = stream.conflicts.saturating_add(budget.left());
            stream.stop = budget.stop();
            stream.conflicts
        };
        let assumed: Vec<_> = assumptions.iter().map(|&l| lit(l)).collect();
        self.solver.assume(&assumed);
        let result = self.solver.solve();
        budget.work.conflicts += self.stream.borrow().conflicts - before;
        match result {
            Ok(true) => {
                self.model.clear();
                self.model.resize(self.n_vars as usize, false);
                for lit in self.solver.model().unwrap_or_default() {
                    self.model[lit.index()] = lit.is_positive();
                }
                Verdict::Sat(self)
            }
            Ok(false) => Verdict::Unsat(self),
            // The only error that can arise is the sink's own.
            Err(_) => Verdict::Stopped(self.stream.borrow().stopped.unwrap_or(Limit::Cancelled)),
        }
    }

    fn value(&self, lit: Lit) -> bool {
        self.model[lit.vidx()] == lit.is_pos()
    }

    fn n_clauses(&self) -> u64 {
        self.n_clauses
    }
}

/// Keeps a proof; an error from `write` stops the solver.
struct Keep(Rc<RefCell<Kept>>);

struct Kept {
    text: Vec<u8>,
    most_bytes: u64,
    /// Clauses added: those learnt, and units that were propagated.
    added: u64,
    most: u64,
    stop: Stop,
    stopped: Option<Limit>,
}

impl Write for Keep {
    fn write(&mut self, block: &[u8]) -> io::Result<usize> {
        let mut kept = self.0.borrow_mut();
        if kept.stopped.is_none() {
            let mut before = kept.text.last().copied().unwrap_or(b'\n');
            for &byte in block {
                kept.added += u64::from(before == b'\n' && byte != b'd');
                before = byte;
            }
            kept.text.extend_from_slice(block);
            let too_long = (kept.text.len() as u64 > kept.most_bytes).then_some(Limit::Memory);
            let spent = (kept.added > kept.most).then_some(Limit::Work);
            kept.stopped = (kept.stop)().or(too_long).or(spent);
        }
        if kept.stopped.is_some() { Err(io::Error::other("stopped")) } else { Ok(block.len()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A DRAT proof that `formula` is unsatisfiable, from a fresh solver and one call without
/// assumptions; `None` if it is satisfiable. Each clause that the proof adds counts as a conflict.
///
/// # Errors
/// The limit that was met: [`Limit::Memory`] if the proof is longer than `most_bytes`.
pub fn prove(formula: &Formula, most_bytes: u64, budget: &mut Budget) -> Result<Option<Drat>, Limit> {
    let kept = Rc::new(RefCell::new(Kept {
        text: Vec::new(),
        most_bytes,
        added: 0,
        most: budget.left(),
        stop: budget.stop(),
        stopped: None,
    }));
    let mut solver = varisat::Solver::new();
    solver.write_proof(Keep(Rc::clone(&kept)), ProofFormat::Drat);
    for _ in 0..formula.n_vars() {
        solver.new_var();
    }
    let mut clause = Vec::new();
    for lits in formula.clauses() {
        clause.clear();
        clause.extend(lits.iter().map(|&l| varisat::Lit::from_dimacs(l as isize)));
        solver.add_clause(&clause);
    }
    let result = solver.solve();
    drop(solver);
    let mut kept = kept.borrow_mut();
    budget.work.conflicts += kept.added;
    match result {
        Ok(true) => Ok(None),
        Ok(false) => Ok(Some(Drat(std::mem::take(&mut kept.text)))),
        Err(_) => Err(kept.stopped.unwrap_or(Limit::Cancelled)),
    }
}
