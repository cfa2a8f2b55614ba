//! The crossover: the size at which the faster of two engines changes.
//!
//! At each size x, two engines are compared on the instances that both ran: d(x) is the median of
//! log₁₀(time of the first / time of the second). It is negative if the first engine is faster. The crossover n* is
//! where d changes its sign.
//!
//! An unsolved run gives a bound: its time is at least its limit, so the log ratio of an instance is an
//! interval that may be unbounded at one end. No time is assumed for an unsolved run. The lower ends of these
//! intervals give the least possible median, and the upper ends the greatest. If the two are equal, d is
//! known. If they have the same sign, it is known which engine is faster. Otherwise, not even the sign of d
//! is known. So n* is a range in general. It is a single point if d is known at the sizes just before and
//! after the change, and d is 0 at no more than one size between them.

use crate::bootstrap::Resampling;
use crate::order::{ascending, median, quantile};
use crate::score::Score;
use crate::tails;
use rand::RngExt;

/// Times below a microsecond count as one microsecond, because CPU clocks are not finer and zero has no logarithm.
const MIN_S: f64 = 1e-6;

/// If a size has more pairs than this, medians of resamples are drawn by their rank instead of drawing each pair.
const MAX_DRAWN: usize = 1_000;

/// The instances of one size.
#[derive(Clone, Debug, PartialEq)]
pub struct Size {
    /// The size, in the unit of n*; finite.
    pub x: f64,
    /// The scores of the first and the second engine on each instance that both ran.
    pub pairs: Vec<(Score, Score)>,
}

/// One of the two engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The engine whose score comes first in each pair.
    First,
    /// The other engine.
    Second,
}

/// The comparison of the two engines at one size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SizePoint {
    /// The size.
    pub x: f64,
    /// Number of instances that at least one engine solved.
    pub counted: usize,
    /// Number of instances that neither engine solved, which do not say which engine is faster.
    pub left_out: usize,
    /// The least possible median of the log₁₀ ratios, −∞ if it is unbounded; `None` if no instance counts.
    pub least: Option<f64>,
    /// The greatest possible median of the log₁₀ ratios, ∞ if it is unbounded; `None` if no instance counts.
    pub greatest: Option<f64>,
}

/// The ratios of a size in ascending order: their lower and their upper bounds.
struct Ranked {
    x: f64,
    low: Vec<f64>,
    high: Vec<f64>,
    left_out: usize,
}

impl Ranked {
    fn new(x: f64, pairs: impl Iterator<Item = (Score, Score)>) -> Self {
        let (mut low, mut high, mut left_out) = (Vec::new(), Vec::new(), 0);
        for (first, second) in pairs {
            let log =
                |score: Score| (if score.solved { score.time_s } else { score.limit_s }).max(MIN_S).log10();
            let ratio = log(first) - log(second);
            let (least, greatest) = match (first.solved, second.solved) {
                (true, true) => (ratio, ratio),
                (false, true) => (ratio, f64::INFINITY),
                (true, false) => (f64::NEG_INFINITY, ratio),
                (false, false) => {
                    left_out += 1;
                    continue;
                }
            };
            low.push(least);
            high.push(greatest);
        }
        Ranked { x, low: ascending(low), high: ascending(high), left_out }
    }

    /// The ratios of a size that has more than [`MAX_DRAWN`] pairs; `None` for other sizes.
    fn of_many(size: &Size) -> Option<Self> {
        (size.pairs.len() > MAX_DRAWN).then(|| Ranked::new(size.x, size.pairs.iter().copied()))
    }

    /// The comparison for a resample. The rank of its median is drawn from the limiting distribution of this
    /// rank, which is normal with the mean n/2 and the variance n/4. `uniform` is a random number between 0
    /// and 1: the rank is the quantile of this proportion.
    fn drawn(&self, uniform: f64) -> SizePoint {
        let Ranked { x, low, high, left_out } = self;
        let (x, left_out, counted) = (*x, *left_out, low.len());
        let n = counted as f64;
        let rank = (n + n.sqrt() * tails::normal_quantile(uniform).unwrap_or(0.0)) / 2.0;
        let at = (rank.max(0.0) as usize).min(counted.saturating_sub(1));
        SizePoint { x, counted, left_out, least: low.get(at).copied(), greatest: high.get(at).copied() }
    }
}

impl SizePoint {
    fn new(x: f64, pairs: impl Iterator<Item = (Score, Score)>) -> Self {
        let Ranked { low, high, left_out, .. } = Ranked::new(x, pairs);
        SizePoint { x, counted: low.len(), left_out, least: median(&low), greatest: median(&high) }
    }

    /// d(x), if it is known.
    pub fn median(&self) -> Option<f64> {
        self.least.filter(|least| self.greatest == Some(*least))
    }

    /// The least and the greatest possible distance of d from 0. It must be known which engine is faster.
    fn distances(&self) -> (f64, f64) {
        let (a, b) = (self.least.map_or(0.0, f64::abs), self.greatest.map_or(0.0, f64::abs));
        (a.min(b), a.max(b))
    }

    /// The faster engine, if it is known. At d = 0 neither is faster.
    pub fn ahead(&self) -> Option<Side> {
        if self.greatest.is_some_and(|d| d < 0.0) {
            Some(Side::First)
        } else if self.least.is_some_and(|d| d > 0.0) {
            Some(Side::Second)
        } else {
            None
        }
    }
}

/// A change of the faster engine between two sizes at which the faster engine is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// The last size before the change at which the faster engine is known.
    pub after: f64,
    /// The first size after the change at which the faster engine is known.
    pub before: f64,
    /// The least x at which d can be 0, by linear interpolation between the two sizes. If d is known to be 0 at sizes
    /// between them, the first such size.
    pub earliest: f64,
    /// The greatest x at which d can be 0, or the last size at which it is known to be 0.
    pub latest: f64,
    /// The faster engine after the change.
    pub ahead: Side,
}

impl Change {
    fn between(from: &SizePoint, to: &SizePoint, ahead: Side, zeros: &[f64]) -> Self {
        let (near, far) = (from.distances(), to.distances());
        // The larger |d| is before the change and the smaller after it, the later the line crosses zero.
        let line = |near: f64, far: f64| {
            from.x + (to.x - from.x) * if near.is_infinite() { 1.0 } else { near / (near + far) }
        };
        let earliest = zeros.first().copied().unwrap_or_else(|| line(near.0, far.1));
        let latest = zeros.last().copied().unwrap_or_else(|| line(near.1, far.0));
        Change { after: from.x, before: to.x, earliest, latest, ahead }
    }

    /// The position of the change, if it is a single point.
    pub fn at(&self) -> Option<f64> {
        (self.earliest == self.latest).then_some(self.earliest)
    }
}

/// The result of [`crossover()`].
#[derive(Clone, Debug, PartialEq)]
pub struct Crossover {
    /// The comparison at each size.
    pub points: Vec<SizePoint>,
    /// All changes, ascending. Several changes mean that the curves are close, or that the samples are too small.
    pub changes: Vec<Change>,
    /// The engine that is faster at every size at which the faster engine is known; `None` if there is a change, or if
    /// there is no such size.
    pub throughout: Option<Side>,
    /// Percentile interval of n* among the resamples that have a change: from a quantile of their `earliest` to a
    /// quantile of their `latest`, so uncertainty from timeouts makes the interval wider. The other resamples are
    /// ignored. `None` if no resample has a change.
    pub interval: Option<(f64, f64)>,
    /// The proportion of resamples that have a change, 0 … 1. If it is far below 1, the change itself is in doubt.
    pub crossing: f64,
}

impl Crossover {
    /// n*, the range of the last change; `None` if there is no change.
    pub fn place(&self) -> Option<(f64, f64)> {
        self.changes.last().map(|change| (change.earliest, change.latest))
    }
}

/// Finds the crossover of two engines. The sizes must be ascending.
///
/// The interval resamples instances within each size, including those that neither engine solved. If `resampling` has
/// no resamples, `interval` is `None` and `crossing` is 0.
pub fn crossover(sizes: &[Size], resampling: &Resampling) -> Crossover {
    debug_assert!(sizes.is_sorted_by(|a, b| a.x < b.x), "sizes must be ascending");
    let points: Vec<SizePoint> =
        sizes.iter().map(|size| SizePoint::new(size.x, size.pairs.iter().copied())).collect();
    let changes = changes(&points);
    let throughout = points.iter().find_map(SizePoint::ahead).filter(|_| changes.is_empty());

    let resamples = if resampling.is_usable() { resampling.resamples } else { 0 };
    let mut random = resampling.random();
    let ranked: Vec<Option<Ranked>> = sizes.iter().map(Ranked::of_many).collect();
    let (mut earliest, mut latest) = (Vec::new(), Vec::new());
    for _ in 0..resamples {
        let drawn = sizes.iter().zip(&ranked).map(|(size, ranked)| {
            let n = size.pairs.len();
            if let Some(ranked) = ranked {
                return ranked.drawn(random.random_range(0.0..1.0));
            }
            SizePoint::new(size.x, (0..n).map(|_| size.pairs[random.random_range(0..n)]))
        });
        let drawn: Vec<SizePoint> = drawn.collect();
        if let Some(change) = self::changes(&drawn).last() {
            earliest.push(change.earliest);
            latest.push(change.latest);
        }
    }
    let crossing = earliest.len() as f64 / resamples.max(1) as f64;
    let (low, high) = resampling.ends();
    let interval = quantile(&ascending(earliest), low).zip(quantile(&ascending(latest), high));
    Crossover { points, changes, throughout, interval, crossing }
}

fn changes(points: &[SizePoint]) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut last: Option<(&SizePoint, Side)> = None;
    let mut zeros: Vec<f64> = Vec::new();
    for point in points {
        let Some(ahead) = point.ahead() else {
            zeros.extend(point.median().map(|_| point.x));
            continue;
        };
        if let Some((from, _)) = last.filter(|(_, side)| *side != ahead) {
            changes.push(Change::between(from, point, ahead, &zeros));
        }
        zeros.clear();
        last = Some((point, ahead));
    }
    changes
}

#[cfg(test)]
mod tests;
