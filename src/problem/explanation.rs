//! What explanations are made of: sentences with what they follow from, and reasons of which nothing can be
//! left out.

use crate::board::Sheet;
use crate::engine::Limit;

/// The width of a line of text.
const WIDTH: usize = 100;

/// An answer as a person would tell it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// In lines.
    pub words: String,
    /// In boards, with captions and notes.
    pub boards: Sheet,
}

impl Account {
    /// Without boards: the drawing has the same lines.
    pub fn in_words(words: String) -> Self {
        let lines = words.lines().map(str::to_owned).collect();
        Account { words, boards: Sheet { lines, ..Sheet::default() } }
    }
}

/// A sentence with what it follows from.
///
/// `F` is what a premise may be: a square, a move, a rule. Whoever takes the board to be as the premises say,
/// and everything else to be unknown, finds the claim true. Tests go through all boards to see that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence<F, C> {
    /// What is told. Lines are wrapped when it is printed.
    pub text: String,
    /// The premises.
    pub from: Vec<F>,
    /// What is said.
    pub claim: C,
}

impl<F, C> Sentence<F, C> {
    /// A sentence.
    pub fn new(text: impl Into<String>, from: Vec<F>, claim: C) -> Self {
        Sentence { text: text.into(), from, claim }
    }
}

/// The sentences as text, each on lines of its own. What is too long goes on two blanks further in.
pub fn told<F, C>(sentences: &[Sentence<F, C>]) -> String {
    sentences.iter().flat_map(|sentence| sentence.text.lines()).map(wrapped).collect()
}

/// A line and a line end, broken at blanks where it is longer than a screen is wide.
fn wrapped(line: &str) -> String {
    let indent = line.len() - line.trim_start().len();
    let mut text = " ".repeat(indent);
    let mut used = indent;
    for word in line.split_whitespace() {
        let long = word.chars().count();
        if used > indent && used + 1 + long > WIDTH {
            text.push('\n');
            text.push_str(&" ".repeat(indent + 2));
            used = indent + 2;
        } else if used > indent {
            text.push(' ');
            used += 1;
        }
        text.push_str(word);
        used += long;
    }
    text.push('\n');
    text
}

/// Parts that cannot all hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Core<F> {
    /// The parts, in the order in which they were given.
    pub parts: Vec<F>,
    /// How many of them may be needless: a limit came before it was known.
    pub open: usize,
}

/// Leaves out of `parts` what is not needed to refute them, first parts first: whole blocks, then one by one.
/// `refutes` says whether some parts cannot all hold; fewer parts never refute more. `None` if they can, or if
/// the limit came first.
///
/// With nothing open, no part can be left out of the core. About n log n calls for n parts.
pub fn core<F: Clone>(parts: &[F], mut refutes: impl FnMut(&[F]) -> Result<bool, Limit>) -> Option<Core<F>> {
    if !matches!(refutes(parts), Ok(true)) {
        return None;
    }
    let mut parts = parts.to_vec();
    let (mut block, mut open) = (parts.len().div_ceil(2).max(1), 0);
    loop {
        let mut at = 0;
        while at < parts.len() {
            let end = (at + block).min(parts.len());
            let rest: Vec<F> = parts[..at].iter().chain(&parts[end..]).cloned().collect();
            match refutes(&rest) {
                Ok(true) => parts = rest,
                needed => {
                    open += usize::from(block == 1 && needed.is_err());
                    at = end;
                }
            }
        }
        if block == 1 {
            return Some(Core { parts, open });
        }
        block = block.div_ceil(2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_core_is_irreducible_whatever_refutes() {
        // Two sets refute; a core is one of them.
        let sets = [vec![1, 4, 6], vec![2, 4]];
        let all: Vec<u32> = (0..9).collect();
        let refutes = |parts: &[u32]| Ok(sets.iter().any(|set| set.iter().all(|part| parts.contains(part))));
        assert_eq!(core(&all, refutes), Some(Core { parts: vec![2, 4], open: 0 }));
        assert_eq!(core(&[1, 3, 4, 6], refutes), Some(Core { parts: vec![1, 4, 6], open: 0 }));
        assert_eq!(core(&[1, 4], refutes), None);
        assert_eq!(core(&[0, 1], |_| Ok(true)), Some(Core { parts: vec![], open: 0 }));
    }

    #[test]
    fn what_a_limit_leaves_open_is_counted() {
        let refutes = |parts: &[u32]| match parts.contains(&3) {
            true if parts.len() > 2 => Ok(true),
            true => Err(Limit::Work),
            false => Ok(false),
        };
        let core = core(&[1, 2, 3, 4], refutes);
        assert!(core.is_some_and(|core| core.parts.contains(&3) && core.open > 0));
    }

    #[test]
    fn long_lines_go_on_further_in() {
        let text = format!("  {}", "word ".repeat(40));
        let sentence: Sentence<(), ()> = Sentence::new(text, Vec::new(), ());
        let told = told(&[sentence]);
        assert!(told.lines().all(|line| line.len() <= WIDTH) && told.lines().count() == 3);
        assert!(told.lines().skip(1).all(|line| line.starts_with("    word")));
    }
}
