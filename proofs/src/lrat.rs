//! An LRAT checker: each addition names the clauses that make its denial contradictory, in order.
//!
//! The formula's clauses have the numbers 1, 2 and so on, each added one has a number of its own. Where the hints before the first negative one lead to no conflict, the clause must be RAT
//! on its first literal p: each `-ID` opens the hints for the resolvent with that clause, and every
//! clause alive that holds not-p must be resolved so, unless another of its literals is true by then.
//! Nothing is searched, so a check is linear in the proof, RAT on a formula's variables apart. Sound as
//! `drat` says. L. Cruz-Filipe and others, *Efficient Certified RAT Verification*, CADE 2017.

use crate::binary::Binary;
use crate::drat::Kind;
use crate::hinted::{Line, Lines, Text, is_binary};
use crate::room::{Chains, fill};
use crate::variables::{Code, Variables};
use crate::{Formula, Place, ProofError};
use counterpoint_base::budget::{Budget, Stop};
use counterpoint_base::claim::Checked;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Lines, or partners in a RAT step, between two looks at the stop closure.
const A_LOOK: u64 = 64;

/// A proof in the LRAT format, as text or in bytes. Nothing is read behind the empty clause.
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
    /// The first line that fails, or that the empty clause was not reached.
    pub fn check(&self, formula: &Formula) -> Result<Checked, ProofError> {
        self.check_until(formula, &Budget::unlimited().stop())
    }

    /// As [`Lrat::check`], until `stop` speaks.
    ///
    /// # Errors
    /// Those of [`Lrat::check`], and the limit that was met.
    pub fn check_until(&self, formula: &Formula, stop: &Stop) -> Result<Checked, ProofError> {
        match is_binary(&self.0) {
            true => run(&mut Binary::new(&self.0), formula, stop),
            false => run(&mut Text::new(&self.0), formula, stop),
        }
    }
}

fn run(lines: &mut impl Lines, formula: &Formula, stop: &Stop) -> Result<Checked, ProofError> {
    let mut checker = Checker::new(formula, stop);
    let (mut steps, mut line) = (0, Line::default());
    while !checker.refuted {
        line.lits.clear();
        line.numbers.clear();
        let Some(kind) = lines.next(&mut line)? else { return Err(ProofError::NoEmptyClause) };
        steps += 1;
        if steps % A_LOOK == 0
            && let Some(limit) = stop()
        {
            return Err(ProofError::Stopped(limit));
        }
        checker.place = lines.place();
        match kind {
            Kind::Add => checker.add(&line)?,
            Kind::Delete => checker.delete(&line.numbers)?,
        }
    }
    let clauses = formula.clauses().len() as u64;
    Ok(Checked { clauses, steps, propagations: checker.propagations })
}

struct Checker<'a> {
    stop: &'a Stop,
    variables: Variables,
    /// Clauses alive by their numbers.
    clauses: FxHashMap<u64, Box<[Code]>>,
    /// For each literal of a variable that only the proof has, the clauses that were added with it.
    holding: Chains<u64>,
    /// Whether each literal holds; none between two steps.
    holds: Vec<bool>,
    trail: Vec<Code>,
    refuted: bool,
    propagations: u64,
    place: Place,
}

impl<'a> Checker<'a> {
    fn new(formula: &Formula, stop: &'a Stop) -> Self {
        let mut checker = Checker {
            stop,
            variables: Variables::new(formula.n_vars()),
            clauses: FxHashMap::default(),
            holding: Chains::default(),
            holds: Vec::new(),
            trail: Vec::new(),
            refuted: false,
            propagations: 0,
            place: Place::Line(0),
        };
        for (id, clause) in (1..).zip(formula.clauses()) {
            let lits = clause.iter().map(|&lit| checker.variables.code(lit)).collect();
            checker.keep(id, lits);
        }
        checker
    }

    fn keep(&mut self, id: u64, lits: Vec<Code>) {
        self.refuted |= lits.is_empty();
        self.reserve(&lits);
        for &lit in &lits {
            if let Some(at) = self.variables.of_extension(lit) {
                self.holding.add(at, id);
            }
        }
        self.clauses.insert(id, lits.into_boxed_slice());
    }

    fn reserve(&mut self, lits: &[Code]) {
        let most = lits.iter().map(|&lit| (lit | 1) as usize + 1).max().unwrap_or(0);
        fill(&mut self.holds, most, false);
    }

    fn delete(&mut self, ids: &[i64]) -> Result<(), ProofError> {
        for id in ids {
            let known = u64::try_from(*id).ok().and_then(|id| self.clauses.remove(&id));
            known.ok_or(ProofError::UnknownClause { place: self.place, id: id.unsigned_abs() })?;
        }
        Ok(())
    }

    fn add(&mut self, line: &Line) -> Result<(), ProofError> {
        if self.clauses.contains_key(&line.id) {
            return Err(ProofError::UsedNumber { place: self.place, id: line.id });
        }
        let lits: Vec<Code> = line.lits.iter().map(|&lit| self.variables.code(lit)).collect();
        self.reserve(&lits);
        self.admit(&lits, &line.numbers)?;
        self.back_to(0);
        self.keep(line.id, lits);
        Ok(())
    }

    /// Whether a clause may be added; leaves literals assigned.
    fn admit(&mut self, lits: &[Code], hints: &[i64]) -> Result<(), ProofError> {
        let first_group = hints.iter().position(|&hint| hint < 0).unwrap_or(hints.len());
        if self.deny(lits) || self.follow(&hints[..first_group])? {
            return Ok(());
        }
        let place = self.place;
        let Some(&pivot) = lits.first() else { return Err(ProofError::NoConflict { place, with: None }) };
        // A look at every clause is long.
        self.ask_stop()?;
        let mut partners = self.partners(pivot ^ 1);
        let (mut groups, mut looked_at) = (&hints[first_group..], 0);
        while let Some((&partner, rest)) = groups.split_first() {
            let end = rest.iter().position(|&hint| hint < 0).unwrap_or(rest.len());
            let (follow, next) = rest.split_at(end);
            groups = next;
            self.ask_stop_at(&mut looked_at)?;
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
            self.ask_stop_at(&mut looked_at)?;
            if !self.without(id, pivot ^ 1).iter().any(|&lit| self.holds[lit as usize]) {
                // Without a negative hint nobody thought of RAT.
                let with = (first_group < hints.len()).then_some(id);
                return Err(ProofError::NoConflict { place, with });
            }
        }
        Ok(())
    }

    fn ask_stop(&self) -> Result<(), ProofError> {
        (self.stop)().map_or(Ok(()), |limit| Err(ProofError::Stopped(limit)))
    }

    /// Asks once in a while, by how many partners were looked at.
    fn ask_stop_at(&self, looked_at: &mut u64) -> Result<(), ProofError> {
        *looked_at += 1;
        if looked_at.is_multiple_of(A_LOOK) { self.ask_stop() } else { Ok(()) }
    }

    /// The clauses alive that hold `lit`.
    fn partners(&self, lit: Code) -> BTreeSet<u64> {
        let alive = |id: &&u64| self.clauses.get(id).is_some_and(|lits| lits.contains(&lit));
        match self.variables.of_extension(lit) {
            Some(at) => self.holding.of(at).filter(|id| alive(&id)).collect(),
            None => self.clauses.keys().filter(alive).copied().collect(),
        }
    }

    fn without(&self, id: u64, lit: Code) -> Vec<Code> {
        self.clauses.get(&id).into_iter().flatten().copied().filter(|&other| other != lit).collect()
    }

    /// Assumes all of `lits` false; true if one of them is true.
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

    /// Propagates by these clauses in turn; true on a conflict.
    fn follow(&mut self, hints: &[i64]) -> Result<bool, ProofError> {
        for hint in hints {
            let id = hint.unsigned_abs();
            let unknown = ProofError::UnknownClause { place: self.place, id };
            let clause = self.clauses.get(&id).ok_or(unknown)?;
            self.propagations += 1;
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
