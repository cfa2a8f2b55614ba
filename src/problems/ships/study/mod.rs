//! Questions about ships beyond the judge's.

pub mod count;
