//! Turns a DRAT proof into an LRAT proof of the same refutation, for checkers that read only LRAT.
//!
//! The steps of the proof are checked as [`Drat::check`] checks them. Unit propagation records a reason for each literal
//! that it assigns: the clause whose other literals were false. From a conflict, the reasons are followed backwards
//! along the trail; those that are needed, in the order of assignment, are the hints. Literals that the step itself
//! assumes need no hint.
//!
//! Literals that follow from the clauses alone stay assigned, and many steps need them. So each of them becomes a unit
//! clause of its own, derived once, and is a single hint from then on. A RAT step needs no hints for resolvents with
//! them: if one of them were the negated pivot, the step would be RUP.
//!
//! Nothing relies on this module: an LRAT checker checks the result.
//!
//! # References
//! L. Cruz-Filipe and others, *Efficient Certified RAT Verification*, CADE 2017.

use crate::binary::{Binary, is_binary_drat};
use crate::clauses::{Clauses, Conflict, Reasons, normalize};
use crate::drat::Checker;
use crate::growth::{NONE, fill};
use crate::steps::{Kind, Steps, Walk};
use crate::text::Text;
use crate::variables::Code;
use crate::{Drat, Formula, Lrat, ProofError};
use counterpoint_base::budget::Stop;
use std::fmt::Write;

impl Drat {
    /// An LRAT proof, as text, that refutes `formula` by the same steps. Takes about as long as [`Drat::check`], and as
    /// much memory as the result besides.
    ///
    /// # Errors
    /// Returns the errors of [`Drat::check_until`].
    pub fn elaborate(&self, formula: &Formula, stop: &Stop) -> Result<Lrat, ProofError> {
        match is_binary_drat(&self.0) {
            true => run(Binary::new(&self.0), formula, stop),
            false => run(Text::new(&self.0), formula, stop),
        }
    }
}

fn run(steps: impl Steps, formula: &Formula, stop: &Stop) -> Result<Lrat, ProofError> {
    let mut checker = Checker::until(formula, stop).map_err(ProofError::Stopped)?;
    let mut writer = Writer::new(formula, checker.clauses());
    let (mut walk, mut lits) = (Walk::new(steps, stop), Vec::new());
    while !checker.refuted() {
        match walk.next(&mut lits)? {
            Kind::Delete => checker.delete(&lits).into_iter().for_each(|clause| writer.delete(clause)),
            Kind::Add => {
                let step: Vec<Code> = lits.iter().map(|&lit| checker.code(lit)).collect();
                let mut hints = Vec::new();
                let explain =
                    |clauses: &Clauses<_>, partner| writer.explain(clauses, &step, partner, &mut hints);
                if !checker.add_explained(&lits, stop, explain).map_err(ProofError::Stopped)? {
                    return Err(ProofError::NotImplied(walk.place()));
                }
                // Like the checker, the proof leaves out tautologies.
                if normalize(&mut step.clone()) {
                    writer.add(&lits, &step, &hints);
                    writer.add_units(checker.clauses());
                }
            }
        }
    }
    writer.add_empty(checker.clauses());
    Ok(Lrat(writer.text.into_bytes()))
}

/// Why literals are assigned, and the last conflict.
#[derive(Default)]
struct Recorded {
    /// For each variable that is assigned, the clause that became unit; `NONE` for an assumption.
    of: Vec<u32>,
    conflict: Option<Conflict>,
}

impl Reasons for Recorded {
    fn assigned(&mut self, lit: Code, clause: u32) {
        fill(&mut self.of, lit as usize / 2 + 1, NONE);
        self.of[lit as usize / 2] = clause;
    }

    fn conflict(&mut self, with: Conflict) {
        self.conflict = Some(with);
    }
}

/// Writes the LRAT proof.
struct Writer {
    text: String,
    /// The number in the LRAT proof of the last clause that was added.
    last: u64,
    /// The numbers in the LRAT proof of the checker's clauses.
    ids: Vec<u64>,
    /// For each variable, the number in the LRAT proof of its unit clause, or 0.
    units: Vec<u64>,
    /// The number of literals at the beginning of the trail that have unit clauses.
    has_units: usize,
    /// For each variable by index, its number.
    names: Vec<i32>,
    /// For each variable, its role in the current step.
    marks: Vec<Mark>,
    /// The variables that are marked as needed.
    needed: Vec<usize>,
}

/// The hints that lead to a conflict.
#[derive(Default)]
struct Chain {
    /// Unit clauses, which come first.
    units: Vec<u64>,
    /// The other clauses, the last one first.
    clauses: Vec<u64>,
}

/// The role of a variable in a step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    None,
    /// The step assumes its value.
    Assumed,
    /// A hint needs its value.
    Needed,
}

impl Writer {
    fn new(formula: &Formula, clauses: &Clauses<Recorded>) -> Self {
        let mut writer = Writer {
            text: String::new(),
            last: formula.clauses().len() as u64,
            ids: Vec::new(),
            units: Vec::new(),
            has_units: 0,
            names: (1..=formula.n_vars()).collect(),
            marks: Vec::new(),
            needed: Vec::new(),
        };
        let mut tautologies = Vec::new();
        for (id, clause) in (1..).zip(formula.clauses()) {
            let is_tautology = clause.iter().any(|lit| clause.contains(&-lit));
            if is_tautology { &mut tautologies } else { &mut writer.ids }.push(id);
        }
        // Otherwise, RAT steps would need hints for them.
        tautologies.into_iter().for_each(|id| writer.write_deletion(id));
        writer.add_units(clauses);
        writer
    }

    fn write_deletion(&mut self, id: u64) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{} d {id} 0", self.last);
    }

    /// Writes an added clause and returns its number.
    fn write(&mut self, lits: &[i32], hints: &[i64]) -> u64 {
        self.last += 1;
        let _ = write!(self.text, "{} ", self.last);
        for lit in lits {
            let _ = write!(self.text, "{lit} ");
        }
        self.text.push_str("0 ");
        for hint in hints {
            let _ = write!(self.text, "{hint} ");
        }
        self.text.push_str("0\n");
        self.last
    }

    fn delete(&mut self, clause: u32) {
        self.write_deletion(self.ids[clause as usize]);
    }

    /// Writes the clause that the checker has just stored. `step` has the codes of its literals.
    fn add(&mut self, lits: &[i32], step: &[Code], hints: &[i64]) {
        for (&lit, &code) in lits.iter().zip(step) {
            fill(&mut self.names, code as usize / 2 + 1, 0);
            self.names[code as usize / 2] = lit.abs();
        }
        // The first literal stays first, because it may be the pivot.
        let mut distinct: Vec<i32> = Vec::with_capacity(lits.len());
        for &lit in lits {
            if !distinct.contains(&lit) {
                distinct.push(lit);
            }
        }
        let id = self.write(&distinct, hints);
        self.ids.push(id);
    }

    /// Writes unit clauses for the literals that the clauses alone imply.
    fn add_units(&mut self, clauses: &Clauses<Recorded>) {
        for &lit in &clauses.trail()[self.has_units..] {
            let variable = lit as usize / 2;
            let reason = clauses.reasons().of[variable];
            let hints = self.units_of(clauses.lits(reason), lit);
            fill(&mut self.units, variable + 1, 0);
            self.units[variable] = match hints.is_empty() {
                true => self.ids[reason as usize],
                false => {
                    let hints = [&hints[..], &[self.ids[reason as usize] as i64]].concat();
                    let name = self.names[variable];
                    self.write(&[if lit & 1 == 1 { -name } else { name }], &hints)
                }
            };
        }
        self.has_units = clauses.trail().len();
    }

    /// The unit clauses that make all literals of a clause false, except one.
    fn units_of(&self, lits: &[Code], except: Code) -> Vec<i64> {
        let others = lits.iter().filter(|&&lit| lit != except);
        others.map(|&lit| self.units[lit as usize / 2] as i64).collect()
    }

    /// Writes the empty clause, if unit propagation has led to a conflict.
    fn add_empty(&mut self, clauses: &Clauses<Recorded>) {
        let Some(Conflict::Clause(clause)) = clauses.reasons().conflict else { return };
        let mut hints = self.units_of(clauses.lits(clause), NONE);
        hints.push(self.ids[clause as usize] as i64);
        self.write(&[], &hints);
    }

    /// Appends the hints for the last conflict to `hints`. The negations of `step` are assumed; in a RAT step also those
    /// of the other literals of the clause `partner`.
    fn explain(
        &mut self,
        clauses: &Clauses<Recorded>,
        step: &[Code],
        partner: Option<u32>,
        hints: &mut Vec<i64>,
    ) {
        let Some(conflict) = clauses.reasons().conflict else { return };
        hints.extend(partner.map(|partner| -(self.ids[partner as usize] as i64)));
        let others = partner.map_or(&[][..], |partner| clauses.lits(partner));
        let assumed = step.iter().chain(others).map(|&lit| lit as usize / 2);
        let len = assumed.clone().max().map_or(0, |last| last + 1).max(clauses.reasons().of.len());
        fill(&mut self.marks, len, Mark::None);
        assumed.clone().for_each(|variable| self.marks[variable] = Mark::Assumed);
        let assigned = &clauses.trail()[self.has_units..];
        // The literals of the trail up to `end` are still to be examined.
        let (mut end, mut chain) = (assigned.len(), Chain::default());
        match conflict {
            Conflict::Clause(clause) => self.need(clauses, clause, &mut chain),
            // If several literals are true that the step assumes to be false, the first depends on none of the others.
            Conflict::Literal(lit) => match self.units.get(lit as usize / 2) {
                Some(&unit) if unit > 0 => chain.units.push(unit),
                _ => {
                    let is_true = |lit: &Code| others.contains(lit) && *lit != step[0] ^ 1;
                    end = assigned.iter().position(is_true).unwrap_or(0);
                    let reason =
                        assigned.get(end).map_or(NONE, |lit| clauses.reasons().of[*lit as usize / 2]);
                    if reason != NONE {
                        self.need(clauses, reason, &mut chain);
                    }
                }
            },
        }
        for &lit in assigned[..end].iter().rev() {
            let reason = clauses.reasons().of[lit as usize / 2];
            if self.marks[lit as usize / 2] == Mark::Needed && reason != NONE {
                self.need(clauses, reason, &mut chain);
            }
        }
        hints.extend(chain.units.iter().chain(chain.clauses.iter().rev()).map(|&id| id as i64));
        assumed.chain(self.needed.drain(..)).for_each(|variable| self.marks[variable] = Mark::None);
    }

    /// Appends a clause to the chain, and marks the variables whose values it needs.
    fn need(&mut self, clauses: &Clauses<Recorded>, clause: u32, chain: &mut Chain) {
        chain.clauses.push(self.ids[clause as usize]);
        for lit in clauses.lits(clause) {
            let variable = *lit as usize / 2;
            if self.marks[variable] == Mark::None {
                self.marks[variable] = Mark::Needed;
                self.needed.push(variable);
                chain.units.extend(self.units.get(variable).filter(|unit| **unit > 0));
            }
        }
    }
}
