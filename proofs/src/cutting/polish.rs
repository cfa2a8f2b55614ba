//! The rule `pol`: arithmetic in reverse Polish notation.

use super::inequality::{Inequality, Overflow};
use super::names::is_name;
use super::scanner::{Token, number};
use super::steps::{Checker, rejected};
use crate::{Place, ProofError};

impl Checker<'_> {
    /// `pol`: operations in reverse Polish notation.
    pub(super) fn polish(&mut self, place: Place) -> Result<(), ProofError> {
        let mut stack: Vec<Inequality> = Vec::new();
        let mut stored = 0;
        while let Some(token) = self.scanner.next() {
            if token.text == b";" {
                break;
            }
            let next = self.scanner.peek().map(|token| token.text);
            let too_large = |_: Overflow| ProofError::too_large(token.place);
            let result = match token.text {
                b"+" => {
                    let (right, left) = (pop(&mut stack, token)?, pop(&mut stack, token)?);
                    stored -= right.terms().len() + left.terms().len();
                    left.plus(right).map_err(too_large)?
                }
                b"s" => {
                    let top = pop(&mut stack, token)?;
                    stored -= top.terms().len();
                    top.saturated()
                }
                text => match (number(text), next) {
                    (Some(Err(_)), _) => return Err(ProofError::too_large(token.place)),
                    (Some(Ok(factor)), Some(operator @ (b"*" | b"d"))) => {
                        let least = i128::from(operator == b"d");
                        if factor < least {
                            return self.scanner.reject(Some(token), "a positive number");
                        }
                        self.scanner.next();
                        let top = pop(&mut stack, token)?;
                        stored -= top.terms().len();
                        match operator {
                            b"d" => top.divided_by(factor),
                            _ => top.times(factor).map_err(too_large)?,
                        }
                    }
                    (Some(Ok(number)), _) => self.get(number, token.place)?.clone(),
                    (None, Some(b"w")) if is_name(text) => {
                        let variable = self.names.index(text);
                        self.scanner.next();
                        let top = pop(&mut stack, token)?;
                        stored -= top.terms().len();
                        top.weakened(variable).map_err(too_large)?
                    }
                    (None, _) => match self.names.code(text) {
                        Some(lit) => Inequality::axiom(lit),
                        None => return self.scanner.reject(Some(token), "an operand or an operator"),
                    },
                },
            };
            stored += result.terms().len();
            self.database.afford(stored)?;
            self.spend(result.terms().len() + 16)?;
            stack.push(result);
        }
        let (Some(result), true) = (stack.pop(), stack.is_empty()) else {
            return rejected(place, "the operations do not leave exactly one constraint".to_owned());
        };
        self.scanner.end()?;
        self.add(result, place)
    }
}

fn pop(stack: &mut Vec<Inequality>, token: Token<'_>) -> Result<Inequality, ProofError> {
    stack.pop().ok_or_else(|| ProofError::Rejected {
        place: token.place,
        why: "there is no operand left for the operation".to_owned(),
    })
}
