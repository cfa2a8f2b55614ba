//! The capability `EXPLAIN`, and building blocks of explanations: sentences with their premises, and minimal unsatisfiable subsets.

use super::Problem;
use crate::board::Sheet;
use crate::engine::{Budget, Limit};
use textwrap::{Options, WordSplitter, wrap};

/// The maximum length of a line of an explanation, in characters. A longer line is wrapped.
const MAX_WIDTH: usize = 100;

/// The explanation of an answer, in sentences and pictures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The sentences, in lines.
    pub text: String,
    /// Boards with captions and notes.
    pub boards: Sheet,
}

impl Explanation {
    /// An explanation without boards. If it is drawn, the drawing shows the lines of `text`.
    pub fn from_text(text: String) -> Self {
        let lines = text.lines().map(str::to_owned).collect();
        Explanation { text, boards: Sheet { lines, ..Sheet::default() } }
    }

    /// The text for a terminal of `width` columns. Lines that [`render`] has wrapped are joined before they are wrapped
    /// again.
    pub fn text_in(&self, width: usize) -> String {
        if width >= MAX_WIDTH {
            return self.text.clone();
        }
        let mut lines: Vec<String> = Vec::new();
        let mut last = 0;
        for line in self.text.lines() {
            let words = line.trim_start();
            let first = words.split(' ').next().unwrap_or_default().chars().count();
            match lines.last_mut() {
                Some(whole)
                    if !words.is_empty()
                        && line.len() - words.len() == whole.len() - whole.trim_start().len() + 2
                        && last + 1 + first > MAX_WIDTH =>
                {
                    *whole += &format!(" {words}");
                }
                _ => lines.push(line.to_owned()),
            }
            last = line.chars().count();
        }
        lines.iter().map(|line| wrapped(line, width)).collect()
    }
}

/// Explains an answer in sentences and pictures. Some parts need a search, for example a minimal unsatisfiable subset.
/// They are left out or marked as open when the budget is spent.
pub type Explain<P> = fn(
    &<P as Problem>::Rules,
    &<P as Problem>::Instance,
    &<P as Problem>::Answer,
    &mut Budget,
) -> Explanation;

/// The explanation of an answer; without [`Problem::EXPLAIN`], the instance and the outcome.
pub(crate) fn explain<P: Problem>(
    rules: &P::Rules,
    instance: &P::Instance,
    answer: &P::Answer,
    budget: &mut Budget,
) -> Explanation {
    match P::EXPLAIN {
        Some(explain) => explain(rules, instance, answer, budget),
        None => {
            Explanation::from_text(format!("{}\n{}", P::write_instance(rules, instance), P::outcome(answer)))
        }
    }
}

/// A sentence with the premises from which its claim follows.
///
/// `F` is the type of a premise: a square, a move or a rule. The claim holds for every board that satisfies the
/// premises. Tests enumerate all boards to verify that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence<F, C> {
    /// The words of the sentence. [`render`] wraps long lines.
    pub text: String,
    /// The premises.
    pub premises: Vec<F>,
    /// The claim that the words state.
    pub claim: C,
}

impl<F, C> Sentence<F, C> {
    /// A sentence.
    pub fn new(text: impl Into<String>, premises: Vec<F>, claim: C) -> Self {
        Sentence { text: text.into(), premises, claim }
    }
}

/// The text of the sentences, each on separate lines. Continuation lines are indented by two more blanks.
pub fn render<F, C>(sentences: &[Sentence<F, C>]) -> String {
    sentences.iter().flat_map(|sentence| sentence.text.lines()).map(|line| wrapped(line, MAX_WIDTH)).collect()
}

/// A line, wrapped at blanks to at most `width` characters, with a line end.
fn wrapped(line: &str, width: usize) -> String {
    let words = line.trim_start();
    let indent = " ".repeat(line.len() - words.len());
    let further = format!("{indent}  ");
    let options = Options::new(width)
        .initial_indent(&indent)
        .subsequent_indent(&further)
        .word_splitter(WordSplitter::NoHyphenation)
        .break_words(false);
    wrap(words, options).join("\n") + "\n"
}

/// Constraints that cannot all hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Core<F> {
    /// The constraints, in the order in which they were given.
    pub parts: Vec<F>,
    /// The number of constraints that may be unnecessary: for each of them, a limit ended the test whether
    /// the other constraints contradict each other. Zero means that the core is minimal.
    pub open: usize,
}

/// Shrinks `parts` to a minimal unsatisfiable subset by deletion. Large blocks are tried first, then smaller ones, and
/// finally single parts; blocks of one size are tried in order.
///
/// `refutes` tests whether some parts contradict each other. It must be monotone: every subset of satisfiable parts is
/// satisfiable. The result is `None` if the given parts are satisfiable or the first test reaches a limit. If no later
/// test reaches a limit, the core is minimal: if any one part is dropped, the rest can hold. There are at most about 2n
/// tests for n parts.
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
    fn a_core_is_minimal() {
        // Each of these two sets is contradictory, so a core is one of them.
        let sets = [vec![1, 4, 6], vec![2, 4]];
        let all: Vec<u32> = (0..9).collect();
        let refutes = |parts: &[u32]| Ok(sets.iter().any(|set| set.iter().all(|part| parts.contains(part))));
        assert_eq!(core(&all, refutes), Some(Core { parts: vec![2, 4], open: 0 }));
        assert_eq!(core(&[1, 3, 4, 6], refutes), Some(Core { parts: vec![1, 4, 6], open: 0 }));
        assert_eq!(core(&[1, 4], refutes), None);
        assert_eq!(core(&[0, 1], |_| Ok(true)), Some(Core { parts: vec![], open: 0 }));
    }

    #[test]
    fn parts_left_untested_by_a_limit_are_counted() {
        let refutes = |parts: &[u32]| match parts.contains(&3) {
            true if parts.len() > 2 => Ok(true),
            true => Err(Limit::Work),
            false => Ok(false),
        };
        let core = core(&[1, 2, 3, 4], refutes);
        assert!(core.is_some_and(|core| core.parts.contains(&3) && core.open > 0));
    }

    #[test]
    fn continuation_lines_are_indented() {
        let text = format!("  {}", "word ".repeat(40));
        let sentence: Sentence<(), ()> = Sentence::new(text, Vec::new(), ());
        let text = render(&[sentence]);
        assert!(text.lines().all(|line| line.len() <= MAX_WIDTH) && text.lines().count() == 3);
        assert!(text.lines().skip(1).all(|line| line.starts_with("    word")));
    }

    #[test]
    fn a_narrow_terminal_gets_shorter_lines() {
        let whole = format!("  {}", "word ".repeat(40).trim_end());
        let sentences: [Sentence<(), ()>; 2] = [
            Sentence::new(whole.clone(), Vec::new(), ()),
            Sentence::new("a short line\n    indented by more", Vec::new(), ()),
        ];
        let explanation = Explanation::from_text(render(&sentences));
        assert_eq!(explanation.text_in(MAX_WIDTH), explanation.text);
        let text = explanation.text_in(60);
        assert!(text.lines().all(|line| line.chars().count() <= 60), "{text}");
        // All lines of the long sentence but the last one are full.
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[..3].iter().all(|line| line.len() >= 55) && lines.len() == 6, "{text}");
        assert_eq!(lines[4..], ["a short line", "    indented by more"]);
        assert_eq!(explanation.text_in(400).split_whitespace().count(), text.split_whitespace().count());
    }

    #[test]
    fn words_are_neither_split_nor_broken() {
        let long = "x-y".repeat(50);
        let sentence: Sentence<(), ()> = Sentence::new(format!("a {long} b"), Vec::new(), ());
        assert_eq!(render(&[sentence]), format!("a\n  {long}\n  b\n"));
    }
}
