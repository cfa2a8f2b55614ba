//! Questions about flipping beyond the judge's.

pub mod nullity;
