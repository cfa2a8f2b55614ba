//! Unit propagation and a small model counter, for tests of formulas with few variables.

use counterpoint_encodings::{Cnf, Lit, Sink};

/// A formula with an index of its literals.
pub(crate) struct Propagator {
    clauses: Vec<Vec<Lit>>,
    /// For each literal, by its code, the indices of the clauses that contain it.
    occurs: Vec<Vec<usize>>,
    n_vars: usize,
}

fn code(lit: Lit) -> usize {
    lit.vidx() * 2 + usize::from(lit.is_neg())
}

/// For each variable, its value, or `None` if it is unassigned.
pub(crate) type Values = Vec<Option<bool>>;

impl Propagator {
    pub(crate) fn new(cnf: &Cnf) -> Self {
        let clauses: Vec<Vec<Lit>> = cnf.clauses().map(<[Lit]>::to_vec).collect();
        let n_vars = cnf.n_vars() as usize;
        let mut occurs = vec![Vec::new(); 2 * n_vars];
        for (i, clause) in clauses.iter().enumerate() {
            clause.iter().for_each(|&lit| occurs[code(lit)].push(i));
        }
        Propagator { clauses, occurs, n_vars }
    }

    /// Sets literals and propagates; `None` on a contradiction.
    pub(crate) fn propagate(&self, values: &Values, lits: &[Lit]) -> Option<Values> {
        let mut values = values.clone();
        let mut queue = lits.to_vec();
        while let Some(lit) = queue.pop() {
            match values[lit.vidx()] {
                Some(value) if value != lit.is_pos() => return None,
                Some(_) => continue,
                None => values[lit.vidx()] = Some(lit.is_pos()),
            }
            for &i in &self.occurs[code(!lit)] {
                queue.extend(unit(&self.clauses[i], &values)?);
            }
        }
        Some(values)
    }

    /// Propagates the unit clauses of the formula; `None` on a contradiction.
    pub(crate) fn start(&self) -> Option<Values> {
        let none = vec![None; self.n_vars];
        let mut units = Vec::new();
        for clause in &self.clauses {
            units.extend(unit(clause, &none)?);
        }
        self.propagate(&none, &units)
    }

    /// The number of models that extend these values, at most `max`.
    pub(crate) fn models(&self, values: &Values, max: usize) -> usize {
        let Some(var) = values.iter().position(Option::is_none) else { return 1 };
        let mut found = 0;
        for lit in [lit(var, true), lit(var, false)] {
            if let (true, Some(next)) = (found < max, self.propagate(values, &[lit])) {
                found += self.models(&next, max - found);
            }
        }
        found
    }
}

/// The implied literal of a clause that is unit; `None` if all literals of the clause are false; otherwise
/// `Some(None)`.
fn unit(clause: &[Lit], values: &Values) -> Option<Option<Lit>> {
    let value = |l: &Lit| values[l.vidx()].map(|v| v == l.is_pos());
    if clause.iter().any(|l| value(l) == Some(true)) {
        return Some(None);
    }
    let mut unassigned = clause.iter().filter(|l| value(l).is_none());
    match (unassigned.next(), unassigned.next()) {
        (None, _) => None,
        (Some(&last), None) => Some(Some(last)),
        _ => Some(None),
    }
}

/// The literal of a variable that has this value.
pub(crate) fn lit(var: usize, value: bool) -> Lit {
    Lit::new(var as u32, !value)
}
