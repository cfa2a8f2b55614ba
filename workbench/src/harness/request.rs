//! Messages between the runner and a worker. The worker reads a request on standard input. On standard output, it
//! reports its findings and announces each phase in advance. So if a worker is killed, its record says in which phase
//! that happened.

use super::cubes::CubeRequest;
use crate::declared::Declaration;
use crate::process::{Children, Counter};
use crate::record::{Findings, Run};
use crate::solver::external::Program;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;

/// Everything that a worker needs to carry out a run.
#[derive(Debug, Serialize, Deserialize)]
pub struct Request {
    /// The run.
    pub run: Run,
    /// The definition of the engine's solver, if the solver is an external one.
    pub programs: Vec<Program>,
    /// The declaration of the engine, if it is a declared one.
    #[serde(default)]
    pub declared: Option<Declaration>,
    /// The folder of the plan. Paths of files that are instances are relative to it.
    pub folder: PathBuf,
    /// The id of the runner's process. If that process ends, the worker ends too.
    pub parent: u32,
    /// The cubes, if the run is a part of a cut run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cubes: Option<CubeRequest>,
    /// The processor that the worker is pinned to; `None` if it is not pinned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub core: Option<u32>,
}

/// A line that a worker writes: a phase that is about to begin and, in some lines, the findings so far.
#[derive(Debug, Serialize, Deserialize)]
struct Line {
    phase: Phase,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    findings: Option<Findings>,
    /// The counters that were looked for in the output of external solvers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    counters: Vec<Counter>,
}

/// What a worker is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Phase {
    /// The process starts. This phase is not announced.
    Starting,
    /// The worker reads its request and makes the instance.
    Reading,
    /// The engine builds a formula. Searches skip this phase.
    Building,
    /// The engine solves the instance.
    Solving,
    /// The obligations are proved. This phase is skipped unless the plan asks for proofs.
    Certifying,
    /// The checker verifies every claim of the answer.
    Checking,
    /// The answer and the findings are written.
    Writing,
    /// Everything is written; the process exits.
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

/// The longest answer, in bytes of JSON, that a record keeps. A longer one is not even reported.
const MAX_ANSWER: usize = 1 << 16;

/// Whether the answer is short enough for a record. This test takes no longer than writing [`MAX_ANSWER`] bytes.
pub(super) fn is_short(answer: &serde_json::Value) -> bool {
    struct Space(usize);
    impl Write for Space {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::WriteZero)?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    serde_json::to_writer(Space(MAX_ANSWER), answer).is_ok()
}

/// Announces a phase, in a line of a few bytes.
///
/// # Errors
/// Returns an error if the line cannot be written.
pub(super) fn announce(phase: Phase) -> io::Result<()> {
    write(&Line { phase, findings: None, counters: Vec::new() })
}

/// Announces a phase and reports the findings so far, with the counters that `children` noted.
///
/// # Errors
/// Returns an error if the line cannot be written.
pub(super) fn report(phase: Phase, findings: Findings, children: &Children) -> io::Result<()> {
    write(&Line { phase, findings: Some(findings), counters: children.take_counters() })
}

fn write(line: &Line) -> io::Result<()> {
    let mut line = serde_json::to_vec(line)?;
    line.push(b'\n');
    let mut out = io::stdout().lock();
    out.write_all(&line)?;
    out.flush()
}

/// Announces the phase `reading` and reads the request from standard input.
///
/// # Errors
/// Returns an error if standard output cannot be written, or the input is not a request.
pub fn receive() -> io::Result<Request> {
    announce(Phase::Reading)?;
    let mut text = Vec::new();
    io::stdin().lock().read_to_end(&mut text)?;
    Ok(serde_json::from_slice(&text)?)
}

/// The last phase that these lines of a worker announce, if any. Skips the findings, which may be long.
pub(super) fn latest_phase(lines: &[u8]) -> Option<Phase> {
    #[derive(Deserialize)]
    struct Announcement {
        phase: Phase,
    }
    let mut latest = None;
    for line in lines.split(|&byte| byte == b'\n') {
        if let Ok(Announcement { phase }) = serde_json::from_slice(line) {
            latest = Some(phase);
            if phase == Phase::Ending {
                break;
            }
        }
    }
    latest
}

/// The last phase that a worker announced, and the last findings that it reported, if any. If it announced no phase,
/// the phase is [`Phase::Starting`]. Lines after the one that announces [`Phase::Ending`] are ignored, because the
/// watchdog may announce that phase while another thread is still writing. `note` gets the counters that were looked
/// for.
///
/// # Errors
/// Returns an error if the output cannot be read.
pub(super) fn parse_output(
    output: impl Read,
    mut note: impl FnMut(Counter),
) -> io::Result<(Phase, Option<Findings>)> {
    let (mut phase, mut findings, mut text) = (Phase::Starting, None, Vec::new());
    let mut lines = BufReader::new(output);
    while phase != Phase::Ending && lines.read_until(b'\n', &mut text)? > 0 {
        if let Ok(line) = serde_json::from_slice::<Line>(&text) {
            phase = line.phase;
            findings = line.findings.or(findings);
            line.counters.into_iter().for_each(&mut note);
        }
        text.clear();
    }
    Ok((phase, findings))
}
