//! Explains an answer in sentences: which variables a model makes true, or which clauses contradict each other.

use super::Formula;
use super::answer::Answer;
use counterpoint_core::problem::Core;
use counterpoint_encodings::Lit;

/// The maximum number of clauses or literals that are listed.
const MAX_SHOWN: usize = 40;

/// A clause or a parity constraint of a formula, by its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A clause.
    Clause(usize),
    /// A parity constraint.
    Parity(usize),
}

/// All clauses and parity constraints.
pub fn parts(formula: &Formula) -> Vec<Part> {
    let clauses = (0..formula.clauses().len()).map(Part::Clause);
    clauses.chain((0..formula.parities.len()).map(Part::Parity)).collect()
}

/// Explains an answer. `core` is a set of clauses and parity constraints that contradict each other; `None` if a limit
/// was reached before one was found.
pub fn explain(formula: &Formula, answer: &Answer, core: Option<&Core<Part>>) -> String {
    match (answer, core) {
        (Answer::Satisfiable(model), _) => model_text(formula, model),
        (Answer::Unsatisfiable, Some(core)) => core_text(formula, core),
        (Answer::Unsatisfiable, None) => {
            "The formula is said to have no model. A smaller set of clauses without a \
                                          model was not found within the limits of explanations.\n"
                .to_owned()
        }
    }
}

fn model_text(formula: &Formula, model: &[bool]) -> String {
    let constraints = count(formula.clauses().len(), "clause") + &parities(formula.parities.len());
    let given: Vec<String> =
        (1..).zip(model).filter(|(_, value)| **value).map(|(var, _): (u64, _)| var.to_string()).collect();
    let variables = count(model.len(), "variable");
    let which = match given.len() {
        0 => "no variable".to_owned(),
        n if n > MAX_SHOWN => format!("{n} variables: {}, ...", given[..MAX_SHOWN].join(" ")),
        n => format!("{}: {}", count(n, "variable"), given.join(" ")),
    };
    format!(
        "The formula has {variables} and {constraints}.\nThe model satisfies them all. It makes true {which}.\n"
    )
}

fn core_text(formula: &Formula, core: &Core<Part>) -> String {
    let (n, all) = (core.parts.len(), formula.clauses().len() + formula.parities.len());
    let kind = if formula.parities.is_empty() { "clauses" } else { "clauses and parity constraints" };
    let mut text = match (n, all) {
        (0, _) => return "The formula has no model.\n".to_owned(),
        (1, 1) => "The formula has one constraint, which no assignment satisfies:\n".to_owned(),
        (1, _) => format!("One of the {all} {kind} cannot be satisfied:\n"),
        _ if n == all => format!("The {all} {kind} contradict each other:\n"),
        _ => format!("{n} of the {all} {kind} contradict each other:\n"),
    };
    for part in core.parts.iter().take(MAX_SHOWN) {
        text.push_str(&line(formula, *part));
    }
    if n > MAX_SHOWN {
        text.push_str(&format!("  and {} more\n", n - MAX_SHOWN));
    }
    text.push_str(&match (n, core.open) {
        (1, 0) => String::new(),
        (_, 0) => "This set is minimal: drop any one of them and the rest can be satisfied.\n".to_owned(),
        (_, open) => format!(
            "This set may not be minimal: for {open} of them, it is unknown whether the others suffice.\n"
        ),
    });
    text
}

/// A constraint on a separate line, with its number in the order of the file.
fn line(formula: &Formula, part: Part) -> String {
    let lits = |lits: &[Lit]| lits.iter().map(|lit| format!("{} ", lit.to_ipasir())).collect::<String>();
    match part {
        Part::Clause(i) => {
            let clause = formula.clauses().nth(i).map_or(String::new(), lits);
            format!("  clause {}: {clause}0\n", i + 1)
        }
        Part::Parity(i) => {
            let (parity, odd) =
                formula.parities.get(i).map_or((String::new(), true), |(of, odd)| (lits(of), *odd));
            let number = if odd { "an odd number" } else { "an even number" };
            format!("  parity constraint {}: {number} of {}\n", i + 1, parity.trim_end())
        }
    }
}

fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

fn parities(n: usize) -> String {
    if n == 0 { String::new() } else { format!(" and {}", count(n, "parity constraint")) }
}

#[cfg(test)]
mod tests {
    use super::super::read::parsed;
    use super::*;

    #[test]
    fn answers_in_sentences() {
        let formula = parsed("p cnf 3 4\n1 -2 0\n2 0\n-1 0\nx1 3 0\n");
        let core = |parts: &[Part], open| Core { parts: parts.to_vec(), open };
        let text = |core: &Core<Part>| explain(&formula, &Answer::Unsatisfiable, Some(core));
        let clauses = [Part::Clause(0), Part::Clause(1), Part::Clause(2)];
        assert_eq!(
            text(&core(&clauses, 0)),
            "3 of the 4 clauses and parity constraints contradict each other:\n  clause 1: 1 -2 0\n  clause 2: 2 0\n  \
             clause 3: -1 0\nThis set is minimal: drop any one of them and the rest can be satisfied.\n"
        );
        let parity = [Part::Clause(2), Part::Parity(0)];
        let words = text(&core(&parity, 1));
        assert!(words.contains("  parity constraint 1: an odd number of 1 3\n"), "{words}");
        assert!(words.contains("may not be minimal: for 1 of them"), "{words}");
        let model = explain(&formula, &Answer::model(vec![true, false, true]), None);
        assert_eq!(
            model,
            "The formula has 3 variables and 3 clauses and 1 parity constraint.\n\
             The model satisfies them all. It makes true 2 variables: 1 3.\n"
        );
        assert!(explain(&formula, &Answer::Unsatisfiable, None).contains("within the limits"));
        let empty = parsed("p cnf 0 1\n0\n");
        let one = core(&[Part::Clause(0)], 0);
        let words = explain(&empty, &Answer::Unsatisfiable, Some(&one));
        assert_eq!(words, "The formula has one constraint, which no assignment satisfies:\n  clause 1: 0\n");
    }
}
