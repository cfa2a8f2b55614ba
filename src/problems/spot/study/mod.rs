//! Questions beyond the judge's.

pub mod classes;
pub mod value;
