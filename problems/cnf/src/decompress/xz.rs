//! Reads the container format xz: streams of blocks, each with an integrity check, and an index of the blocks. The
//! library decodes the LZMA2 data of a block.
//!
//! Everything that the format lets a reader verify is verified: the CRC32 of headers, indexes and footers; the check of
//! each block (CRC32, CRC64 or SHA-256); the sizes in headers and in the index; and the padding, which must be zero.
//! Filters other than LZMA2 are rejected, because they are meant for machine code and tables of numbers.
//!
//! The dictionary grows with the decoded text, so a header that declares a large one costs no memory. The index is
//! compared by its hash, so memory does not grow with the number of blocks.
//!
//! Source: The .xz File Format, version 1.2.1 (Collin 2024).

use counterpoint_core::sha256;
use flate2::Crc;
use lzma_rust2::Lzma2Reader;
use std::io::{self, ErrorKind, Read};

/// The first bytes of a stream.
pub(super) const MAGIC: &[u8; 6] = b"\xfd7zXZ\0";

/// What stands after a stream is neither padding nor another stream.
const UNEXPECTED: &str = "unexpected data after the last stream; expected a stream or padding";

/// The last bytes of a stream.
const END: &[u8; 2] = b"YZ";

/// The maximum size of a dictionary. `xz -9` uses 64 MiB.
const MAX_DICTIONARY: u32 = 1 << 28;

/// The identifier of the filter LZMA2.
const LZMA2: u64 = 0x21;

/// The generator polynomial of CRC64, with its bits reversed (ECMA-182).
const CRC64: u64 = 0xc96c_5795_d787_0f42;

/// Decodes the streams of a reader. It stops at the end of the reader.
pub(super) struct XzReader<R>(State<R>);

enum State<R> {
    /// Before the first stream.
    Start(R),
    /// Within the block of a stream.
    Block(Box<Block<R>>),
    /// All streams were read.
    End,
    /// An error was returned.
    Failed,
}

/// A stream whose header was read.
struct Stream {
    /// The two bytes that header and footer have in common.
    flags: [u8; 2],
    /// The sizes of the blocks that were read.
    blocks: Records,
}

/// A block whose header was read.
struct Block<R> {
    stream: Stream,
    data: Lzma2Reader<Counted<R>>,
    header_size: u64,
    /// The sizes that the header declares.
    declared: [Option<u64>; 2],
    text_size: u64,
    check: Check,
}

/// The sizes of blocks, as a hash.
#[derive(Default)]
struct Records {
    count: u64,
    hash: sha256::Hash,
}

/// The integrity check of a block.
enum Check {
    None,
    Crc32(Crc),
    Crc64(Box<Crc64>),
    Sha256(Box<sha256::Hash>),
}

/// A reader that counts the bytes.
struct Counted<R> {
    reader: R,
    count: u64,
}

impl<R: Read> XzReader<R> {
    pub(super) fn new(reader: R) -> Self {
        XzReader(State::Start(reader))
    }
}

impl<R: Read> Read for XzReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            // The state stays `Failed` if an error is returned below.
            self.0 = match std::mem::replace(&mut self.0, State::Failed) {
                State::Start(mut reader) => {
                    let mut magic = [0; 6];
                    reader.read_exact(&mut magic)?;
                    stream(reader, magic)?
                }
                State::Block(mut block) => {
                    let n = block.read(buffer)?;
                    if n > 0 {
                        self.0 = State::Block(block);
                        return Ok(n);
                    }
                    let (stream, reader) = block.end()?;
                    next_block(stream, reader)?
                }
                State::End => {
                    self.0 = State::End;
                    return Ok(0);
                }
                State::Failed => return Err(invalid("an earlier part is not valid")),
            };
        }
    }
}

fn invalid(message: impl Into<String>) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, message.into())
}

fn ensure(holds: bool, message: &str) -> io::Result<()> {
    if holds { Ok(()) } else { Err(invalid(message)) }
}

fn bytes<const N: usize>(reader: &mut impl Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    reader.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn crc32(bytes: &[u8]) -> [u8; 4] {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum().to_le_bytes()
}

/// Reads the rest of a stream's header and the header of its first block.
fn stream<R: Read>(mut reader: R, magic: [u8; 6]) -> io::Result<State<R>> {
    ensure(magic == *MAGIC, UNEXPECTED)?;
    let flags = bytes::<2>(&mut reader)?;
    ensure(bytes::<4>(&mut reader)? == crc32(&flags), "the header of a stream is damaged")?;
    ensure(flags[0] == 0, "the header of a stream has unknown flags")?;
    // An unknown check is an error even if there is no block.
    Check::new(flags[1])?;
    next_block(Stream { flags, blocks: Records::default() }, reader)
}

/// Reads the header of the next block or, after the last block, the end of the stream.
fn next_block<R: Read>(stream: Stream, mut reader: R) -> io::Result<State<R>> {
    let [size] = bytes(&mut reader)?;
    if size == 0 {
        return end_of_stream(&stream, reader);
    }
    let mut header = vec![size; 4 * (usize::from(size) + 1)];
    reader.read_exact(&mut header[1..])?;
    let (fields, crc) = header.split_at(header.len() - 4);
    ensure(crc == crc32(fields), "the header of a block is damaged")?;
    let flags = fields[1];
    ensure(flags & 0x3c == 0, "the header of a block has unknown flags")?;
    let mut rest = &fields[2..];
    let short = |error: io::Error| match error.kind() {
        ErrorKind::UnexpectedEof => invalid("the header of a block is too short"),
        _ => error,
    };
    let mut size = |is_declared: bool| is_declared.then(|| number(&mut rest)).transpose().map_err(short);
    let declared = [size(flags & 0x40 != 0)?, size(flags & 0x80 != 0)?];
    let filter = number(&mut rest).map_err(short)?;
    if flags & 3 != 0 || filter != LZMA2 {
        return Err(invalid("only the filter LZMA2 is supported; compress the file without other filters"));
    }
    ensure(number(&mut rest).map_err(short)? == 1, "the filter LZMA2 has one property")?;
    let dictionary = dictionary(bytes::<1>(&mut rest).map_err(short)?[0])?;
    ensure(rest.iter().all(|&byte| byte == 0), "the padding of a block's header is not zero")?;
    Ok(State::Block(Box::new(Block {
        check: Check::new(stream.flags[1])?,
        stream,
        data: Lzma2Reader::new(Counted { reader, count: 0 }, dictionary, None),
        header_size: header.len() as u64,
        declared,
        text_size: 0,
    })))
}

/// The size of the dictionary that a property of LZMA2 stands for.
fn dictionary(property: u8) -> io::Result<u32> {
    ensure(property <= 40, "the size of the dictionary is not valid")?;
    let size = (2 | u64::from(property & 1)) << (property / 2 + 11);
    u32::try_from(size).ok().filter(|&size| size <= MAX_DICTIONARY).ok_or_else(|| {
        let (found, most) = (size >> 20, MAX_DICTIONARY >> 20);
        invalid(format!("it needs a dictionary of {found} MiB; the maximum is {most} MiB"))
    })
}

impl<R: Read> Block<R> {
    /// Reads text. Returns 0 at the end of the block.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.data.read(buffer).map_err(|error| match error.kind() {
            ErrorKind::InvalidInput => invalid("the compressed data is damaged"),
            _ => error,
        })?;
        self.check.update(&buffer[..n]);
        self.text_size += n as u64;
        Ok(n)
    }

    /// Reads what follows the data of the block, and compares the block with its check and its header.
    fn end(self) -> io::Result<(Stream, R)> {
        let Block { mut stream, data, header_size, declared, text_size, check } = self;
        let Counted { mut reader, count } = data.into_inner();
        let sizes = [count, text_size];
        let is_declared = |(declared, size): (&Option<u64>, u64)| declared.is_none_or(|is| is == size);
        let agrees = declared.iter().zip(sizes).all(is_declared);
        ensure(agrees, "the size of a block differs from the size in its header")?;
        padding(&mut reader, count)?;
        let check_size = check.verify(&mut reader)?;
        stream.blocks.push([header_size + count + check_size, text_size]);
        Ok((stream, reader))
    }
}

/// Reads the zeros that follow `size` bytes, up to a multiple of four bytes.
fn padding(reader: &mut impl Read, size: u64) -> io::Result<()> {
    for _ in 0..size.wrapping_neg() % 4 {
        ensure(bytes(reader)? == [0], "padding is not zero")?;
    }
    Ok(())
}

/// Reads the index after its first byte, the footer, and the start of the next stream.
fn end_of_stream<R: Read>(stream: &Stream, reader: R) -> io::Result<State<R>> {
    let mut index = Index { reader, crc: Crc::new(), count: 0 };
    index.crc.update(&[0]);
    index.count += 1;
    let (count, mut blocks) = (number(&mut index)?, Records::default());
    while blocks.count < count {
        // An index may declare far too many records, so stop at the first one too many.
        ensure(blocks.count < stream.blocks.count, "the index differs from the blocks")?;
        blocks.push([number(&mut index)?, number(&mut index)?]);
    }
    ensure(blocks.is(&stream.blocks), "the index differs from the blocks")?;
    let size = index.count;
    padding(&mut index, size)?;
    let Index { mut reader, crc, count } = index;
    ensure(bytes::<4>(&mut reader)? == crc.sum().to_le_bytes(), "the index is damaged")?;
    let crc = bytes::<4>(&mut reader)?;
    let [a, b, c, d, flag, check] = bytes(&mut reader)?;
    ensure(crc == crc32(&[a, b, c, d, flag, check]), "the footer of a stream is damaged")?;
    let size = 4 * (u64::from(u32::from_le_bytes([a, b, c, d])) + 1);
    // The size of the index includes its CRC32.
    ensure(size == count + 4, "the footer of a stream gives a wrong size of the index")?;
    ensure([flag, check] == stream.flags, "the footer of a stream differs from its header")?;
    ensure(bytes(&mut reader)? == *END, "the footer of a stream does not end with YZ")?;
    next_stream(reader)
}

/// Skips the padding after a stream: groups of four zeros.
fn next_stream<R: Read>(mut reader: R) -> io::Result<State<R>> {
    loop {
        let mut start = Vec::with_capacity(4);
        reader.by_ref().take(4).read_to_end(&mut start)?;
        match start[..] {
            [] => return Ok(State::End),
            [0, 0, 0, 0] => {}
            [a, b, c, d] if MAGIC.starts_with(&start) => {
                let [e, f] = bytes(&mut reader)?;
                return stream(reader, [a, b, c, d, e, f]);
            }
            _ if MAGIC.starts_with(&start) => return Err(ErrorKind::UnexpectedEof.into()),
            [0] | [0, 0] | [0, 0, 0] => {
                return Err(invalid("the padding after a stream is not a multiple of four bytes"));
            }
            _ => return Err(invalid(UNEXPECTED)),
        }
    }
}

/// Reads a number of at most 63 bits, stored as seven bits per byte, the lowest bits first. Only the last byte of a
/// number is below 128.
fn number(reader: &mut impl Read) -> io::Result<u64> {
    let mut number = 0;
    for i in 0..9 {
        let [byte] = bytes(reader)?;
        number |= u64::from(byte & 0x7f) << (7 * i);
        if byte < 0x80 {
            ensure(byte != 0 || i == 0, "a number is not written in the shortest form")?;
            return Ok(number);
        }
    }
    Err(invalid("a number has more than 63 bits"))
}

impl Records {
    fn push(&mut self, sizes: [u64; 2]) {
        self.count += 1;
        sizes.iter().for_each(|size| self.hash.update(size.to_le_bytes()));
    }

    fn is(&self, other: &Self) -> bool {
        self.count == other.count && self.hash.finalize() == other.hash.finalize()
    }
}

impl Check {
    /// The check with this identifier.
    fn new(id: u8) -> io::Result<Self> {
        match id {
            0 => Ok(Check::None),
            1 => Ok(Check::Crc32(Crc::new())),
            4 => Ok(Check::Crc64(Box::new(Crc64::new()))),
            10 => Ok(Check::Sha256(Box::default())),
            _ => Err(invalid("its integrity check is neither CRC32 nor CRC64 nor SHA-256")),
        }
    }

    fn update(&mut self, text: &[u8]) {
        match self {
            Check::None => {}
            Check::Crc32(crc) => crc.update(text),
            Check::Crc64(crc) => crc.update(text),
            Check::Sha256(hash) => hash.update(text),
        }
    }

    /// Reads the expected value of the check, compares it, and returns its size.
    fn verify(self, reader: &mut impl Read) -> io::Result<u64> {
        let (size, agrees) = match self {
            Check::None => (0, true),
            Check::Crc32(crc) => (4, bytes(reader)? == crc.sum().to_le_bytes()),
            Check::Crc64(crc) => (8, bytes(reader)? == crc.value().to_le_bytes()),
            Check::Sha256(hash) => (32, bytes(reader)? == hash.finalize()),
        };
        ensure(agrees, "its integrity check fails: the text is damaged")?;
        Ok(size)
    }
}

/// The CRC64 of ECMA-182, with reflected bits.
struct Crc64 {
    table: [u64; 256],
    state: u64,
}

impl Crc64 {
    fn new() -> Self {
        let step = |crc: u64| if crc & 1 == 1 { crc >> 1 ^ CRC64 } else { crc >> 1 };
        let table = std::array::from_fn(|byte| (0..8).fold(byte as u64, |crc, _| step(crc)));
        Crc64 { table, state: !0 }
    }

    fn update(&mut self, text: &[u8]) {
        for &byte in text {
            self.state = self.table[usize::from(self.state as u8 ^ byte)] ^ self.state >> 8;
        }
    }

    fn value(&self) -> u64 {
        !self.state
    }
}

/// An index, as it is read.
struct Index<R> {
    reader: R,
    crc: Crc,
    count: u64,
}

impl<R: Read> Read for Index<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.reader.read(buffer)?;
        self.crc.update(&buffer[..n]);
        self.count += n as u64;
        Ok(n)
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.reader.read(buffer)?;
        self.count += n as u64;
        Ok(n)
    }
}

#[cfg(test)]
mod tests;
