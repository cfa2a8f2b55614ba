//! Statistics for comparing solvers on benchmark instances where some runs end at a timeout.
//!
//! The functions take numbers and return numbers: nothing here reads a file or a clock, and the same input gives the
//! same output. A [`Score`] is the result of one engine on one instance, and a [`Matrix`] has the scores of all engines
//! on all instances.
//!
//! | question | functions |
//! |---|---|
//! | How good is one engine? | [`par`], [`solved`], [`censored_median`], [`median_interval`], [`growth()`] |
//! | How sure is its growth? | [`growth_interval`] |
//! | What does each engine contribute to a portfolio? | [`single_best`], [`virtual_best`], [`marginal`], [`shapley`] |
//! | Is one of two engines faster? | [`wilcoxon()`], [`bootstrap()`], with [`holm()`] for many pairs |
//! | By what factor is it faster? | [`Bounds::over`], [`median_bounds`], [`bounds_interval`] |
//! | Does this hold for most instances? How many are needed? | [`sign_test`], [`share_interval`], [`needed`] |
//! | Are the times of one group, such as those of a machine, shifted? | [`shifts`], with [`rank_scores`] |
//! | At which size does one of two engines overtake the other? | [`crossover()`] |
//! | Which order of many engines do the runs support? | [`careful_ranking`] |
//!
//! Three rules hold throughout:
//!
//! * Equal values are ties: they share a rank.
//! * A run that timed out would have needed more time than its limit. Most functions assume nothing else about such a
//!   run. Only PAR scores, which [`single_best`] and [`Worth::Saved`] use, count it as a multiple of the limit.
//! * If a sample is too small for a statement, the result is `None`, or an interval together with its true coverage.
//!
//! ```
//! use counterpoint_statistics::{Matrix, Score, Worth, par, shapley, single_best};
//!
//! let solved = |time_s| Some(Score { solved: true, time_s, limit_s: 10.0 });
//! let unsolved = Some(Score { solved: false, time_s: 10.0, limit_s: 10.0 });
//! let mut matrix = Matrix::new(2);
//! matrix.push(vec![solved(1.0), solved(2.0)])?;
//! matrix.push(vec![unsolved, solved(4.0)])?;
//! assert_eq!(par(matrix.column(0), 2.0), Some(10.5));
//! assert_eq!(single_best(&matrix), Some(1));
//! assert_eq!(shapley(&matrix, Worth::Solved), [0.5, 1.5]);
//! # Ok::<(), counterpoint_statistics::WrongWidth>(())
//! ```

mod bootstrap;
mod bounds;
mod careful;
mod crossover;
mod growth;
mod holm;
mod order;
mod portfolio;
mod score;
mod shift;
mod sign;
mod tails;
mod wilcoxon;

pub use bootstrap::{Bootstrap, IntervalKind, Resampling, bootstrap};
pub use bounds::{Bounds, BoundsInterval, bounds_interval, median_bounds};
pub use careful::{Group, Margin, Match, Ranking, careful_ranking};
pub use crossover::{Change, Crossover, Side, Size, SizePoint, crossover};
pub use growth::{Growth, GrowthInterval, SizeRuns, growth, growth_interval, growth_points};
pub use holm::holm;
pub use order::{MedianInterval, ascending, censored_median, median, median_interval, median_time, quantile};
pub use portfolio::{Worth, marginal, shapley, single_best, value, virtual_best};
pub use score::{Matrix, Score, WrongWidth, par, solved};
pub use shift::{Shift, rank_scores, shifts};
pub use sign::{MAX_PAIRS, needed, share_interval, sign_test};
pub use wilcoxon::{Method, Wilcoxon, wilcoxon};

/// The example of the README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
