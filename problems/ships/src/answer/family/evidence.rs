//! The evidence of an answer: a plan for a won family, or a minimal part of a lost one.

use super::{Family, Known, MIN_CHUNKED_SETS};
use crate::answer::Plan;
use counterpoint_core::engine::{Budget, Limit};
use itertools::Itertools;

impl Family {
    /// A plan for the sets `left`, which must not be empty; `None` if they are lost. The leaves of the plan are numbers
    /// of sets in the family.
    pub(super) fn plan(
        &self,
        mut left: Vec<u32>,
        misses: u32,
        known: &mut Known,
        budget: &mut Budget,
    ) -> Result<Option<Plan>, Limit> {
        let (mut shots, mut lost) = (Vec::new(), Vec::new());
        while left.len() > 1 {
            if misses == 0 || (misses > 1 && self.is_lost_by_bounds(&left, misses)) {
                return Ok(None);
            }
            let Some(cell) = self.safe_cell(&left, misses, &mut lost, known, budget)? else {
                return Ok(None);
            };
            let (containing, lacking): (Vec<u32>, _) = left.iter().partition(|&&s| self.has(s, cell));
            let Some(miss) = self.plan(lacking, misses - 1, known, budget)? else { return Ok(None) };
            shots.push((self.size.cell(cell), miss));
            left = containing;
        }
        let last = Plan::Sink(left.first().map_or(0, |&s| s as usize));
        Ok(Some(shots.into_iter().rev().fold(last, |hit, (cell, miss)| Plan::Shoot {
            cell,
            hit: hit.into(),
            miss: miss.into(),
        })))
    }

    /// Shrinks the lost sets `left` to a minimal lost subfamily: if any one of its sets is dropped, the rest is won.
    pub(super) fn shrink(
        &self,
        mut left: Vec<u32>,
        known: &mut Known,
        budget: &mut Budget,
    ) -> Result<Vec<u32>, Limit> {
        let mut chunk = if left.len() > MIN_CHUNKED_SETS { left.len() / 2 } else { 1 };
        loop {
            let mut end = left.len();
            while end > 0 {
                let start = end.saturating_sub(chunk);
                let fewer = left[..start].iter().chain(&left[end..]).copied().collect_vec();
                if !self.wins(fewer.clone(), self.misses, known, budget)? {
                    left = fewer;
                }
                end = start;
            }
            if chunk == 1 {
                return Ok(left);
            }
            chunk /= 2;
        }
    }
}

/// Replaces each leaf of a plan, a member of `order`, by its index in `order`.
pub(super) fn renumbered(plan: Plan, order: &[u32]) -> Plan {
    let mut place = vec![0; order.len()];
    order.iter().enumerate().for_each(|(i, &s)| place[s as usize] = i);
    relabel(plan, &place)
}

fn relabel(plan: Plan, place: &[usize]) -> Plan {
    match plan {
        Plan::Sink(s) => Plan::Sink(place[s]),
        Plan::Shoot { cell, hit, miss } => {
            Plan::Shoot { cell, hit: relabel(*hit, place).into(), miss: relabel(*miss, place).into() }
        }
    }
}
