//! A slow DRAT checker that follows the rules in `proofs/src/drat.rs` word by word, and writes the hints of each step.
//!
//! It shares no code with the checkers. It searches all clauses again and again instead of watching literals, and it
//! computes the literals that stay assigned anew for each step.

/// A clause with its number in LRAT proofs.
#[derive(Clone)]
struct Numbered {
    id: i64,
    /// Sorted, and without repetitions.
    lits: Vec<i32>,
}

/// The active clauses.
pub(super) struct Reference {
    clauses: Vec<Numbered>,
    last: i64,
}

/// A step of an LRAT proof.
#[derive(Clone, Debug)]
pub(super) enum Hinted {
    /// Number, literals, hints.
    Add(i64, Vec<i32>, Vec<i64>),
    /// The numbers of the deleted clauses.
    Delete(Vec<i64>),
}

fn normal(lits: &[i32]) -> Option<Vec<i32>> {
    let mut lits = lits.to_vec();
    lits.sort_unstable();
    lits.dedup();
    (!lits.iter().any(|lit| lits.contains(&-lit))).then_some(lits)
}

impl Reference {
    /// The clauses of a formula without its tautologies, and the step that deletes these.
    pub(super) fn new(clauses: &[Vec<i32>]) -> (Self, Hinted) {
        let (mut kept, mut tautologies) = (Vec::new(), Vec::new());
        for (id, lits) in (1..).zip(clauses) {
            match normal(lits) {
                Some(lits) => kept.push(Numbered { id, lits }),
                None => tautologies.push(id),
            }
        }
        (Reference { clauses: kept, last: clauses.len() as i64 }, Hinted::Delete(tautologies))
    }

    /// Extends `trues`, the true literals, by unit propagation. Returns the numbers of the clauses that were used, and
    /// whether the last one is false.
    fn propagate(&self, trues: &mut Vec<i32>) -> (Vec<i64>, bool) {
        let mut used = Vec::new();
        'again: loop {
            for clause in &self.clauses {
                if clause.lits.iter().any(|lit| trues.contains(lit)) {
                    continue;
                }
                let mut left = clause.lits.iter().filter(|lit| !trues.contains(&-**lit));
                match (left.next(), left.next()) {
                    (None, _) => {
                        used.push(clause.id);
                        return (used, true);
                    }
                    (Some(&unit), None) => {
                        used.push(clause.id);
                        trues.push(unit);
                        continue 'again;
                    }
                    _ => {}
                }
            }
            return (used, false);
        }
    }

    /// Whether unit propagation alone leads to a conflict, and the step that adds the empty clause.
    pub(super) fn refuted(&mut self) -> Option<Hinted> {
        let (hints, conflict) = self.propagate(&mut Vec::new());
        conflict.then(|| Hinted::Add(self.last + 1, Vec::new(), hints))
    }

    /// Adds a clause if it is RUP, or RAT on its first literal.
    pub(super) fn add(&mut self, lits: &[i32]) -> Option<Hinted> {
        let hints = self.hints(lits)?;
        self.last += 1;
        // A tautology has a number, but the next step of the LRAT proof is to delete it.
        if let Some(normal) = normal(lits) {
            self.clauses.push(Numbered { id: self.last, lits: normal });
        }
        Some(Hinted::Add(self.last, lits.to_vec(), hints))
    }

    /// The number of the clause that was added last if it is a tautology.
    pub(super) fn tautology(&self, lits: &[i32]) -> Option<Hinted> {
        normal(lits).is_none().then(|| Hinted::Delete(vec![self.last]))
    }

    fn hints(&self, lits: &[i32]) -> Option<Vec<i64>> {
        let mut trues: Vec<i32> = lits.iter().map(|lit| -lit).collect();
        if normal(lits).is_none() {
            return Some(Vec::new());
        }
        let (mut hints, conflict) = self.propagate(&mut trues);
        if conflict {
            return Some(hints);
        }
        let pivot = *lits.first()?;
        for clause in self.clauses.iter().filter(|clause| clause.lits.contains(&-pivot)) {
            hints.push(-clause.id);
            let rest = || clause.lits.iter().filter(|&&lit| lit != -pivot);
            if rest().any(|lit| trues.contains(lit)) {
                continue;
            }
            let mut trues = trues.clone();
            trues.extend(rest().map(|lit| -lit));
            let (more, conflict) = self.propagate(&mut trues);
            hints.extend(more);
            if !conflict {
                return None;
            }
        }
        Some(hints)
    }

    /// Deletes one copy of a clause, unless it is unknown or may be the reason of a literal that stays assigned.
    pub(super) fn delete(&mut self, lits: &[i32]) -> Option<Hinted> {
        let lits = normal(lits)?;
        let mut trues = Vec::new();
        self.propagate(&mut trues);
        if lits.iter().filter(|lit| !trues.contains(&-**lit)).count() <= 1 {
            return None;
        }
        let at = self.clauses.iter().rposition(|clause| clause.lits == lits)?;
        Some(Hinted::Delete(vec![self.clauses.remove(at).id]))
    }
}

/// LRAT steps as text.
pub(super) fn text(steps: &[Hinted]) -> String {
    let mut text = String::new();
    for step in steps {
        match step {
            Hinted::Add(id, lits, hints) => {
                text += &format!("{id} ");
                lits.iter().for_each(|lit| text += &format!("{lit} "));
                text += "0 ";
                hints.iter().for_each(|hint| text += &format!("{hint} "));
            }
            Hinted::Delete(ids) => {
                text += "1 d ";
                ids.iter().for_each(|id| text += &format!("{id} "));
            }
        }
        text += "0\n";
    }
    text
}

/// LRAT steps in the binary format.
pub(super) fn binary(steps: &[Hinted]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for step in steps {
        match step {
            Hinted::Add(id, lits, hints) => {
                bytes.push(b'a');
                push(&mut bytes, *id);
                lits.iter().for_each(|&lit| push(&mut bytes, lit.into()));
                bytes.push(0);
                hints.iter().for_each(|&hint| push(&mut bytes, hint));
            }
            Hinted::Delete(ids) => {
                bytes.push(b'd');
                ids.iter().for_each(|&id| push(&mut bytes, id));
            }
        }
        bytes.push(0);
    }
    bytes
}

/// A number in the binary formats: twice its absolute value, plus 1 if it is negative, in groups of seven bits.
pub(super) fn push(bytes: &mut Vec<u8>, number: i64) {
    let mut code = u128::from(number.unsigned_abs()) * 2 + u128::from(number < 0);
    while code > 127 {
        bytes.push(code as u8 | 128);
        code >>= 7;
    }
    bytes.push(code as u8);
}
