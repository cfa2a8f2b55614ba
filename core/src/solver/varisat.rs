//! varisat: the default solver, which also writes proofs.
//!
//! varisat has neither limits nor statistics, but it writes its native proof to any `io::Write`. We read that stream,
//! and count its steps of the kind AT (asymmetric tautology) as conflicts. A step with a single antecedent is counted
//! only if it derives the empty clause; any other such step just shortens a clause by a unit. An error from our writer
//! stops the solver. The stream comes in blocks of 8 KiB, so a limit takes effect when a block is full.
//!
//! The same stream is the proof of a single call without assumptions: its steps, without their hints, are a DRAT proof.

use super::recorder::too_long;
use super::{Capabilities, Count, Profile, Recorded, Recorder, Solver, SolverFactory, Stops, Verdict};
use crate::engine::{Budget, Limit, Stop};
use crate::proof::{Drat, Formula};
use counterpoint_encodings::{Lit, Sink, Var};
use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;
use varisat::{ExtendFormula, ProofFormat};
use varisat_internal_proof::{ProofStep, binary_format::Parser};

/// The factory of varisat solvers.
pub(super) fn factory() -> SolverFactory {
    let basic = Capabilities::new(Stops::WhenLearning, &[Count::Conflicts]);
    let capabilities = Capabilities { incremental: true, assumptions: true, drat: true, ..basic };
    SolverFactory::new(Profile::new("varisat", "0.2.2", capabilities), || Box::new(Varisat::new(None)))
        .with_recording(|recorder| Box::new(Varisat::new(Some(recorder.clone()))))
}

struct Varisat {
    solver: varisat::Solver<'static>,
    stream: Rc<RefCell<Stream>>,
    n_vars: u32,
    n_clauses: u64,
    clause: Vec<varisat::Lit>,
    model: Vec<bool>,
    /// Receives the proof; `None` after the first call.
    recorder: Option<Recorder>,
}

/// The state of the proof stream: the conflicts counted so far, and the limits.
struct Stream {
    parser: Parser,
    /// The first bytes of a step that is not complete yet.
    partial: Vec<u8>,
    conflicts: u64,
    max_conflicts: u64,
    stop: Stop,
    stopped: Option<Limit>,
    /// The proof as DRAT, if it is recorded.
    proof: Option<DratText>,
}

/// A DRAT proof as text, with its maximum length. Once the text is longer than that, no further step is
/// added.
struct DratText {
    text: Vec<u8>,
    max_bytes: u64,
}

impl DratText {
    fn add(&mut self, step: &ProofStep<'_>) {
        if self.text.len() as u64 > self.max_bytes {
            return;
        }
        match step {
            ProofStep::AtClause { clause, .. } => self.line("", clause),
            ProofStep::UnitClauses { units } => units.iter().for_each(|(unit, _)| self.line("", &[*unit])),
            ProofStep::DeleteClause { clause, .. } => self.line("d ", clause),
            _ => {}
        }
    }

    fn line(&mut self, start: &str, clause: &[varisat::Lit]) {
        self.text.extend_from_slice(start.as_bytes());
        for lit in clause {
            // Writing to memory cannot fail.
            let _ = write!(self.text, "{} ", lit.to_dimacs());
        }
        self.text.extend_from_slice(b"0\n");
    }
}

impl Stream {
    /// Counts the conflicts of a block.
    fn count(&mut self, block: &[u8]) {
        self.partial.extend_from_slice(block);
        let mut rest = &self.partial[..];
        // Parsing an empty rest would fail, too, but creating varisat's error is slow.
        while !rest.is_empty() {
            let mut ahead = rest;
            let Ok(step) = self.parser.parse_step(&mut ahead) else { break };
            if let Some(proof) = &mut self.proof {
                proof.add(&step);
            }
            if let ProofStep::AtClause { clause, propagation_hashes, .. } = step {
                self.conflicts += u64::from(clause.is_empty() || propagation_hashes.len() != 1);
            }
            rest = ahead;
        }
        let done = self.partial.len() - rest.len();
        self.partial.drain(..done);
    }
}

struct CountingWriter(Rc<RefCell<Stream>>);

impl Write for CountingWriter {
    fn write(&mut self, block: &[u8]) -> io::Result<usize> {
        let mut stream = self.0.borrow_mut();
        if stream.stopped.is_none() {
            stream.count(block);
            let over = (stream.conflicts > stream.max_conflicts).then_some(Limit::Work);
            stream.stopped = (stream.stop)().or(over);
        }
        // varisat writes a rejected block again when it drops the writer. Parsing the block twice would corrupt the
        // stream and make the parser panic, so nothing is parsed after a stop.
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
    fn new(recorder: Option<Recorder>) -> Self {
        let proof = recorder.as_ref();
        let proof = proof.map(|recorder| DratText { text: Vec::new(), max_bytes: recorder.max_bytes() });
        let stream = Rc::new(RefCell::new(Stream {
            parser: Parser::default(),
            partial: Vec::new(),
            conflicts: 0,
            max_conflicts: u64::MAX,
            stop: Budget::unlimited().stop(),
            stopped: None,
            proof,
        }));
        let mut solver = varisat::Solver::new();
        // This must precede the first variable, or varisat panics.
        solver.write_proof(CountingWriter(Rc::clone(&stream)), ProofFormat::Varisat);
        Varisat { solver, stream, n_vars: 0, n_clauses: 0, clause: Vec::new(), model: Vec::new(), recorder }
    }

    /// Hands over the proof of the first call, and ends the recording.
    fn record(&mut self, is_proof: bool) {
        let proof = self.stream.borrow_mut().proof.take();
        let (Some(recorder), Some(DratText { text, max_bytes })) = (self.recorder.take(), proof) else {
            return;
        };
        recorder.note(is_proof.then(|| match text.len() as u64 > max_bytes {
            true => Recorded::Missing(too_long(max_bytes)),
            false => Recorded::Proof(Drat(text).into()),
        }));
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
            stream.max_conflicts = stream.conflicts.saturating_add(budget.left());
            stream.stop = budget.stop();
            stream.conflicts
        };
        let assumed: Vec<_> = assumptions.iter().map(|&l| lit(l)).collect();
        self.solver.assume(&assumed);
        let result = self.solver.solve();
        budget.work.conflicts += self.stream.borrow().conflicts - before;
        self.record(matches!(result, Ok(false)) && assumptions.is_empty());
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
            // The only possible error comes from our writer.
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

/// Stores a DRAT proof as text. An error from `write` stops the solver.
struct ProofWriter(Rc<RefCell<ProofText>>);

struct ProofText {
    text: Vec<u8>,
    max_bytes: u64,
    /// Number of clauses added so far: learnt clauses and propagated units.
    added: u64,
    max_added: u64,
    stop: Stop,
    stopped: Option<Limit>,
}

impl Write for ProofWriter {
    fn write(&mut self, block: &[u8]) -> io::Result<usize> {
        let mut proof = self.0.borrow_mut();
        if proof.stopped.is_none() {
            let mut previous = proof.text.last().copied().unwrap_or(b'\n');
            for &byte in block {
                proof.added += u64::from(previous == b'\n' && byte != b'd');
                previous = byte;
            }
            proof.text.extend_from_slice(block);
            let too_long = (proof.text.len() as u64 > proof.max_bytes).then_some(Limit::Memory);
            let over = (proof.added > proof.max_added).then_some(Limit::Work);
            proof.stopped = (proof.stop)().or(too_long).or(over);
        }
        if proof.stopped.is_some() { Err(io::Error::other("stopped")) } else { Ok(block.len()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Finds a DRAT proof that `formula` is unsatisfiable, with a fresh solver and one call without assumptions. Returns
/// `None` if the formula is satisfiable. Each clause that the proof adds counts as a conflict.
///
/// # Errors
/// Returns the limit that was reached. This is [`Limit::Memory`] if the proof is longer than `max_bytes`, and
/// [`Limit::Solver`] if the solver's model does not satisfy the formula.
pub fn prove(formula: &Formula, max_bytes: u64, budget: &mut Budget) -> Result<Option<Drat>, Limit> {
    let proof = Rc::new(RefCell::new(ProofText {
        text: Vec::new(),
        max_bytes,
        added: 0,
        max_added: budget.left(),
        stop: budget.stop(),
        stopped: None,
    }));
    let mut solver = varisat::Solver::new();
    solver.write_proof(ProofWriter(Rc::clone(&proof)), ProofFormat::Drat);
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
    // A claim fails if its plain formula has a model, so the solver's model is tested.
    let is_model = |model: Vec<varisat::Lit>| {
        let model: rustc_hash::FxHashSet<isize> = model.iter().map(|lit| lit.to_dimacs()).collect();
        let holds = |lit: &i32| model.contains(&(*lit as isize));
        formula.clauses().all(|clause| clause.iter().any(holds))
    };
    let is_model = solver.model().is_some_and(is_model);
    drop(solver);
    let mut proof = proof.borrow_mut();
    budget.work.conflicts += proof.added;
    match result {
        Ok(true) if is_model => Ok(None),
        Ok(true) => Err(Limit::Solver),
        Ok(false) => Ok(Some(Drat(std::mem::take(&mut proof.text)))),
        Err(_) => Err(proof.stopped.unwrap_or(Limit::Cancelled)),
    }
}
