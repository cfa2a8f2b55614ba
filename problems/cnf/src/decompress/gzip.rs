//! Reads gzip: one member after another, and then zeros. The library decodes a member.
//!
//! The library's own reader of several members takes zeros for the beginning of one more member, which ends early.
//!
//! Source: RFC 1952; for the zeros, the manual of GNU gzip.

use flate2::bufread::GzDecoder;
use std::io::{self, BufRead, ErrorKind, Read};

/// The first byte of a member.
const FIRST: u8 = 0x1f;

/// Decodes the members of a reader. It stops at the end of the reader.
pub(super) struct GzipReader<R> {
    /// The current member; `None` after the last one, and after an error.
    member: Option<GzDecoder<R>>,
}

impl<R: BufRead> GzipReader<R> {
    pub(super) fn new(reader: R) -> Self {
        GzipReader { member: Some(GzDecoder::new(reader)) }
    }
}

impl<R: BufRead> Read for GzipReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        while let Some(mut member) = self.member.take() {
            let n = member.read(buffer)?;
            if n > 0 {
                self.member = Some(member);
                return Ok(n);
            }
            let mut reader = member.into_inner();
            match first(&mut reader)? {
                None => {}
                Some(FIRST) => self.member = Some(GzDecoder::new(reader)),
                Some(0) => only_zeros(reader)?,
                Some(byte) => {
                    return Err(unexpected("another member, zeros or the end after a member", byte));
                }
            }
        }
        Ok(0)
    }
}

/// The next byte, which stays in the reader; `None` at the end.
fn first(reader: &mut impl BufRead) -> io::Result<Option<u8>> {
    loop {
        match reader.fill_buf() {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            found => return Ok(found?.first().copied()),
        }
    }
}

/// Reads to the end, where only zeros may stand.
fn only_zeros(mut reader: impl BufRead) -> io::Result<()> {
    while let Some(byte) = first(&mut reader)? {
        if byte != 0 {
            return Err(unexpected("only zeros after the first zero behind a member", byte));
        }
        let buffer = reader.fill_buf()?;
        let zeros = buffer.iter().position(|byte| *byte != 0).unwrap_or(buffer.len());
        reader.consume(zeros);
    }
    Ok(())
}

fn unexpected(expected: &str, byte: u8) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, format!("expected {expected}, found the byte 0x{byte:02x}"))
}
