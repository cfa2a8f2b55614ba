//! Decompresses a formula while it is read: gzip, xz and bzip2, which are recognised by their first bytes.
//!
//! Memory is bounded, however long the decompressed text is: buffers have fixed sizes, and the dictionary of
//! xz grows with the text only until it has 256 MiB. A stream that ends early is an error. Concatenated
//! streams are decompressed to one text, as by `zcat`, `xzcat` and `bzcat`. Zeros after the last stream are ignored in
//! gzip and xz, because tapes and some programs fill blocks with them; anything else is an error.

mod gzip;
mod xz;

use bzip2::bufread::MultiBzDecoder;
use gzip::GzipReader;
use std::io::{self, BufRead, BufReader, Read};
use xz::XzReader;

/// The size of the buffer for the decompressed text.
const BUFFER: usize = 1 << 16;

const GZIP: &[u8] = b"\x1f\x8b";
const XZ: &[u8] = xz::MAGIC;
const BZIP2: &[u8] = b"BZh";

/// The decompressed text of `input`, or `input` itself if it is not compressed.
///
/// # Errors
/// Returns an error if the first bytes cannot be read.
pub fn decompressed<'a>(input: &'a mut dyn BufRead) -> io::Result<Box<dyn BufRead + 'a>> {
    let starts_plainly = |start: &[u8]| {
        start.len() >= XZ.len() && ![GZIP, XZ, BZIP2].iter().any(|magic| start.starts_with(magic))
    };
    if starts_plainly(input.fill_buf()?) {
        return Ok(Box::new(input));
    }
    let mut start = Vec::new();
    // A pipe may deliver the first bytes one by one.
    input.take(XZ.len() as u64).read_to_end(&mut start)?;
    let named = |format| {
        move |error: io::Error| match error.kind() {
            io::ErrorKind::UnexpectedEof => io::Error::new(error.kind(), format!("{format}: it ends early")),
            kind => io::Error::new(kind, format!("{format}: {error}")),
        }
    };
    let (is_gzip, is_xz, is_bzip2) =
        (start.starts_with(GZIP), start.starts_with(XZ), start.starts_with(BZIP2));
    let whole = io::Cursor::new(start).chain(input);
    let decoder: Box<dyn Read> = match () {
        () if is_gzip => Box::new(Named(GzipReader::new(whole), named("gzip stream"))),
        () if is_xz => Box::new(Named(XzReader::new(whole), named("xz stream"))),
        () if is_bzip2 => Box::new(Named(MultiBzDecoder::new(whole), named("bzip2 stream"))),
        () => return Ok(Box::new(whole)),
    };
    Ok(Box::new(BufReader::with_capacity(BUFFER, decoder)))
}

/// A reader whose errors name the compression.
struct Named<R, F>(R, F);

impl<R: Read, F: Fn(io::Error) -> io::Error> Read for Named<R, F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).map_err(&self.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    const TEXT: &[u8] = b"p cnf 2 2\n1 2 0\n-1 0\n";
    /// `TEXT`, compressed by `xz` and by `bzip2`.
    const BY_XZ: &[u8] = include_bytes!("decompress/tests/text.xz");
    const BY_BZIP2: &[u8] = include_bytes!("decompress/tests/text.bz2");

    fn by_gzip() -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(TEXT).unwrap();
        encoder.finish().unwrap()
    }

    fn read(bytes: &[u8]) -> io::Result<Vec<u8>> {
        let (mut input, mut text) = (BufReader::with_capacity(3, bytes), Vec::new());
        decompressed(&mut input)?.read_to_end(&mut text)?;
        Ok(text)
    }

    #[test]
    fn every_format_is_recognised_and_truncated_streams_are_errors() {
        for bytes in [&by_gzip()[..], BY_XZ, BY_BZIP2] {
            assert_eq!(read(bytes).unwrap(), TEXT);
            assert_eq!(read(&[bytes, bytes].concat()).unwrap(), [TEXT, TEXT].concat());
            for end in XZ.len()..bytes.len() {
                let error = read(&bytes[..end]).map(|text| text.len()).unwrap_err().to_string();
                assert!(error.contains(" stream: "), "{end}: {error}");
            }
            for at in 0..bytes.len() {
                let mut altered = bytes.to_vec();
                altered[at] ^= 0x41;
                // Some bytes, such as a time stamp, do not matter. But no change may cause a panic.
                drop(read(&altered));
            }
        }
        for bytes in [&b""[..], b"\x1f", b"p", TEXT] {
            assert_eq!(read(bytes).unwrap(), bytes);
        }
    }

    #[test]
    fn zeros_may_follow_and_nothing_else() {
        let gzip = by_gzip();
        for count in [1, 3, 4, 1000] {
            assert_eq!(read(&[&gzip[..], &vec![0; count]].concat()).unwrap(), TEXT, "{count}");
        }
        assert_eq!(read(&[BY_XZ, &[0; 8]].concat()).unwrap(), TEXT);
        let after = "gzip stream: expected another member, zeros or the end after a member, found the byte";
        let beyond = "gzip stream: expected only zeros after the first zero behind a member, found the byte";
        let beyond_xz = "xz stream: unexpected data after the last stream; expected a stream or padding";
        for (bytes, more, expected) in [
            (&gzip[..], &b"g"[..], format!("{after} 0x67")),
            (&gzip, b"\n", format!("{after} 0x0a")),
            (&gzip, b"\0\0g", format!("{beyond} 0x67")),
            // `gzip` ignores such a member.
            (&gzip, &[b"\0", &gzip[..]].concat(), format!("{beyond} 0x1f")),
            (&gzip, b"\x1f", "gzip stream: it ends early".to_owned()),
            (&gzip, &gzip[..gzip.len() - 1], "gzip stream: it ends early".to_owned()),
            (BY_XZ, b"g", beyond_xz.to_owned()),
            (BY_XZ, b"garbage", beyond_xz.to_owned()),
            (BY_XZ, b"\0\0\0\0ga", beyond_xz.to_owned()),
            (
                BY_XZ,
                b"\0\0",
                "xz stream: the padding after a stream is not a multiple of four bytes".to_owned(),
            ),
            (BY_XZ, b"\xfd7", "xz stream: it ends early".to_owned()),
        ] {
            assert_eq!(read(&[bytes, more].concat()).unwrap_err().to_string(), expected, "{more:?}");
        }
        for more in [&b"g"[..], b"\0"] {
            let error = read(&[BY_BZIP2, more].concat()).unwrap_err().to_string();
            assert!(error.starts_with("bzip2 stream: ") && !error.contains("ends early"), "{error}");
        }
    }
}
