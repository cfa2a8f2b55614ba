//! Known bugs of SAT solvers. A formula can have several models, so a bug does not determine what a program
//! with this bug prints. Instead, a function decides whether such a program may print a given output
//! (`may_print`).
//!
//! A bug concerns what a program reads or what it prints. A program that reads other clauses prints a right
//! answer to the formula with these other clauses. The other bugs change the status, the lines or the model
//! of a right output.

use super::Instance;
use super::verdict::{SATISFIABLE, UNSATISFIABLE};
use super::write::{self, Claim};
use counterpoint_core::engine::Budget;
use counterpoint_core::problem::Printed;
use counterpoint_core::solver::{self, SolverFactory};
use counterpoint_encodings::Lit;
use std::borrow::Cow;

/// A known bug.
pub(super) struct Bug {
    /// Its name.
    pub(super) name: &'static str,
    /// The bug, as the end of a sentence "the program ...".
    pub(super) fault: &'static str,
    does: Does,
}

/// What a program with a bug does.
enum Does {
    /// It reads the clauses after this change.
    Reads(fn(&mut Clauses)),
    /// It prints a right output after this change.
    Prints(Prints),
}

/// A formula as a program reads it.
struct Clauses {
    n_vars: i32,
    list: Vec<Vec<i32>>,
}

/// How an output differs from a right one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Prints {
    Nothing,
    NoModel,
    NoEnd,
    NoS,
    NoV,
    Exit0,
    ExitSwapped,
    Negated,
    OnlyTrue,
    WithoutLast,
    Always(bool),
    Swapped,
}

const fn reads(name: &'static str, fault: &'static str, change: fn(&mut Clauses)) -> Bug {
    Bug { name, fault, does: Does::Reads(change) }
}

const fn prints(name: &'static str, fault: &'static str, prints: Prints) -> Bug {
    Bug { name, fault, does: Does::Prints(prints) }
}

/// The known bugs.
pub(super) const BUGS: &[Bug] = &[
    reads("last-clause", "ignores the last clause", |formula| drop(formula.list.pop())),
    reads("first-clause", "ignores the first clause", |formula| {
        formula.list.drain(..formula.list.len().min(1));
    }),
    reads("empty-clauses", "ignores empty clauses", |formula| formula.list.retain(|c| !c.is_empty())),
    reads("unit-clauses", "ignores clauses of one literal", |formula| formula.list.retain(|c| c.len() != 1)),
    reads("long-clauses", "ignores clauses of more than three literals", |formula| {
        formula.list.retain(|clause| clause.len() <= 3);
    }),
    reads("three-literals", "reads only the first three literals of a clause", |formula| {
        formula.list.iter_mut().for_each(|clause| clause.truncate(3));
    }),
    reads("first-literal", "ignores the first literal of a clause", |formula| {
        formula.list.iter_mut().for_each(|clause| drop(clause.drain(..clause.len().min(1))));
    }),
    reads("last-literal", "ignores the last literal of a clause", |formula| {
        formula.list.iter_mut().for_each(|clause| clause.truncate(clause.len().saturating_sub(1)));
    }),
    reads("last-variable", "ignores the literals of the last variable", |formula| {
        let last = formula.n_vars;
        formula.list.iter_mut().for_each(|clause| clause.retain(|lit| lit.abs() != last));
    }),
    reads("repeated-ignored", "ignores clauses in which a literal occurs twice", |formula| {
        formula.list.retain(|clause| (1..clause.len()).all(|i| !clause[..i].contains(&clause[i])));
    }),
    reads("repeated-cancel", "removes literals that occur twice in a clause", |formula| {
        for clause in &mut formula.list {
            let all = clause.clone();
            clause.retain(|lit| all.iter().filter(|other| *other == lit).count() == 1);
        }
    }),
    reads("opposites-cancel", "removes a literal and its negation from a clause", |formula| {
        for clause in &mut formula.list {
            let all = clause.clone();
            clause.retain(|lit| !all.contains(&-lit));
        }
    }),
    reads("last-sign", "keeps only the last literal of each variable in a clause", |formula| {
        for clause in &mut formula.list {
            let all = clause.clone();
            let is_last = |i: usize| all[i + 1..].iter().all(|lit| lit.abs() != all[i].abs());
            *clause = (0..all.len()).filter(|&i| is_last(i)).map(|i| all[i]).collect();
        }
    }),
    reads("signs", "ignores minus signs", |formula| {
        formula.list.iter_mut().flatten().for_each(|lit| *lit = lit.abs());
    }),
    prints("silent", "prints nothing", Prints::Nothing),
    prints("no-model", "prints `s SATISFIABLE` without a model", Prints::NoModel),
    prints("no-end", "does not end the model with 0", Prints::NoEnd),
    prints("no-s", "prints SATISFIABLE and UNSATISFIABLE without `s` before them", Prints::NoS),
    prints("no-v", "prints the model without `v` before it", Prints::NoV),
    prints("exit-0", "ends with exit status 0 instead of 10 or 20", Prints::Exit0),
    prints("exit-swapped", "confuses the exit statuses 10 and 20", Prints::ExitSwapped),
    prints("negated", "prints the negations of the true literals", Prints::Negated),
    prints("only-true", "omits the variables that are false from the model", Prints::OnlyTrue),
    prints("last-omitted", "omits the last variable from the model", Prints::WithoutLast),
    prints("always-satisfiable", "calls every formula satisfiable", Prints::Always(true)),
    prints("always-unsatisfiable", "calls every formula unsatisfiable", Prints::Always(false)),
    prints("swapped", "confuses satisfiable and unsatisfiable", Prints::Swapped),
];

/// Whether a program with the bug of this index may print this; `None` if a solver does not decide that within its
/// limit, or the formula has parity constraints.
pub(super) fn may_print(bug: usize, instance: &Instance, printed: Printed<'_>) -> Option<bool> {
    if !instance.formula.parities.is_empty() {
        return None;
    }
    let mut clauses = Clauses::of(instance);
    match BUGS.get(bug)?.does {
        Does::Reads(change) => {
            change(&mut clauses);
            let Ok(claim) = write::read_claim(instance, printed.output) else { return Some(false) };
            let status = status(claim.satisfiable == Some(true));
            Some(clauses.is_answered(&claim)? && printed.status == status)
        }
        Does::Prints(prints) => prints.may_print(instance, &clauses, printed),
    }
}

/// The right exit status.
fn status(satisfiable: bool) -> i32 {
    i32::from(if satisfiable { SATISFIABLE } else { UNSATISFIABLE })
}

impl Prints {
    /// Whether the output is a right one that was changed in this way.
    fn may_print(self, instance: &Instance, clauses: &Clauses, printed: Printed<'_>) -> Option<bool> {
        let output = match self {
            Prints::NoS => with_prefix(printed.output, b"s ", |line| !line.starts_with(b"v")),
            Prints::NoV => with_prefix(printed.output, b"v ", |line| {
                line.first().is_some_and(|byte| byte.is_ascii_digit() || *byte == b'-')
            }),
            _ => Some(Cow::Borrowed(printed.output)),
        };
        // An output that cannot be read shows the bug `Nothing` if it is empty, and none of these bugs
        // otherwise.
        let claim = output.and_then(|output| write::read_claim(instance, &output).ok());
        let Some(mut claim) = claim else {
            return Some(self == Prints::Nothing && printed.output.trim_ascii().is_empty());
        };
        let Some(satisfiable) = claim.satisfiable else { return Some(false) };
        let is_right_status = printed.status == status(satisfiable);
        let holds = match self {
            Prints::Nothing => false,
            Prints::NoS | Prints::NoV => is_right_status && clauses.is_answered(&claim)?,
            Prints::Always(always) => satisfiable == always && is_right_status,
            Prints::Exit0 => printed.status == 0 && clauses.is_answered(&claim)?,
            Prints::ExitSwapped => printed.status == status(!satisfiable) && clauses.is_answered(&claim)?,
            Prints::Swapped => is_right_status && clauses.is_satisfiable()? != satisfiable,
            _ if !satisfiable => is_right_status && clauses.is_answered(&claim)?,
            Prints::NoModel => is_right_status && !claim.has_model() && clauses.is_satisfiable()?,
            Prints::NoEnd => {
                let is_right = is_right_status && !claim.is_complete;
                claim.is_complete = true;
                is_right && clauses.is_answered(&claim)?
            }
            Prints::Negated => {
                claim.values.iter_mut().flatten().for_each(|value| *value = !*value);
                is_right_status && clauses.is_answered(&claim)?
            }
            Prints::OnlyTrue => {
                let is_right = is_right_status && !claim.values.contains(&Some(false));
                claim.values.iter_mut().for_each(|value| *value = Some(value.is_some()));
                is_right && clauses.is_answered(&claim)?
            }
            Prints::WithoutLast => {
                let is_right = is_right_status && claim.values.last().is_none_or(Option::is_none);
                let mut with = |last| {
                    claim.values.last_mut().into_iter().for_each(|value| *value = Some(last));
                    clauses.is_answered(&claim)
                };
                is_right && (with(true)? || with(false)?)
            }
        };
        Some(holds)
    }
}

/// The output with a prefix before each line that `lacks` it, except comments; `None` if some line has it already.
fn with_prefix<'o>(output: &'o [u8], prefix: &[u8], lacks: fn(&[u8]) -> bool) -> Option<Cow<'o, [u8]>> {
    let mut all = Vec::new();
    for line in output.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii) {
        if line.starts_with(prefix) {
            return None;
        }
        if !line.is_empty() && !line.starts_with(b"c") && lacks(line) {
            all.extend_from_slice(prefix);
        }
        all.extend_from_slice(line);
        all.push(b'\n');
    }
    Some(Cow::Owned(all))
}

impl Claim {
    fn has_model(&self) -> bool {
        self.is_complete || self.values.iter().any(Option::is_some)
    }
}

/// The maximum number of conflicts of a solver that decides whether changed clauses have a model.
const MAX_CONFLICTS: u64 = 20_000;

impl Clauses {
    fn of(instance: &Instance) -> Clauses {
        let formula = &instance.formula;
        let list = formula.clauses().map(|clause| clause.iter().map(|lit| lit.to_ipasir()).collect());
        Clauses { n_vars: formula.n_vars().try_into().unwrap_or(i32::MAX), list: list.collect() }
    }

    /// Whether a program that read these clauses may claim this. `None` if the solver does not decide it.
    fn is_answered(&self, claim: &Claim) -> Option<bool> {
        match claim.satisfiable {
            Some(true) => Some((claim.is_complete || self.n_vars == 0) && self.hold(claim)),
            Some(false) => Some(!claim.has_model() && !self.is_satisfiable()?),
            None => Some(false),
        }
    }

    /// Whether each clause holds under the printed values, whatever the values of the other variables are.
    fn hold(&self, claim: &Claim) -> bool {
        let value = |lit: i32| claim.values.get(lit.unsigned_abs() as usize - 1).copied().flatten();
        let holds = |clause: &Vec<i32>| {
            let is_tautology = || clause.iter().any(|lit| value(*lit).is_none() && clause.contains(&-lit));
            clause.iter().any(|&lit| value(lit) == Some(lit > 0)) || is_tautology()
        };
        self.list.iter().all(holds)
    }

    fn is_satisfiable(&self) -> Option<bool> {
        self.model().map(|model| model.is_some())
    }

    /// A model; `Some(None)` if there is none, and `None` if the solver does not decide this.
    fn model(&self) -> Option<Option<Vec<bool>>> {
        let mut solver = SolverFactory::default().fresh();
        for _ in 0..self.n_vars {
            solver.new_var();
        }
        for clause in &self.list {
            let lits: Vec<Lit> =
                clause.iter().map(|&lit| Lit::new(lit.unsigned_abs() - 1, lit < 0)).collect();
            solver.clause(&lits);
        }
        let (found, solver) = solver::step(solver, &[], &mut Budget::of_work(MAX_CONFLICTS)).ok()?;
        let vars = 0..self.n_vars.unsigned_abs();
        Some(found.then(|| vars.map(|var| solver.value(Lit::positive(var))).collect()))
    }
}

#[cfg(test)]
mod tests;
