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
mod tests {
    use super::*;

    const DRAW: Resampling = Resampling { level: 0.9, resamples: 400, seed: 3 };

    /// The times of both engines on one instance. Infinity means unsolved within 100 s.
    fn pair(first: f64, second: f64) -> (Score, Score) {
        let score = |time: f64| Score { solved: time.is_finite(), time_s: time.min(100.0), limit_s: 100.0 };
        (score(first), score(second))
    }

    fn size(x: f64, pairs: &[(f64, f64)]) -> Size {
        Size { x, pairs: pairs.iter().map(|(a, b)| pair(*a, *b)).collect() }
    }

    fn point(pairs: &[(f64, f64)]) -> SizePoint {
        SizePoint::new(0.0, size(0.0, pairs).pairs.into_iter())
    }

    /// A size at which d is known to be `log`.
    fn known(x: f64, log: f64) -> Size {
        size(x, &[(10.0_f64.powf(log), 1.0), (1.0, 50.0), (50.0, 1.0)])
    }

    const OPEN: f64 = f64::INFINITY;

    #[test]
    fn the_median_may_be_known_despite_unsolved_runs() {
        // The log ratios are at least 2, exactly 1 and exactly 0, so their median is 1.
        assert_eq!(point(&[(OPEN, 1.0), (10.0, 1.0), (1.0, 1.0)]).median(), Some(1.0));
        // The log ratios are at least 0, exactly 1 and exactly 2, so their median is between 1 and 2.
        let open = point(&[(OPEN, 100.0), (10.0, 1.0), (100.0, 1.0)]);
        assert_eq!((open.median(), open.least, open.greatest), (None, Some(1.0), Some(2.0)));
        assert_eq!(open.ahead(), Some(Side::Second));
        // The log ratios are at least 0, exactly −1 and at most −2, so their median is −1.
        let open = point(&[(OPEN, 100.0), (1.0, 10.0), (1.0, OPEN)]);
        assert_eq!(open.median(), Some(-1.0));
        let open = point(&[(1.0, OPEN), (10.0, OPEN), (1.0, 1.0)]);
        assert_eq!((open.least, open.greatest), (Some(f64::NEG_INFINITY), Some(-1.0)));
        assert_eq!((open.median(), open.ahead()), (None, Some(Side::First)));
        // One of the two log ratios is bounded at one end only, so the median is unbounded at the other end.
        let open = point(&[(OPEN, 50.0), (1.0, 50.0)]);
        assert_eq!((open.greatest, open.ahead()), (Some(f64::INFINITY), None));
        let open = point(&[(1.0, OPEN), (1.0, 10.0)]);
        assert_eq!((open.least, open.greatest), (Some(f64::NEG_INFINITY), Some(-1.5)));
    }

    #[test]
    fn instances_that_neither_solved_are_left_out() {
        let found = point(&[(OPEN, OPEN), (10.0, 1.0), (OPEN, OPEN)]);
        assert_eq!((found.counted, found.left_out, found.median()), (1, 2, Some(1.0)));
        let none = point(&[(OPEN, OPEN)]);
        assert_eq!((none.least, none.ahead(), none.median()), (None, None, None));
        assert_eq!(point(&[(0.0, 0.0)]).median(), Some(0.0));
    }

    #[test]
    fn linear_interpolation_between_two_sizes() {
        let found = crossover(&[known(4.0, -1.0), known(6.0, -0.5), known(10.0, 1.5)], &DRAW);
        assert!((found.changes[0].at().unwrap() - 7.0).abs() < 1e-12);
        assert_eq!(found.changes.len(), 1);
        assert_eq!((found.changes[0].after, found.changes[0].before), (6.0, 10.0));
        assert_eq!((found.changes[0].ahead, found.throughout), (Side::Second, None));
    }

    #[test]
    fn the_last_of_several_changes_is_the_crossover() {
        let sizes = [known(1.0, 1.0), known(2.0, -1.0), known(3.0, 0.0), known(4.0, -1.0), known(5.0, 1.0)];
        let found = crossover(&sizes, &DRAW);
        let at: Vec<_> = found.changes.iter().map(|change| change.at().unwrap()).collect();
        assert_eq!((at, found.place()), (vec![1.5, 4.5], Some((4.5, 4.5))));
    }

    #[test]
    fn zeros_between_two_signs_are_the_crossover() {
        let found = crossover(&[known(1.0, -1.0), known(2.0, 0.0), known(5.0, 0.0), known(6.0, 1.0)], &DRAW);
        assert_eq!((found.place(), found.changes[0].at()), (Some((2.0, 5.0)), None));
        // Zeros at the ends are not changes.
        assert!(crossover(&[known(1.0, 0.0), known(2.0, 1.0), known(3.0, 0.0)], &DRAW).changes.is_empty());
    }

    #[test]
    fn a_size_with_a_known_sign_gives_a_range() {
        let after =
            |pairs| crossover(&[known(6.0, -1.0), size(7.0, &[(OPEN, OPEN)]), size(8.0, pairs)], &DRAW);
        // d(8) is at least log₁₀ 50; in the next call, it is between 1 and 3.
        assert_eq!(after(&[(OPEN, 1.0), (OPEN, 2.0), (3.0, 1.0)]).place().unwrap().0, 6.0);
        let found = after(&[(OPEN, 10.0), (100.0, 0.1), (1.0, 1.0), (100.0, 0.1), (1.0, 10.0)]);
        assert_eq!((found.points[2].least, found.points[2].greatest), (Some(1.0), Some(3.0)));
        assert_eq!((found.place(), found.changes[0].at()), (Some((6.5, 7.0)), None));
        // At size 6, d is anything up to −1.
        let far = size(6.0, &[(1.0, OPEN), (10.0, OPEN), (1.0, 1.0)]);
        assert_eq!(crossover(&[far, known(8.0, 1.0)], &DRAW).place(), Some((7.0, 8.0)));
        let none = crossover(&[known(6.0, -1.0), known(8.0, 1.0)], &Resampling { resamples: 0, ..DRAW });
        assert_eq!((none.place(), none.interval, none.crossing), (Some((7.0, 7.0)), None, 0.0));
    }

    #[test]
    fn without_a_change_one_engine_is_faster_throughout() {
        let found = crossover(&[size(1.0, &[(1.0, 2.0)]), size(2.0, &[(2.0, OPEN)])], &DRAW);
        assert_eq!((found.throughout, found.place()), (Some(Side::First), None));
        assert_eq!((found.interval, found.crossing), (None, 0.0));
        let empty = crossover(&[size(1.0, &[]), size(2.0, &[(OPEN, OPEN)])], &DRAW);
        assert_eq!((empty.throughout, empty.points[0].counted), (None, 0));
        assert!(crossover(&[], &DRAW).points.is_empty());
    }

    #[test]
    fn ranks_of_many_pairs_agree_with_drawn_pairs() {
        // The log ratios spread by ±2 around x / 10 − ½, in an order without a pattern. In every tenth pair,
        // the first engine is unsolved.
        let wobbly = |x: f64, count: usize| -> Size {
            let log = |i: usize| x / 10.0 - 0.5 + 4.0 * ((i as f64 * 0.618_033_988_749_895).fract() - 0.5);
            let pair =
                |i: usize| if i.is_multiple_of(10) { (OPEN, 1.0) } else { (10.0_f64.powf(log(i)), 1.0) };
            size(x, &(0..count).map(pair).collect::<Vec<_>>())
        };
        let found = |count: usize| {
            let sizes: Vec<Size> = [1.0, 3.0, 5.0, 7.0].map(|x| wobbly(x, count)).into();
            crossover(&sizes, &Resampling { resamples: 2000, ..DRAW }).interval.unwrap()
        };
        let (drawn, ranked) = (found(MAX_DRAWN), found(MAX_DRAWN + 1));
        assert!((drawn.0 - ranked.0).abs() < 0.1 * (drawn.1 - drawn.0), "{drawn:?} {ranked:?}");
        assert!((drawn.1 - ranked.1).abs() < 0.1 * (drawn.1 - drawn.0), "{drawn:?} {ranked:?}");
    }

    /// With 10,000 pairs, the rank has the mean 5000 and the standard deviation 50. The normal distribution has the
    /// quantiles ±1 at the proportions 0.8413 and 0.1587. With up to 1000 pairs, no ranks are drawn.
    #[test]
    fn quantiles_of_the_rank_by_hand() {
        let pairs: Vec<(f64, f64)> =
            (0..10_000).map(|i| (10.0_f64.powf(f64::from(i) / 5000.0), 1.0)).collect();
        let ranked = Ranked::of_many(&size(3.0, &pairs)).unwrap();
        for (uniform, rank) in [(0.5, 5000.0), (0.841_344_75, 5050.0), (0.158_655_25, 4950.0)] {
            let found = ranked.drawn(uniform);
            assert_eq!((found.x, found.counted, found.left_out), (3.0, 10_000, 0));
            // A rank may be rounded down.
            let log = found.median().unwrap();
            assert!((log - rank / 5000.0).abs() < 1.5 / 5000.0, "{uniform}: {log}");
        }
        assert!(Ranked::of_many(&size(3.0, &pairs[..MAX_DRAWN])).is_none());
        assert!(Ranked::of_many(&size(3.0, &pairs[..=MAX_DRAWN])).is_some());
    }

    #[test]
    fn the_interval_is_reproducible_and_contains_the_crossover() {
        let wobbly = |x: f64| -> Size {
            let pairs = (0..15).map(|i| (2.0_f64.powf(x - 5.0 + f64::from(i * 4 % 15) / 7.0 - 1.0), 1.0));
            size(x, &pairs.collect::<Vec<_>>())
        };
        let sizes: Vec<Size> = [2.0, 4.0, 5.5, 8.0].map(wobbly).into();
        let found = crossover(&sizes, &DRAW);
        let ((low, high), place) = (found.interval.unwrap(), found.changes[0].at().unwrap());
        assert!(low < place && place < high, "{low} {place} {high}");
        assert_eq!(found.crossing, 1.0);
        assert_eq!(crossover(&sizes, &DRAW), found);
        assert_ne!(crossover(&sizes, &Resampling { seed: 4, ..DRAW }).interval, found.interval);
    }
}
