//! The engines `dpll` and `walksat`, one file each, and the simplified constraints from which both start.

mod constraints;
pub mod dpll;
pub mod walksat;
