//! The ways in which limits can be enforced, best first. The one in use is part of every record's environment.

use crate::process::{Cgroups, Version};
use serde::{Deserialize, Serialize};
use std::fmt;

/// How limits are enforced. In each tier, the worker watches its own CPU time, wall time and memory, so limits below a
/// second work. The tiers differ in the fallback.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tier {
    /// A control group of version 2 for each run: the kernel limits memory, and no process of a run outlives it.
    CgroupV2,
    /// The same with the memory controller of version 1.
    CgroupV1,
    /// Limits of the operating system on each process and on sums over its process group. When the run ends, the group
    /// and escaped processes are killed.
    Rlimit,
}

/// All tiers, best first, each with its control groups or with the reason why this machine does not have it.
pub fn tiers() -> Vec<(Tier, Result<Option<Cgroups>, String>)> {
    vec![
        (Tier::CgroupV2, Cgroups::new(Version::V2).map(Some)),
        (Tier::CgroupV1, Cgroups::new(Version::V1).map(Some)),
        (Tier::Rlimit, Ok(None)),
    ]
}

/// The best tier that this machine has.
pub fn best_tier() -> (Tier, Option<Cgroups>) {
    let mut usable = tiers().into_iter().filter_map(|(tier, found)| Some((tier, found.ok()?)));
    usable.next().unwrap_or((Tier::Rlimit, None))
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Tier::CgroupV2 => "cgroup v2",
            Tier::CgroupV1 => "cgroup v1",
            Tier::Rlimit => "rlimit",
        })
    }
}
