//! Writes the certificates of studies: JSON with the rules and the findings.

use crate::{Rules, Stencil};
use counterpoint_core::board::{Digits, Size};
use serde_json::{Map, Value};

/// The name of a stencil, as in the rules.
pub(super) fn stencil(stencil: Stencil) -> &'static str {
    match stencil {
        Stencil::Plus => "plus",
        Stencil::King => "king",
        Stencil::Cross => "cross",
        Stencil::Torus => "torus",
    }
}

/// Writes a certificate; each entry of its lists is on a separate line.
pub(super) fn bytes(
    question: &str,
    rules: &Rules,
    members: impl IntoIterator<Item = (String, Value)>,
) -> Vec<u8> {
    let head = [
        ("problem", "flip".into()),
        ("question", question.into()),
        ("version", 1.into()),
        ("stencil", stencil(rules.stencil).into()),
        ("colours", rules.colours.into()),
    ];
    let all: Map<String, Value> =
        head.map(|(key, value)| (key.to_owned(), value)).into_iter().chain(members).collect();
    let member = |(key, value): (&String, &Value)| match value {
        Value::Array(entries) => {
            let lines: Vec<String> = entries.iter().map(Value::to_string).collect();
            format!("\"{key}\":[\n{}\n]", lines.join(",\n"))
        }
        value => format!("\"{key}\":{value}"),
    };
    let members: Vec<String> = all.iter().map(member).collect();
    format!("{{{}}}\n", members.join(",\n")).into_bytes()
}

/// The number of each square as a digit, one string per row.
pub(super) fn rows(size: Size, numbers: &Digits) -> Vec<String> {
    let digit = |i| char::from_digit(numbers.get(i), 10).unwrap_or('?');
    let w = size.width as usize;
    (0..size.height as usize).map(|r| (r * w..(r + 1) * w).map(digit).collect()).collect()
}
