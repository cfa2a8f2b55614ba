//! Explains an answer in sentences, each with the squares that it follows from.

use super::answer::Answer;
use super::answer::reason::{Lightest, Reason};
use super::{End, Goal, Instance, Rules, Target};
use counterpoint_core::board::Digits;
use counterpoint_core::problem::{Sentence, render};
use itertools::Itertools;

/// What a sentence claims. The claim holds for every board that agrees with this one on the squares that the sentence
/// names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The board is already solved.
    Done,
    /// These presses lead to one of the ends.
    Solves(Digits),
    /// These ends have this many solutions each, with these least weights.
    Solutions {
        /// Ends that have solutions.
        ends: Vec<End>,
        /// The number of solutions of each end; `None` if it does not fit in a `usize`.
        count: Option<usize>,
        /// The least weight of a solution for each of the ends; empty if the sentence does not mention it.
        lightest: Vec<usize>,
    },
    /// No presses lead to this end.
    Unreachable(End),
    /// No solution has a smaller weight.
    AtLeast(usize),
    /// The sentence says nothing about the board, only about the question or the engine.
    Asked,
    /// Every press changes the weighted sum of the colours of these squares by a multiple of the number of colours.
    Balanced(Vec<(usize, u32)>),
    /// No presses lead to any of the ends.
    Impossible,
    /// The set is minimal: if any one of these squares is left out, some presses give all others the right colour.
    Irreducible(Vec<usize>),
}

/// A sentence whose premises are indices of squares.
type BoardSentence = Sentence<usize, Claim>;

/// Explains the presses and why fewer do not suffice, or names the squares that prove the board impossible.
pub fn explain(rules: &Rules, instance: &Instance, answer: &Answer, reason: Option<&Reason>) -> String {
    render(&sentences(rules, instance, answer, reason))
}

/// The sentences of [`explain()`] with their premises and claims.
pub fn sentences(
    rules: &Rules,
    instance: &Instance,
    answer: &Answer,
    reason: Option<&Reason>,
) -> Vec<BoardSentence> {
    let size = instance.size;
    let all: Vec<usize> = (0..size.cells()).collect();
    match (answer, reason) {
        (Answer::Presses { presses, .. }, _) if presses.total() == 0 => {
            let what = match rules.target {
                Target::Board(_) => "the target",
                _ => "of one colour",
            };
            vec![BoardSentence::new(
                format!("The {size} board is already {what}: no press is needed."),
                all,
                Claim::Done,
            )]
        }
        (Answer::Presses { presses, optimal }, _) => {
            let n = presses.total();
            let text = format!("Press {}: {n} in all.", list(instance, presses.iter()));
            let mut sentences =
                vec![BoardSentence::new(text, all.clone(), Claim::Solves((**presses).clone()))];
            match (optimal, rules.goal, reason) {
                (true, _, Some(Reason::Solutions { nullity, ends })) => {
                    sentences.extend(fewest(rules, &all, (n, *nullity), ends));
                }
                (true, ..) => sentences.push(BoardSentence::new(
                    if rules.colours == 2 {
                        "Fewer presses do not suffice: the order does not matter and pressing a square twice changes \
                         nothing, so a solution is a set of squares, and no smaller set solves the board."
                    } else {
                        "Fewer presses do not suffice: no solution has a smaller total."
                    },
                    all,
                    Claim::AtLeast(n),
                )),
                (false, Goal::Any, _) => sentences.push(BoardSentence::new(
                    "Any solution was asked for, so fewer presses may suffice.",
                    Vec::new(),
                    Claim::Asked,
                )),
                (false, Goal::Fewest, _) => sentences.push(BoardSentence::new(
                    "The engine did not find out whether fewer presses suffice.",
                    Vec::new(),
                    Claim::Asked,
                )),
            }
            sentences
        }
        (Answer::Number { presses: n, optimal }, _) => {
            let presses = if *n == 1 { "1 press" } else { &format!("{n} presses") };
            let text = format!("The answer is {presses}; it does not say which squares.");
            let mut sentences = vec![BoardSentence::new(text, Vec::new(), Claim::Asked)];
            if let (true, Some(Reason::Solutions { nullity, ends })) = (*n > 0 && *optimal, reason)
                && is_lightest(*n, ends)
            {
                sentences.extend(fewest(rules, &all, (*n, *nullity), ends));
            }
            sentences
        }
        (Answer::Impossible(_), Some(Reason::Circuit(weights))) => {
            impossible(rules, instance, weights.clone(), Evidence::Circuit)
        }
        (Answer::Impossible(Some(weights)), _) => {
            impossible(rules, instance, weights.iter().collect(), Evidence::Weights)
        }
        (Answer::Impossible(None), _) => {
            let text = format!("Impossible: the search ruled out all sets of presses on the {size} board.");
            vec![BoardSentence::new(text, all, Claim::Impossible)]
        }
    }
}

/// Whether the lightest of all solutions is known to have weight `n`.
fn is_lightest(n: usize, ends: &[(End, Lightest)]) -> bool {
    let weight = |(_, lightest): &(End, Lightest)| match lightest {
        Lightest::None => Some(usize::MAX),
        Lightest::Weight(weight) => Some(*weight),
        Lightest::Unknown => None,
    };
    let weights: Option<Vec<usize>> = ends.iter().map(weight).collect();
    weights.and_then(|weights| weights.into_iter().min()) == Some(n)
}

/// Lists squares. If a square's number n (of presses, or its weight) is more than one, `×n` follows the square.
fn list(instance: &Instance, numbers: impl Iterator<Item = (usize, u32)>) -> String {
    let word = |(i, n)| {
        let often = if n > 1 { format!(" ×{n}") } else { String::new() };
        format!("{}{often}", instance.size.cell(i))
    };
    numbers.map(word).join(", ")
}

/// Explains why fewer than `n` presses do not suffice: how many solutions each end has, and the least weight among
/// them. `d` is the dimension of the null space.
fn fewest(
    rules: &Rules,
    all: &[usize],
    (n, d): (usize, usize),
    ends: &[(End, Lightest)],
) -> Vec<BoardSentence> {
    let p = rules.colours;
    let (times, set) =
        if p == 2 { ("twice".to_owned(), "set") } else { (format!("{p} times"), "combination") };
    let count = u32::try_from(d).ok().and_then(|d| (p as usize).checked_pow(d));
    let counted =
        count.filter(|&count| count <= 1 << 20).map_or(format!("{p}^{d}"), |count| count.to_string());
    let (one, many) = match rules.target {
        Target::Board(_) => {
            ("there is exactly one solution".to_owned(), format!("there are {counted} solutions or none"))
        }
        _ => (
            "each colour has exactly one solution".to_owned(),
            format!("each colour that can be reached has {counted} solutions"),
        ),
    };
    let mut sentences = vec![BoardSentence::new(
        match d {
            0 => format!(
                "The order of presses does not matter, and pressing a square {times} changes nothing. On this board \
                 only the empty {set} of presses changes nothing, so {one}."
            ),
            _ => format!(
                "The order of presses does not matter, and pressing a square {times} changes nothing. On this board \
                 {counted} {set}s of presses change nothing, the empty one included, so {many}, which differ by \
                 these {set}s."
            ),
        },
        all.to_vec(),
        Claim::Solutions {
            ends: ends.iter().filter(|(_, l)| *l != Lightest::None).map(|(end, _)| end.clone()).collect(),
            count,
            lightest: Vec::new(),
        },
    )];
    for (end, lightest) in ends {
        let (text, claim) = match lightest {
            Lightest::None => (format!("No presses lead to {end}."), Claim::Unreachable(end.clone())),
            Lightest::Unknown => continue,
            Lightest::Weight(n) => (
                match (d, n) {
                    (0, 1) => format!("The solution for {end} has 1 press."),
                    (0, n) => format!("The solution for {end} has {n} presses."),
                    (_, 1) => format!("The smallest solution for {end} has 1 press."),
                    (_, n) => format!("The smallest solution for {end} has {n} presses."),
                },
                Claim::Solutions { ends: vec![end.clone()], count, lightest: vec![*n] },
            ),
        };
        sentences.push(BoardSentence::new(text, all.to_vec(), claim));
    }
    let so = if n == 1 {
        "So at least 1 press is needed.".to_owned()
    } else {
        format!("So at least {n} presses are needed.")
    };
    sentences.push(BoardSentence::new(so, all.to_vec(), Claim::AtLeast(n)));
    sentences
}

/// What the weights of an impossible board prove.
#[derive(Clone, Copy, PartialEq)]
enum Evidence {
    /// They prove only that the board is impossible.
    Weights,
    /// They prove that the board is impossible, and that the set of squares is minimal.
    Circuit,
}

fn impossible(
    rules: &Rules,
    instance: &Instance,
    weights: Vec<(usize, u32)>,
    evidence: Evidence,
) -> Vec<BoardSentence> {
    let p = rules.colours;
    let end = match (&rules.target, p) {
        (Target::Either, 2) => "either colour".to_owned(),
        (Target::Either, _) => "any colour".to_owned(),
        _ => rules.first_end().to_string(),
    };
    let squares: Vec<usize> = weights.iter().map(|(square, _)| *square).collect();
    let listed = list(instance, weights.iter().copied());
    let (mark, must) = match p {
        2 => (
            format!(
                "Impossible. Mark these squares: {listed}. Every press turns over an even number of them."
            ),
            format!("For {end}, an odd number of them would have to change."),
        ),
        _ => (
            format!(
                "Impossible. Weigh these squares: {listed}. Every press changes the weighted sum of their colours \
                 by a multiple of {p}."
            ),
            format!("For {end}, the sum would have to change by a number that is not a multiple of {p}."),
        ),
    };
    let mut sentences = vec![
        BoardSentence::new(mark, Vec::new(), Claim::Balanced(weights)),
        BoardSentence::new(must, squares.clone(), Claim::Impossible),
    ];
    if evidence == Evidence::Circuit {
        let text = format!(
            "These {} squares suffice for the proof, and the set is minimal: leave out any one of them, and some \
             presses give all the others the right colour.",
            squares.len()
        );
        sentences.push(BoardSentence::new(text, squares.clone(), Claim::Irreducible(squares)));
    }
    sentences
}
