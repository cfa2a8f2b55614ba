//! Questions beyond the judge's.

pub mod arena;
pub mod automorphisms;
pub mod census;
pub mod classes;
pub mod evidence;
pub mod forcing;
pub mod implicit;
pub mod index;
pub mod matching;
pub mod perfect;
pub mod pursuit;
pub mod reserve;
pub mod strategy;
pub mod value;
pub mod words;
