//! External solvers: programs that read DIMACS, OPB or WCNF. Each call runs the program anew, and no model is trusted.
//!
//! The clauses are stored here, and so are the parity constraints or linear constraints if the program reads them.
//! Assumptions become unit clauses. A model is tested on every constraint. If the program answers "unsatisfiable", the
//! checker must verify that, like any other answer.

mod answer;
mod formula;
mod preset;
mod program;
mod proof;
mod question;
mod statistics;

pub use self::preset::{PRESETS, Preset, preset};
pub use self::program::{ANSWER, FORMULA, Input, ParityInput, Program, SEED};
pub use self::proof::{PROOF, ProofFormat, ProofOutput};
pub use self::statistics::{Statistics, StatisticsError, pattern};

use self::answer::{Answer, AnswerError, Format};
use self::formula::Stored;
use self::proof::is_too_long;
use self::question::{Costs, Question, Sum};
use self::statistics::Patterns;
use super::recorder::too_long;
use super::{Capabilities, Given, Profile, Recorder, Solver, SolverFactory, Stops, Verdict};
use crate::engine::{Budget, Limit, Unfinished, Work};
use crate::process::{self, Children, Ending, Job, Run, StopSignal, reader};
use counterpoint_encodings::{Linear, Lit, Parity, Sink, Var};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufRead, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::ExitStatus;
use std::sync::Arc;

/// Makes solvers that run `program` as one of `children`.
pub fn factory(program: Program, children: Arc<Children>) -> SolverFactory {
    let counts: Vec<_> = program.statistics.patterns().iter().flatten().map(|(count, _)| *count).collect();
    let format = program.proof.as_ref().map(|proof| proof.format);
    let [drat, lrat, veripb] =
        [ProofFormat::Drat, ProofFormat::Lrat, ProofFormat::VeriPb].map(|one| format == Some(one));
    let capabilities = Capabilities {
        native_parity: program.parity == ParityInput::Lines,
        needs_objective: program.input == Input::Wcnf,
        drat,
        lrat,
        veripb,
        ..Capabilities::new(Stops::Killed, &counts)
    };
    let profile = Profile::new(&program.name, "", capabilities);
    let patterns = Arc::new(Patterns::of(&program.statistics));
    let program = Arc::new(program);
    let fresh = move || External {
        program: Arc::clone(&program),
        patterns: Arc::clone(&patterns),
        children: Arc::clone(&children),
        formula: Stored::default(),
        parities: Vec::new(),
        sums: Vec::new(),
        costs: None,
        model: Vec::new(),
        recorder: None,
    };
    let (prover, recording) = (fresh.clone(), fresh.clone());
    let factory = SolverFactory::new(profile, move || Box::new(fresh()));
    let Some(format) = format else { return factory };
    let factory = factory
        .with_proofs(move |formula, max_bytes, budget| prover().prove(formula, format, max_bytes, budget));
    // A VeriPB proof refers to inequalities by their positions in the checker's file, so it cannot be recorded while
    // another file is solved.
    if format == ProofFormat::VeriPb {
        return factory;
    }
    factory.with_recording(move |recorder| {
        Box::new(External { recorder: Some((recorder.clone(), format)), ..recording() })
    })
}

struct External {
    program: Arc<Program>,
    /// How its counters are found, or why that cannot be done.
    patterns: Arc<Result<Patterns, StatisticsError>>,
    children: Arc<Children>,
    formula: Stored,
    /// Parity constraints. In each of them, an odd number of literals must be true.
    parities: Vec<Vec<Lit>>,
    /// Linear constraints; none unless the program reads OPB.
    sums: Vec<Sum>,
    /// The objective during a call of `minimise`.
    costs: Option<Costs>,
    model: Vec<bool>,
    /// Receives the proof of the first call, in this format.
    recorder: Option<(Recorder, ProofFormat)>,
}

impl Sink for External {
    fn new_var(&mut self) -> Var {
        self.formula.cnf_mut().new_var()
    }

    fn n_vars(&self) -> u32 {
        self.formula.cnf().n_vars()
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.formula.cnf_mut().clause(lits);
    }

    fn xor(&mut self, lits: &[Lit], odd: bool) {
        match (self.program.parity, lits.split_first()) {
            (ParityInput::Lines, Some((&first, rest))) => {
                let mut parity = vec![if odd { first } else { !first }];
                parity.extend(rest);
                self.parities.push(parity);
            }
            _ => Parity::DEFAULT.encode(self, lits, odd),
        }
    }

    fn linear(&mut self, constraint: &Linear<'_>) {
        match self.supports_linear() {
            true => self.sums.push(Sum::new(constraint)),
            false => constraint.encode(self),
        }
    }

    fn supports_linear(&self) -> bool {
        self.program.input == Input::Opb
    }
}

impl Solver for External {
    fn load(&mut self, given: &Given) {
        self.formula.load(given);
    }

    fn solve(mut self: Box<Self>, assumptions: &[Lit], budget: &mut Budget) -> Verdict {
        if self.program.input == Input::Wcnf {
            let why = "it reads WCNF, so it answers only questions with an objective";
            return Verdict::Failed(format!("solver {}: {why}", self.program.name));
        }
        match self.recorder.take().filter(|_| assumptions.is_empty()) {
            Some((recorder, format)) => self.solve_and_record(&recorder, format, budget),
            None => self.call(assumptions, budget),
        }
    }

    fn optimises(&self) -> bool {
        matches!(self.program.input, Input::Opb | Input::Wcnf)
    }

    fn minimise(mut self: Box<Self>, costs: &[(Lit, u64)], budget: &mut Budget) -> Verdict {
        // Without costs, every model is optimal, and the solver need not say so.
        self.costs = Some(question::merged(costs)).filter(|costs| !costs.is_empty());
        self.call(&[], budget)
    }

    fn value(&self, lit: Lit) -> bool {
        self.model[lit.vidx()] == lit.is_pos()
    }

    fn n_clauses(&self) -> u64 {
        (self.formula.cnf().clauses().len() + self.parities.len() + self.sums.len()) as u64
    }
}

/// Whether this status and this output say that the solver reached one of its own limits.
fn gave_up(preset: &Preset, code: i32, output: &mut File) -> bool {
    let Some((status, text)) = preset.gives_up else { return false };
    let is_text = |line: io::Result<Vec<u8>>| line.is_ok_and(|line| line.trim_ascii_end() == text.as_bytes());
    code == status && reader(output).split(b'\n').any(is_text)
}

/// Whether an output consists of comments, one of which says that the answer is unknown, as at a limit of the solver.
fn says_unknown(output: &mut File) -> bool {
    let mut is_said = false;
    for line in reader(output).split(b'\n') {
        let Ok(line) = line else { return false };
        let line = line.trim_ascii();
        let comment = line.strip_prefix(b"c").unwrap_or(line);
        let is_comment = comment.len() < line.len() && comment.first().is_none_or(u8::is_ascii_whitespace);
        if !is_comment && !line.is_empty() {
            return false;
        }
        is_said |= [&b"UNKNOWN"[..], b"INDETERMINATE"].contains(&comment.trim_ascii());
    }
    is_said
}

fn failed(what: &str, error: &io::Error) -> Unfinished {
    Unfinished::Failed(format!("{what}: {error}"))
}

impl From<AnswerError> for Unfinished {
    fn from(error: AnswerError) -> Self {
        Unfinished::Failed(error.into())
    }
}

impl External {
    /// Runs the program, and forgets the objective.
    fn call(mut self: Box<Self>, assumptions: &[Lit], budget: &mut Budget) -> Verdict {
        let result = self.run(assumptions, (None, None), budget);
        self.costs = None;
        match result {
            Ok(Some(model)) => {
                self.model = model;
                Verdict::Sat(self)
            }
            Ok(None) => Verdict::Unsat(self),
            Err(Unfinished::Limit(limit)) => Verdict::Stopped(limit),
            Err(Unfinished::Failed(reason)) => {
                Verdict::Failed(format!("solver {}: {reason}", self.program.name))
            }
        }
    }

    /// Runs the program. Returns a verified model; `None` if the program says that there is none, or if the formula
    /// contains the empty clause. If `proof` is given, the program writes a proof into this file, of at most this many
    /// bytes. If `written` is given, the program reads this text instead of the formula; both must mean the same.
    fn run(
        &self,
        assumptions: &[Lit],
        (written, proof): (Option<&str>, Option<(&Path, u64)>),
        budget: &mut Budget,
    ) -> Result<Option<Vec<bool>>, Unfinished> {
        if budget.bounds_work() {
            let why = "a work limit cannot stop an external solver, because such a solver reports its \
                       conflicts only at the end, if at all";
            return Err(Unfinished::Failed(format!("{why}; limit CPU time instead")));
        }
        if self.formula.cnf().clauses().any(<[Lit]>::is_empty) {
            // Many programs cannot read an empty clause.
            return Ok(None);
        }
        let mut text =
            self.children.file().map_err(|e| failed("a file for its formula cannot be created", &e))?;
        self.write(assumptions, written, text.as_file_mut())
            .map_err(|e| failed("its formula cannot be written", &e))?;
        let reopen = || text.reopen().map_err(|e| failed("its formula cannot be read", &e));
        let input = if self.program.input == Input::Stdin { Some(reopen()?) } else { None };
        let wants_out = self.program.command.iter().any(|arg| arg.contains(ANSWER));
        let out = wants_out.then(|| self.children.file()).transpose();
        let out = out.map_err(|e| failed("a file for its answer cannot be created", &e))?;
        let path = |file: &tempfile::NamedTempFile| file.path().to_string_lossy().into_owned();
        let mut args = self.args(&path(&text), out.as_ref().map(path));
        if let (Some((path, _)), Some(output)) = (proof, &self.program.proof) {
            let path = path.to_string_lossy();
            args.extend(output.arguments.iter().map(|arg| OsString::from(arg.replace(PROOF, &path))));
        }
        let Some(program) = self.program.command.first() else {
            return Err(Unfinished::Failed("its command is empty".to_owned()));
        };
        let wrong = |error: &StatisticsError| Unfinished::Failed(error.to_string());
        let patterns = self.patterns.as_ref().as_ref().map_err(wrong)?;
        let preset = self.program.statistics.preset().map_err(|error| wrong(&error))?;
        let stop_signal = preset.map_or(StopSignal::Terminate, |preset| preset.stop_signal);
        let max_output = (1 << 24) + 16 * u64::from(self.n_vars());
        let job = Job {
            program: program.as_ref(),
            args: &args,
            input,
            limits: self.program.limits,
            // Without counters, there is no reason to wait for further output.
            stop_signal: (!patterns.is_empty()).then_some(stop_signal),
            max_output,
            file: proof,
            ..Job::default()
        };
        let mut run = self
            .children
            .run(job, &budget.stop())
            .map_err(|e| Unfinished::Failed(process::start_failure(program, &self.program.origin, &e)))?;
        self.count(patterns, &mut run, &mut budget.work);
        let status = match run.ending {
            Ending::Stopped(limit) => return Err(limit.into()),
            Ending::TooMuchOutput if proof.is_some_and(is_too_long) => {
                return Err(Unfinished::Failed(too_long(proof.map_or(0, |(_, max)| max))));
            }
            Ending::TooMuchOutput => {
                return Err(Unfinished::Failed(format!("wrote more than {max_output} bytes")));
            }
            Ending::Ended(status) => status,
        };
        self.interpret(status, run, (out, preset), assumptions).map_err(|unfinished| match unfinished {
            Unfinished::Failed(reason) => {
                Unfinished::Failed(format!("{reason}; its command is defined in {}", self.program.origin))
            }
            limit => limit,
        })
    }

    /// Writes what the program reads: the question, or `written` instead.
    fn write(&self, assumptions: &[Lit], written: Option<&str>, file: &mut File) -> io::Result<()> {
        let is_dimacs = matches!(self.program.input, Input::File | Input::Stdin);
        let is_plain = is_dimacs && assumptions.is_empty() && self.parities.is_empty();
        match written {
            Some(written) => file.write_all(written.as_bytes()),
            None if is_plain && self.formula.copy_text(file)? => Ok(()),
            None => self.question(assumptions).write(self.program.input, file),
        }
    }

    /// Adds the counters that the program printed. A program that was killed may have had no time to print them.
    fn count(&self, patterns: &Patterns, run: &mut Run, work: &mut Work) {
        let is_complete = matches!(run.ending, Ending::Ended(status) if status.code().is_some());
        let about = (self.program.name.as_str(), is_complete, &*self.children);
        patterns.count([&mut run.output, &mut run.errors], work, about);
    }

    /// Requires that the exit status and the printed answer agree. Returns a verified model, or `None` for
    /// "unsatisfiable".
    fn interpret(
        &self,
        status: ExitStatus,
        mut run: Run,
        (out, preset): (Option<tempfile::NamedTempFile>, Option<&Preset>),
        assumptions: &[Lit],
    ) -> Result<Option<Vec<bool>>, Unfinished> {
        let over_memory = self.program.limits.memory.is_some_and(|max| run.usage.peak_bytes > max);
        let over_memory = over_memory || !status.success() && run.was_refused_memory(&self.program.limits);
        if let Some(signal) = status.signal() {
            if over_memory {
                return Err(Limit::Memory.into());
            }
            let quote = run.quote_output();
            return Err(Unfinished::Failed(format!("was killed by signal {signal} ({status}){quote}")));
        }
        let (n_vars, mentioned) = (self.n_vars(), || self.question(assumptions).mentioned());
        let answer = match out {
            Some(mut file) => answer::read(reader(file.as_file_mut()), Format::MiniSat, n_vars, mentioned),
            None => answer::read(reader(&mut run.output), self.program.input.answer(), n_vars, mentioned),
        };
        // Pseudo-Boolean and MaxSAT solvers also end with 30 for an optimum, or with 0.
        let may_be_optimal = self.program.input.answer() != Format::Competition;
        match (status.code(), answer) {
            // The program has found a model, but it may not be optimal.
            (Some(0 | 10), Ok(Answer::Sat(_))) if self.costs.is_some() => Err(Limit::Solver.into()),
            (Some(code @ (0 | 10)), Ok(Answer::Sat(model))) if code == 10 || may_be_optimal => {
                Ok(Some(self.question(assumptions).verify(model, None)?))
            }
            (Some(0 | 10 | 30), Ok(Answer::Optimum(model, cost))) => {
                let cost = cost.map(|cost| (cost, self.program.input));
                Ok(Some(self.question(assumptions).verify(model, cost)?))
            }
            (Some(code @ (0 | 20)), Ok(Answer::Unsat)) if code == 20 || may_be_optimal => Ok(None),
            (code, Ok(Answer::Unknown)) if code != Some(10) && code != Some(20) => Err(Limit::Solver.into()),
            // The program may have noticed that an allocation failed, and then have ended with its own exit status.
            (code, _) if over_memory && code != Some(10) && code != Some(20) => Err(Limit::Memory.into()),
            // Not every solver prints a verdict when it reaches one of its own limits.
            (Some(code), Err(_)) if preset.is_some_and(|preset| gave_up(preset, code, &mut run.output)) => {
                Err(Limit::Solver.into())
            }
            (Some(0), Err(_)) if preset.is_none() && says_unknown(&mut run.output) => {
                Err(Limit::Solver.into())
            }
            (_, Ok(answer)) => Err(Unfinished::Failed(format!(
                "answered {answer}, but ended with {status}; expected 10 for satisfiable, 20 for unsatisfiable"
            ))),
            (Some(code), Err(why))
                if [10, 20].contains(&code) || may_be_optimal && [0, 30].contains(&code) =>
            {
                Err(Unfinished::Failed(format!("{why}{}", run.quote_output())))
            }
            (_, Err(_)) => Err(Unfinished::Failed(format!("ended with {status}{}", run.quote_output()))),
        }
    }

    /// The arguments, with the paths inserted.
    fn args(&self, formula: &str, out: Option<String>) -> Vec<OsString> {
        let given = self.program.command.iter().skip(1);
        let mut args: Vec<OsString> = given
            .map(|arg| arg.replace(FORMULA, formula).replace(ANSWER, out.as_deref().unwrap_or(ANSWER)).into())
            .collect();
        let has_placeholder = self.program.command.iter().skip(1).any(|arg| arg.contains(FORMULA));
        if self.program.input != Input::Stdin && !has_placeholder {
            args.push(formula.into());
        }
        args
    }

    /// The formula with these assumptions and the objective.
    fn question<'a>(&'a self, assumptions: &'a [Lit]) -> Question<'a> {
        let External { formula, parities, sums, costs, .. } = self;
        Question { clauses: formula.cnf(), parities, sums, assumptions, costs: costs.as_deref() }
    }
}
