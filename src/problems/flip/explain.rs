//! The answer in a person's words.

use super::answer::Answer;
use super::{Goal, Instance, Rules, Target};
use crate::board::Cell;
use itertools::Itertools;

/// Presses with the reason why fewer cannot do, or the squares that show that none do.
pub fn explain(rules: &Rules, instance: &Instance, answer: &Answer) -> String {
    let size = instance.size;
    let list = |cells: &[Cell]| cells.iter().join(", ");
    match answer {
        Answer::Presses { cells, .. } if cells.is_empty() => {
            format!("The {size} board is of one colour already: no press is needed.\n")
        }
        Answer::Presses { cells, least } => {
            let why = match (least, rules.goal) {
                (true, _) => {
                    "Fewer cannot do: pressing a square twice changes nothing and the order does not matter, so a \
                     solution is a set of squares, and all sets that solve the board were weighed.\n"
                }
                (false, Goal::Any) => "Any solution was asked for, so fewer presses may do as well.\n",
                (false, Goal::Least) => "Whether fewer presses would do was not settled.\n",
            };
            format!("Press {}: {} in all.\n{why}", list(cells), cells.len())
        }
        Answer::Impossible(Some(weights)) => {
            let colour = match rules.target {
                Target::Either => "either colour",
                Target::White => "white",
                Target::Black => "black",
            };
            format!(
                "Impossible. Mark these squares: {}.\nEvery press turns over an even number of marked squares, \
                 but an odd number of them would have to change for {colour}.\n",
                list(weights)
            )
        }
        Answer::Impossible(None) => {
            format!("Impossible: every set of squares of the {size} board was ruled out.\n")
        }
    }
}
