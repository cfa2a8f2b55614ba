//! Patterns over engine ids: comma-separated lists, nested `{a,b}`, and `*` for any text.
//!
//! Braces are expanded first, as in a shell. Each expansion contains the numbers of the alternatives that it took, so
//! the caller can find an alternative that matches nothing.

use crate::errors::UnknownName;

/// Maximum depth of nested braces.
const MAX_DEPTH: usize = 16;

/// Maximum number of expansions of one pattern.
const MAX_EXPANSIONS: usize = 10_000;

/// A pattern without braces.
#[derive(Clone, Debug, Default)]
pub(super) struct Expansion {
    /// The text, which may contain `*`.
    pub(super) text: String,
    /// The numbers of the alternatives that were taken. Alternatives are counted from 0 in the order of the pattern.
    pub(super) taken: Vec<usize>,
}

/// Why the braces of a pattern cannot be expanded. The string is the pattern.
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
    let mut parser = Parser { pattern, at: 0, alternatives: 0 };
    let found = parser.sequence(0)?;
    if parser.at < pattern.len() {
        return Err(PatternError::Unopened(pattern.to_owned()));
    }
    Ok((found, parser.alternatives))
}

struct Parser<'a> {
    pattern: &'a str,
    /// The next byte.
    at: usize,
    /// The number of alternatives so far.
    alternatives: usize,
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
                        return Err(self.too_many());
                    }
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
                    self.at += next.len_utf8();
                    found.iter_mut().for_each(|expansion| expansion.text.push(next));
                }
            }
        }
        Ok(found)
    }

    /// The expansions of the braces that open at the current byte.
    fn braces(&mut self, depth: usize) -> Result<Vec<Expansion>, PatternError> {
        if depth > MAX_DEPTH {
            return Err(PatternError::TooDeep(self.pattern.to_owned()));
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
                return Err(self.too_many());
            }
            match self.pattern[self.at..].chars().next() {
                Some(',') => {}
                Some(_) => {
                    self.at += 1;
                    return Ok(found);
                }
                None => return Err(PatternError::Unclosed(self.pattern.to_owned())),
            }
        }
    }

    fn too_many(&self) -> PatternError {
        PatternError::TooMany(self.pattern.to_owned())
    }
}

/// Whether `text` matches `pattern`, in which each `*` stands for any text.
pub(super) fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((before, after)) => text.strip_prefix(before).is_some_and(|rest| {
            (0..=rest.len()).any(|i| rest.is_char_boundary(i) && matches(after, &rest[i..]))
        }),
    }
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
