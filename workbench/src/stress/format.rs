//! Faults of output format, which programs for every problem may have. Right answers are missing, or printed in the
//! wrong case, with other punctuation or with more words.

use super::input::Input;
use crate::erased::MutantInfo;

/// All format faults, the simplest first. No mutant has one of these names.
pub fn format_faults() -> Vec<MutantInfo> {
    FAULTS.iter().map(|fault| fault.info).collect()
}

/// The simplest format fault that explains all these outputs, if there is one.
pub(super) fn explain(outputs: &[(&Input, &[u8])]) -> Option<MutantInfo> {
    let explains = |fault: &&Fault| outputs.iter().all(|(input, output)| (fault.may_print)(input, output));
    FAULTS.iter().find(explains).map(|fault| fault.info)
}

/// A format fault.
struct Fault {
    info: MutantInfo,
    /// Whether a program with this fault may print this output.
    may_print: fn(&Input, &[u8]) -> bool,
}

const fn fault(name: &'static str, fault: &'static str, may_print: fn(&Input, &[u8]) -> bool) -> Fault {
    Fault { info: MutantInfo { name, fault }, may_print }
}

const FAULTS: &[Fault] = &[
    fault("silent", "prints nothing", |_, output| words(output).is_empty()),
    fault("first-game", "answers only the first game", |input, output| {
        input.pieces().next().is_some_and(|piece| words(&piece) == words(output))
    }),
    fault("last-game", "does not answer the last game", |input, output| {
        let pieces: Vec<_> = input.pieces().collect();
        words(&pieces[..pieces.len().saturating_sub(1)].concat()) == words(output)
    }),
    fault(
        "letters",
        "prints upper-case letters instead of lower-case ones, or vice versa",
        |input, output| words(&input.expected.to_ascii_lowercase()) == words(&output.to_ascii_lowercase()),
    ),
    fault(
        "signs",
        "prints the right letters and digits, but other punctuation or spaces between them",
        |input, output| {
            let plain =
                |text: &[u8]| text.iter().filter(|b| b.is_ascii_alphanumeric()).copied().collect::<Vec<_>>();
            output.is_ascii() && plain(&input.expected) == plain(output)
        },
    ),
    fault("lines-left-out", "prints the right lines, but omits some", |input, output| {
        is_subsequence(&lines(output), &lines(&input.expected))
    }),
    fault("more-lines", "prints the right lines, and others among them", |input, output| {
        is_subsequence(&lines(&input.expected), &lines(output))
    }),
    fault("more-words", "prints the right lines, but with more words in them", |input, output| {
        let (right, printed) = (lines(&input.expected), lines(output));
        right.len() == printed.len()
            && right.iter().zip(&printed).all(|(right, printed)| is_subsequence(right, printed))
    }),
];

/// The words of a text, separated by white space.
fn words(text: &[u8]) -> Vec<&[u8]> {
    text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect()
}

/// The words of each line that is not blank.
fn lines(text: &[u8]) -> Vec<Vec<&[u8]>> {
    text.split(|&byte| byte == b'\n').map(words).filter(|line| !line.is_empty()).collect()
}

/// Whether omitting some items of `whole` gives `part`.
fn is_subsequence<T: PartialEq>(part: &[T], whole: &[T]) -> bool {
    let mut rest = whole.iter();
    part.iter().all(|wanted| rest.any(|one| one == wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsequences_keep_their_order() {
        for (part, whole) in [(&[1, 3][..], &[1, 2, 3][..]), (&[], &[]), (&[2], &[2])] {
            assert!(is_subsequence(part, whole), "{part:?} {whole:?}");
        }
        for (part, whole) in [(&[3, 1][..], &[1, 2, 3][..]), (&[1, 1], &[1, 2]), (&[1], &[])] {
            assert!(!is_subsequence(part, whole), "{part:?} {whole:?}");
        }
    }

    #[test]
    fn a_line_is_a_list_of_words() {
        assert_eq!(lines(b"a  b\r\n\n c\n"), [vec![&b"a"[..], b"b"], vec![b"c"]]);
    }
}
