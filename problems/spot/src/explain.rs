//! Explains answers in sentences, each with the moves that it follows from.

use super::answer::reason::Reason;
use super::answer::{Answer, Ending, Finding};
use super::{Entry, Instance, Rules, Start, winner};
use counterpoint_core::board::{Group, Symmetry};
use counterpoint_core::problem::{Sentence, render};
use itertools::Itertools;

/// What a sentence claims. The claim holds for every record that contains the lines listed as premises.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The move with the first number, counted from 1, is made by the player with the second number.
    Mover(usize, u8),
    /// `Equal(later, earlier, symmetry)`: the symmetry maps the board after move `earlier` to the board after move
    /// `later`. Moves are counted from 1; 0 is the start.
    Equal(usize, usize, Symmetry),
    /// The game has this ending.
    Ends(Ending),
    /// The record has as many moves as the text says, and some of them are unknown.
    Question,
    /// Some completion has this ending.
    Possible(Ending),
    /// No completion has this ending.
    Refuted(Ending, Minimality),
    /// This ending is not decided.
    Open(Ending),
}

/// Whether the premises of a sentence are a minimal set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Minimality {
    /// If any one of them is dropped, some completion has the ending.
    Minimal,
    /// It is not known that each of them is needed.
    Unknown,
}

/// A sentence whose premises are indices, from 0, of lines of the record.
type SpotSentence = Sentence<usize, Claim>;

/// The explanation as text, one sentence per line.
pub fn explain(rules: &Rules, instance: &Instance, answer: &Answer, reasons: &[Reason]) -> String {
    render(&sentences(rules, instance, answer, reasons))
}

/// The explanation as sentences with their premises and claims.
pub fn sentences(
    rules: &Rules,
    instance: &Instance,
    answer: &Answer,
    reasons: &[Reason],
) -> Vec<SpotSentence> {
    let moves = instance.record.len();
    match answer {
        Answer::Draw => {
            let start = match rules.start {
                Start::Counted => "the empty board of the start and ",
                Start::Uncounted => "",
            };
            let turned = match rules.group {
                Group::C4 => ", even when rotated",
                Group::D4 => ", even when rotated or mirrored",
                Group::C2 => ", even when rotated by 180 degrees",
                Group::Trivial => "",
            };
            let text = format!(
                "All {moves} moves are made, and {start}the {moves} boards after them all differ{turned}: a draw."
            );
            vec![SpotSentence::new(text, (0..moves).collect(), Claim::Ends(Ending::Draw))]
        }
        Answer::Repeat { mv, earlier, symmetry } => {
            let before = match earlier {
                0 => "the board at the start".to_owned(),
                _ => format!("the board after move {earlier}"),
            };
            let end = format!("No move before it repeats a board, so {}.", ends(*mv));
            vec![
                mover(instance, *mv),
                SpotSentence::new(
                    format!("The board after it equals {before}, {}.", symmetry.describe()),
                    (0..*mv).collect(),
                    Claim::Equal(*mv, *earlier, *symmetry),
                ),
                SpotSentence::new(end, (0..*mv).collect(), Claim::Ends(Ending::Repeat(*mv))),
            ]
        }
        Answer::RepeatAt(mv) => {
            let end = format!(
                "It is the first that repeats a board, so {}. The answer does not say which board it repeats.",
                ends(*mv)
            );
            vec![
                mover(instance, *mv),
                SpotSentence::new(end, (0..moves.min(*mv)).collect(), Claim::Ends(Ending::Repeat(*mv))),
            ]
        }
        Answer::Smudged(findings) => {
            let head = format!("{moves} moves, some of them unknown. Which endings are possible?");
            let endings = Ending::all(moves).zip(findings);
            let each =
                endings.map(|(ending, finding)| ending_sentence(rules, instance, ending, finding, reasons));
            std::iter::once(SpotSentence::new(head, Vec::new(), Claim::Question)).chain(each).collect()
        }
    }
}

/// The sentence that says who makes a move.
fn mover(instance: &Instance, mv: usize) -> SpotSentence {
    let what = instance.record.get(mv - 1).map_or(String::new(), |entry| format!(" ({entry})"));
    let player = 3 - winner(mv);
    SpotSentence::new(format!("Move {mv}{what} is player {player}'s."), Vec::new(), Claim::Mover(mv, player))
}

/// Who loses and who wins if this move is the first that repeats a board.
fn ends(mv: usize) -> String {
    let winner = winner(mv);
    format!("player {} loses and player {winner} wins", 3 - winner)
}

/// The sentence about one ending of a smudged record.
fn ending_sentence(
    rules: &Rules,
    instance: &Instance,
    ending: Ending,
    finding: &Finding,
    reasons: &[Reason],
) -> SpotSentence {
    let all = || (0..instance.record.len()).collect();
    match finding {
        Finding::Possible(witness) => {
            let moves = witness.iter().map(|&mv| Entry::from(mv).to_string()).join(", ");
            SpotSentence::new(format!("  {ending}: yes, by {moves}"), all(), Claim::Possible(ending))
        }
        Finding::Unwitnessed => {
            let text = format!("  {ending}: yes, but the answer does not say by which moves");
            SpotSentence::new(text, all(), Claim::Possible(ending))
        }
        Finding::Refuted => {
            let reason = reasons.iter().find(|reason| reason.ending == ending).map(|reason| &reason.core);
            let Some(core) = reason else {
                let claim = Claim::Refuted(ending, Minimality::Unknown);
                return SpotSentence::new(format!("  {ending}: no"), all(), claim);
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
                ([], _) => impossible_for_all(rules, ending).to_owned(),
                ([_], 0) => format!("move {lines} alone rules it out"),
                ([_, _], 0) => format!("moves {lines} alone rule it out; drop either one and it is possible"),
                (_, 0) => format!("moves {lines} alone rule it out; drop any one and it is possible"),
                _ => format!("moves {lines} alone rule it out, though fewer may suffice"),
            };
            let minimality = if core.open == 0 { Minimality::Minimal } else { Minimality::Unknown };
            let claim = Claim::Refuted(ending, minimality);
            SpotSentence::new(format!("  {ending}: no, {why}"), core.parts.clone(), claim)
        }
        Finding::Open => {
            SpotSentence::new(format!("  {ending}: not decided"), Vec::new(), Claim::Open(ending))
        }
    }
}

/// Why no game at all has this ending.
fn impossible_for_all(rules: &Rules, ending: Ending) -> &'static str {
    match (ending, rules.start) {
        (Ending::Repeat(1), Start::Uncounted) => "there is no earlier board",
        (Ending::Repeat(1), Start::Counted) | (Ending::Repeat(2), Start::Uncounted) => {
            "the only earlier board has one spot more or fewer"
        }
        _ => "whatever the moves are",
    }
}
