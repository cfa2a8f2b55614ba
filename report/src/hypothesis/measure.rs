//! The estimate, the interval and the p-values of a hypothesis.
//!
//! An instance counts only if all engines of the hypothesis have a run on it. An unsolved run has at least the value
//! that it used. So an instance speaks for a hypothesis about ratios only if the bounds of its ratio do; an unknown
//! ratio, and one that is equal to the factor, speaks neither for the hypothesis nor for its opposite, but it counts.

use super::{Hypothesis, HypothesisError, Test, Than};
use crate::comparison::{MIN_RESAMPLED, resampling};
use crate::dataset::{Dataset, Run};
use crate::errors::ColumnError;
use crate::middle::{self, Values};
use counterpoint_statistics::{
    Bounds, Growth, Resampling, growth, growth_interval, growth_points, median_bounds, share_interval,
    sign_test,
};
use itertools::Itertools;

/// The results of a hypothesis.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The estimate; `None` if the runs give none, for example because too few are solved.
    pub estimate: Option<Estimate>,
    /// The interval of the estimate, at one minus the level of the file; `None` with too few instances.
    pub interval: Option<Bounds>,
    /// The number of instances on which all engines have runs.
    pub instances: usize,
    /// The number of instances that the test counts: those that only one engine solves if the test is about solved
    /// instances, otherwise all.
    pub counted: usize,
    /// The p-value of the hypothesis.
    pub p: f64,
    /// The p-value of its opposite.
    pub opposite_p: f64,
}

/// The estimate of a hypothesis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Estimate {
    /// The median ratio.
    Ratio(Bounds),
    /// The line whose slope is the number of doublings per unit of size.
    Slope(Growth),
    /// The number of solved instances of the two engines, and the numbers that only the one or only the other solves.
    Solved([usize; 2], [usize; 2]),
}

impl From<ColumnError> for HypothesisError {
    fn from(error: ColumnError) -> Self {
        error.to_string().into()
    }
}

/// The number of instances of a dataset on which all engines of a hypothesis have runs that meet its conditions.
///
/// # Errors
/// If a column is in no record.
pub fn instances(hypothesis: &Hypothesis, dataset: &Dataset<'_>) -> Result<usize, HypothesisError> {
    let (all, engines) = (runs(hypothesis, dataset)?, indices(hypothesis, dataset));
    Ok(engines.map_or(0, |engines| shared(&all, &engines).count()))
}

/// Tests a hypothesis on the records of its experiment. `level` is that of the file. `None` if no instance has runs of
/// all its engines.
///
/// # Errors
/// If a column is in no record, or if the values of an engine are not known.
pub fn measure(
    hypothesis: &Hypothesis,
    dataset: &Dataset<'_>,
    level: f64,
) -> Result<Option<Measured>, HypothesisError> {
    let all = runs(hypothesis, dataset)?;
    let Some(engines) = indices(hypothesis, dataset) else { return Ok(None) };
    let runs: Vec<&Run<'_>> = shared(&all, &engines).flatten().copied().collect();
    if runs.is_empty() {
        return Ok(None);
    }
    match &hypothesis.test {
        Test::Solved { .. } => Ok(Some(solved(&runs, engines[0], engines[1], level))),
        Test::Growth { column, over, than, .. } => {
            let (values, over) = (values(hypothesis, dataset, column, &engines)?, dataset.column(over)?);
            Ok(slope(&values, &runs, &over, *than, level))
        }
        Test::Faster { column, by, .. } => {
            let ratios = values(hypothesis, dataset, column, &engines)?.ratios(&runs, engines[1], engines[0]);
            Ok(ratio(&ratios, level, |above, below| (above(*by), below(*by))))
        }
        Test::Equal { column, within, .. } => {
            let ratios = values(hypothesis, dataset, column, &engines)?.ratios(&runs, engines[0], engines[1]);
            Ok(ratio(&ratios, level, |above, below| {
                let (high, low) = (*within, 1.0 / within);
                (below(high).max(above(low)), (2.0 * f64::min(above(high), below(low))).min(1.0))
            }))
        }
    }
}

/// The supported runs of the engines that meet the conditions.
fn runs<'d, 'a>(
    hypothesis: &Hypothesis,
    dataset: &'d Dataset<'a>,
) -> Result<Vec<&'d Run<'a>>, HypothesisError> {
    let only = hypothesis.only.iter().map(|(name, values)| Ok((dataset.condition(name)?, values)));
    let only = only.collect::<Result<Vec<_>, ColumnError>>()?;
    let engines = hypothesis.test.engines();
    let wanted = |run: &&Run<'_>| {
        engines.contains(&run.record.engine())
            && only.iter().all(|(column, values)| run.words(column).iter().any(|word| values.contains(word)))
    };
    Ok(dataset.supported().filter(wanted).collect())
}

/// The indices of the hypothesis's engines; `None` if no record is of one of them.
fn indices(hypothesis: &Hypothesis, dataset: &Dataset<'_>) -> Option<Vec<usize>> {
    let index = |id: &str| dataset.engines.iter().position(|known| known == id);
    hypothesis.test.engines().into_iter().map(index).collect()
}

/// The runs of each instance on which all engines of the hypothesis have runs.
fn shared<'r, 'd, 'a>(
    runs: &'r [&'d Run<'a>],
    engines: &'r [usize],
) -> impl Iterator<Item = &'r [&'d Run<'a>]> {
    let has_all =
        |own: &&[&Run<'_>]| engines.iter().all(|engine| own.iter().any(|run| run.engine == *engine));
    runs.chunk_by(|a, b| a.instance == b.instance).filter(has_all)
}

/// The values in a column, which must be known for all engines.
fn values(
    hypothesis: &Hypothesis,
    dataset: &Dataset<'_>,
    column: &str,
    engines: &[usize],
) -> Result<Values, HypothesisError> {
    let values = Values::new(dataset, &dataset.column(column)?);
    let mut ids = hypothesis.test.engines().into_iter().zip(engines);
    match ids.find(|(_, engine)| !values.is_measured(**engine)) {
        Some((id, _)) => Err(format!("no run of {id} has a number in the column '{column}'").into()),
        None => Ok(values),
    }
}

/// The p-value of the sign test of the median ratio being above a number, or below a number.
type Side<'f> = dyn Fn(f64) -> f64 + 'f;

/// The results for ratios. `p` gets the p-values of "above" and "below", and gives those of the hypothesis and its
/// opposite.
fn ratio(ratios: &[Bounds], level: f64, p: impl Fn(&Side<'_>, &Side<'_>) -> (f64, f64)) -> Option<Measured> {
    let n = ratios.len();
    let test = |supporting: usize| sign_test(supporting, n - supporting);
    let above = |number: f64| test(ratios.iter().filter(|ratio| ratio.low > number).count());
    let below = |number: f64| test(ratios.iter().filter(|ratio| ratio.high < number).count());
    let estimate = median_bounds(ratios)?;
    let (p, opposite_p) = p(&above, &below);
    Some(Measured {
        estimate: Some(Estimate::Ratio(estimate)),
        interval: middle::interval(ratios, 1.0 - level),
        instances: n,
        counted: n,
        p,
        opposite_p,
    })
}

/// The results for the growth of one engine. There is no interval, and the p-values are 1, if a size has fewer
/// instances than resampling needs, or if fewer than two sizes have a median. There is no interval, either, if too many
/// resamples have no slope; in the p-values, they count against the hypothesis and against its opposite.
fn slope(values: &Values, runs: &[&Run<'_>], over: &str, than: Than, level: f64) -> Option<Measured> {
    let sizes = values.sizes(runs, over);
    let instances = sizes.iter().map(|size| size.instances.len()).sum();
    let estimate = growth(&growth_points(&sizes)).map(Estimate::Slope);
    let resampling = Resampling { level: 1.0 - level, ..resampling(instances) };
    let are_enough = sizes.iter().all(|size| size.instances.len() >= MIN_RESAMPLED);
    let found = growth_interval(&sizes, &resampling).filter(|_| are_enough);
    let (p, opposite_p) = match (&found, than) {
        (Some(found), Than::Above(bound)) => (found.p_above(bound), found.p_below(bound)),
        (Some(found), Than::Below(bound)) => (found.p_below(bound), found.p_above(bound)),
        (None, _) => (1.0, 1.0),
    };
    let interval = found.map(|found| Bounds { low: found.low, high: found.high });
    let interval = interval.filter(|ends| ends.low.is_finite() && ends.high.is_finite());
    (instances > 0).then_some(Measured { estimate, interval, instances, counted: instances, p, opposite_p })
}

/// The results for solved instances. An engine solves an instance if it solves more than half of its runs on it.
fn solved(runs: &[&Run<'_>], more: usize, less: usize, level: f64) -> Measured {
    let is_solved = |own: &[&Run<'_>], engine: usize| {
        let own = own.iter().filter(|run| run.engine == engine).collect_vec();
        2 * own.iter().filter(|run| run.record.is_solved()).count() > own.len()
    };
    let each = runs.chunk_by(|a, b| a.instance == b.instance);
    let each = each.map(|own| (is_solved(own, more), is_solved(own, less))).collect_vec();
    let count = |wanted: fn(&&(bool, bool)) -> bool| each.iter().filter(wanted).count();
    let (only_more, only_less) = (count(|one| one.0 && !one.1), count(|one| one.1 && !one.0));
    let counted = only_more + only_less;
    let interval = share_interval(only_more, counted, 1.0 - level);
    Measured {
        estimate: Some(Estimate::Solved([count(|one| one.0), count(|one| one.1)], [only_more, only_less])),
        interval: interval.map(|(low, high)| Bounds { low, high }),
        instances: each.len(),
        counted,
        p: sign_test(only_more, only_less),
        opposite_p: sign_test(only_less, only_more),
    }
}
