//! Writes clauses as sentences, so that people can read a formula.
//!
//! The negated literals of a clause are premises: "if press r1c1 and black then press r1c2". Variables without a name
//! are auxiliary variables of an encoding; they are called h1, h2, ... in the order of their creation.

use super::text::Text;
use super::{ExportError, Formula};
use counterpoint_encodings::{Linear, Lit, Relation, Sink, Var};
use std::fmt;
use std::io::Write;

/// The names of variables.
#[derive(Debug, Default)]
pub struct Names {
    /// The name of each variable, by its index.
    names: Vec<String>,
    /// The number of auxiliary variables.
    auxiliaries: usize,
}

impl Names {
    /// The names of variables `0..n_vars`. Those that are not in `named` are auxiliary variables.
    pub fn new(n_vars: u32, named: &[(Var, String)]) -> Names {
        let mut given = vec![""; n_vars as usize];
        for (var, name) in named {
            if let Some(slot) = given.get_mut(var.idx()) {
                *slot = name;
            }
        }
        let mut names = Names::default();
        given.iter().for_each(|name| names.add(format_args!("{name}")));
        names
    }

    /// Adds the name of the next variable. If the name is empty, the variable is auxiliary.
    fn add(&mut self, name: fmt::Arguments<'_>) {
        let name = name.to_string();
        self.names.push(match name.is_empty() {
            true => {
                self.auxiliaries += 1;
                format!("h{}", self.auxiliaries)
            }
            false => name,
        });
    }

    /// The name of a literal's variable; `?` if there is no such variable.
    pub fn of(&self, lit: Lit) -> &str {
        self.names.get(lit.vidx()).map_or("?", String::as_str)
    }

    /// The literals, separated by `between`, with "not" before negated ones.
    fn join(&self, lits: &[Lit], between: &str) -> String {
        let shown = lits.iter().map(|&lit| match lit.is_neg() {
            true => format!("not {}", self.of(lit)),
            false => self.of(lit).to_owned(),
        });
        shown.collect::<Vec<_>>().join(between)
    }
}

/// A clause as a sentence without a full stop.
pub fn sentence(lits: &[Lit], names: &Names) -> String {
    let premises: Vec<Lit> = lits.iter().filter(|lit| lit.is_neg()).map(|&lit| !lit).collect();
    let conclusions: Vec<Lit> = lits.iter().filter(|lit| lit.is_pos()).copied().collect();
    match (premises.as_slice(), conclusions.as_slice()) {
        ([], []) => "this cannot be".to_owned(),
        ([], [one]) => names.of(*one).to_owned(),
        ([one], []) => format!("not {}", names.of(*one)),
        ([a, b], []) => format!("not both {} and {}", names.of(*a), names.of(*b)),
        (all, []) => format!("not all of: {}", names.join(all, ", ")),
        ([], any) => format!("at least one of: {}", names.join(any, ", ")),
        (all, any) => format!("if {} then {}", names.join(all, " and "), names.join(any, " or ")),
    }
}

/// A parity constraint as a sentence without a full stop.
pub fn parity_sentence(lits: &[Lit], odd: bool, names: &Names) -> String {
    let number = if odd { "an odd number" } else { "an even number" };
    format!("{number} of: {}", names.join(lits, ", "))
}

/// An at-most-one constraint as a sentence without a full stop.
pub fn at_most_one_sentence(lits: &[Lit], names: &Names) -> String {
    format!("at most one of: {}", names.join(lits, ", "))
}

/// A linear constraint as a sentence without a full stop; as a formula if it does not say "at most one" or "exactly
/// one".
pub(super) fn sum_sentence(constraint: &Linear<'_>, names: &Names) -> String {
    let (coefficients, bound) = constraint.coefficients();
    let lits = || coefficients.iter().map(|(var, _)| var.pos_lit()).collect::<Vec<_>>();
    let all = |weight: i128| coefficients.iter().all(|(_, coefficient)| *coefficient == weight);
    match (constraint.relation, bound) {
        (Relation::AtMost, 1) if all(1) => at_most_one_sentence(&lits(), names),
        (Relation::AtLeast, -1) if all(-1) => at_most_one_sentence(&lits(), names),
        (Relation::Equal, 1) if all(1) => format!("exactly one of: {}", names.join(&lits(), ", ")),
        (relation, _) => {
            let mut sum = String::new();
            for (var, coefficient) in &coefficients {
                let sign = if *coefficient < 0 { "- " } else { "+ " };
                let sign = if sum.is_empty() && *coefficient > 0 { "" } else { sign };
                let weight = match coefficient.unsigned_abs() {
                    1 => String::new(),
                    weight => format!("{weight} "),
                };
                let space = if sum.is_empty() { "" } else { " " };
                sum += &format!("{space}{sign}{weight}{}", names.of(var.pos_lit()));
            }
            let relation = match relation {
                Relation::AtMost => "<=",
                Relation::AtLeast => ">=",
                Relation::Equal => "=",
            };
            format!("{} {relation} {bound}", if sum.is_empty() { "0" } else { &sum })
        }
    }
}

/// Writes the constraints of a formula as sentences, one per line, below the names of their groups.
///
/// # Errors
/// Returns an error if no single formula represents the instance, or if `out` cannot be written.
pub fn words(formula: &dyn Formula, out: &mut dyn Write) -> Result<(), ExportError> {
    let mut text = Text::new(out);
    let mut words = Words { text: &mut text, names: Names::default() };
    formula.clauses(&mut words)?;
    Ok(text.finish()?)
}

struct Words<'a, 'b> {
    text: &'a mut Text<'b>,
    names: Names,
}

impl Words<'_, '_> {
    fn line(&mut self, sentence: &str) {
        self.text.format(format_args!("  {sentence}"));
        self.text.lits(&[], b"\n");
    }
}

impl Sink for Words<'_, '_> {
    fn new_var(&mut self) -> Var {
        self.named_var(format_args!(""))
    }

    fn n_vars(&self) -> u32 {
        self.names.names.len() as u32
    }

    fn clause(&mut self, lits: &[Lit]) {
        let sentence = sentence(lits, &self.names);
        self.line(&sentence);
    }

    fn xor(&mut self, lits: &[Lit], odd: bool) {
        let sentence = parity_sentence(lits, odd, &self.names);
        self.line(&sentence);
    }

    fn named_var(&mut self, name: fmt::Arguments<'_>) -> Var {
        self.names.add(name);
        Var::new(self.n_vars() - 1)
    }

    fn group(&mut self, label: &str) {
        self.text.format(format_args!("{label}:\n"));
    }
}
