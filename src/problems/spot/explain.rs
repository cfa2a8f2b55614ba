//! Answers as a person would tell them, each sentence with the moves that it follows from.

use super::answer::reason::Reason;
use super::answer::{Answer, Ending, Finding};
use super::{Entry, Instance, Rules, Start, winner};
use crate::board::{Group, Symmetry};
use crate::problem::{Sentence, told};
use itertools::Itertools;

/// What a sentence says of all records that have the lines which it names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// This player makes this move, from 1.
    Mover(usize, u8),
    /// The board after a move is that after an earlier one, moved so; 0 is the start.
    Equal(usize, usize, Symmetry),
    /// The game ends so.
    Ends(Ending),
    /// Nothing is said of the record but how much of it is known.
    Asked,
    /// Some completion ends so.
    Possible(Ending),
    /// No completion ends so; with the word, none of the lines can be left out.
    Refuted(Ending, Needed),
    /// This ending is not decided.
    Open(Ending),
}

/// Whether each of the lines that a sentence names is needed for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needed {
    /// Whichever is left out, some completion ends so.
    Each,
    /// Nobody looked, or not at all of them.
    Unknown,
}

/// Premises are lines of the record by number, from 0.
type Told = Sentence<usize, Claim>;

/// A few sentences, each on its line.
pub fn explain(rules: &Rules, instance: &Instance, answer: &Answer, reasons: &[Reason]) -> String {
    told(&sentences(rules, instance, answer, reasons))
}

/// The same with premises and claims.
pub fn sentences(rules: &Rules, instance: &Instance, answer: &Answer, reasons: &[Reason]) -> Vec<Told> {
    let moves = instance.record.len();
    match answer {
        Answer::Draw => {
            let start = match rules.start {
                Start::Counted => "the empty board of the start and ",
                Start::Uncounted => "",
            };
            let turned = match rules.group {
                Group::C4 => ", however they are turned",
                Group::D4 => ", however they are turned or mirrored",
                Group::C2 => ", turned by 180 degrees or not",
                Group::Trivial => "",
            };
            let text = format!(
                "All {moves} moves are made, and {start}the {moves} boards after them all differ{turned}: a draw."
            );
            vec![Told::new(text, (0..moves).collect(), Claim::Ends(Ending::Draw))]
        }
        Answer::Repeat { mv, earlier, symmetry } => {
            let before = match earlier {
                0 => "that of the start".to_owned(),
                _ => format!("that after move {earlier}"),
            };
            let what = instance.record.get(mv - 1).map_or(String::new(), |entry| format!(" ({entry})"));
            let winner = winner(*mv);
            let loser = 3 - winner;
            vec![
                Told::new(
                    format!("Move {mv}{what} is player {loser}'s."),
                    Vec::new(),
                    Claim::Mover(*mv, loser),
                ),
                Told::new(
                    format!("The board after it is {before}, {}.", symmetry.describe()),
                    (0..*mv).collect(),
                    Claim::Equal(*mv, *earlier, *symmetry),
                ),
                Told::new(
                    format!(
                        "No move before it repeats a board, so player {loser} loses and player {winner} wins."
                    ),
                    (0..*mv).collect(),
                    Claim::Ends(Ending::Repeat(*mv)),
                ),
            ]
        }
        Answer::Smudged(findings) => {
            let head = format!("{moves} moves, some of them unknown. A completion can end so:");
            let endings = Ending::all(moves).zip(findings);
            let told = endings.map(|(ending, finding)| found(rules, instance, ending, finding, reasons));
            std::iter::once(Told::new(head, Vec::new(), Claim::Asked)).chain(told).collect()
        }
    }
}

/// What is known of an ending of a smudged record.
fn found(rules: &Rules, instance: &Instance, ending: Ending, finding: &Finding, reasons: &[Reason]) -> Told {
    let all = || (0..instance.record.len()).collect();
    match finding {
        Finding::Possible(witness) => {
            let moves = witness.iter().map(|&mv| Entry::from(mv).to_string()).join(", ");
            Told::new(format!("  {ending}: yes, by {moves}"), all(), Claim::Possible(ending))
        }
        Finding::Refuted => {
            let reason = reasons.iter().find(|reason| reason.ending == ending).map(|reason| &reason.core);
            let Some(core) = reason else {
                return Told::new(format!("  {ending}: no"), all(), Claim::Refuted(ending, Needed::Unknown));
            };
            let line = |&line: &usize| {
                instance.record.get(line).map(|entry| format!("{} ({entry})", line + 1)).unwrap_or_default()
            };
            let lines: Vec<String> = core.parts.iter().map(line).collect();
            let lines = match &lines[..] {
                [before @ .., last] if !before.is_empty() => format!("{} and {last}", before.join(", ")),
                _ => lines.join(""),
            };
            let why = match (&core.parts[..], core.open) {
                ([], _) => whatever(rules, ending).to_owned(),
                ([_], 0) => format!("move {lines} alone rules it out"),
                ([_, _], 0) => format!("moves {lines} alone rule it out; without either it can be"),
                (_, 0) => format!("moves {lines} alone rule it out; without any one of them it can be"),
                _ => format!("moves {lines} alone rule it out, perhaps fewer of them"),
            };
            let needed = if core.open == 0 { Needed::Each } else { Needed::Unknown };
            Told::new(format!("  {ending}: no, {why}"), core.parts.clone(), Claim::Refuted(ending, needed))
        }
        Finding::Open => Told::new(format!("  {ending}: not decided"), Vec::new(), Claim::Open(ending)),
    }
}

/// Why no game at all ends so.
fn whatever(rules: &Rules, ending: Ending) -> &'static str {
    match (ending, rules.start) {
        (Ending::Repeat(1), Start::Uncounted) => "there is no board before the first",
        (Ending::Repeat(1), Start::Counted) | (Ending::Repeat(2), Start::Uncounted) => {
            "the only board before has one spot more or fewer"
        }
        _ => "whatever the moves are",
    }
}
