//! Compares engines on the instances that they share: portfolios, paired tests, ranking, crossover.
//!
//! Each instance counts once for an engine, with the censored median of the times of the engine's runs on it. The
//! instance counts as unsolved unless more than half of these runs are solved. Unsupported instances are not compared.

use super::dataset::{Dataset, Run};
use counterpoint_statistics::{
    Crossover, Margin, Matrix, Ranking, Resampling, Score, Side, Size, Worth, bootstrap, careful_ranking,
    crossover, holm, marginal, median_time, par, shapley, single_best, solved, wilcoxon,
};
use itertools::Itertools;
use serde_json::{Value, json};

/// If there are at most this many engines, every two of them are compared. If there are more, each engine is compared
/// with the single best one.
const MAX_PAIRED: usize = 32;

/// The number of differences that are drawn for one interval. The number of resamples follows from it, within the
/// bounds of [`RESAMPLES`].
const DRAWS: usize = 20_000_000;
/// The minimum and the maximum number of resamples.
const RESAMPLES: (usize, usize) = (1_000, 10_000);

/// The column of CPU times.
pub(super) const CPU: &str = "cpu_s";

/// The minimum number of instances for an interval: fewer instances have too few different resamples.
pub(crate) const MIN_RESAMPLED: usize = 6;

/// The seed of all resampling.
const SEED: u64 = 1;

/// In the careful ranking, times are equal if they differ by at most 50 µs or 5 %, because CPU times vary that much.
pub(super) const MARGIN: Margin = Margin { absolute_s: 0.00005, relative: 0.05, noise_s: 0.0 };

/// The difference of two engines on the same instances, or of one engine before and after a change.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The number of instances on which both have a score.
    pub instances: usize,
    /// PAR-2 of one minus PAR-2 of the other, in seconds.
    pub delta_s: f64,
    /// The 95 % interval of this difference; `None` for fewer than six instances.
    pub interval_s: Option<(f64, f64)>,
    /// The two-sided p-value of Wilcoxon's test.
    pub p: f64,
    /// The p-value after Holm's correction for all differences of the comparison.
    pub holm: f64,
}

impl Difference {
    /// Tests the differences, one for each instance; `None` if there are none. `delta_s` is their mean.
    pub(super) fn new(each_s: &[f64], delta_s: f64) -> Option<Self> {
        let instances = each_s.len();
        let interval = bootstrap(each_s, &resampling(instances)).filter(|_| instances >= MIN_RESAMPLED);
        let p = wilcoxon(each_s).p;
        let interval_s = interval.map(|found| (found.low, found.high));
        (instances > 0).then_some(Difference { instances, delta_s, interval_s, p, holm: p })
    }

    /// The difference as the page shows it, with the members of the object `others`.
    pub(super) fn json(&self, mut others: Value) -> Value {
        others["instances"] = json!(self.instances);
        others["delta_par2_s"] = json!(self.delta_s);
        others["low"] = json!(self.interval_s.map(|(low, _)| low));
        others["high"] = json!(self.interval_s.map(|(_, high)| high));
        others["wilcoxon_p"] = json!(self.p);
        others["holm_p"] = json!(self.holm);
        others
    }
}

/// Two engines compared on instances.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The index of one engine.
    pub a: usize,
    /// The index of the other engine.
    pub b: usize,
    /// The difference, `a` minus `b`.
    pub difference: Difference,
}

/// Statistics of the engines on some instances. Engines are numbered as in the dataset.
pub struct Comparison {
    /// The family of the instances; `None` for all families.
    pub family: Option<String>,
    /// The number of instances.
    pub instances: usize,
    /// The scores from which everything else is computed.
    pub matrix: Matrix,
    /// The index of the single best engine; `None` if no engine has a score.
    pub single_best: Option<usize>,
    /// Each engine's marginal and Shapley contribution, in solved instances.
    pub solved: (Vec<f64>, Vec<f64>),
    /// Each engine's marginal and Shapley contribution, in seconds of PAR-2 saved.
    pub seconds: (Vec<f64>, Vec<f64>),
    /// The pairs of engines that are compared.
    pub pairs: Vec<Pair>,
    /// Van Gelder's careful ranking.
    pub ranking: Ranking,
    /// The crossover of the best search and the best SAT engine; `None` if a side has no engine, or if sizes do not
    /// vary.
    pub crossover: Option<Crossing>,
}

/// The crossover of two engines: the size at which their order changes.
pub struct Crossing {
    /// The index of the search.
    pub search: usize,
    /// The index of the SAT engine.
    pub sat: usize,
    /// The column of sizes.
    pub x: String,
    /// The changes of the order, and their interval.
    pub found: Crossover,
}

/// Compares the engines on all instances and, if there are several families, on each family.
pub fn comparisons(dataset: &Dataset<'_>) -> Vec<Comparison> {
    let families: Vec<&str> = dataset.runs.iter().map(|run| run.record.family()).unique().collect();
    let each = if families.len() > 1 { &families[..] } else { &[] };
    let scopes = [None].into_iter().chain(each.iter().map(|family| Some(*family)));
    scopes.map(|family| compare(dataset, family)).collect()
}

fn compare(dataset: &Dataset<'_>, family: Option<&str>) -> Comparison {
    let rows = rows(dataset, |run| family.is_none_or(|family| run.record.family() == family), CPU);
    let mut matrix = Matrix::new(dataset.engines.len());
    for row in rows {
        // Each row has one entry for each engine, so this cannot fail.
        let _ = matrix.push(row);
    }
    let best = single_best(&matrix);
    let pairs = pairs(&matrix, best);
    let worth = |worth| (marginal(&matrix, worth), shapley(&matrix, worth));
    Comparison {
        family: family.map(str::to_owned),
        instances: matrix.instances(),
        single_best: best,
        solved: worth(Worth::Solved),
        seconds: worth(Worth::Saved),
        pairs,
        ranking: careful_ranking(&matrix, &MARGIN),
        crossover: crossing(dataset, &matrix, family),
        matrix,
    }
}

/// For each instance, its scores by the times in a column, indexed by engine.
pub(super) fn rows<'a>(
    dataset: &Dataset<'a>,
    wanted: impl Fn(&Run<'a>) -> bool,
    column: &str,
) -> impl Iterator<Item = Vec<Option<Score>>> {
    let runs: Vec<&Run<'a>> = dataset.supported().filter(|run| wanted(run)).collect();
    let instances = runs.into_iter().chunk_by(|run| run.instance);
    let engines = dataset.engines.len();
    let row = |group: Vec<&Run<'a>>| {
        let mut row = vec![None; engines];
        for (engine, runs) in &group.into_iter().chunk_by(|run| run.engine) {
            row[engine] = score_in(&runs.collect::<Vec<_>>(), column);
        }
        row
    };
    instances.into_iter().map(|(_, group)| row(group.collect())).collect::<Vec<_>>().into_iter()
}

/// The score of an engine on an instance, from all its runs there; `None` without a limit on CPU time.
pub(crate) fn score(runs: &[&Run<'_>]) -> Option<Score> {
    score_in(runs, CPU)
}

/// The score by the times in a column instead of the CPU time.
fn score_in(runs: &[&Run<'_>], column: &str) -> Option<Score> {
    let one = |run: &&Run<'_>| {
        let (time, limit_s) = (run.number(column), run.limit_s()?);
        let solved = run.record.is_solved() && time.is_some();
        Some(Score { solved, time_s: time.unwrap_or(limit_s), limit_s })
    };
    let scores: Vec<Score> = runs.iter().map(one).collect::<Option<_>>()?;
    let limit_s = scores.iter().map(|score| score.limit_s).fold(0.0, f64::max);
    let used_s = scores.iter().map(|score| score.time_s).fold(0.0, f64::max);
    let median = median_time(scores);
    Some(Score { solved: median.is_some(), time_s: median.unwrap_or(used_s), limit_s })
}

fn pairs(matrix: &Matrix, best: Option<usize>) -> Vec<Pair> {
    let engines = matrix.engines();
    let wanted: Vec<(usize, usize)> = match best {
        Some(best) if engines > MAX_PAIRED => {
            (0..engines).filter(|&a| a != best).map(|a| (a, best)).collect()
        }
        _ => (0..engines).array_combinations().map(|[a, b]| (a, b)).collect(),
    };
    let pair = |(a, b)| Some(Pair { a, b, difference: difference(&matrix.pairs(a, b).collect_vec())? });
    let mut found: Vec<Pair> = wanted.into_iter().filter_map(pair).collect();
    adjust(found.iter_mut().map(|pair| &mut pair.difference));
    found
}

/// Compares two engines, or one engine before and after a change; `None` if they share no instance.
pub(super) fn difference(scores: &[(Score, Score)]) -> Option<Difference> {
    let each: Vec<f64> = scores.iter().map(|(a, b)| a.par(2.0) - b.par(2.0)).collect();
    let delta_s = par(scores.iter().map(|(a, _)| *a), 2.0)? - par(scores.iter().map(|(_, b)| *b), 2.0)?;
    Difference::new(&each, delta_s)
}

/// The resampling for a number of instances: the more instances, the fewer resamples.
pub(crate) fn resampling(instances: usize) -> Resampling {
    let resamples = (DRAWS / instances.max(1)).clamp(RESAMPLES.0, RESAMPLES.1);
    Resampling { level: 0.95, resamples, seed: SEED }
}

/// Corrects the p-values of one comparison for the number of tests.
pub(super) fn adjust<'a>(differences: impl Iterator<Item = &'a mut Difference>) {
    let differences = differences.collect_vec();
    let adjusted = holm(&differences.iter().map(|difference| difference.p).collect_vec());
    for (difference, holm) in differences.into_iter().zip(adjusted) {
        difference.holm = holm;
    }
}

/// The best engine of a side: the one that solves the most instances or, among equals, the one with the least PAR-2.
/// `None` if the side has no engine.
fn best_of(dataset: &Dataset<'_>, matrix: &Matrix, side: &str) -> Option<usize> {
    let of_side = |&engine: &usize| {
        dataset
            .runs
            .iter()
            .any(|run| run.engine == engine && run.is_supported() && run.record.setup().side == side)
    };
    let rank = |&engine: &usize| {
        let unsolved = matrix.column(engine).count() - solved(matrix.column(engine));
        let unsupported = matrix.instances() - matrix.column(engine).count();
        (unsolved + unsupported, par(matrix.column(engine), 2.0).unwrap_or(f64::INFINITY))
    };
    (0..matrix.engines())
        .filter(of_side)
        .min_by(|a, b| rank(a).partial_cmp(&rank(b)).unwrap_or(std::cmp::Ordering::Equal))
}

fn crossing(dataset: &Dataset<'_>, matrix: &Matrix, family: Option<&str>) -> Option<Crossing> {
    let x = dataset.sizes()?;
    let search = best_of(dataset, matrix, "search")?;
    let sat = best_of(dataset, matrix, "sat")?;
    let wanted = |run: &&Run<'_>| {
        (run.engine == search || run.engine == sat)
            && family.is_none_or(|family| run.record.family() == family)
            && run.number(&x).is_some()
    };
    let runs: Vec<&Run<'_>> = dataset.supported().filter(wanted).collect();
    let mut pairs: Vec<(f64, (Score, Score))> = Vec::new();
    for (_, group) in &runs.into_iter().chunk_by(|run| run.instance) {
        let group: Vec<&Run<'_>> = group.collect();
        let of = |engine: usize| {
            let runs: Vec<&Run<'_>> = group.iter().copied().filter(|run| run.engine == engine).collect();
            score(&runs).filter(|_| !runs.is_empty())
        };
        let size = group.first().and_then(|run| run.number(&x));
        pairs.extend(size.zip(of(search).zip(of(sat))));
    }
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let count = pairs.len();
    let sizes: Vec<Size> = pairs
        .chunk_by(|a, b| a.0 == b.0)
        .map(|group| Size { x: group[0].0, pairs: group.iter().map(|(_, pair)| *pair).collect() })
        .collect();
    let found = crossover(&sizes, &resampling(count));
    Some(Crossing { search, sat, x, found }).filter(|_| sizes.len() > 1)
}

impl Crossing {
    /// A sentence that calls the engines "search" and "SAT".
    pub fn words(&self) -> String {
        let size = self.x.rsplit('_').next().unwrap_or(&self.x);
        let side = |side: Side| if side == Side::First { "search" } else { "SAT" };
        let Crossover { changes, throughout, interval, crossing, .. } = &self.found;
        let Some(last) = changes.last() else {
            return match throughout {
                Some(ahead) => format!("{} is ahead at every {size} with a known order", side(*ahead)),
                None => "the order is not known at any size".to_owned(),
            };
        };
        let resampled = interval.map_or(String::new(), |(low, high)| {
            let share = crossing * 100.0;
            format!(" (95 %: {low:.2} to {high:.2}; {share:.0} % of resamples cross)")
        });
        let place = match last.at() {
            Some(at) => format!("{size}* = {at:.2}"),
            None => format!("{size}* between {:.2} and {:.2}", last.earliest, last.latest),
        };
        let times = match changes.len() {
            1 => String::new(),
            n => format!("; the order changes {n} times, this is the last"),
        };
        format!("{} is ahead beyond {place}{resampled}{times}", side(last.ahead))
    }
}
