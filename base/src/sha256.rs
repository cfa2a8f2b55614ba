//! SHA-256 (FIPS 180-4) as hexadecimal text.

use rscrypto::Sha256;
use std::io::{self, Read};

/// A hash that is being computed. It uses the processor's instructions for SHA-256 if there are any.
#[derive(Clone, Default)]
pub struct Hash(Sha256);

impl Hash {
    /// A hash to which no bytes have been added yet.
    pub fn new() -> Self {
        Hash(Sha256::new())
    }

    /// Adds bytes.
    pub fn update(&mut self, bytes: impl AsRef<[u8]>) {
        self.0.update(bytes.as_ref());
    }

    /// The hash of all bytes that were added.
    pub fn finalize(&self) -> [u8; 32] {
        self.0.finalize()
    }

    /// The hash of some bytes.
    pub fn hash(bytes: impl AsRef<[u8]>) -> [u8; 32] {
        let mut hash = Hash::new();
        hash.update(bytes);
        hash.finalize()
    }
}

/// The SHA-256 hash of some bytes: 64 lower-case hexadecimal digits.
pub fn of(bytes: impl AsRef<[u8]>) -> String {
    hex(&Hash::hash(bytes))
}

/// The SHA-256 hash of everything that a reader returns.
///
/// # Errors
/// Those of the reader.
pub fn of_reader(mut reader: impl Read) -> io::Result<String> {
    let (mut hash, mut buffer) = (Hash::new(), vec![0; 1 << 16]);
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => return Ok(hex(&hash.finalize())),
            Ok(n) => hash.update(&buffer[..n]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// A finished hash as lower-case hexadecimal digits.
pub fn hex(hash: &[u8; 32]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = hash.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.map(|digit| char::from(DIGITS[usize::from(digit)])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples `""` and `"abc"` of FIPS 180-4. The second is also hashed in two pieces.
    #[test]
    fn known_hashes() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(of("abc"), abc);
        assert_eq!(of_reader(&b"abc"[..]).ok().as_deref(), Some(abc));
        let mut hash = Hash::new();
        hash.update("a");
        hash.update("bc");
        assert_eq!(hex(&hash.finalize()), abc);
    }

    /// A million times `a`, from the examples of FIPS 180. The pieces end at every position in a block.
    #[cfg_attr(miri, ignore = "takes an hour")]
    #[test]
    fn a_long_text_in_pieces() {
        let text = vec![b'a'; 1_000_000];
        let known = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";
        assert_eq!(of(&text), known);
        for length in [1, 63, 64, 65, 1_000, 65_537] {
            let mut hash = Hash::new();
            text.chunks(length).for_each(|piece| hash.update(piece));
            assert_eq!(hex(&hash.finalize()), known, "{length}");
        }
    }

    /// The hash of the hashes of all lengths up to three blocks, as `sha256sum` computes it.
    #[test]
    fn every_length_of_the_last_block() {
        let all: String = (0..=192).map(|length| of(vec![length as u8; length])).collect();
        assert_eq!(of(all), "e8a8fd7dcb8cd7e583af14ad58e7facf63091a2542013c2ce1ced38678a46ac4");
    }
}
