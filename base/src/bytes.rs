//! Sizes in bytes with units: `4096`, `64kB`, `64 MB`, `1GiB`.

/// Units in lower case, with their sizes in bytes.
const UNITS: [(&str, u64); 10] = [
    ("", 1),
    ("b", 1),
    ("kb", 1_000),
    ("mb", 1_000_000),
    ("gb", 1_000_000_000),
    ("tb", 1_000_000_000_000),
    ("kib", 1 << 10),
    ("mib", 1 << 20),
    ("gib", 1 << 30),
    ("tib", 1 << 40),
];

/// Parses a size such as `64MB` or `1 GiB` and returns its number of bytes. Units are powers of 1,000 (`kB`) or of
/// 1,024 (`KiB`), in upper or lower case. A number without a unit is a number of bytes. For any other text, the result
/// is `None`.
pub fn parse(text: &str) -> Option<u64> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let unit = unit.trim().to_lowercase();
    let (_, bytes) = UNITS.iter().find(|(name, _)| *name == unit)?;
    number.parse::<u64>().ok()?.checked_mul(*bytes)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn sizes_are_parsed() {
        for (text, bytes) in [
            ("4096", 4096),
            ("64MB", 64_000_000),
            ("64 kB", 64_000),
            ("1GiB", 1 << 30),
            ("2tib", 2 << 40),
            ("0", 0),
        ] {
            assert_eq!(parse(text), Some(bytes), "{text}");
        }
        for text in ["", "MB", "-1", "1.5MB", "64XB", "99999999999GiB"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
