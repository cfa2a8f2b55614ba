//! The searches, one a file, and the bit sets that they work on.

mod bounds;
pub mod cover;
pub mod dlx;
pub mod fleet_dfs;
mod mask;
pub mod reason;
mod relaxed;
mod slices;
mod tables;
