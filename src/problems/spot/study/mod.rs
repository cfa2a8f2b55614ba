//! Questions beyond the judge's.

pub mod census;
pub mod classes;
pub mod implicit;
pub mod index;
pub mod matching;
pub mod value;
pub mod words;
