//! The claims that replace one claim when its formula is split into cubes.

use super::Cubes;
use crate::{Formula, Obligation};
use counterpoint_base::claim::{Checked, Claim, Status};
use counterpoint_base::cube::CubeNumber;

impl Obligation<'_> {
    /// The claims that together imply this one: for each cube, that the formula has no model in which the cube is true;
    /// and last, that the cubes cover all cases.
    ///
    /// In the formula of a case, the clauses that state the case come last. They belong to the clauses that
    /// state the claim; see [`Formula::begin_claim`].
    pub fn split<'b>(&'b self, cubes: &'b Cubes) -> Vec<Obligation<'b>> {
        let case = |i| self.case(cubes.get(i).unwrap_or_default(), cubes.number(i).as_ref());
        let mut all: Vec<_> = (0..cubes.len()).map(case).collect();
        all.push(self.with(cover_claim(&self.claim, cubes.len()), cubes.len(), move |formula| {
            cubes.iter().for_each(|cube| formula.clause(cube.iter().map(|lit| -lit)));
        }));
        all
    }

    /// The claim that the formula has no model in which this cube is true.
    pub fn case<'b>(&'b self, cube: &'b [i32], number: Option<&CubeNumber>) -> Obligation<'b> {
        let name = number.map_or(String::new(), ToString::to_string);
        self.with(format!("{}: cube {name}", self.claim), 0, move |formula| {
            cube.iter().for_each(|&lit| formula.clause([lit]));
        })
    }

    /// A claim about this formula with further clauses.
    fn with<'b>(&'b self, claim: String, clauses: usize, add: impl Fn(&mut Formula) + 'b) -> Obligation<'b> {
        let write = move || {
            let mut formula = self.write_formula();
            formula.begin_claim_once();
            add(&mut formula);
            formula
        };
        let obligation = Obligation::new(claim, self.n_clauses().saturating_add(clauses), write);
        if self.is_equivalent() { obligation } else { obligation.sufficient() }
    }
}

/// The text of the claim that `n` cubes cover all cases.
fn cover_claim(claim: &str, n: usize) -> String {
    match n {
        0 => format!("{claim}: no case is left"),
        1 => format!("{claim}: the cube covers all cases"),
        n => format!("{claim}: the {n} cubes cover all cases"),
    }
}

/// The status of a claim from the statuses of the claims that [`Obligation::split`] returns for it. The claim is proved
/// only if all of them are closed. Otherwise, the first one that failed decides, or else the first one that is open.
pub fn combine(parts: &[Claim]) -> Status {
    let short = |claim: &Claim| match claim.text.rsplit_once(": ") {
        Some((_, case)) => case.to_owned(),
        None => claim.text.clone(),
    };
    let reason = |claim: &Claim| claim.status.reason().unwrap_or_default().to_owned();
    if let Some(failed) = parts.iter().find(|part| part.status.is_failed()) {
        return Status::Failed(format!("{}: {}", short(failed), reason(failed)));
    }
    let mut open = parts.iter().filter(|part| !part.status.is_closed());
    if let Some(first) = open.next() {
        let why = format!("{}: {}", short(first), reason(first));
        return Status::Open(match open.count() {
            0 => why,
            n => format!("{why}; {n} more cases are open"),
        });
    }
    if parts.is_empty() {
        return Status::Open("no cases are listed".to_owned());
    }
    let mut sum = Checked { clauses: 0, steps: 0, propagations: 0 };
    for part in parts {
        if let Status::Proved(checked) = &part.status {
            sum.clauses = sum.clauses.max(checked.clauses);
            sum.steps += checked.steps;
            sum.propagations += checked.propagations;
        }
    }
    Status::Proved(sum)
}
