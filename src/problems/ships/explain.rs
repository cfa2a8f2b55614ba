//! The answer in a person's words.

use super::answer::{Answer, Plan};
use super::{Instance, Rules, Square};
use crate::board::Cell;
use itertools::Itertools;
use std::fmt::Write;

/// The shots with what each tells, or the sets that no shot tells apart safely.
pub fn explain(rules: &Rules, instance: &Instance, answer: &Answer) -> String {
    match answer {
        Answer::NoFleet => {
            "No fleet fits: however the ships are laid, they overlap, leave out a hit or cover a miss.\n"
                .to_owned()
        }
        Answer::Yes { sets, plan } => {
            let mut text = match sets.len() {
                1 => "Just one set of squares can hold the fleet, so there is nothing to guess.\n".to_owned(),
                n => format!("{n} sets of squares can hold the fleet.\n"),
            };
            let sure = unknown(instance, sets.first().into_iter().flatten().copied())
                .filter(|cell| sets.iter().all(|set| set.contains(cell)))
                .join(" ");
            if sets.len() > 1 && !sure.is_empty() {
                // Writing to a String cannot fail, here and below.
                let _ = writeln!(text, "All of them hold {sure}, so these are safe.");
            }
            tell(instance, sets, plan, 0, &mut text);
            text
        }
        Answer::No { lost } => {
            let mut text = format!("These {} sets of squares can all hold the fleet:\n", lost.len());
            for (i, set) in lost.iter().enumerate() {
                let cells = unknown(instance, set.iter().copied()).join(" ");
                let _ = writeln!(text, "  {}. the hits and {cells}", i + 1);
            }
            text.push_str(match rules.misses {
                0 => "They differ, all are of one size, and whatever is shot at may miss.\n",
                1 => {
                    "Each square that is in some but not all of them is missing from at least two. A miss there \
                     leaves these two, and whatever tells them apart may miss again.\n"
                }
                _ => "Whatever is shot at may miss, and the sets left then cost too many misses in their turn.\n",
            });
            text
        }
    }
}

fn unknown(instance: &Instance, cells: impl Iterator<Item = Cell>) -> impl Iterator<Item = Cell> {
    cells.filter(|&cell| instance.size.contains(cell) && instance.at(cell) == Square::Unknown)
}

/// Hits follow each other on the same level, what follows a miss stands deeper.
fn tell(instance: &Instance, sets: &[Vec<Cell>], plan: &Plan, depth: usize, text: &mut String) {
    let indent = "  ".repeat(depth);
    let mut at = plan;
    while let Plan::Shoot { cell, hit, miss } = at {
        let _ = writeln!(text, "{indent}Shoot at {cell}. If it misses:");
        tell(instance, sets, miss, depth + 1, text);
        let _ = writeln!(text, "{indent}If it hits:");
        at = hit;
    }
    if let Plan::Sink(set) = at {
        let cells = unknown(instance, sets.get(*set).into_iter().flatten().copied()).join(" ");
        let rest = if cells.is_empty() { "nothing, all is uncovered".to_owned() } else { cells };
        let _ = writeln!(text, "{indent}What is left to uncover for sure: {rest}.");
    }
}
