//! Excerpts of input files for error messages.

/// The maximum number of characters in an excerpt.
const MAX_SHOWN: usize = 40;

/// The first characters of an input, in one line, with unprintable characters escaped. If the input is longer, `...`
/// follows.
pub fn excerpt(bytes: &[u8]) -> String {
    // No character has more than four bytes.
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * (MAX_SHOWN + 1))]);
    let shown: String = start.chars().take(MAX_SHOWN).flat_map(char::escape_debug).collect();
    if start.chars().nth(MAX_SHOWN).is_some() { shown + "..." } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_is_one_short_printable_line() {
        assert_eq!(excerpt(b"1 -2 0"), "1 -2 0");
        assert_eq!(excerpt(b"\x1b[31m\n"), "\\u{1b}[31m\\n");
        assert_eq!(excerpt(&[b'x'; 41]), "x".repeat(40) + "...");
    }
}
