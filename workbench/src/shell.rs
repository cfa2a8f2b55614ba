//! Words of commands as a POSIX shell reads them.

/// A word, in single quotes unless it is plain. Unlike the crate `shlex`, this function leaves `KEY=VALUE` and
/// comma-separated lists unquoted.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:+,@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_are_quoted_if_a_shell_needs_it() {
        for (word, expected) in
            [("--n=5,6", "--n=5,6"), ("", "''"), ("a b", "'a b'"), ("it's", r"'it'\''s'"), ("*", "'*'")]
        {
            assert_eq!(quoted(word), expected);
        }
    }
}
