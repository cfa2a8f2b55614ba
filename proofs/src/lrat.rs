//! An LRAT checker: each added clause has hints, which name the clauses that lead to a conflict, in order of use.
//!
//! The clauses of the formula have the numbers 1, 2, and so on. The proof gives a number to each clause that it adds.
//!
//! # Rules
//! All literals of an added clause are assumed false. Then the hints are followed in order. If the clause of a hint is
//! unit under the assignment so far, its remaining literal becomes true. If all literals of the clause are false, there
//! is a conflict. Any other hint is an error. If the hints before the first negative one do not lead to a conflict, the
//! clause must be RAT on its first literal p: a hint -ID begins the hints for the resolvent with clause ID. Every
//! active clause that contains ¬p needs such hints, unless one of its other literals is already true.
//!
//! The checker never searches, so its time is linear in the total length of the clauses that are added and of those
//! that hints name. Only a RAT step takes longer. If the pivot's variable is in the formula, a RAT step looks at every
//! active clause; otherwise it looks at every added clause that contains the negated pivot. `drat.rs` says why the
//! rules are sound.
//!
//! # References
//! L. Cruz-Filipe and others, *Efficient Certified RAT Verification*, CADE 2017.

use crate::binary::{Binary, is_binary_lrat};
use crate::growth::{Chains, fill};
use crate::meter::Meter;
use crate::steps::{HintedStep, HintedSteps, Kind, STOP_INTERVAL};
use crate::text::Text;
use crate::variables::{Code, Variables};
use crate::{Formula, Place, ProofError};
use counterpoint_base::budget::{Budget, Stop};
use counterpoint_base::claim::Checked;
use counterpoint_base::keyed::KeyedMap;
use std::collections::BTreeSet;

/// A proof in the LRAT format, as text or binary. What follows the empty clause is not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lrat(pub Vec<u8>);

impl<T: Into<Vec<u8>>> From<T> for Lrat {
    fn from(bytes: T) -> Self {
        Lrat(bytes.into())
    }
}

impl Lrat {
    /// Checks that this proof refutes `formula`.
    ///
    /// # Errors
    /// The error names the first step that fails, or says that the proof does not derive the empty clause.
    pub fn check(&self, formula: &Formula) -> Result<Checked, ProofError> {
        self.check_until(formula, &Budget::unlimited().stop())
    }

    /// Checks the proof like [`Lrat::check`], but ends when `stop` returns a limit.
    ///
    /// # Errors
    /// Returns the errors of [`Lrat::check`], or the limit that was reached.
    pub fn check_until(&self, formula: &Formula, stop: &Stop) -> Result<Checked, ProofError> {
        match is_binary_lrat(&self.0) {
            true => run(&mut Binary::new(&self.0), formula, stop),
            false => run(&mut Text::new(&self.0), formula, stop),
        }
    }
}

fn run(steps: &mut impl HintedSteps, formula: &Formula, stop: &Stop) -> Result<Checked, ProofError> {
    let mut checker = Checker::new(formula, stop);
    let (mut count, mut step) = (0, HintedStep::default());
    while !checker.refuted {
        step.lits.clear();
        step.numbers.clear();
        let Some(kind) = steps.next(&mut step)? else { return Err(ProofError::NoEmptyClause) };
        count += 1;
        if count % STOP_INTERVAL == 0
            && let Some(limit) = stop()
        {
            return Err(ProofError::Stopped(limit));
        }
        checker.place = steps.place();
        match kind {
            Kind::Add => checker.add(&step)?,
            Kind::Delete => checker.delete(&step.numbers)?,
        }
    }
    let clauses = formula.clauses().len() as u64;
    Ok(Checked { clauses, steps: count, propagations: checker.propagations })
}

struct Checker<'a> {
    stop: &'a Stop,
    /// Counts the literals that are visited.
    meter: Meter,
    variables: Variables,
    /// The active clauses by their numbers.
    clauses: KeyedMap<u64, Box<[Code]>>,
    /// For each literal of a variable that only the proof has, the numbers of the added clauses that contain it.
    occurrences: Chains<u64>,
    /// For each literal, whether it is true. Between two steps, none is.
    holds: Vec<bool>,
    /// The true literals, in the order of assignment.
    trail: Vec<Code>,
    refuted: bool,
    propagations: u64,
    /// The place of the current step.
    place: Place,
}

impl<'a> Checker<'a> {
    fn new(formula: &Formula, stop: &'a Stop) -> Self {
        let mut checker = Checker {
            stop,
            meter: Meter::new(stop),
            variables: Variables::new(formula.n_vars()),
            clauses: KeyedMap::default(),
            occurrences: Chains::default(),
            holds: Vec::new(),
            trail: Vec::new(),
            refuted: false,
            propagations: 0,
            place: Place::Line(0),
        };
        for (id, clause) in (1..).zip(formula.clauses()) {
            let lits = clause.iter().map(|&lit| checker.variables.code(lit)).collect();
            checker.store(id, lits);
        }
        checker
    }

    fn store(&mut self, id: u64, lits: Vec<Code>) {
        self.refuted |= lits.is_empty();
        self.reserve(&lits);
        for &lit in &lits {
            if let Some(at) = self.variables.of_extension(lit) {
                self.occurrences.add(at, id);
            }
        }
        self.clauses.insert(id, lits.into_boxed_slice());
    }

    /// Grows the table that is indexed by literal, so that these literals fit.
    fn reserve(&mut self, lits: &[Code]) {
        let len = lits.iter().map(|&lit| (lit | 1) as usize + 1).max().unwrap_or(0);
        fill(&mut self.holds, len, false);
    }

    fn delete(&mut self, ids: &[i64]) -> Result<(), ProofError> {
        for id in ids {
            let known = u64::try_from(*id).ok().and_then(|id| self.clauses.remove(&id));
            known.ok_or(ProofError::UnknownClause { place: self.place, id: id.unsigned_abs() })?;
        }
        Ok(())
    }

    fn add(&mut self, step: &HintedStep) -> Result<(), ProofError> {
        if self.clauses.contains_key(&step.id) {
            return Err(ProofError::UsedNumber { place: self.place, id: step.id });
        }
        let lits: Vec<Code> = step.lits.iter().map(|&lit| self.variables.code(lit)).collect();
        self.reserve(&lits);
        self.admit(&lits, &step.numbers)?;
        self.back_to(0);
        self.store(step.id, lits);
        Ok(())
    }

    /// Checks that a clause may be added. The caller must undo the assignments.
    fn admit(&mut self, lits: &[Code], hints: &[i64]) -> Result<(), ProofError> {
        let first_group = hints.iter().position(|&hint| hint < 0).unwrap_or(hints.len());
        if self.deny(lits) || self.follow(&hints[..first_group])? {
            return Ok(());
        }
        let place = self.place;
        let Some(&pivot) = lits.first() else { return Err(ProofError::NoConflict { place, with: None }) };
        // The loop over all clauses may take long, so the stop closure is called before it.
        self.call_stop()?;
        let mut partners = self.partners(pivot ^ 1);
        let (mut groups, mut count) = (&hints[first_group..], 0);
        while let Some((&partner, rest)) = groups.split_first() {
            let end = rest.iter().position(|&hint| hint < 0).unwrap_or(rest.len());
            let (follow, next) = rest.split_at(end);
            groups = next;
            self.poll_stop(&mut count)?;
            let id = partner.unsigned_abs();
            if !partners.remove(&id) {
                return Err(ProofError::UnknownClause { place, id });
            }
            let mark = self.trail.len();
            if !self.deny(&self.without(id, pivot ^ 1)) && !self.follow(follow)? {
                return Err(ProofError::NoConflict { place, with: Some(id) });
            }
            self.back_to(mark);
        }
        for id in partners {
            self.poll_stop(&mut count)?;
            if !self.without(id, pivot ^ 1).iter().any(|&lit| self.holds[lit as usize]) {
                // Without a negative hint, the clause was not meant to be RAT, so the error names no resolvent.
                let with = (first_group < hints.len()).then_some(id);
                return Err(ProofError::NoConflict { place, with });
            }
        }
        Ok(())
    }

    fn call_stop(&self) -> Result<(), ProofError> {
        (self.stop)().map_or(Ok(()), |limit| Err(ProofError::Stopped(limit)))
    }

    /// Increments `count`, and calls the stop closure if it is a multiple of [`STOP_INTERVAL`].
    fn poll_stop(&self, count: &mut u64) -> Result<(), ProofError> {
        *count += 1;
        if count.is_multiple_of(STOP_INTERVAL) { self.call_stop() } else { Ok(()) }
    }

    /// The numbers of the active clauses that contain `lit`, in ascending order.
    fn partners(&self, lit: Code) -> BTreeSet<u64> {
        let is_partner = |id: &&u64| self.clauses.get(id).is_some_and(|lits| lits.contains(&lit));
        match self.variables.of_extension(lit) {
            Some(at) => self.occurrences.of(at).filter(|id| is_partner(&id)).collect(),
            None => self.clauses.keys().filter(is_partner).copied().collect(),
        }
    }

    /// The literals of a clause, except `lit`.
    fn without(&self, id: u64, lit: Code) -> Vec<Code> {
        self.clauses.get(&id).into_iter().flatten().copied().filter(|&other| other != lit).collect()
    }

    /// Assumes that all of `lits` are false. Returns whether one of them is true already, which is a conflict.
    fn deny(&mut self, lits: &[Code]) -> bool {
        for &lit in lits {
            if self.holds[lit as usize] {
                return true;
            }
            self.assign(lit ^ 1);
        }
        false
    }

    fn assign(&mut self, lit: Code) {
        if !self.holds[lit as usize] {
            self.holds[lit as usize] = true;
            self.trail.push(lit);
        }
    }

    fn back_to(&mut self, mark: usize) {
        for lit in self.trail.drain(mark..) {
            self.holds[lit as usize] = false;
        }
    }

    /// Propagates with the clauses of these hints, in order. Returns whether there is a conflict.
    fn follow(&mut self, hints: &[i64]) -> Result<bool, ProofError> {
        for hint in hints {
            let id = hint.unsigned_abs();
            let unknown = ProofError::UnknownClause { place: self.place, id };
            let clause = self.clauses.get(&id).ok_or(unknown)?;
            self.propagations += 1;
            self.meter.spend(clause.len());
            if self.meter.is_stopped() {
                self.meter.limit().map_or(Ok(()), |limit| Err(ProofError::Stopped(limit)))?;
            }
            let mut left = clause.iter().copied().filter(|&lit| !self.holds[(lit ^ 1) as usize]);
            let Some(unit) = left.next() else { return Ok(true) };
            if left.any(|lit| lit != unit) {
                return Err(ProofError::NotUnit { place: self.place, id });
            }
            self.assign(unit);
        }
        Ok(false)
    }
}
