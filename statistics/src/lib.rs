//! Statistics for comparing solvers on benchmark instances where some runs end at a timeout.
//!
//! Numbers go in and numbers come out: nothing here reads a file or a clock, and the same input gives the same output.
//! [`Score`] is one engine on one instance, [`Matrix`] all of them. What holds for one engine is in [`score`],
//! for a portfolio in [`portfolio`], for two engines in [`wilcoxon()`], [`bootstrap()`] and [`crossover()`], for
//! all pairs of them in [`careful`].
//!
//! Three rules hold throughout. Equal values are ties: they share a rank. A run that timed out needs more than its
//! limit, and nothing else is assumed about it; only [`par`] assigns it a time. Where a sample is too small for a
//! statement, the result is `None`, or it comes with its true coverage.
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

pub mod bootstrap;
pub mod careful;
pub mod crossover;
pub mod growth;
pub mod holm;
pub mod order;
pub mod portfolio;
pub mod score;
mod tails;
pub mod wilcoxon;

pub use bootstrap::{Bootstrap, IntervalKind, Resampling, bootstrap};
pub use careful::{Group, Margin, Match, Ranking, careful_ranking};
pub use crossover::{Change, Crossover, Side, Size, SizePoint, crossover};
pub use growth::{Growth, growth};
pub use holm::holm;
pub use order::{MedianInterval, ascending, censored_median, median, median_interval, median_time, quantile};
pub use portfolio::{Worth, marginal, shapley, single_best, value, virtual_best};
pub use score::{Matrix, Score, WrongWidth, par, solved};
pub use wilcoxon::{Method, Wilcoxon, wilcoxon};

/// The example of the README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
