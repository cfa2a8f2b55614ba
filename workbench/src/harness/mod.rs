//! Carries out experiments. A plan expands into runs. Each attempt at a run has a process of its own and
//! leaves a record, unless the attempt is stopped.
//!
//! ```text
//! plan.toml ─► runs ─► queue ─► slot ─► worker process ─► findings ─► record ─► segment of a set
//!   plan/     expand   queue   runner       worker        request     attempt       set
//! ```
//!
//! A run that has a record is not repeated, unless it failed and the user asks for a retry. Several processes can work
//! on one set, and no record is lost if any of them is killed. A worker process runs the same program as the runner, so
//! it knows the problems that a user has added.

mod agreement;
mod attempt;
mod checking;
mod compact;
mod cores;
pub mod cubes;
mod environment;
mod files;
mod folder;
mod metered;
mod observer;
mod places;
pub mod plan;
mod planned;
mod progress;
mod queue;
mod recorded;
mod request;
mod runner;
mod segment;
mod set;
mod shuffled;
pub mod slurm;
mod tally;
mod tier;
mod wall_monitor;
mod watchdog;
mod worker;

pub use attempt::{Launcher, StartError, attempt};
pub use checking::{recheck, verdict};
pub use compact::{CompactError, Compacted, Moment, compact};
pub use cores::{Cores, CoresError, Preview, pin};
pub use environment::{Environment, UNKNOWN, load, own_hash, own_program, pressure, program_hash};
pub use files::{FilesError, matching, opener};
pub use observer::Observer;
pub use planned::{NotPlanned, Planned};
pub use progress::CpuClock;
pub use queue::{
    Claim, Comparison, Disk, Flush, Heartbeats, HeldBatches, Holder, Idle, Item, LEASE, MAX_DEATHS, Part,
    Place, Queue, Records, Storage,
};
pub use request::{Request, receive};
pub use runner::{Completion, Work, carry_out};
pub use segment::{Segment, sweep};
pub use set::{Rejected, Set};
pub use tally::tally;
pub use tier::{Enforcement, Support, Tier, best_tier, tiers};
pub use worker::{WorkerContext, permuted, work};
