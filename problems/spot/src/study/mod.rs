//! Studies of Spot, which answer questions that the judge does not ask, and the opponent in `play`.
//!
//! Each question has a file with a function `run`: `census.rs` (`classes`), `value.rs` (`value`), `forcing.rs`
//! (`forcing-limit`), `longest.rs` (`longest`), `hardness.rs` (`hardness`) and `rivals.rs` (`rules`). The opponent is in
//! `opponent.rs`. The other files have the graphs and algorithms that these files use.

pub mod automorphisms;
pub mod census;
pub mod class_graph;
pub mod differ;
pub mod differ_sat;
pub mod evaluation;
pub mod forcing;
pub mod forcing_search;
pub mod geography;
pub mod hardness;
pub mod implicit;
pub mod index;
pub mod longest;
pub mod matching;
pub mod opponent;
pub mod pursuit;
pub mod reserve;
pub mod rivals;
pub mod strategy;
pub mod strategy_sat;
pub mod strategy_tree;
pub mod tour;
pub mod transposition;
pub mod value;
pub mod words;
