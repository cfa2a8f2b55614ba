//! A slow LRAT checker that follows the rules in `proofs/src/lrat.rs` word by word.

use super::reference::Hinted;
use std::collections::{BTreeMap, BTreeSet};

/// The active clauses by their numbers.
type Clauses = BTreeMap<i64, Vec<i32>>;

/// Why a step is refused. Nothing more is known about it.
struct Refused;

/// Checks that the steps derive the empty clause from the clauses of a formula. Otherwise, returns the index of the first
/// step that is not allowed; `None` if all are allowed.
pub(super) fn check(formula: &[Vec<i32>], steps: &[Hinted]) -> Result<(), Option<usize>> {
    let mut clauses: Clauses = (1..).zip(formula.iter().cloned()).collect();
    if formula.contains(&Vec::new()) {
        return Ok(());
    }
    for (at, step) in steps.iter().enumerate() {
        match step {
            Hinted::Delete(ids) if ids.iter().all(|id| clauses.remove(id).is_some()) => {}
            Hinted::Add(id, lits, hints) if !clauses.contains_key(id) && follows(&clauses, lits, hints) => {
                if lits.is_empty() {
                    return Ok(());
                }
                clauses.insert(*id, lits.clone());
            }
            _ => return Err(Some(at)),
        }
    }
    Err(None)
}

fn follows(clauses: &Clauses, lits: &[i32], hints: &[i64]) -> bool {
    let mut trues = BTreeSet::new();
    if deny(lits.iter().copied(), &mut trues) {
        return true;
    }
    let groups: Vec<&[i64]> = hints.chunk_by(|_, next| *next > 0).collect();
    let (first, groups) = match groups.split_first() {
        Some((first, rest)) if first[0] > 0 => (*first, rest),
        _ => (&[][..], &groups[..]),
    };
    match propagate(clauses, first, &mut trues) {
        Ok(true) => return true,
        Err(Refused) => return false,
        Ok(false) => {}
    }
    let Some(&pivot) = lits.first() else { return false };
    let rest = |id: i64| clauses[&id].iter().copied().filter(move |&lit| lit != -pivot);
    let mut partners: BTreeSet<i64> =
        clauses.iter().filter(|(_, clause)| clause.contains(&-pivot)).map(|(id, _)| *id).collect();
    for group in groups {
        if !partners.remove(&-group[0]) {
            return false;
        }
        let mut trues = trues.clone();
        if !deny(rest(-group[0]), &mut trues)
            && !matches!(propagate(clauses, &group[1..], &mut trues), Ok(true))
        {
            return false;
        }
    }
    partners.iter().all(|&id| rest(id).any(|lit| trues.contains(&lit)))
}

/// Assumes that literals are false, in order. Returns whether one of them is true already.
fn deny(lits: impl IntoIterator<Item = i32>, trues: &mut BTreeSet<i32>) -> bool {
    for lit in lits {
        if trues.contains(&lit) {
            return true;
        }
        trues.insert(-lit);
    }
    false
}

/// Follows hints until a clause is false. Returns whether one was.
fn propagate(clauses: &Clauses, hints: &[i64], trues: &mut BTreeSet<i32>) -> Result<bool, Refused> {
    for hint in hints {
        let clause = clauses.get(hint).ok_or(Refused)?;
        let left: BTreeSet<i32> = clause.iter().copied().filter(|lit| !trues.contains(&-lit)).collect();
        match left.len() {
            0 => return Ok(true),
            1 => trues.extend(left),
            _ => return Err(Refused),
        }
    }
    Ok(false)
}
