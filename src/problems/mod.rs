//! The three problems, a folder each, all of one shape.

pub mod flip;
pub mod ships;
pub mod spot;
