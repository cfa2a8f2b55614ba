//! The answer in a person's words.

use super::answer::Answer;
use super::{Goal, Instance, Rules, Target};
use crate::board::Digits;
use itertools::Itertools;

/// Presses with the reason why fewer cannot do, or the squares that show that none do.
pub fn explain(rules: &Rules, instance: &Instance, answer: &Answer) -> String {
    let size = instance.size;
    let list = |numbers: &Digits| {
        let word =
            |(i, n)| format!("{}{}", size.cell(i), if n > 1 { format!(" ×{n}") } else { String::new() });
        numbers.iter().map(word).join(", ")
    };
    match answer {
        Answer::Presses { presses, .. } if presses.total() == 0 => match rules.target {
            Target::Board(_) => format!("The {size} board is the target already: no press is needed.\n"),
            _ => format!("The {size} board is of one colour already: no press is needed.\n"),
        },
        Answer::Presses { presses, least } => {
            let why = match (least, rules.goal, rules.colours) {
                (true, _, 2) => {
                    "Fewer cannot do: pressing a square twice changes nothing and the order does not matter, so a \
                     solution is a set of squares, and no smaller set solves the board.\n"
                }
                (true, ..) => "Fewer cannot do: nothing that sums up to less solves the board.\n",
                (false, Goal::Any, _) => "Any solution was asked for, so fewer presses may do as well.\n",
                (false, Goal::Least, _) => "Whether fewer presses would do was not settled.\n",
            };
            format!("Press {}: {} in all.\n{why}", list(presses), presses.total())
        }
        Answer::Impossible(Some(weights)) => {
            let end = match (&rules.target, rules.colours) {
                (Target::Either, 2) => "either colour".to_owned(),
                (Target::Either, _) => "any colour".to_owned(),
                _ => rules.first_end().to_string(),
            };
            if rules.colours == 2 {
                return format!(
                    "Impossible. Mark these squares: {}.\nEvery press turns over an even number of marked squares, \
                     but an odd number of them would have to change for {end}.\n",
                    list(weights)
                );
            }
            let p = rules.colours;
            format!(
                "Impossible. Weigh these squares: {}.\nEvery press changes the weighted sum of the colours by a \
                 multiple of {p}, but it would have to change by something else for {end}.\n",
                list(weights)
            )
        }
        Answer::Impossible(None) => {
            format!("Impossible: every set of squares of the {size} board was ruled out.\n")
        }
    }
}
