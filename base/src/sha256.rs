//! SHA-256 (FIPS 180-4) as hexadecimal text.

pub use hmac_sha256::Hash;
use std::io::{self, Read};

/// The SHA-256 hash of some bytes: 64 lower-case hexadecimal digits.
pub fn of(bytes: impl AsRef<[u8]>) -> String {
    hex(&Hash::hash(bytes.as_ref()))
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
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
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
}
