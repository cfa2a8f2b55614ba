//! What passes between the two processes of a run: a request in; out, a line for each phase before it begins, so that
//! whoever finds the worker dead knows what it was doing, and lines with what it found.

use crate::record::{Findings, Run};
use crate::solver::external::Program;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};

/// All that a worker needs to carry out a run.
#[derive(Debug, Serialize, Deserialize)]
pub struct Request {
    /// The run.
    pub run: Run,
    /// Outside solvers that its engine may name.
    pub programs: Vec<Program>,
    /// The process that asks; with it the worker ends.
    pub parent: u32,
}

/// What a worker writes: a phase before it begins, with what is known by then where the phase before found something.
#[derive(Debug, Serialize, Deserialize)]
struct Line {
    phase: Phase,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    findings: Option<Findings>,
}

/// What a worker is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Phase {
    /// The process starts; nobody announces that.
    Starting,
    /// It reads its request and makes the instance.
    Reading,
    /// The engine builds a formula. Searches skip this phase.
    Building,
    /// The engine solves.
    Solving,
    /// What the answer claims to be impossible is proved. Skipped unless the plan asks for proofs.
    Certifying,
    /// The checker decides every claim of the answer.
    Checking,
    /// The answer and all that is known of the run are written.
    Writing,
    /// All is written; what is left is to end.
    Ending,
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Phase::Starting => "starting",
            Phase::Reading => "reading",
            Phase::Building => "building",
            Phase::Solving => "solving",
            Phase::Certifying => "certifying",
            Phase::Checking => "checking",
            Phase::Writing => "writing",
            Phase::Ending => "ending",
        })
    }
}

/// Says that a phase begins, in a line of a few bytes.
///
/// # Errors
/// If the line cannot be written.
pub(super) fn announce(phase: Phase) -> io::Result<()> {
    write(&Line { phase, findings: None })
}

/// The same with what is known by now.
///
/// # Errors
/// If the line cannot be written.
pub(super) fn tell(phase: Phase, findings: Findings) -> io::Result<()> {
    write(&Line { phase, findings: Some(findings) })
}

fn write(line: &Line) -> io::Result<()> {
    let mut line = serde_json::to_vec(line)?;
    line.push(b'\n');
    let mut out = io::stdout().lock();
    out.write_all(&line)?;
    out.flush()
}

/// The request on standard input.
///
/// # Errors
/// If nobody hears that it is read, or it is not a request.
pub fn receive() -> io::Result<Request> {
    announce(Phase::Reading)?;
    Ok(serde_json::from_reader(BufReader::new(io::stdin().lock()))?)
}

/// The last phase that a worker announced, and the last findings that it told. Nothing counts after the end, since the
/// thread that ends a worker at a limit may come between two lines of another.
///
/// # Errors
/// If the output cannot be read.
pub(super) fn heard(output: impl Read) -> io::Result<(Phase, Option<Findings>)> {
    let (mut phase, mut known, mut text) = (Phase::Starting, None, Vec::new());
    let mut lines = BufReader::new(output);
    while phase != Phase::Ending && lines.read_until(b'\n', &mut text)? > 0 {
        if let Ok(line) = serde_json::from_slice::<Line>(&text) {
            phase = line.phase;
            known = line.findings.or(known);
        }
        text.clear();
    }
    Ok((phase, known))
}
