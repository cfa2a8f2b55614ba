//! Standard output, with a buffer that the Ctrl-C handler can flush, so that no answer is lost.

use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The buffer is flushed at this size, in bytes.
const FLUSH_AT: usize = 1 << 16;

/// The first byte of a colour code.
const ESCAPE: u8 = 0x1b;

static BUFFER: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Writes into the buffer, and to standard output when the buffer is full.
pub(super) struct Output;

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let full = {
            let mut buffer = buffer();
            buffer.extend_from_slice(bytes);
            buffer.len() >= FLUSH_AT
        };
        if full { self.flush().map(|()| bytes.len()) } else { Ok(bytes.len()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        // The lock is released before anything is written, so a full pipe does not block other threads.
        let bytes = std::mem::take(&mut *buffer());
        // Removing colour codes takes longer than solving small boards, so it is skipped if there are none.
        if memchr::memchr(ESCAPE, &bytes).is_none() {
            return write_all(&mut io::stdout(), &bytes);
        }
        write_all(&mut anstream::stdout(), &bytes)
    }
}

fn write_all(out: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    out.write_all(bytes)?;
    out.flush()
}

fn buffer() -> MutexGuard<'static, Vec<u8>> {
    BUFFER.lock().unwrap_or_else(PoisonError::into_inner)
}
