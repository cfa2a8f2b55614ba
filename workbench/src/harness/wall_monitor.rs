//! Enforces a run's limit on wall time from the runner. The worker enforces the same limit more exactly, but a solver
//! can suspend the worker that started it.
//!
//! The limit applies to building and solving. The worker announces its phases, so the runner does not count the time
//! before building, nor the time of proving and checking.

use super::request::{self, Phase};
use crate::engine::{Limit, Stop};
use crate::record::Limits;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How far the worker may exceed the limit before the runner kills it. By then, the worker should have written its
/// findings.
const GRACE: Duration = Duration::from_secs(2);

/// Watches one worker.
pub(super) struct WallMonitor {
    output: File,
    wall: Option<Duration>,
    progress: Mutex<Progress>,
}

#[derive(Default)]
struct Progress {
    /// The number of bytes that were read, always up to the end of a line.
    read: u64,
    /// When the engine began; `None` before that and after it has ended.
    engine: Option<Instant>,
}

impl WallMonitor {
    /// Watches a worker, which writes its lines to this file.
    pub(super) fn new(output: File, limits: &Limits) -> Arc<Self> {
        let wall = limits.wall_s.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        Arc::new(WallMonitor { output, wall, progress: Mutex::new(Progress::default()) })
    }

    /// A function that asks to stop if `stop` does, or if the engine takes too long.
    pub(super) fn or(self: &Arc<Self>, stop: &Stop) -> Stop {
        let (monitor, stop) = (Arc::clone(self), Arc::clone(stop));
        match self.wall {
            None => stop,
            Some(wall) => Arc::new(move || {
                let is_over = || monitor.engine_time().is_some_and(|time| time > wall + GRACE);
                stop().or_else(|| is_over().then_some(Limit::Wall))
            }),
        }
    }

    /// How long the engine has been running; `None` if it is not running.
    pub(super) fn engine_time(&self) -> Option<Duration> {
        let mut progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        // If the output cannot be read now, the next call reads it.
        if let Ok(Some(phase)) = self.latest_phase(&mut progress.read) {
            progress.engine = match phase {
                Phase::Building | Phase::Solving => progress.engine.or_else(|| Some(Instant::now())),
                _ => None,
            };
        }
        progress.engine.map(|start| start.elapsed())
    }

    /// The latest phase that was announced since the previous call; `None` if there was none.
    fn latest_phase(&self, read: &mut u64) -> io::Result<Option<Phase>> {
        let written = self.output.metadata()?.len();
        if written <= *read {
            return Ok(None);
        }
        let mut text = vec![0; (written - *read) as usize];
        // The worker's output shares its position with this descriptor, so reading must not move it.
        self.output.read_exact_at(&mut text, *read)?;
        let Some(end) = text.iter().rposition(|&byte| byte == b'\n') else { return Ok(None) };
        *read += end as u64 + 1;
        Ok(request::latest_phase(&text[..=end]))
    }
}

#[cfg(test)]
mod tests {
    use super::{GRACE, WallMonitor};
    use crate::engine::{Limit, Stop};
    use crate::record::Limits;
    use std::io::Write;
    use std::sync::Arc;
    use std::time::Duration;

    #[test]
    fn only_the_engine_is_timed() {
        let output = tempfile::tempfile().unwrap();
        let mut worker = output.try_clone().unwrap();
        let limits = Limits { wall_s: Some(0.0), ..Limits::default() };
        let monitor = WallMonitor::new(output, &limits);
        let never: Stop = Arc::new(|| None);
        let stop = monitor.or(&never);
        let mut write = |text: &str| worker.write_all(text.as_bytes()).unwrap();
        assert_eq!(monitor.engine_time(), None, "the engine has not begun");
        write("{\"phase\":\"building\"}");
        assert_eq!(monitor.engine_time(), None, "an incomplete line");
        write("\n");
        assert!(monitor.engine_time().is_some());
        std::thread::sleep(Duration::from_millis(1));
        write("{\"phase\":\"solving\"}\n");
        assert!(monitor.engine_time().is_some_and(|time| time >= Duration::from_millis(1)));
        assert!(stop().is_none() || monitor.engine_time() > Some(GRACE));
        monitor.progress.lock().unwrap().engine = std::time::Instant::now().checked_sub(2 * GRACE);
        assert_eq!(stop(), Some(Limit::Wall));
        write("{\"phase\":\"checking\",\"findings\":{}}\n");
        assert_eq!((stop(), monitor.engine_time()), (None, None), "checking is not timed");
    }
}
