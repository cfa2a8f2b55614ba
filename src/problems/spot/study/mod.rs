//! Questions beyond the judge's.

pub mod arena;
pub mod automorphisms;
pub mod census;
pub mod classes;
pub mod differ;
pub mod differ_sat;
pub mod evidence;
pub mod forcing;
pub mod foresight;
pub mod implicit;
pub mod index;
pub mod longest;
pub mod matching;
pub mod memory;
pub mod perfect;
pub mod pursuit;
pub mod reserve;
pub mod rivals;
pub mod strategy;
pub mod strategy_sat;
pub mod table;
pub mod tour;
pub mod value;
pub mod words;
