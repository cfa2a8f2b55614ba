//! Splits a line of bash into words, as far as completion needs it: quotes and backslashes are removed, nothing is
//! expanded.

/// The words of a line.
pub(super) struct Line {
    /// At least one word. The last one is empty if the line ends with a blank.
    pub(super) words: Vec<String>,
    /// The quote inside which the last word ends; `None` if it ends outside of quotes.
    quote: Option<char>,
}

impl Line {
    /// Whether the last word ends inside quotes.
    pub(super) fn is_quoted(&self) -> bool {
        self.quote.is_some()
    }

    /// The end of the last word as it has to be written for this value, so that the shell expands nothing in it.
    pub(super) fn written(&self, value: &str) -> String {
        match self.quote {
            Some('\'') => value.replace('\'', r"'\''"),
            Some(_) => with_backslashes(value, |c| !r#"$`"\"#.contains(c)),
            None => with_backslashes(value, |c| c.is_alphanumeric() || "-_./:=@,+%".contains(c)),
        }
    }
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
    Line { words, quote }
}

/// A word with a backslash before each character that is not plain.
fn with_backslashes(word: &str, is_plain: impl Fn(char) -> bool) -> String {
    word.chars().flat_map(|c| (!is_plain(c)).then_some('\\').into_iter().chain([c])).collect()
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn words_lose_their_quotes() {
        let words = |line: &str| split(line).words;
        assert_eq!(words("counterpoint solve  flip"), ["counterpoint", "solve", "flip"]);
        assert_eq!(words("counterpoint "), ["counterpoint", ""]);
        assert_eq!(words("a 'b c' d\\ e \"f 'g"), ["a", "b c", "d e", "f 'g"]);
        assert_eq!(words("a -e 'sat:*,search:"), ["a", "-e", "sat:*,search:"]);
        assert_eq!(words(""), [""]);
        assert!(split("a 'b").is_quoted() && split("a \"b").is_quoted() && !split("a 'b'").is_quoted());
    }

    #[test]
    fn the_shell_expands_nothing_in_a_value() {
        let written = |line: &str, value: &str| split(line).written(value);
        assert_eq!(written("", "sat:presses/amo=ladder@batsat"), "sat:presses/amo=ladder@batsat");
        assert_eq!(written("a b", "c d&e"), r"c\ d\&e");
        assert_eq!(written("a 'b", "c'$(d)' e"), r"c'\''$(d)'\'' e");
        assert_eq!(written("a \"b", "c$(d) `e` f"), r"c\$(d) \`e\` f");
    }
}
