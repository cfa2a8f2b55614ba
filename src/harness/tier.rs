//! How limits are held, best first. Which one is in force is part of every record's surroundings.

use crate::process::{Cgroups, Version};
use serde::{Deserialize, Serialize};
use std::fmt;

/// How limits are held. In each, the worker watches its own CPU time, wall time and memory, so that times below a
/// second hold; what differs is what stands behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tier {
    /// A control group of version 2 for each run: the kernel bounds memory, and nothing of a run outlives it.
    CgroupV2,
    /// The same with the memory controller of version 1.
    CgroupV1,
    /// Limits of the operating system on each process, sums over its process group, and a kill of the group and of what
    /// has left it.
    Rlimit,
}

/// All tiers, best first: with its control groups if it is to be had, with the reason if not.
pub fn tiers() -> Vec<(Tier, Result<Option<Cgroups>, String>)> {
    vec![
        (Tier::CgroupV2, Cgroups::new(Version::V2).map(Some)),
        (Tier::CgroupV1, Cgroups::new(Version::V1).map(Some)),
        (Tier::Rlimit, Ok(None)),
    ]
}

/// The best tier that is to be had here.
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
