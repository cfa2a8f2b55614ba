//! Splits a line of bash into words, as far as completion needs it: quotes and backslashes are removed, nothing is
//! expanded.

/// The words of a line.
pub(super) struct Line {
    /// At least one word. The last one is empty if the line ends with a blank.
    pub(super) words: Vec<String>,
    /// Whether the last word ends inside quotes.
    pub(super) is_quoted: bool,
}

/// The words of a line that ends at the cursor.
pub(super) fn split(line: &str) -> Line {
    let (mut words, mut quote) = (vec![String::new()], None);
    let mut chars = line.trim_start().chars();
    let mut was_blank = true;
    while let Some(char) = chars.next() {
        let is_blank = quote.is_none() && char.is_whitespace();
        if is_blank && !was_blank {
            words.push(String::new());
        }
        was_blank = is_blank;
        if is_blank {
            continue;
        }
        // There is always a last word.
        let Some(word) = words.last_mut() else { continue };
        match (char, quote) {
            ('\\', None | Some('"')) => word.extend(chars.next()),
            ('\'' | '"', None) => quote = Some(char),
            (_, Some(open)) if open == char => quote = None,
            _ => word.push(char),
        }
    }
    Line { words, is_quoted: quote.is_some() }
}

/// A word with a backslash before each character that has a meaning for the shell.
pub(super) fn escaped(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./:=@,+%".contains(c);
    word.chars().flat_map(|c| (!is_plain(c)).then_some('\\').into_iter().chain([c])).collect()
}

#[cfg(test)]
mod tests {
    use super::{escaped, split};

    #[test]
    fn words_lose_their_quotes() {
        let words = |line: &str| split(line).words;
        assert_eq!(words("counterpoint solve  flip"), ["counterpoint", "solve", "flip"]);
        assert_eq!(words("counterpoint "), ["counterpoint", ""]);
        assert_eq!(words("a 'b c' d\\ e \"f 'g"), ["a", "b c", "d e", "f 'g"]);
        assert_eq!(words("a -e 'sat:*,search:"), ["a", "-e", "sat:*,search:"]);
        assert_eq!(words(""), [""]);
        assert!(split("a 'b").is_quoted && split("a \"b").is_quoted && !split("a 'b'").is_quoted);
    }

    #[test]
    fn only_special_characters_are_escaped() {
        assert_eq!(escaped("sat:presses/amo=ladder@batsat"), "sat:presses/amo=ladder@batsat");
        assert_eq!(escaped("a b&c"), "a\\ b\\&c");
    }
}
