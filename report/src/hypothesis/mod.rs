//! Hypotheses that are stated before the runs: each has a test and the least effect that matters. The file of
//! hypotheses is committed before the experiments are run, so it cannot be adapted to their results.
//!
//! | test | counts | supported if |
//! |---|---|---|
//! | [`Test::Faster`] | instances | more than half have a ratio above `by`: sign test |
//! | [`Test::Equal`] | instances | the median ratio is below `within` and above 1/`within`: two one-sided sign tests |
//! | [`Test::Growth`] | resamples of instances | the slope is above or below a number: bootstrap |
//! | [`Test::Solved`] | instances that only one of two engines solves | the first solves most: McNemar's exact test |
//!
//! [`measure`] gives the p-values of a hypothesis and of its opposite, and [`judge`] corrects the p-values of all
//! hypotheses of the file by Holm's method. A hypothesis without records has the p-value 1, so the correction does not
//! depend on which experiments have been run.

mod measure;
mod page;

pub use measure::{Estimate, Measured, instances, measure};
pub use page::{latex, page, summary, table};

use counterpoint_base::message_errors;
use counterpoint_statistics::{holm, needed};

/// The contents of a file of hypotheses.
#[derive(Clone, Debug, PartialEq)]
pub struct Hypotheses {
    /// The title of the page.
    pub title: String,
    /// What the hypotheses say together, in one or two sentences.
    pub claim: String,
    /// The family-wise level.
    pub level: f64,
    /// The hypotheses; at least one.
    pub all: Vec<Hypothesis>,
}

/// A hypothesis.
#[derive(Clone, Debug, PartialEq)]
pub struct Hypothesis {
    /// A short name, such as `S1`.
    pub name: String,
    /// The hypothesis in words.
    pub text: String,
    /// The folder of the experiment.
    pub experiment: String,
    /// What is tested.
    pub test: Test,
    /// Columns, each with its allowed values: runs with other values are left out.
    pub only: Vec<(String, Vec<String>)>,
    /// What the power calculation assumes; `None` without one.
    pub assumed: Option<Assumed>,
}

/// What a power calculation assumes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Assumed {
    /// The share of the counted instances that speak for the hypothesis.
    pub share: f64,
    /// The probability that the test supports the hypothesis.
    pub power: f64,
}

/// What a hypothesis says about engines, which are given by their ids.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// The median over instances of `slower / faster` is greater than a factor.
    Faster {
        /// The engine with the smaller values.
        faster: String,
        /// The engine with the greater values.
        slower: String,
        /// The factor.
        by: f64,
        /// The column of values.
        column: String,
    },
    /// The median ratio of two engines is less than a factor, and greater than one divided by this factor.
    Equal {
        /// The engine above the fraction bar and the one below.
        engines: [String; 2],
        /// The factor, greater than 1.
        within: f64,
        /// The column of values.
        column: String,
    },
    /// The number of doublings per unit of size has a bound.
    Growth {
        /// The engine.
        engine: String,
        /// The column of values.
        column: String,
        /// The column of sizes.
        over: String,
        /// The bound.
        than: Than,
    },
    /// An engine solves more instances than another.
    Solved {
        /// The engine that solves more.
        more: String,
        /// The other engine.
        less: String,
    },
}

/// A bound of a slope.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Than {
    /// The slope is greater.
    Above(f64),
    /// The slope is less.
    Below(f64),
}

impl Test {
    /// The engines.
    pub fn engines(&self) -> Vec<&str> {
        match self {
            Test::Faster { faster: a, slower: b, .. }
            | Test::Equal { engines: [a, b], .. }
            | Test::Solved { more: a, less: b } => vec![a, b],
            Test::Growth { engine, .. } => vec![engine],
        }
    }
}

/// What the records say about a hypothesis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The adjusted p-value is at most the level.
    Supported,
    /// The adjusted p-value of the opposite is at most the level.
    Refuted,
    /// Neither of the two.
    Undecided,
    /// There are no records to test.
    NotMeasured,
}

impl Verdict {
    /// All verdicts, in the order in which a summary counts them.
    pub const ALL: [Verdict; 4] =
        [Verdict::Supported, Verdict::Refuted, Verdict::Undecided, Verdict::NotMeasured];

    /// The verdict in words.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Supported => "supported",
            Verdict::Refuted => "refuted",
            Verdict::Undecided => "undecided",
            Verdict::NotMeasured => "not measured",
        }
    }
}

/// A hypothesis with everything that the records say about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The hypothesis.
    pub hypothesis: Hypothesis,
    /// The number of instances on which the plan runs all engines of the hypothesis.
    pub planned: usize,
    /// The number of counted instances that the test needs at Holm's strictest level; `None` if nothing is assumed or
    /// if too many would be needed.
    pub needed: Option<usize>,
    /// The results; `None` without records.
    pub measured: Option<Measured>,
    /// The adjusted p-value; `None` without records.
    pub adjusted: Option<f64>,
    /// The verdict.
    pub verdict: Verdict,
}

message_errors! {
    /// The records do not have what a hypothesis names.
    pub struct HypothesisError;
}

/// Judges all hypotheses of a file. Each comes with its number of planned instances and with its results. The p-values
/// are corrected over all hypotheses, and so are those of their opposites.
pub fn judge(hypotheses: &Hypotheses, results: Vec<(usize, Option<Measured>)>) -> Vec<Finding> {
    let level = hypotheses.level;
    let p = |of: fn(&Measured) -> f64| -> Vec<f64> {
        holm(&results.iter().map(|(_, found)| found.as_ref().map_or(1.0, of)).collect::<Vec<_>>())
    };
    let (supports, refutes) = (p(|found| found.p), p(|found| found.opposite_p));
    let strictest = level / hypotheses.all.len() as f64;
    let each = hypotheses.all.iter().zip(results).zip(supports.into_iter().zip(refutes));
    each.map(|((hypothesis, (planned, measured)), (adjusted, opposite))| Finding {
        hypothesis: hypothesis.clone(),
        planned,
        needed: hypothesis.needed(strictest),
        verdict: match measured {
            None => Verdict::NotMeasured,
            Some(_) if adjusted <= level => Verdict::Supported,
            Some(_) if opposite <= level => Verdict::Refuted,
            Some(_) => Verdict::Undecided,
        },
        adjusted: measured.is_some().then_some(adjusted),
        measured,
    })
    .collect()
}

impl Hypothesis {
    /// The number of counted instances that the test needs at a level. Of the two tests of an equivalence, each may
    /// fail with half of the probability with which both together may fail.
    fn needed(&self, level: f64) -> Option<usize> {
        let Assumed { share, power } = self.assumed?;
        match self.test {
            Test::Equal { .. } => needed(share, f64::midpoint(1.0, power), level),
            Test::Growth { .. } => None,
            Test::Faster { .. } | Test::Solved { .. } => needed(share, power, level),
        }
    }
}
