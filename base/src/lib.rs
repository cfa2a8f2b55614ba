//! Types that Counterpoint's crates share: work budgets, claims with their status, numbers of cubes, hashes, hash
//! tables, errors that consist of a message, and suggestions for misspelt names.
//!
//! # Budgets
//!
//! A search counts each node with [`budget::Budget::node`]. The search ends when this function returns an error, which
//! is the [`budget::Limit`] that was reached.
//!
//! ```
//! use counterpoint_base::budget::{Budget, Limit};
//!
//! /// The least divisor of `n` above 1.
//! fn least_divisor(n: u64, budget: &mut Budget) -> Result<u64, Limit> {
//!     for divisor in 2.. {
//!         budget.node()?;
//!         if n % divisor == 0 {
//!             return Ok(divisor);
//!         }
//!     }
//!     Ok(n)
//! }
//!
//! assert_eq!(least_divisor(91, &mut Budget::unlimited()), Ok(7));
//! assert_eq!(least_divisor(91, &mut Budget::of_work(3)), Err(Limit::Work));
//! ```
//!
//! # Claims
//!
//! A checker turns an answer into a list of claims, each with its status:
//!
//! ```
//! use counterpoint_base::claim::{Claim, Status, all_closed};
//!
//! let claims = [
//!     Claim::replayed("7 divides 91", if 91 % 7 == 0 { Ok(()) } else { Err("it does not") }),
//!     Claim::new("no smaller number does", Status::Open("not tested".to_owned())),
//! ];
//! assert!(!all_closed(&claims));
//! assert_eq!(claims[1].status.to_string(), "open: not tested");
//! ```

pub mod budget;
pub mod bytes;
pub mod claim;
pub mod cube;
pub mod excerpt;
pub mod keyed;
mod message;
pub mod sha256;
pub mod suggest;

/// The example of the README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
