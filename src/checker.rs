//! Outside programs that check proofs: further voices beside our own checker, which alone closes claims.
//!
//! A program gets the checker's plain formula and a proof as files and says in its own way what it thinks
//! of them. "Verified" needs the words and exit status 0; "not verified" needs only the words.
//! drat-trim: N. Wetzler, M. Heule and W. Hunt, SAT 2014; rate: J. Altmanninger and A. Rebola Pardo, CPP 2020;
//! cake_lpr: Y. K. Tan, M. Heule and M. Myreen, TACAS 2021.

use crate::engine::{Limit, Stop, Unfinished};
use crate::process::{self, Children, Ending, Job, Limits, Run, reader, shown};
use crate::proof::{Formula, Refutation};
use std::ffi::OsString;
use std::io::{self, BufRead, Read, Write};
use std::os::unix::process::ExitStatusExt;
use tempfile::NamedTempFile;

/// Stands for the formula's path in a command.
pub const FORMULA: &str = "{}";

/// Stands for the proof's path in a command.
pub const PROOF: &str = "{proof}";

/// The most bytes that a checker may write.
const MAX_OUTPUT: u64 = 1 << 24;

/// Name, command and format of the checkers that need no configuration. rate is told to ignore that the reason
/// of a literal was deleted, as drat-trim and our own checker do.
const KNOWN: [(&str, &[&str], &str); 4] = [
    ("drat-trim", &["drat-trim"], "drat"),
    ("rate", &["rate", "--skip-unit-deletions"], "drat"),
    ("cake_lpr", &["cake_lpr"], "lrat"),
    ("lrat-check", &["lrat-check"], "lrat"),
];

/// A program as it is to be called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Its name.
    pub name: String,
    /// Program and arguments. The paths of formula and proof stand where [`FORMULA`] and [`PROOF`] do, or come
    /// last in this order.
    pub command: Vec<String>,
    /// The formats that it reads, as [`Refutation::format`] has them.
    pub reads: Vec<String>,
    /// Bounds on each run.
    pub limits: Limits,
    /// Where the command stands, for messages.
    pub origin: String,
}

/// The formats that a known checker reads; of any other, DRAT.
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

/// What a program says about a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opinion {
    /// It holds.
    Verified,
    /// It does not, in the program's words.
    Refused(String),
}

impl Program {
    /// Whether it reads proofs of this format.
    pub fn reads(&self, proof: &Refutation) -> bool {
        self.reads.iter().any(|format| format == proof.format())
    }

    /// What this program says of a proof that `formula` has no model; its run is among `children`.
    ///
    /// # Errors
    /// A limit, or how the program failed to say anything.
    pub fn ask(
        &self,
        formula: &Formula,
        proof: &Refutation,
        children: &Children,
        stop: &Stop,
    ) -> Result<Opinion, Unfinished> {
        let file = |what: &str, bytes: &[u8]| {
            let written = children.file().and_then(|mut file| file.write_all(bytes).map(|()| file));
            written.map_err(|e| Unfinished::Failed(format!("{what} cannot be written: {e}")))
        };
        let formula = file("the formula", formula.to_bare_dimacs().as_bytes())?;
        let proof = file("the proof", proof.bytes())?;
        let Some(program) = self.command.first() else {
            return Err(Unfinished::Failed("its command is empty".to_owned()));
        };
        let args = self.args(&formula, &proof);
        let (limits, most_output) = (self.limits, MAX_OUTPUT);
        let job = Job {
            program: program.as_ref(),
            args: &args,
            input: None,
            output: None,
            limits,
            most_output,
            is_worker: false,
            cgroups: None,
            folder: None,
        };
        let run = children.run(job, stop);
        let run = run.map_err(|e| Unfinished::Failed(process::not_run(program, &self.origin, &e)))?;
        opinion(run).map_err(|unfinished| match unfinished {
            Unfinished::Failed(why) => {
                Unfinished::Failed(format!("{why}; its command stands in {}", self.origin))
            }
            limit => limit,
        })
    }

    /// The arguments with the paths put in.
    fn args(&self, formula: &NamedTempFile, proof: &NamedTempFile) -> Vec<OsString> {
        let given = self.command.get(1..).unwrap_or_default();
        let paths =
            [(FORMULA, formula), (PROOF, proof)].map(|(is, file)| (is, file.path().to_string_lossy()));
        let put_in = |arg: &String| {
            // The formula's path is put in last, so that nothing is put into a path.
            let [(is_formula, formula), (is_proof, proof)] = &paths;
            arg.split(is_proof).map(|part| part.replace(is_formula, formula)).collect::<Vec<_>>().join(proof)
        };
        let mut args: Vec<OsString> = given.iter().map(|arg| put_in(arg).into()).collect();
        let unnamed = paths.iter().filter(|(is, _)| !given.iter().any(|arg| arg.contains(is)));
        args.extend(unnamed.map(|(_, path)| OsString::from(path.as_ref())));
        args
    }
}

/// What a line says of the proof, if anything. cake_lpr has only remarks for a proof that it refuses; those of
/// lrat-check are `c` lines as well.
fn said(line: &str) -> Option<Said> {
    match line {
        "s VERIFIED" | "s VERIFIED UNSAT" | "c VERIFIED" => Some(Said::Verified),
        "s NOT VERIFIED" | "c NOT VERIFIED" => Some(Said::Refused),
        "c empty clause not derived at end of proof" => Some(Said::Refused),
        "s TIMEOUT" => Some(Said::Limit),
        _ if line.starts_with("c Checking failed at line") => Some(Said::Refused),
        _ => None,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    Verified,
    Refused,
    Limit,
}

/// What exit status and words come to.
fn opinion(mut run: Run) -> Result<Opinion, Unfinished> {
    let failed = |why: String| Err(Unfinished::Failed(why));
    let status = match run.ending {
        Ending::Stopped(limit) => return Err(limit.into()),
        Ending::TooMuchOutput => return failed(format!("wrote more than {MAX_OUTPUT} bytes")),
        Ending::Ended(status) => status,
    };
    if let Some(signal) = status.signal() {
        return failed(format!("was ended by signal {signal} ({status}){}", run.first_words()));
    }
    let lines = match words(&mut run) {
        Ok(lines) => lines,
        Err(error) => return failed(format!("what it wrote cannot be read: {error}")),
    };
    let says = |what| lines.iter().find(|(said, _)| *said == what);
    match (says(Said::Verified), says(Said::Refused)) {
        (Some((_, yes)), Some((_, no))) => failed(format!("says both '{yes}' and '{no}'")),
        (Some(_), None) if status.success() => Ok(Opinion::Verified),
        (Some((_, yes)), None) => {
            failed(format!("ended with {status}, but says '{yes}'; 0 goes with verified"))
        }
        (None, Some((_, no))) => Ok(Opinion::Refused(no.clone())),
        (None, None) if says(Said::Limit).is_some() => Err(Limit::Solver.into()),
        (None, None) => failed(format!("ended with {status} and gave no verdict{}", run.first_words())),
    }
}

/// The lines that say something of the proof. drat-trim opens its lines with a carriage return.
fn words(run: &mut Run) -> io::Result<Vec<(Said, String)>> {
    let mut found = Vec::new();
    for file in [&mut run.output, &mut run.errors] {
        for line in reader(file).take(MAX_OUTPUT).split(b'\n') {
            let line = line?;
            for part in line.split(|&byte| byte == b'\r') {
                let text = shown(part.trim_ascii());
                found.extend(said(&text).map(|said| (said, text)));
            }
        }
    }
    Ok(found)
}
