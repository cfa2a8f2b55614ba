//! Answers as a person would tell them.

use super::answer::{Answer, Ending, Finding};
use super::{Entry, Instance, Rules, winner};
use std::fmt::Write;

/// A few sentences, each on its line.
pub fn explain(rules: &Rules, instance: &Instance, answer: &Answer) -> String {
    let moves = instance.record.len();
    match answer {
        Answer::Draw => {
            format!(
                "No move of the {moves} produces a board that stood before ({}): a draw.\n",
                rules.group.name()
            )
        }
        Answer::Repeat { mv, earlier, symmetry } => {
            let before = match earlier {
                0 => "that of the start".to_owned(),
                _ => format!("that after move {earlier}"),
            };
            let what = instance.record.get(mv - 1).map_or(String::new(), |entry| format!(" ({entry})"));
            let winner = winner(*mv);
            let loser = 3 - winner;
            format!(
                "Move {mv}{what} is player {loser}'s.\nThe board after it is {before}, {}.\nNo move before it \
                 repeats a board, so player {loser} loses and player {winner} wins.\n",
                symmetry.describe()
            )
        }
        Answer::Smudged(findings) => {
            let mut text = format!("{moves} moves, some of them unknown. A completion can end so:\n");
            for (ending, finding) in Ending::all(moves).zip(findings) {
                // Writing to a String cannot fail.
                let _ = match finding {
                    Finding::Possible(witness) => {
                        let lines: Vec<_> = witness.iter().map(|&mv| Entry::from(mv).to_string()).collect();
                        writeln!(text, "  {ending}: yes, by {}", lines.join(", "))
                    }
                    Finding::Refuted => writeln!(text, "  {ending}: no"),
                    Finding::Open => writeln!(text, "  {ending}: not decided"),
                };
            }
            text
        }
    }
}
