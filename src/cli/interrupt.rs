//! Ctrl-C: while an engine runs, the first one asks it to stop; otherwise it ends the program.

use std::sync::atomic::{AtomicU8, Ordering};

const IDLE: u8 = 0;
const RUNNING: u8 = 1;
const ASKED: u8 = 2;

static STATE: AtomicU8 = AtomicU8::new(IDLE);

/// Exit status after Ctrl-C.
pub(super) const STATUS: i32 = 130;

/// Installs the handler.
pub(super) fn install() {
    let handler = || {
        let asked = STATE.compare_exchange(RUNNING, ASKED, Ordering::SeqCst, Ordering::SeqCst);
        if asked.is_err() {
            std::process::exit(STATUS);
        }
    };
    // Without a handler Ctrl-C ends the program as usual.
    let _ = ctrlc::set_handler(handler);
}

/// Runs something that looks at [`asked`] now and then.
pub(super) fn listening<T>(run: impl FnOnce() -> T) -> T {
    let _ = STATE.compare_exchange(IDLE, RUNNING, Ordering::SeqCst, Ordering::SeqCst);
    let result = run();
    let _ = STATE.compare_exchange(RUNNING, IDLE, Ordering::SeqCst, Ordering::SeqCst);
    result
}

/// True after Ctrl-C.
pub(super) fn asked() -> bool {
    STATE.load(Ordering::Relaxed) == ASKED
}
