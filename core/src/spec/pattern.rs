//! Patterns over engine ids: comma-separated lists, nested `{a,b}`, and `*` for any text.
//!
//! Braces are expanded first, as in a shell. Each expansion contains the numbers of the alternatives that it took, so
//! the caller can find an alternative that matches nothing.

use crate::errors::UnknownName;

/// Maximum depth of nested braces.
const MAX_DEPTH: usize = 16;

/// Maximum number of expansions of one pattern.
const MAX_EXPANSIONS: usize = 10_000;

/// Maximum total length of the expansions of one pattern, in bytes and numbers of alternatives, including the
/// expansions of its parts.
const MAX_LENGTH: usize = 1 << 22;

/// Maximum number of characters of a pattern in a message.
const MAX_SHOWN: usize = 80;

/// A pattern without braces.
#[derive(Clone, Debug, Default)]
pub(super) struct Expansion {
    /// The text, which may contain `*`.
    pub(super) text: String,
    /// The numbers of the alternatives that were taken. Alternatives are counted from 0 in the order of the pattern.
    pub(super) taken: Vec<usize>,
}

impl Expansion {
    fn length(&self) -> usize {
        self.text.len() + self.taken.len()
    }
}

/// Why the braces of a pattern cannot be expanded. The string is the pattern or, if that is long, its beginning.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum PatternError {
    #[error("'{0}' has a '}}' without a '{{'")]
    Unopened(String),
    #[error("'{0}' has a '{{' without a '}}'")]
    Unclosed(String),
    #[error("braces are nested deeper than {MAX_DEPTH} in '{0}'")]
    TooDeep(String),
    #[error("the braces in '{0}' stand for more than {MAX_EXPANSIONS} patterns")]
    TooMany(String),
    #[error("the patterns for which the braces in '{0}' stand are longer than {MAX_LENGTH} bytes together")]
    TooLong(String),
}

impl From<PatternError> for UnknownName {
    fn from(error: PatternError) -> Self {
        error.to_string().into()
    }
}

/// Splits a list at the commas outside braces, and trims the parts.
pub(super) fn split_outside_braces(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0i32, 0);
    for (i, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth <= 0 => {
                parts.push(text[start..i].trim());
                start = i + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

/// All expansions of a pattern, and the number of alternatives in its braces.
///
/// # Errors
/// Returns an error if the braces are unbalanced, are nested too deep, or stand for too many patterns.
pub(super) fn expand(pattern: &str) -> Result<(Vec<Expansion>, usize), PatternError> {
    let mut parser = Parser { pattern, at: 0, alternatives: 0, length: 0 };
    let found = parser.sequence(0)?;
    if parser.at < pattern.len() {
        return Err(PatternError::Unopened(parser.shown()));
    }
    Ok((found, parser.alternatives))
}

struct Parser<'a> {
    pattern: &'a str,
    /// The next byte.
    at: usize,
    /// The number of alternatives so far.
    alternatives: usize,
    /// The total length of the expansions of all parts so far.
    length: usize,
}

impl Parser<'_> {
    /// The expansions of the text from here to the end or, inside braces, to the `,` or `}` that ends the alternative.
    fn sequence(&mut self, depth: usize) -> Result<Vec<Expansion>, PatternError> {
        let mut found = vec![Expansion::default()];
        while let Some(next) = self.pattern[self.at..].chars().next() {
            match next {
                '{' => {
                    let alternatives = self.braces(depth + 1)?;
                    if found.len().saturating_mul(alternatives.len()) > MAX_EXPANSIONS {
                        return Err(PatternError::TooMany(self.shown()));
                    }
                    let total = |list: &[Expansion]| list.iter().map(Expansion::length).sum::<usize>();
                    self.count(total(&found) * alternatives.len() + total(&alternatives) * found.len())?;
                    let join = |before: &Expansion, after: &Expansion| Expansion {
                        text: before.text.clone() + &after.text,
                        taken: [&before.taken[..], &after.taken].concat(),
                    };
                    found = (found.iter())
                        .flat_map(|before| alternatives.iter().map(move |after| join(before, after)))
                        .collect();
                }
                '}' => return Ok(found),
                ',' if depth > 0 => return Ok(found),
                _ => {
                    let rest = &self.pattern[self.at..];
                    let text = &rest[..rest.find(['{', '}', ',']).unwrap_or(rest.len()).max(1)];
                    self.at += text.len();
                    self.count(text.len() * found.len())?;
                    found.iter_mut().for_each(|expansion| expansion.text.push_str(text));
                }
            }
        }
        Ok(found)
    }

    /// The expansions of the braces that open at the current byte.
    fn braces(&mut self, depth: usize) -> Result<Vec<Expansion>, PatternError> {
        if depth > MAX_DEPTH {
            return Err(PatternError::TooDeep(self.shown()));
        }
        let mut found = Vec::new();
        loop {
            // Skip the '{' or the ','.
            self.at += 1;
            let number = self.alternatives;
            self.alternatives += 1;
            let mut expansions = self.sequence(depth)?;
            expansions.iter_mut().for_each(|expansion| expansion.taken.push(number));
            found.append(&mut expansions);
            if found.len() > MAX_EXPANSIONS {
                return Err(PatternError::TooMany(self.shown()));
            }
            match self.pattern[self.at..].chars().next() {
                Some(',') => {}
                Some(_) => {
                    self.at += 1;
                    return Ok(found);
                }
                None => return Err(PatternError::Unclosed(self.shown())),
            }
        }
    }

    /// Counts the length of new expansions.
    fn count(&mut self, length: usize) -> Result<(), PatternError> {
        self.length += length;
        if self.length > MAX_LENGTH { Err(PatternError::TooLong(self.shown())) } else { Ok(()) }
    }

    /// The pattern for a message.
    fn shown(&self) -> String {
        let is_long = self.pattern.chars().nth(MAX_SHOWN).is_some();
        let start: String = self.pattern.chars().take(MAX_SHOWN).collect();
        if is_long { start + "…" } else { start }
    }
}

/// Whether `text` matches `pattern`, in which each `*` stands for any text.
///
/// Each part between two `*` is found at its first place behind the part before it. No other place could help a later
/// part, so nothing is tried twice.
pub(super) fn matches(pattern: &str, text: &str) -> bool {
    let Some((start, parts)) = pattern.split_once('*') else { return pattern == text };
    let (middle, end) = parts.rsplit_once('*').map_or((None, parts), |(middle, end)| (Some(middle), end));
    let inner = text.strip_prefix(start).and_then(|rest| rest.strip_suffix(end));
    let mut parts = middle.into_iter().flat_map(|middle| middle.split('*'));
    inner
        .and_then(|inner| parts.try_fold(inner, |rest, part| Some(&rest[rest.find(part)? + part.len()..])))
        .is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(pattern: &str) -> Vec<String> {
        expand(pattern).unwrap().0.into_iter().map(|expansion| expansion.text).collect()
    }

    #[test]
    fn braces_are_expanded_as_in_a_shell() {
        assert_eq!(texts("a{b,c{d,e}}f"), ["abf", "acdf", "acef"]);
        assert_eq!(texts("{a,b}{c,d}"), ["ac", "ad", "bc", "bd"]);
        assert_eq!(texts("a{/b,}"), ["a/b", "a"]);
        assert_eq!(texts("a,b"), ["a,b"]);
        assert_eq!(split_outside_braces("a, b{c,{d,e}} ,f"), ["a", "b{c,{d,e}}", "f"]);
        let (expansions, alternatives) = expand("{a,{b,c}}").unwrap();
        assert_eq!((alternatives, &expansions[1].taken[..]), (4, &[2, 1][..]));
    }

    /// Matches by trying every text for every `*`.
    fn matches_slowly(pattern: &str, text: &str) -> bool {
        match pattern.split_once('*') {
            None => pattern == text,
            Some((start, rest)) => text
                .strip_prefix(start)
                .is_some_and(|text| (0..=text.len()).any(|at| matches_slowly(rest, &text[at..]))),
        }
    }

    #[test]
    fn stars_stand_for_any_text() {
        let words = |letters: &[char], most: u32| -> Vec<String> {
            let all = |length| {
                let digit = |i: usize, at: u32| letters[i / letters.len().pow(at) % letters.len()];
                (0..letters.len().pow(length)).map(move |i| (0..length).map(|at| digit(i, at)).collect())
            };
            (0..=most).flat_map(all).collect()
        };
        for pattern in words(&['a', 'b', '*'], 5) {
            for text in words(&['a', 'b'], 5) {
                let expected = matches_slowly(&pattern, &text);
                assert_eq!(matches(&pattern, &text), expected, "{pattern} {text}");
            }
        }
        assert!(matches("*ü*", "aüb") && !matches("*ü*", "aub"));
        // Trying every text for every `*` would take longer than the age of the universe.
        assert!(!matches(&("*a".repeat(100) + "b"), &"a".repeat(200)));
    }

    #[test]
    fn the_total_length_of_expansions_is_bounded() {
        let error = |pattern: &str| expand(pattern).unwrap_err().to_string();
        let long = "x".repeat(1 << 20);
        assert!(expand(&long).is_ok());
        let shown = error(&("{a,b}".repeat(13) + &long));
        let start = &"{a,b}".repeat(13)[..65];
        assert_eq!(
            shown,
            format!(
                "the patterns for which the braces in '{start}{}…' stand are longer than 4194304 bytes together",
                "x".repeat(15)
            )
        );
        // The numbers of the alternatives count, too.
        assert!(error(&"{a}".repeat(100_000)).contains("are longer than 4194304 bytes together"));
    }

    #[test]
    fn unbalanced_braces_and_too_many_expansions_are_errors() {
        let error = |pattern: &str| expand(pattern).unwrap_err().to_string();
        assert_eq!(error("a{b,c"), "'a{b,c' has a '{' without a '}'");
        assert_eq!(error("a{b{c}"), "'a{b{c}' has a '{' without a '}'");
        assert_eq!(error("ab}"), "'ab}' has a '}' without a '{'");
        assert!(error(&"{a,b}".repeat(40)).contains("more than 10000 patterns"));
        assert!(error(&"{".repeat(100_000)).contains("nested deeper than 16"));
    }
}
