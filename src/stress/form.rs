//! Faults of form, which programs for every problem may have: right answers that are left out, or come in other letters,
//! with other signs, or among other words.

use super::input::Input;
use crate::erased::MutantInfo;

/// The faults of form, the plainest first. Names no mutant has.
pub fn forms() -> Vec<MutantInfo> {
    FORMS.iter().map(|form| form.info).collect()
}

/// The plainest fault of form that all these outputs have.
pub(super) fn form(seen: &[(&Input, &[u8])]) -> Option<MutantInfo> {
    let fits = |form: &&Form| seen.iter().all(|(input, output)| (form.prints)(input, output));
    FORMS.iter().find(fits).map(|form| form.info)
}

/// A fault, and whether a program that has it may print this.
struct Form {
    info: MutantInfo,
    prints: fn(&Input, &[u8]) -> bool,
}

const fn form_of(name: &'static str, fault: &'static str, prints: fn(&Input, &[u8]) -> bool) -> Form {
    Form { info: MutantInfo { name, fault }, prints }
}

const FORMS: &[Form] = &[
    form_of("silent", "prints nothing", |_, output| words(output).is_empty()),
    form_of("first-game", "answers the first game only", |input, output| {
        input.pieces().next().is_some_and(|piece| words(&piece) == words(output))
    }),
    form_of("last-game", "does not answer the last game", |input, output| {
        let pieces: Vec<_> = input.pieces().collect();
        words(&pieces[..pieces.len().saturating_sub(1)].concat()) == words(output)
    }),
    form_of(
        "letters",
        "takes capital letters for small ones, or small ones for capitals",
        |input, output| words(&input.expected.to_ascii_lowercase()) == words(&output.to_ascii_lowercase()),
    ),
    form_of(
        "signs",
        "prints the right letters and digits, but other signs or spaces between them",
        |input, output| {
            let plain =
                |text: &[u8]| text.iter().filter(|b| b.is_ascii_alphanumeric()).copied().collect::<Vec<_>>();
            output.is_ascii() && plain(&input.expected) == plain(output)
        },
    ),
    form_of("lines-left-out", "prints the right lines, but leaves some out", |input, output| {
        is_part(&lines(output), &lines(&input.expected))
    }),
    form_of("more-lines", "prints the right lines, and others among them", |input, output| {
        is_part(&lines(&input.expected), &lines(output))
    }),
    form_of("more-words", "prints the right lines, but with more words in them", |input, output| {
        let (right, printed) = (lines(&input.expected), lines(output));
        right.len() == printed.len()
            && right.iter().zip(&printed).all(|(right, printed)| is_part(right, printed))
    }),
];

/// What stands between white space.
pub(super) fn words(text: &[u8]) -> Vec<&[u8]> {
    text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect()
}

/// The words of each line that has some.
fn lines(text: &[u8]) -> Vec<Vec<&[u8]>> {
    text.split(|&byte| byte == b'\n').map(words).filter(|line| !line.is_empty()).collect()
}

/// Whether leaving out some of the second makes it the first.
fn is_part<T: PartialEq>(part: &[T], whole: &[T]) -> bool {
    let mut rest = whole.iter();
    part.iter().all(|wanted| rest.any(|one| one == wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_keep_their_order() {
        assert!(is_part(&[1, 3], &[1, 2, 3]) && is_part::<u8>(&[], &[]) && is_part(&[2], &[2]));
        assert!(!is_part(&[3, 1], &[1, 2, 3]) && !is_part(&[1, 1], &[1, 2]) && !is_part(&[1], &[]));
    }

    #[test]
    fn lines_are_their_words() {
        assert_eq!(lines(b"a  b\r\n\n c\n"), [vec![&b"a"[..], b"b"], vec![b"c"]]);
    }
}
