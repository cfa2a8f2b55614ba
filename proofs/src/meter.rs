//! Counts what propagation visits, so that a single step cannot run past a limit.
//!
//! A step of a few bytes may visit the whole formula many times over. Once a limit is reached, nothing more is
//! propagated: a conflict is still a conflict, but without one, nothing is known.

use counterpoint_base::budget::{Limit, Stop};

/// The number of literals or occurrences visited between two calls of the stop closure.
pub(crate) const STOP_INTERVAL: usize = 1 << 16;

/// The default has no stop closure, so it never stops.
#[derive(Default)]
pub(crate) struct Meter {
    stop: Option<Stop>,
    /// The work since the last call of the stop closure.
    work: usize,
    limit: Option<Limit>,
}

impl Meter {
    pub(crate) fn new(stop: &Stop) -> Self {
        Meter { stop: Some(Stop::clone(stop)), ..Self::default() }
    }

    /// Counts visits.
    #[inline]
    pub(crate) fn spend(&mut self, visits: usize) {
        self.work += visits;
    }

    /// Whether a limit was reached. Calls the stop closure if enough was visited since the last call.
    #[inline]
    pub(crate) fn is_stopped(&mut self) -> bool {
        if self.work >= STOP_INTERVAL {
            self.work = 0;
            self.limit = self.limit.or_else(|| self.stop.as_ref().and_then(|stop| stop()));
        }
        self.limit.is_some()
    }

    /// The limit that was reached.
    pub(crate) fn limit(&self) -> Option<Limit> {
        self.limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::common::cancelled_at;

    #[test]
    fn a_limit_is_found_at_the_end_of_an_interval_and_stays() {
        let mut meter = Meter::new(&cancelled_at(2));
        meter.spend(STOP_INTERVAL - 1);
        assert!(!meter.is_stopped());
        meter.spend(1);
        assert!(!meter.is_stopped());
        meter.spend(STOP_INTERVAL);
        assert!(meter.is_stopped() && meter.is_stopped());
        meter.spend(STOP_INTERVAL);
        assert!(meter.is_stopped());
        assert_eq!(meter.limit(), Some(Limit::Cancelled));
        let mut unlimited = Meter::default();
        unlimited.spend(STOP_INTERVAL);
        assert!(!unlimited.is_stopped());
    }
}
