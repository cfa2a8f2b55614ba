//! SHA-256 (FIPS 180-4) as hexadecimal text.

pub use hmac_sha256::Hash;

/// The SHA-256 hash of some bytes: 64 lower-case hexadecimal digits.
pub fn of(bytes: impl AsRef<[u8]>) -> String {
    hex(&Hash::hash(bytes.as_ref()))
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
        let mut hash = Hash::new();
        hash.update("a");
        hash.update("bc");
        assert_eq!(hex(&hash.finalize()), abc);
    }
}
