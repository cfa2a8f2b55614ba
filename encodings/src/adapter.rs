//! Adapters between [`Sink`] and RustSAT: RustSAT's encoders can write to our sinks, and our encoders can write to
//! RustSAT's collectors.
//!
//! RustSAT passes two mutable references to an encoder, a clause collector and a variable manager. A sink is both, so
//! `Collector` and `Manager` share one sink through a `RefCell`.

use crate::{Bounds, Cardinality, Count, Sink};
use rustsat::OutOfMemory;
use rustsat::encodings::{CollectClauses, NotEncoded, am1, card};
use rustsat::instances::ManageVars;
use rustsat::types::{Clause, Lit, Var};
use std::cell::RefCell;
use std::ops::{Bound, RangeBounds};

/// Uses one of RustSAT's encoders, `E`, to write an at-most-one constraint to a sink.
pub(crate) fn at_most_one<E: am1::Encode + From<Vec<Lit>>>(sink: &mut dyn Sink, lits: &[Lit]) {
    let sink = RefCell::new(sink);
    let mut collector = Collector { sink: &sink, n_clauses: 0 };
    let mut manager = Manager { sink: &sink };
    // An encoder fails only if the collector does, and `Collector` does not.
    let _ = E::from(lits.to_vec()).encode(&mut collector, &mut manager);
}

/// Lets RustSAT use a sink as a clause collector.
struct Collector<'a, 'b> {
    sink: &'a RefCell<&'b mut dyn Sink>,
    n_clauses: usize,
}

impl CollectClauses for Collector<'_, '_> {
    fn n_clauses(&self) -> usize {
        self.n_clauses
    }

    fn extend_clauses<T>(&mut self, clauses: T) -> Result<(), OutOfMemory>
    where
        T: IntoIterator<Item = Clause>,
    {
        for clause in clauses {
            self.n_clauses += 1;
            self.sink.borrow_mut().clause(clause.as_ref());
        }
        Ok(())
    }
}

/// Lets RustSAT use a sink as a variable manager.
struct Manager<'a, 'b> {
    sink: &'a RefCell<&'b mut dyn Sink>,
}

impl ManageVars for Manager<'_, '_> {
    fn new_var(&mut self) -> Var {
        self.sink.borrow_mut().new_var()
    }

    fn max_var(&self) -> Option<Var> {
        self.n_used().checked_sub(1).map(Var::new)
    }

    fn increase_next_free(&mut self, var: Var) -> bool {
        let mut sink = self.sink.borrow_mut();
        let before = sink.n_vars();
        while sink.n_vars() < var.idx32() {
            sink.new_var();
        }
        sink.n_vars() > before
    }

    fn combine(&mut self, other: Self) {
        self.increase_next_free(Var::new(other.n_used()));
    }

    fn n_used(&self) -> u32 {
        self.sink.borrow().n_vars()
    }

    /// Variables of a sink cannot be removed.
    fn forget_from(&mut self, _: Var) {}
}

/// A [`Sink`] that adds its clauses to one of RustSAT's clause collectors (a formula or a solver) and takes
/// its variables from a variable manager.
///
/// ```
/// use counterpoint_encodings::{Cardinality, Count, RustSatSink, Bounds};
/// use rustsat::instances::{BasicVarManager, Cnf, ManageVars};
///
/// let (mut cnf, mut vars) = (Cnf::new(), BasicVarManager::default());
/// let lits: Vec<_> = (0..10).map(|_| vars.new_lit()).collect();
/// let mut sink = RustSatSink::new(&mut cnf, &mut vars);
/// Count::new(Cardinality::Network, &mut sink, &lits, 4, Bounds::Upper).require_at_most(&mut sink, 3);
/// sink.finish()?;
/// assert_eq!(cnf.len() as u64, Cardinality::Network.size(10, 4, Bounds::Upper).clauses + 1);
/// # Ok::<(), rustsat::OutOfMemory>(())
/// ```
#[derive(Debug)]
pub struct RustSatSink<'a, C, M: ?Sized> {
    collector: &'a mut C,
    manager: &'a mut M,
    result: Result<(), OutOfMemory>,
}

impl<'a, C: CollectClauses, M: ManageVars + ?Sized> RustSatSink<'a, C, M> {
    /// A sink that writes to `collector` and takes its variables from `manager`.
    pub fn new(collector: &'a mut C, manager: &'a mut M) -> Self {
        RustSatSink { collector, manager, result: Ok(()) }
    }

    /// Whether the collector accepted every clause.
    ///
    /// # Errors
    /// The collector's first error. The clauses after it were dropped.
    pub fn finish(self) -> Result<(), OutOfMemory> {
        self.result
    }
}

impl<C: CollectClauses, M: ManageVars + ?Sized> Sink for RustSatSink<'_, C, M> {
    fn new_var(&mut self) -> Var {
        self.manager.new_var()
    }

    fn n_vars(&self) -> u32 {
        self.manager.n_used()
    }

    fn clause(&mut self, lits: &[Lit]) {
        if self.result.is_ok() {
            self.result = self.collector.add_clause(lits.iter().copied().collect());
        }
    }
}

/// A [`Count`] that implements RustSAT's traits for cardinality encodings. It gives users of RustSAT two
/// encodings that RustSAT lacks: the sequential counter and the cardinality network.
///
/// ```
/// use counterpoint_encodings::{Cardinality, UpperBound};
/// use rustsat::encodings::card::BoundUpper;
/// use rustsat::instances::{BasicVarManager, Cnf, ManageVars};
///
/// let (mut cnf, mut vars) = (Cnf::new(), BasicVarManager::default());
/// let lits = (0..10).map(|_| vars.new_lit()).collect();
/// let mut network = UpperBound::new(Cardinality::Network, lits);
/// network.encode_ub(0..=3, &mut cnf, &mut vars)?;
/// assert_eq!(network.enforce_ub(3)?.len(), 1);
/// assert!(network.enforce_ub(4).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct UpperBound {
    kind: Cardinality,
    lits: Vec<Lit>,
    count: Option<Count>,
}

impl UpperBound {
    /// A bound on the number of true literals among `lits`. Nothing is written before `encode_ub` is called.
    pub fn new(kind: Cardinality, lits: Vec<Lit>) -> Self {
        UpperBound { kind, lits, count: None }
    }
}

impl card::Encode for UpperBound {
    fn n_lits(&self) -> usize {
        self.lits.len()
    }
}

impl card::BoundUpper for UpperBound {
    /// Writes the count up to the end of the range, unless an earlier call already wrote it at least that far. If a
    /// longer count is needed later, the whole count is written again.
    fn encode_ub<Col, R>(
        &mut self,
        range: R,
        collector: &mut Col,
        var_manager: &mut dyn ManageVars,
    ) -> Result<(), OutOfMemory>
    where
        Col: CollectClauses,
        R: RangeBounds<usize>,
    {
        let n = self.lits.len();
        let max = match range.end_bound() {
            Bound::Included(&last) => n.min(last.saturating_add(1)),
            Bound::Excluded(&end) => n.min(end),
            Bound::Unbounded => n,
        };
        if self.count.as_ref().is_some_and(|count| count.outputs().len() >= max) {
            return Ok(());
        }
        let mut sink = RustSatSink::new(collector, var_manager);
        self.count = Some(Count::new(self.kind, &mut sink, &self.lits, max, Bounds::Upper));
        sink.finish()
    }

    fn enforce_ub(&self, ub: usize) -> Result<Vec<Lit>, NotEncoded> {
        let count = self.count.as_ref().ok_or(NotEncoded)?;
        if ub < self.lits.len() && ub >= count.outputs().len() {
            return Err(NotEncoded);
        }
        Ok(count.at_most(ub).into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failing test should panic")]

    use super::*;
    use crate::Cnf;
    use rustsat::encodings::card::{BoundUpper, Encode};
    use rustsat::instances::{BasicVarManager, Cnf as Clauses};

    #[test]
    fn a_sink_is_a_collector_and_a_manager() {
        let mut cnf = Cnf::default();
        let sink: RefCell<&mut dyn Sink> = RefCell::new(&mut cnf);
        let mut manager = Manager { sink: &sink };
        assert_eq!((manager.max_var(), manager.n_used()), (None, 0));
        let x = manager.new_var();
        assert_eq!((manager.max_var(), manager.n_used()), (Some(x), 1));
        assert!(manager.increase_next_free(Var::new(4)) && manager.n_used() == 4);
        assert!(!manager.increase_next_free(Var::new(4)) && !manager.increase_next_free(Var::new(2)));
        let mut other = Cnf::default();
        (0..6).for_each(|_| _ = other.new_var());
        let other: RefCell<&mut dyn Sink> = RefCell::new(&mut other);
        manager.combine(Manager { sink: &other });
        manager.forget_from(x);
        assert_eq!((manager.max_var(), manager.n_used()), (Some(Var::new(5)), 6));
        let mut collector = Collector { sink: &sink, n_clauses: 0 };
        let clause = Clause::from_iter([x.pos_lit()]);
        collector.extend_clauses([clause.clone(), clause.clone()]).unwrap();
        collector.extend_clauses([clause]).unwrap();
        assert_eq!(collector.n_clauses(), 3);
        assert_eq!(cnf.clauses().count(), 3);
    }

    /// A collector that takes only two clauses.
    #[derive(Default)]
    struct Full(usize);

    impl CollectClauses for Full {
        fn n_clauses(&self) -> usize {
            self.0
        }

        fn extend_clauses<T: IntoIterator<Item = Clause>>(&mut self, clauses: T) -> Result<(), OutOfMemory> {
            self.0 += clauses.into_iter().count();
            if self.0 > 2 { Err(OutOfMemory::ExternalApi) } else { Ok(()) }
        }
    }

    #[test]
    fn the_first_error_of_a_collector_is_kept() {
        for (clauses, is_ok, taken) in [(2, true, 2), (3, false, 3), (9, false, 3)] {
            let (mut full, mut vars) = (Full::default(), BasicVarManager::default());
            let mut sink = RustSatSink::new(&mut full, &mut vars);
            let x = sink.new_var();
            assert_eq!((sink.n_vars(), sink.new_var().idx32(), sink.n_vars()), (1, 1, 2));
            (0..clauses).for_each(|_| sink.clause(&[x.pos_lit()]));
            assert_eq!((sink.finish().is_ok(), full.n_clauses()), (is_ok, taken));
        }
    }

    #[test]
    fn a_bound_is_written_as_far_as_needed() {
        let (mut cnf, mut vars) = (Clauses::new(), BasicVarManager::default());
        let lits: Vec<Lit> = (0..5).map(|_| vars.new_lit()).collect();
        let mut bound = UpperBound::new(Cardinality::Sequential, lits);
        assert_eq!((bound.n_lits(), bound.enforce_ub(1)), (5, Err(NotEncoded)));
        let mut length = 0;
        for (end, writes, last) in [
            (Bound::Excluded(2), true, 1),
            (Bound::Included(1), false, 1),
            (Bound::Included(2), true, 2),
            (Bound::Excluded(1), false, 2),
            (Bound::Unbounded, true, 4),
            (Bound::Included(9), false, 4),
            (Bound::Excluded(9), false, 4),
        ] {
            bound.encode_ub((Bound::Unbounded, end), &mut cnf, &mut vars).unwrap();
            assert_eq!(cnf.len() > length, writes, "{end:?}");
            length = cnf.len();
            for k in 0..=6 {
                let lits = bound.enforce_ub(k).map(|lits| lits.len());
                let expected = if k >= 5 {
                    Ok(0)
                } else if k <= last {
                    Ok(1)
                } else {
                    Err(NotEncoded)
                };
                assert_eq!(lits, expected, "{end:?} {k}");
            }
        }
    }
}
