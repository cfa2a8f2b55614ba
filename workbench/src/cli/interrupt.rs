//! Handles Ctrl-C. While an engine runs, the first Ctrl-C asks it to stop. At any other time, Ctrl-C writes the
//! buffered output and ends the program.

use super::output::Output;
use crate::erased::Phase;
use crate::process::Children;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};

const IDLE: u8 = 0;
const RUNNING: u8 = 1;
const REQUESTED: u8 = 2;

static STATE: AtomicU8 = AtomicU8::new(IDLE);

/// The exit status after Ctrl-C.
pub(super) const STATUS: i32 = 130;

/// Installs the handler. When Ctrl-C ends the program, the handler first ends the child processes.
pub(super) fn install(children: Arc<Children>) {
    let handler = move || {
        let requested = STATE.compare_exchange(RUNNING, REQUESTED, Ordering::SeqCst, Ordering::SeqCst);
        if requested.is_err() {
            // If standard output is a full pipe, the handler waits only for a short time.
            let flushed = std::thread::spawn(|| drop(Output.flush()));
            let patience = Instant::now() + Duration::from_millis(500);
            while !flushed.is_finished() && Instant::now() < patience {
                std::thread::sleep(Duration::from_millis(5));
            }
            children.abandon();
            std::process::exit(STATUS);
        }
    };
    // Without a handler, Ctrl-C ends the program by the default action.
    let _ = ctrlc::set_handler(handler);
}

/// Runs a closure that polls [`is_requested`]. While it runs, the first Ctrl-C does not end the program.
pub(super) fn interruptible<T>(run: impl FnOnce() -> T) -> T {
    set_phase(Phase::Engine);
    let result = run();
    set_phase(Phase::Between);
    result
}

/// Sets whether an engine runs. While an engine runs, Ctrl-C asks the engine to stop; otherwise, Ctrl-C ends the
/// program.
pub(super) fn set_phase(phase: Phase) {
    let (from, to) = match phase {
        Phase::Engine => (IDLE, RUNNING),
        Phase::Between => (RUNNING, IDLE),
    };
    // After Ctrl-C, the state no longer changes.
    let _ = STATE.compare_exchange(from, to, Ordering::SeqCst, Ordering::SeqCst);
}

/// Whether Ctrl-C asked the engine to stop.
pub(super) fn is_requested() -> bool {
    STATE.load(Ordering::Relaxed) == REQUESTED
}
