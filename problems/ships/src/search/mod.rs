//! The search engines, one per file, with the bounds, tables and bit sets that they use.

mod bounds;
pub mod cover;
pub mod dlx;
pub mod fleet_dfs;
mod mask;
pub mod reason;
mod relaxed;
mod slices;
mod sunflowers;
mod tables;
