//! Writes the result of `judge` as SAT solvers do, and formulas as DIMACS.

use super::answer::Answer;
use super::{Formula, Instance, Origin};
use counterpoint_encodings::Lit;
use std::fmt::Write as _;
use std::io::{self, Write};

/// The maximum length of a line of the model.
const WIDTH: usize = 78;

/// Writes `s SATISFIABLE` and the model in `v` lines, which end with 0, or `s UNSATISFIABLE`.
///
/// # Errors
/// Returns any error of `out`.
pub fn write(answer: &Answer, out: &mut dyn Write) -> io::Result<()> {
    let Answer::Satisfiable(model) = answer else { return out.write_all(b"s UNSATISFIABLE\n") };
    out.write_all(b"s SATISFIABLE\n")?;
    let mut line = "v".to_owned();
    for number in numbers(model).chain([0]) {
        let word = number.to_string();
        if line.len() + 1 + word.len() > WIDTH {
            writeln!(out, "{line}")?;
            line.truncate(1);
        }
        line.push(' ');
        line.push_str(&word);
    }
    writeln!(out, "{line}")
}

/// The true literals of a model as DIMACS numbers, in the order of the variables.
pub(super) fn numbers(model: &[bool]) -> impl Iterator<Item = i64> {
    (1..).zip(model).map(|(var, &value)| if value { var } else { -var })
}

/// The formula as DIMACS or, if it is in a file, a line that names the file.
pub fn write_instance(instance: &Instance) -> String {
    match &instance.origin {
        Origin::File(reference) => reference.to_string(),
        Origin::Text => dimacs(&instance.formula),
    }
}

/// The formula as DIMACS, with an `x` line for each parity constraint.
pub(super) fn dimacs(formula: &Formula) -> String {
    let constraints = formula.clauses().len() + formula.parities.len();
    let mut text = format!("p cnf {} {constraints}\n", formula.n_vars());
    for clause in formula.clauses() {
        line(clause.iter().copied(), &mut text);
    }
    for (lits, odd) in &formula.parities {
        text.push('x');
        // An `x` line says "odd"; negating one literal changes the parity.
        line(lits.iter().enumerate().map(|(i, &lit)| if i == 0 && !odd { !lit } else { lit }), &mut text);
    }
    text
}

fn line(lits: impl Iterator<Item = Lit>, text: &mut String) {
    for lit in lits {
        // Writing to a string cannot fail.
        let _ = write!(text, "{} ", lit.to_ipasir());
    }
    text.push_str("0\n");
}

#[cfg(test)]
mod tests {
    use super::super::read::parsed;
    use super::*;

    #[test]
    fn formulas_are_read_back() {
        for text in ["p cnf 0 0\n", "p cnf 3 4\n1 -2 3 0\n0\nx1 2 0\nx-3 0\n", "p cnf 1 2\n1 1 -1 0\n-1 0\n"]
        {
            assert_eq!(dimacs(&parsed(text)), text);
        }
    }

    #[test]
    fn the_lines_of_a_model_are_short() {
        for n in 0..200 {
            let model: Vec<bool> = (0..n).map(|i| i % 3 == 0).collect();
            let mut bytes = Vec::new();
            write(&Answer::Satisfiable(model.clone().into()), &mut bytes).unwrap();
            let text = String::from_utf8(bytes).unwrap();
            let lines: Vec<&str> = text.lines().collect();
            assert_eq!(lines[0], "s SATISFIABLE");
            assert!(lines.iter().all(|line| line.len() <= WIDTH), "{text}");
            let words = lines[1..].iter().flat_map(|line| line.strip_prefix("v ").unwrap().split(' '));
            let expected = numbers(&model).chain([0]);
            assert!(words.map(|word| word.parse::<i64>().unwrap()).eq(expected), "{text}");
        }
    }
}
