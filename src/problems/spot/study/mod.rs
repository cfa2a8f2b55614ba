//! Questions beyond the judge's.

pub mod classes;
