//! Experiments: a plan becomes runs, each run a process of its own, each attempt at one a record.
//!
//! ```text
//! plan.toml ─► runs ─► queue ─► slot ─► worker process ─► findings ─► record ─► segment of a set
//!   plan/     expand   queue    runner      worker        request     attempt      set
//! ```
//!
//! What has a record is not run again; several processes may work on one set; a process may be killed at
//! any moment. The worker is this same program, so somebody's own problems come along.

mod agreement;
mod attempt;
mod builds;
mod checking;
mod environment;
mod gauge;
mod metered;
mod overseer;
pub mod plan;
mod planned;
mod queue;
mod request;
mod runner;
mod segment;
mod set;
mod shuffled;
mod tally;
mod tier;
mod watchdog;
mod worker;

pub use attempt::{Outer, Unstarted, attempt};
pub use checking::{recheck, verdict};
pub use environment::{Environment, UNKNOWN, load, own_hash, pressure, program_hash};
pub use gauge::CpuClock;
pub use planned::Planned;
pub use queue::{Held, LEASE, Queue};
pub use request::{Request, receive};
pub use runner::{End, Watcher, Work, carry_out};
pub use segment::{Segment, sweep};
pub use set::{Rejected, Set};
pub use tally::tally;
pub use tier::{Tier, best_tier, tiers};
pub use worker::{Inner, permuted, work};
