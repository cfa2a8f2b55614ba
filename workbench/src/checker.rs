//! External proof checkers: programs that check proofs in addition to our own checker. Only our own checker can show
//! that a claim is true.
//!
//! A program gets our checker's plain formula and a proof as files, and prints a verdict in its own format. An
//! acceptance needs both the printed verdict and exit status 0; a rejection needs only the printed verdict.
//!
//! A program that reads LRAT but not DRAT gets DRAT proofs with hints added, as LRAT proofs.
//!
//! With a pseudo-Boolean proof (`pbp`), a program gets the OPB file beside the proof. If there is none, it gets the
//! linear form of the plain formula. A proof of version 1 is rewritten as version 2, because VeriPB 3 does not read
//! version 1.
//!
//! # References
//! * drat-trim: N. Wetzler, M. Heule and W. Hunt, SAT 2014
//! * rate: J. Altmanninger and A. Rebola Pardo, CPP 2020
//! * cake_lpr: Y. K. Tan, M. Heule and M. Myreen, TACAS 2021
//! * VeriPB: S. Gocht and J. Nordström, AAAI 2021

use crate::engine::{Limit, Stop, Unfinished};
use crate::process::{self, Children, Ending, Job, Limits, Run, printable, reader};
use crate::proof::{Formula, Opb, Proof, ProofError, Refutation};
use std::ffi::OsString;
use std::io::{self, BufRead, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;

/// The placeholder for the formula's path in a command.
pub const FORMULA: &str = "{}";

/// The placeholder for the proof's path in a command.
pub const PROOF: &str = "{proof}";

/// The maximum number of bytes that a checker may write to each of its outputs.
const MAX_OUTPUT: u64 = 1 << 24;

/// Name, command and format of the checkers that need no configuration. The option of rate makes it ignore deletions of
/// unit clauses, as drat-trim and our own checker do.
const KNOWN: [(&str, &[&str], &str); 5] = [
    ("drat-trim", &["drat-trim"], "drat"),
    ("rate", &["rate", "--skip-unit-deletions"], "drat"),
    ("cake_lpr", &["cake_lpr"], "lrat"),
    ("lrat-check", &["lrat-check"], "lrat"),
    ("veripb", &["veripb"], "pbp"),
];

/// An external checker and how to call it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Its name.
    pub name: String,
    /// Program and arguments. The paths of formula and proof replace [`FORMULA`] and [`PROOF`]. If a placeholder does
    /// not occur, its path is appended; the formula's path comes first.
    pub command: Vec<String>,
    /// The formats that it reads, by the names that [`Refutation::format`] gives them.
    pub reads: Vec<String>,
    /// The limits of each run.
    pub limits: Limits,
    /// Where the command is defined, for messages.
    pub origin: String,
}

/// The formats that a checker reads if the configuration names none: those of a known checker, or else DRAT.
pub fn reads(name: &str) -> Vec<String> {
    let known = KNOWN.iter().find(|(known, ..)| *known == name);
    vec![known.map_or("drat", |(_, _, format)| format).to_owned()]
}

/// The checkers that need no configuration.
pub fn known() -> Vec<Program> {
    let program = |&(name, command, _): &(&str, &[&str], _)| Program {
        name: name.to_owned(),
        command: command.iter().map(|&part| part.to_owned()).collect(),
        reads: reads(name),
        limits: Limits::default(),
        origin: "Counterpoint itself".to_owned(),
    };
    KNOWN.iter().map(program).collect()
}

/// An external checker's verdict on a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The proof is correct.
    Verified,
    /// The proof is wrong. The text is the line in which the checker says so.
    Rejected(String),
}

impl Program {
    /// Whether it reads the format of this proof.
    pub fn reads(&self, proof: &Refutation) -> bool {
        self.reads_format(proof.format())
    }

    /// Whether it can check this proof with hints added: a DRAT proof, and it reads LRAT.
    pub fn reads_with_hints(&self, proof: &Refutation) -> bool {
        matches!(proof, Refutation::Drat(_)) && self.reads_format("lrat")
    }

    fn reads_format(&self, name: &str) -> bool {
        self.reads.iter().any(|format| format == name)
    }

    /// Runs this program on a proof that `formula` is unsatisfiable. If an OPB file lies beside a pseudo-Boolean proof,
    /// the program gets this file instead of `formula`. A program that does not read DRAT gets a DRAT proof as LRAT.
    ///
    /// # Errors
    /// The limit that was reached, or why there is no verdict.
    pub fn check(
        &self,
        formula: &Formula,
        proof: &Proof,
        children: &Children,
        stop: &Stop,
    ) -> Result<Verdict, Unfinished> {
        let file = |what: &str, bytes: &[u8]| {
            let written = children.file().and_then(|mut file| file.write_all(bytes).map(|()| file));
            written.map_err(|e| Unfinished::Failed(format!("{what} cannot be written: {e}")))
        };
        let (text, bytes, statement): (_, _, fn(&str) -> Option<Statement>) = match &proof.refutation {
            Refutation::VeriPb(refutation) => {
                let text = proof.opb.clone().unwrap_or_else(|| formula.to_opb().into_bytes());
                let inequalities = Opb::read(&text).map_or(0, |opb| opb.len());
                (text, refutation.to_version_2(inequalities), pseudo_boolean_statement)
            }
            Refutation::Drat(drat) if !self.reads_format("drat") => {
                let lrat = drat.elaborate(formula, stop).map_err(|error| match error {
                    ProofError::Stopped(limit) => Unfinished::Limit(limit),
                    error => Unfinished::Failed(format!("the proof cannot be written as LRAT: {error}")),
                })?;
                (formula.to_bare_dimacs().into_bytes(), Some(lrat.0), statement)
            }
            _ => (formula.to_bare_dimacs().into_bytes(), None, statement),
        };
        let formula = file("the formula", &text)?;
        let proof = file("the proof", bytes.as_deref().unwrap_or(proof.refutation.bytes()))?;
        self.run([formula.path(), proof.path()], statement, children, stop)
    }

    /// Runs this program on a formula and a proof. `statement` recognises a verdict in a line of its output.
    fn run(
        &self,
        files: [&Path; 2],
        statement: fn(&str) -> Option<Statement>,
        children: &Children,
        stop: &Stop,
    ) -> Result<Verdict, Unfinished> {
        let Some(program) = self.command.first() else {
            return Err(Unfinished::Failed("its command is empty".to_owned()));
        };
        let args = self.args(files);
        let job = Job {
            program: program.as_ref(),
            args: &args,
            limits: self.limits,
            max_output: MAX_OUTPUT,
            ..Job::default()
        };
        let run = children.run(job, stop);
        let run = run.map_err(|e| Unfinished::Failed(process::start_failure(program, &self.origin, &e)))?;
        verdict(run, statement).map_err(|unfinished| match unfinished {
            Unfinished::Failed(why) => {
                Unfinished::Failed(format!("{why}; its command is defined in {}", self.origin))
            }
            limit => limit,
        })
    }

    /// The arguments, with the paths inserted.
    fn args(&self, [formula, proof]: [&Path; 2]) -> Vec<OsString> {
        let given = self.command.get(1..).unwrap_or_default();
        let paths = [(FORMULA, formula), (PROOF, proof)]
            .map(|(placeholder, file)| (placeholder, file.to_string_lossy()));
        let insert = |arg: &String| {
            // Split before inserting, so that a placeholder inside a path is not replaced.
            let [(formula_placeholder, formula), (proof_placeholder, proof)] = &paths;
            let parts = arg.split(proof_placeholder).map(|part| part.replace(formula_placeholder, formula));
            parts.collect::<Vec<_>>().join(proof)
        };
        let mut args: Vec<OsString> = given.iter().map(|arg| insert(arg).into()).collect();
        let unused =
            paths.iter().filter(|(placeholder, _)| !given.iter().any(|arg| arg.contains(placeholder)));
        args.extend(unused.map(|(_, path)| OsString::from(path.as_ref())));
        args
    }
}

/// The meaning of a line that a checker printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Statement {
    Verified,
    Rejected,
    Timeout,
}

/// Recognises a verdict. cake_lpr and lrat-check report a rejection only in `c` lines.
fn statement(line: &str) -> Option<Statement> {
    match line {
        "s VERIFIED" | "s VERIFIED UNSAT" | "c VERIFIED" => Some(Statement::Verified),
        "s NOT VERIFIED" | "c NOT VERIFIED" => Some(Statement::Rejected),
        "c empty clause not derived at end of proof" => Some(Statement::Rejected),
        "s TIMEOUT" => Some(Statement::Timeout),
        _ if line.starts_with("c Checking failed at line") => Some(Statement::Rejected),
        _ => None,
    }
}

/// Recognises a verdict of VeriPB. VeriPB reports a wrong proof as an error.
fn pseudo_boolean_statement(line: &str) -> Option<Statement> {
    match line {
        "s VERIFIED UNSATISFIABLE" => Some(Statement::Verified),
        _ if line.starts_with("Error: ") => Some(Statement::Rejected),
        _ => None,
    }
}

/// Combines the exit status with the printed verdict.
fn verdict(mut run: Run, statement: fn(&str) -> Option<Statement>) -> Result<Verdict, Unfinished> {
    let failed = |why: String| Err(Unfinished::Failed(why));
    let status = match run.ending {
        Ending::Stopped(limit) => return Err(limit.into()),
        Ending::TooMuchOutput => return failed(format!("wrote more than {MAX_OUTPUT} bytes")),
        Ending::Ended(status) => status,
    };
    if let Some(signal) = status.signal() {
        return failed(format!("was killed by signal {signal} ({status}){}", run.quote_output()));
    }
    let statements = match statements(&mut run, statement) {
        Ok(statements) => statements,
        Err(error) => return failed(format!("its output cannot be read: {error}")),
    };
    let find = |wanted| statements.iter().find(|(statement, _)| *statement == wanted).map(|(_, line)| line);
    match (find(Statement::Verified), find(Statement::Rejected)) {
        (Some(yes), Some(no)) => failed(format!("printed both '{yes}' and '{no}'")),
        (Some(_), None) if status.success() => Ok(Verdict::Verified),
        (Some(yes), None) => {
            failed(format!("printed '{yes}', but ended with {status}; expected exit status 0"))
        }
        (None, Some(no)) => Ok(Verdict::Rejected(no.clone())),
        (None, None) if find(Statement::Timeout).is_some() => Err(Limit::Solver.into()),
        (None, None) => failed(format!("ended with {status} and printed no verdict{}", run.quote_output())),
    }
}

/// The lines that contain a verdict, from both outputs. drat-trim begins its lines with a carriage return.
fn statements(
    run: &mut Run,
    statement: fn(&str) -> Option<Statement>,
) -> io::Result<Vec<(Statement, String)>> {
    let mut found = Vec::new();
    for file in [&mut run.output, &mut run.errors] {
        for line in reader(file).take(MAX_OUTPUT).split(b'\n') {
            let line = line?;
            for part in line.split(|&byte| byte == b'\r') {
                let text = printable(part.trim_ascii());
                found.extend(statement(&text).map(|statement| (statement, text)));
            }
        }
    }
    Ok(found)
}
