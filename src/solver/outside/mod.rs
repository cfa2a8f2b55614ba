//! Outside programs that read DIMACS: a fresh run a call, and nothing they say is taken on trust.
//!
//! Clauses and, for programs that read them, parities are kept here; assumptions become unit clauses. A model is held against every clause. That
//! there is none is believed as any engine is: the checker decides.

mod answer;

use self::answer::{Said, Style};
use super::{Capabilities, Profile, Solver, SolverFactory, Stops, Verdict};
use crate::engine::{Budget, Limit, Unfinished};
use crate::process::{self, Children, Ending, Job, Limits, Run, reader};
use counterpoint_encodings::{Cnf, Lit, Parity, Sink, Var};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::sync::Arc;

/// Stands for the formula's path in a command.
pub const FORMULA: &str = "{}";

/// Stands for the path of the answer in a command, for programs that write it into a file (MiniSat's way).
pub const ANSWER: &str = "{out}";

/// A program as it is to be called.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct Program {
    /// Its name in engine ids.
    pub name: String,
    /// Program and arguments. The formula's path stands where `{}` does, or comes last.
    pub command: Vec<String>,
    /// How it gets the formula.
    pub input: Input,
    /// How it gets parities.
    #[serde(default)]
    pub parity: ParityInput,
    /// Bounds on each run.
    pub limits: Limits,
    /// Where the command stands, for messages.
    pub origin: String,
}

/// How a program gets the formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Input {
    /// By the path of a file.
    File,
    /// By standard input.
    Stdin,
}

/// How a program gets parities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum ParityInput {
    /// As clauses, cut at four literals.
    #[default]
    Clauses,
    /// As lines of their own, `x1 -2 3 0`: of an odd number of the literals is true (CryptoMiniSat).
    Lines,
}

/// What an outside program can do, but for parities.
const CAPABILITIES: Capabilities = Capabilities {
    incremental: false,
    assumptions: false,
    drat: false,
    lrat: false,
    native_parity: false,
    stops: Stops::Killed,
    counts: &[],
};

/// The program as a solver; its runs are among `children`.
pub fn factory(program: Program, children: Arc<Children>) -> SolverFactory {
    let native_parity = program.parity == ParityInput::Lines;
    let profile = Profile::new(&program.name, "", Capabilities { native_parity, ..CAPABILITIES });
    let program = Arc::new(program);
    SolverFactory::new(profile, move || {
        let (program, children) = (Arc::clone(&program), Arc::clone(&children));
        Box::new(Outside {
            program,
            children,
            formula: Cnf::default(),
            parities: Vec::new(),
            model: Vec::new(),
        })
    })
}

struct Outside {
    program: Arc<Program>,
    children: Arc<Children>,
    formula: Cnf,
    /// Of an odd number of each's literals is true.
    parities: Vec<Vec<Lit>>,
    model: Vec<bool>,
}

impl Sink for Outside {
    fn new_var(&mut self) -> Var {
        self.formula.new_var()
    }

    fn n_vars(&self) -> u32 {
        self.formula.n_vars()
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.formula.clause(lits);
    }

    fn xor(&mut self, lits: &[Lit], odd: bool) {
        match (self.program.parity, lits.split_first()) {
            (ParityInput::Lines, Some((&first, rest))) => {
                let mut parity = vec![if odd { first } else { !first }];
                parity.extend(rest);
                self.parities.push(parity);
            }
            _ => Parity::Cut(4).encode(self, lits, odd),
        }
    }
}

impl Solver for Outside {
    fn solve(mut self: Box<Self>, assumptions: &[Lit], budget: &mut Budget) -> Verdict {
        match self.run(assumptions, budget) {
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

    fn value(&self, lit: Lit) -> bool {
        self.model[lit.vidx()] == lit.is_pos()
    }

    fn n_clauses(&self) -> u64 {
        (self.formula.clauses().len() + self.parities.len()) as u64
    }
}

fn failed(what: &str, error: &io::Error) -> Unfinished {
    Unfinished::Failed(format!("{what}: {error}"))
}

impl Outside {
    /// A verified model, or `None` if the program says that there is none.
    fn run(&self, assumptions: &[Lit], budget: &mut Budget) -> Result<Option<Vec<bool>>, Unfinished> {
        if budget.bounds_work() {
            let why = "an outside program counts no conflicts, so a limit on work cannot bound it";
            return Err(Unfinished::Failed(format!("{why}; use one on CPU time")));
        }
        if self.formula.clauses().any(<[Lit]>::is_empty) {
            // Many programs do not read an empty clause.
            return Ok(None);
        }
        let mut text = self.children.file().map_err(|e| failed("no file for its formula", &e))?;
        self.write(assumptions, text.as_file_mut())
            .map_err(|e| failed("its formula cannot be written", &e))?;
        let reopen = || text.reopen().map_err(|e| failed("its formula cannot be read", &e));
        let input = if self.program.input == Input::Stdin { Some(reopen()?) } else { None };
        let wants_out = self.program.command.iter().any(|arg| arg.contains(ANSWER));
        let out = wants_out.then(|| self.children.file()).transpose();
        let out = out.map_err(|e| failed("no file for its answer", &e))?;
        let path = |file: &tempfile::NamedTempFile| file.path().to_string_lossy().into_owned();
        let args = self.args(&path(&text), out.as_ref().map(path));
        let Some(program) = self.program.command.first() else {
            return Err(Unfinished::Failed("its command is empty".to_owned()));
        };
        let most_output = (1 << 24) + 16 * u64::from(self.n_vars());
        let limits = self.program.limits;
        let job = Job {
            program: program.as_ref(),
            args: &args,
            input,
            output: None,
            limits,
            most_output,
            is_worker: false,
            cgroups: None,
            folder: None,
        };
        let run = self
            .children
            .run(job, &budget.stop())
            .map_err(|e| Unfinished::Failed(process::not_run(program, &self.program.origin, &e)))?;
        let status = match run.ending {
            Ending::Stopped(limit) => return Err(limit.into()),
            Ending::TooMuchOutput => {
                return Err(Unfinished::Failed(format!("wrote more than {most_output} bytes")));
            }
            Ending::Ended(status) => status,
        };
        self.judge(status, run, out, assumptions).map_err(|unfinished| {
            let first = format!("; its command stands in {}", self.program.origin);
            match unfinished {
                Unfinished::Failed(reason) => Unfinished::Failed(reason + &first),
                limit => limit,
            }
        })
    }

    /// What the program's exit status and its words come to.
    fn judge(
        &self,
        status: ExitStatus,
        mut run: Run,
        out: Option<tempfile::NamedTempFile>,
        assumptions: &[Lit],
    ) -> Result<Option<Vec<bool>>, Unfinished> {
        if let Some(signal) = status.signal() {
            let words = run.first_words();
            return Err(Unfinished::Failed(format!("was ended by signal {signal} ({status}){words}")));
        }
        let said = match out {
            Some(mut file) => answer::read(reader(file.as_file_mut()), Style::MiniSat, self.n_vars()),
            None => answer::read(reader(&mut run.output), Style::Competition, self.n_vars()),
        };
        let over = self.program.limits.memory.is_some_and(|most| run.usage.peak_bytes > most);
        match (status.code(), said) {
            (Some(10), Ok(Said::Sat(model))) => {
                self.verify(&model, assumptions).map_err(Unfinished::Failed)?;
                Ok(Some(model))
            }
            (Some(20), Ok(Said::Unsat)) => Ok(None),
            (code, Ok(Said::Unknown)) if code != Some(10) && code != Some(20) => Err(Limit::Solver.into()),
            // It may have noticed that no memory was left, and said so in its own way.
            (code, _) if over && code != Some(10) && code != Some(20) => Err(Limit::Memory.into()),
            (_, Ok(said)) => Err(Unfinished::Failed(format!(
                "ended with {status}, but says {said}; 10 goes with satisfiable, 20 with unsatisfiable"
            ))),
            (Some(10 | 20), Err(why)) => Err(Unfinished::Failed(format!("{why}{}", run.first_words()))),
            (_, Err(_)) => Err(Unfinished::Failed(format!("ended with {status}{}", run.first_words()))),
        }
    }

    /// The arguments with the paths put in.
    fn args(&self, formula: &str, out: Option<String>) -> Vec<OsString> {
        let given = self.program.command.iter().skip(1);
        let mut args: Vec<OsString> = given
            .map(|arg| arg.replace(FORMULA, formula).replace(ANSWER, out.as_deref().unwrap_or(ANSWER)).into())
            .collect();
        let named = self.program.command.iter().skip(1).any(|arg| arg.contains(FORMULA));
        if self.program.input == Input::File && !named {
            args.push(formula.into());
        }
        args
    }

    /// The formula with the assumptions as units, in DIMACS.
    fn write(&self, assumptions: &[Lit], file: &mut File) -> io::Result<()> {
        let mut out = io::BufWriter::with_capacity(1 << 16, file);
        let clauses = self.formula.clauses();
        let lines = clauses.len() + assumptions.len() + self.parities.len();
        writeln!(out, "p cnf {} {lines}", self.n_vars())?;
        let clauses = clauses.chain(assumptions.iter().map(std::slice::from_ref)).map(|clause| ("", clause));
        for (sign, line) in clauses.chain(self.parities.iter().map(|parity| ("x", &parity[..]))) {
            out.write_all(sign.as_bytes())?;
            for lit in line {
                write!(out, "{} ", lit.to_ipasir())?;
            }
            out.write_all(b"0\n")?;
        }
        out.flush()
    }

    /// Whether a model satisfies every clause, parity and assumption.
    fn verify(&self, model: &[bool], assumptions: &[Lit]) -> Result<(), String> {
        let holds = |lit: &Lit| model.get(lit.vidx()) == Some(&lit.is_pos());
        let text = |lits: &[Lit]| lits.iter().map(|lit| format!("{} ", lit.to_ipasir())).collect::<String>();
        if let Some((i, clause)) = self.formula.clauses().enumerate().find(|(_, c)| !c.iter().any(holds)) {
            return Err(format!("its model does not satisfy clause {}: {}0", i + 1, text(clause)));
        }
        let odd = |parity: &&Vec<Lit>| parity.iter().filter(|lit| holds(lit)).count() % 2 == 1;
        if let Some(parity) = self.parities.iter().find(|parity| !odd(parity)) {
            return Err(format!("its model does not satisfy the parity x{}0", text(parity)));
        }
        match assumptions.iter().find(|lit| !holds(lit)) {
            Some(lit) => Err(format!("its model does not satisfy the assumption {}", lit.to_ipasir())),
            None => Ok(()),
        }
    }
}
