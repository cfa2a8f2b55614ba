//! Maps values to positions: domains, rulers, ticks.

use super::labels::label;
use crate::chart::{Scale, Unit};

/// The margin around values, as a fraction of their domain.
const AROUND: f64 = 0.04;

/// The maximum number of different values that are all labelled.
const FEW: usize = 14;

/// The values, or an empty list if there are more than [`FEW`].
fn at_most(few: Vec<f64>) -> Vec<f64> {
    if few.len() > FEW { Vec::new() } else { few }
}

/// Maps values to positions on paper.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ruler {
    scale: Scale,
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

/// The values that an axis shows.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Domain {
    pub(super) scale: Scale,
    pub(super) unit: Unit,
    pub(super) low: f64,
    pub(super) high: f64,
    /// The different values; empty if there are many.
    few: Vec<f64>,
}

/// A tick with a label.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    pub(super) at: f64,
    pub(super) label: String,
}

impl Domain {
    /// The domain of some values. On a logarithmic scale, only positive values count.
    pub(super) fn of(scale: Scale, unit: Unit, bands: usize, values: impl Iterator<Item = f64>) -> Self {
        if scale == Scale::Band {
            return Domain { scale, unit, low: -0.5, high: bands as f64 - 0.5, few: Vec::new() };
        }
        let counts = |value: &f64| value.is_finite() && (scale == Scale::Linear || *value > 0.0);
        let mut few: Vec<f64> = values.filter(counts).collect();
        few.sort_by(f64::total_cmp);
        few.dedup();
        let (least, most) = few.first().copied().zip(few.last().copied()).unwrap_or((1.0, 10.0));
        let (low, high) = match scale {
            Scale::Log => {
                let (a, b) = (least.log10(), most.log10());
                let around = if b - a < 1e-9 { 0.3 } else { AROUND * (b - a) };
                // The ends of the domain have logarithms, too.
                (10_f64.powf(a - around).max(f64::MIN_POSITIVE), 10_f64.powf(b + around).min(f64::MAX))
            }
            _ => {
                let least = if unit == Unit::Count { least.min(0.0) } else { least };
                let around = if most - least < 1e-9 { 0.5 } else { AROUND * (most - least) };
                (if unit == Unit::Count { least } else { least - around }, most + around)
            }
        };
        Domain { scale, unit, low, high, few: at_most(few) }
    }

    /// The domain that contains both.
    pub(super) fn with(&self, other: &Domain) -> Self {
        let (low, high) = (self.low.min(other.low), self.high.max(other.high));
        let mut few = Vec::new();
        if !self.few.is_empty() && !other.few.is_empty() {
            few = [&self.few[..], &other.few].concat();
            few.sort_by(f64::total_cmp);
            few.dedup();
        }
        Domain { low, high, few: at_most(few), ..self.clone() }
    }

    /// A ruler that maps this domain to the positions from `from` to `to`.
    pub(super) fn ruler(&self, from: f64, to: f64) -> Ruler {
        Ruler { scale: self.scale, low: self.low, high: self.high, from, to }
    }

    fn holds(&self, value: f64) -> bool {
        let hair = 1e-9 * (self.high - self.low).abs().max(value.abs());
        value >= self.low - hair && value <= self.high + hair
    }

    /// Ticks with labels: the densest natural choice that `fits` accepts.
    pub(super) fn major(&self, fits: impl Fn(&[Tick]) -> bool) -> Vec<Tick> {
        let tick = |at: f64| Tick { at, label: label(at, self.unit) };
        let named = |values: Vec<f64>| -> Vec<Tick> {
            values.into_iter().filter(|value| self.holds(*value)).map(tick).collect()
        };
        let mut candidates: Vec<Vec<Tick>> = match self.scale {
            Scale::Band => Vec::new(),
            Scale::Linear => self.linear().into_iter().map(named).collect(),
            Scale::Log => self.logarithmic().into_iter().map(named).collect(),
        };
        candidates.retain(|ticks| !ticks.is_empty());
        let first = candidates.iter().position(|ticks| ticks.len() > 1 && fits(ticks));
        let place = first.or_else(|| candidates.iter().position(|ticks| fits(ticks)));
        place.map_or(Vec::new(), |place| candidates.swap_remove(place))
    }

    /// The positions of ticks without labels.
    pub(super) fn minor(&self) -> Vec<f64> {
        let decades = self.high.log10() - self.low.log10();
        if self.scale != Scale::Log || decades > 8.0 {
            return Vec::new();
        }
        let all = self.decades().into_iter().flat_map(|decade| (2..10).map(move |k| decade * f64::from(k)));
        all.filter(|value| self.holds(*value)).collect()
    }

    /// Powers of ten from the one below the domain.
    fn decades(&self) -> Vec<f64> {
        let (first, last) = (self.low.log10().floor() as i32, self.high.log10().floor() as i32);
        (first..=last).map(|power| 10_f64.powi(power)).collect()
    }

    fn linear(&self) -> Vec<Vec<f64>> {
        let whole = self.few.iter().all(|value| value.fract() == 0.0);
        let mut candidates = vec![self.few.clone()];
        let power = (self.high - self.low).log10().floor() as i32;
        for step in [power - 1, power, power + 1]
            .into_iter()
            .flat_map(|p| [1.0, 2.0, 5.0].map(|k| k * 10_f64.powi(p)))
        {
            let count = (self.high - self.low) / step;
            let counted = whole && (self.unit == Unit::Count || !self.few.is_empty());
            if (0.5..=8.0).contains(&count) && !(counted && step < 1.0) {
                let (first, last) = ((self.low / step).ceil() as i64, (self.high / step).floor() as i64);
                candidates.push((first..=last).map(|k| k as f64 * step).collect());
            }
        }
        candidates
    }

    fn logarithmic(&self) -> Vec<Vec<f64>> {
        let decades = self.decades();
        let inside = decades.iter().filter(|decade| self.holds(**decade)).count();
        let multiples = |factors: &[f64]| -> Vec<f64> {
            decades.iter().flat_map(|decade| factors.iter().map(move |factor| decade * factor)).collect()
        };
        let every = |step: i32| -> Vec<f64> {
            let power = |decade: &&f64| decade.log10().round() as i32;
            decades.iter().filter(|decade| power(decade).rem_euclid(step) == 0).copied().collect()
        };
        let mut candidates = Vec::new();
        if inside < 2 {
            candidates.push(multiples(&[1.0, 2.0, 5.0]));
            if candidates.iter().all(|values| values.iter().filter(|value| self.holds(**value)).count() < 2) {
                candidates
                    .splice(0..0, Domain { scale: Scale::Linear, few: Vec::new(), ..self.clone() }.linear());
            }
        }
        if inside < 3 {
            candidates.push(multiples(&[1.0, 3.0]));
        }
        candidates.extend([1, 2, 3, 4, 6, 12, 25, 50, 100].map(every));
        candidates
    }
}

impl Ruler {
    /// The position of a value. Values outside the domain are put at its ends.
    pub(super) fn at(&self, value: f64) -> f64 {
        let part = match self.scale {
            Scale::Log if value <= 0.0 => 0.0,
            Scale::Log => (value.log10() - self.low.log10()) / (self.high.log10() - self.low.log10()),
            _ => (value - self.low) / (self.high - self.low),
        };
        self.from + part.clamp(0.0, 1.0) * (self.to - self.from)
    }

    /// The distance on a logarithmic ruler from any value to `factor` times the value; negative for factors below 1.
    pub(super) fn stretch(&self, factor: f64) -> f64 {
        factor.log10() / (self.high.log10() - self.low.log10()) * (self.to - self.from).abs()
    }

    /// The extent of a band, never negative.
    pub(super) fn band(&self) -> f64 {
        ((self.to - self.from) / (self.high - self.low)).abs()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(domain: &Domain, most: usize) -> Vec<String> {
        domain.major(|ticks| ticks.len() <= most).into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn logarithmic_ticks_are_decades_or_parts_of_them() {
        let domain = |values: [f64; 2]| Domain::of(Scale::Log, Unit::Seconds, 0, values.into_iter());
        assert_eq!(labels(&domain([2e-5, 0.3]), 9), ["100 µs", "1 ms", "10 ms", "100 ms"]);
        assert_eq!(labels(&domain([2e-5, 0.3]), 2), ["100 µs", "10 ms"]);
        assert_eq!(labels(&domain([0.004, 0.06]), 9), ["5 ms", "10 ms", "20 ms", "50 ms"]);
        assert_eq!(labels(&domain([0.41, 0.44]), 4), ["410 ms", "420 ms", "430 ms", "440 ms"]);
        assert_eq!(domain([0.0, 0.0]).ruler(0.0, 1.0).at(0.0), 0.0);
    }

    #[test]
    fn the_smallest_and_greatest_numbers_have_a_domain() {
        for values in [[5e-324, 1.0], [1e-310, 1e9], [2.3e-308, f64::MAX], [5e-324, 5e-324]] {
            let domain = Domain::of(Scale::Log, Unit::Seconds, 0, values.into_iter());
            assert!(domain.low > 0.0 && domain.high.is_finite(), "{domain:?}");
            assert!(domain.decades().len() < 700 && domain.minor().len() < 100, "{domain:?}");
            assert!(domain.major(|ticks| ticks.len() <= 9).len() > 1 || values[1] < 1.0, "{domain:?}");
        }
    }

    #[test]
    fn few_sizes_are_all_named() {
        let sizes = Domain::of(Scale::Linear, Unit::Plain, 0, [8.0, 10.0, 12.0, 16.0].into_iter());
        assert_eq!(labels(&sizes, 4), ["8", "10", "12", "16"]);
        assert_eq!(labels(&sizes, 3), ["10", "15"]);
        let counts = Domain::of(Scale::Linear, Unit::Count, 0, (1..=22).map(f64::from));
        assert_eq!(labels(&counts, 9), ["0", "5", "10", "15", "20"]);
    }

    #[test]
    fn one_value_stands_in_the_middle() {
        for scale in [Scale::Linear, Scale::Log] {
            let domain = Domain::of(scale, Unit::Plain, 0, [7.0].into_iter());
            assert!((domain.ruler(0.0, 10.0).at(7.0) - 5.0).abs() < 1e-9);
            assert!(!labels(&domain, 9).is_empty());
        }
    }
}
