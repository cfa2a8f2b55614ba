//! Standard output, buffered where the Ctrl-C handler can reach it: what is answered is never lost.

use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

const FULL: usize = 1 << 16;

static BUFFER: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Writes into the buffer and on to standard output when that is full.
pub(super) struct Output;

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut buffer = BUFFER.lock().unwrap_or_else(PoisonError::into_inner);
        buffer.extend_from_slice(bytes);
        if buffer.len() >= FULL { drain(&mut buffer).map(|()| bytes.len()) } else { Ok(bytes.len()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        drain(&mut BUFFER.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn drain(buffer: &mut Vec<u8>) -> io::Result<()> {
    let bytes = std::mem::take(buffer);
    let mut out = anstream::stdout();
    out.write_all(&bytes)?;
    out.flush()
}
