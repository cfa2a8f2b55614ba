//! Writes the result of `judge` as SAT solvers do, and formulas as DIMACS. Reads the results of other programs.

use super::answer::Answer;
use super::{Formula, Instance, Origin};
use counterpoint_core::errors::FormatError;
use counterpoint_encodings::Lit;
use std::fmt::Write as _;
use std::io::{self, Write};

/// The maximum length of a line of the model.
const WIDTH: usize = 78;

/// Writes `s UNSATISFIABLE`, or `s SATISFIABLE` and the model in `v` lines. A 0 ends the model.
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

/// What a solver printed, as far as it is well formed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Claim {
    /// Whether there is a model; `None` for `s UNKNOWN`.
    pub(super) satisfiable: Option<bool>,
    /// The printed values of the variables.
    pub(super) values: Vec<Option<bool>>,
    /// Whether a 0 ends the model.
    pub(super) is_complete: bool,
}

/// The message about a program that prints no complete model.
pub(super) const NO_MODEL: &str = "its output has no complete model: v lines that end with 0";
/// The message about a program that prints a model although it says that there is none.
pub(super) const MODEL: &str = "its output has a model, although it says s UNSATISFIABLE";

/// Reads what a SAT solver prints: an `s` line, comments, and a model in `v` lines, which ends with 0. Variables that
/// the model does not mention are false.
///
/// # Errors
/// Returns a message that says what was found and what is expected.
pub fn read_verdict(instance: &Instance, output: &[u8]) -> Result<Answer, FormatError> {
    let Claim { satisfiable, values, is_complete } = read_claim(instance, output)?;
    match satisfiable {
        None => Err("its output says s UNKNOWN".to_owned().into()),
        Some(true) if !is_complete && !values.is_empty() => Err(NO_MODEL.to_owned().into()),
        Some(true) => Ok(Answer::model(values.into_iter().map(|value| value.unwrap_or(false)).collect())),
        Some(false) if values.iter().any(Option::is_some) => Err(MODEL.to_owned().into()),
        Some(false) => Ok(Answer::Unsatisfiable),
    }
}

/// Reads what a SAT solver prints. The model may be incomplete or missing.
///
/// # Errors
/// Returns a message that says what was found and what is expected.
pub(super) fn read_claim(instance: &Instance, output: &[u8]) -> Result<Claim, FormatError> {
    let n = instance.formula.n_vars();
    let (mut satisfiable, mut values, mut is_complete) = (None, vec![None; n as usize], false);
    for (line, text) in (1..).zip(output.split(|&byte| byte == b'\n')) {
        let text = text.trim_ascii();
        let unexpected = |expected: &str| -> FormatError {
            let found = text[..text.len().min(WIDTH)].escape_ascii();
            format!("its output, line {line}: found '{found}'; expected {expected}").into()
        };
        let mut words = text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        match words.next() {
            None | Some(b"c") => {}
            Some(b"s") if satisfiable.is_some() => {
                return Err(unexpected("only one line that begins with s"));
            }
            Some(b"s") => match text[1..].trim_ascii() {
                b"SATISFIABLE" => satisfiable = Some(Some(true)),
                b"UNSATISFIABLE" => satisfiable = Some(Some(false)),
                b"UNKNOWN" => satisfiable = Some(None),
                _ => return Err(unexpected("s SATISFIABLE, s UNSATISFIABLE or s UNKNOWN")),
            },
            Some(b"v") => {
                for word in words {
                    if is_complete {
                        return Err(unexpected("nothing after the 0 that ends the model"));
                    }
                    let number = str::from_utf8(word).ok().and_then(|word| word.parse::<i64>().ok());
                    let number = number.filter(|number| number.unsigned_abs() <= n.into());
                    let number =
                        number.ok_or_else(|| unexpected(&format!("literals of {n} variables, and 0")))?;
                    match usize::try_from(number.unsigned_abs()).unwrap_or_default() {
                        0 => is_complete = true,
                        var => {
                            let before = values[var - 1].replace(number > 0);
                            if before.is_some_and(|before| before != (number > 0)) {
                                return Err(unexpected(&format!("one value for variable {var}")));
                            }
                        }
                    }
                }
            }
            Some(_) => return Err(unexpected("a line that begins with s, v or c")),
        }
    }
    let satisfiable = satisfiable.ok_or_else(|| "its output has no line that begins with s".to_owned())?;
    Ok(Claim { satisfiable, values, is_complete })
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
    fn verdicts_of_programs_are_read() {
        let instance = Instance::of(parsed("p cnf 3 0\n"));
        let read = |output: &str| read_verdict(&instance, output.as_bytes());
        let model = |values: [bool; 3]| Ok(Answer::model(values.to_vec()));
        assert_eq!(read("c by\ns SATISFIABLE\nv 1 -2\nv 3 0\n"), model([true, false, true]));
        assert_eq!(read("v 2 0\r\n\ns SATISFIABLE\r\nc\n"), model([false, true, false]));
        assert_eq!(read("s UNSATISFIABLE\n"), Ok(Answer::Unsatisfiable));
        for (output, message) in [
            ("", "its output has no line that begins with s"),
            ("SAT\n", "its output, line 1: found 'SAT'; expected a line that begins with s, v or c"),
            (
                "s MAYBE\n",
                "its output, line 1: found 's MAYBE'; expected s SATISFIABLE, s UNSATISFIABLE or s UNKNOWN",
            ),
            ("s SATISFIABLE\n", "its output has no complete model: v lines that end with 0"),
            ("s SATISFIABLE\nv 1\n", "its output has no complete model: v lines that end with 0"),
            (
                "s SATISFIABLE\nv 4 0\n",
                "its output, line 2: found 'v 4 0'; expected literals of 3 variables, and 0",
            ),
            (
                "s SATISFIABLE\nv 1 x 0\n",
                "its output, line 2: found 'v 1 x 0'; expected literals of 3 variables, and 0",
            ),
            (
                "s SATISFIABLE\nv 1 -1 0\n",
                "its output, line 2: found 'v 1 -1 0'; expected one value for variable 1",
            ),
            (
                "s SATISFIABLE\nv 1 0 2\n",
                "its output, line 2: found 'v 1 0 2'; expected nothing after the 0 that ends the model",
            ),
            ("s UNSATISFIABLE\nv 1 0\n", "its output has a model, although it says s UNSATISFIABLE"),
            (
                "s SATISFIABLE\ns SATISFIABLE\n",
                "its output, line 2: found 's SATISFIABLE'; expected only one line that begins with s",
            ),
        ] {
            assert_eq!(read(output).unwrap_err(), message, "{output:?}");
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
