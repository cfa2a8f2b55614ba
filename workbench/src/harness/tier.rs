//! The ways in which limits can be enforced, best first. The one in use is part of every record's environment.

use crate::process::{CgroupError, Cgroups, Version};
use serde::{Deserialize, Serialize};
use std::fmt;

/// How limits are enforced. In each tier, the worker watches its own CPU time, wall time and memory, so limits of less
/// than a second are possible. The tiers differ in what happens if the worker fails to enforce its limits.
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

/// Whether this machine supports a tier.
#[derive(Debug)]
pub struct Support {
    /// The tier.
    pub tier: Tier,
    /// Its control groups (`None` for [`Tier::Rlimit`]), or why this machine does not support the tier.
    pub cgroups: Result<Option<Cgroups>, CgroupError>,
}

/// A tier that this machine supports.
#[derive(Clone, Debug)]
pub struct Enforcement {
    /// The tier.
    pub tier: Tier,
    /// Its control groups; `None` for [`Tier::Rlimit`].
    pub cgroups: Option<Cgroups>,
}

/// All tiers, best first.
pub fn tiers() -> Vec<Support> {
    vec![
        Support { tier: Tier::CgroupV2, cgroups: Cgroups::new(Version::V2).map(Some) },
        Support { tier: Tier::CgroupV1, cgroups: Cgroups::new(Version::V1).map(Some) },
        Support { tier: Tier::Rlimit, cgroups: Ok(None) },
    ]
}

/// The best tier that this machine supports.
pub fn best_tier() -> Enforcement {
    let enforcement = |Support { tier, cgroups }| Some(Enforcement { tier, cgroups: cgroups.ok()? });
    let best = tiers().into_iter().find_map(enforcement);
    best.unwrap_or(Enforcement { tier: Tier::Rlimit, cgroups: None })
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
