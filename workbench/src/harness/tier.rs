//! The ways in which limits can be enforced, best first. The one in use is part of every record's environment.

use crate::process::{Cgroups, Version};
use serde::{Deserialize, Serialize};
use std::fmt;

/// How limits are enforced. In each tier, the worker watches its own CPU time, wall time and memory, so limits below a
/// second work. The tiers differ in what happens if the worker fails to enforce its limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tier {
    /// A control group of version 2 for each run: the kernel limits memory, and no process outlives its run.
    CgroupV2,
    /// A control group of version 1 for each run, which has the same effects.
    CgroupV1,
    /// The operating system limits each process, and sums over the process group are compared with the limits. When the
    /// run ends, the group and escaped processes are killed.
    Rlimit,
}

/// All tiers, best first. Each comes with its control groups (`None` for [`Tier::Rlimit`]), or with the reason why this
/// machine does not support the tier.
pub fn tiers() -> Vec<(Tier, Result<Option<Cgroups>, String>)> {
    vec![
        (Tier::CgroupV2, Cgroups::new(Version::V2).map(Some)),
        (Tier::CgroupV1, Cgroups::new(Version::V1).map(Some)),
        (Tier::Rlimit, Ok(None)),
    ]
}

/// The best tier that this machine supports, with its control groups.
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
