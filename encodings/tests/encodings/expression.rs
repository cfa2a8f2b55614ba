//! The arithmetic expressions in which the catalogue prints sizes.

use winnow::ascii::{alpha1, digit1};
use winnow::combinator::{Infix, alt, dispatch, expression, fail};
use winnow::token::any;
use winnow::{Parser, Result};

/// Names with their values.
type Values = Vec<(String, f64)>;

/// Evaluates an expression in n and k. The text is "e, a = …, b = …", where e may use a and b, and b may use a; `None`
/// if it has another form.
pub(crate) fn evaluate(text: &str, n: u64, k: u64) -> Option<u64> {
    let mut values = vec![("n".to_owned(), n as f64), ("k".to_owned(), k as f64)];
    let (body, bindings) = text.split_once(", ").unwrap_or((text, ""));
    let value = |text, values: &Values| (|text: &mut &str| sum(text, values)).parse(text).ok();
    for binding in bindings.split(", ").filter(|b| !b.is_empty()) {
        let (name, text) = binding.split_once(" = ")?;
        values.push((name.to_owned(), value(text, &values)?));
    }
    value(body, &values).map(|value| value.round() as u64)
}

/// Operands with operators between them. Powers bind more tightly than products, and these more tightly than sums.
fn sum(text: &mut &str, values: &Values) -> Result<f64> {
    let infix = dispatch! {any;
        '+' => Infix::Left(1, |_, a, b| Ok(a + b)),
        '-' => Infix::Left(1, |_, a, b| Ok(a - b)),
        '*' => Infix::Left(2, |_, a, b| Ok(a * b)),
        '/' => Infix::Left(2, |_, a, b| Ok(a / b)),
        '^' => Infix::Right(3, |_, a: f64, b| Ok(a.powf(b))),
        _ => fail,
    };
    expression(|text: &mut &str| operand(text, values)).infix(infix).parse_next(text)
}

/// A number, a name, or a sum in parentheses, to which a function may be applied.
fn operand(text: &mut &str, values: &Values) -> Result<f64> {
    let function = alt(("ceil(", "floor(", "log2(", "sqrt(", "("));
    let applied =
        (function, |text: &mut &str| sum(text, values), ')').map(|(function, value, _)| match function {
            "ceil(" => value.ceil(),
            "floor(" => value.floor(),
            "log2(" => value.log2(),
            "sqrt(" => value.sqrt(),
            _ => value,
        });
    let name = alpha1.verify_map(|name| values.iter().find(|value| value.0 == name).map(|value| value.1));
    alt((digit1.parse_to(), applied, name)).parse_next(text)
}

#[test]
fn expressions_have_the_usual_precedence() {
    for (text, value) in [
        ("2*n+k*(k-1)/2", Some(23)),
        ("8-3-2", Some(3)),
        ("2^2^3", Some(256)),
        ("n*b, b = ceil(log2(n)), c = b", Some(40)),
        ("floor(sqrt(n))+2^(k-1)", Some(7)),
        ("n*m", None),
        ("n*", None),
        ("the sink's", None),
    ] {
        assert_eq!(evaluate(text, 10, 3), value, "{text}");
    }
}
