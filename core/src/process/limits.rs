//! Limits on what a child may use.

use std::time::Duration;

/// Limits on what a process group may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Limits {
    /// CPU time.
    pub cpu: Option<Duration>,
    /// Resident memory in bytes.
    pub memory: Option<u64>,
    /// Wall time, which also ends a program that sleeps. If this limit is not set, [`default_wall_limit`] derives it
    /// from the limit on CPU time, if there is one.
    pub wall: Option<Duration>,
}

impl Limits {
    /// Both limits: of each resource, the smaller one.
    #[must_use]
    pub fn and(&self, other: &Limits) -> Limits {
        fn least<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
            one.into_iter().chain(other).min()
        }
        Limits {
            cpu: least(self.cpu, other.cpu),
            memory: least(self.memory, other.memory),
            wall: least(self.wall, other.wall),
        }
    }

    /// The limit on wall time, given or derived; `None` if neither wall time nor CPU time is limited.
    pub(super) fn wall(&self) -> Option<Duration> {
        self.wall.or_else(|| self.cpu.map(default_wall_limit))
    }
}

/// The wall time after which a program is assumed to hang, although it has not used up its CPU time: ten times its
/// limit on CPU time, because other programs may use the processors too, plus a second to start.
pub fn default_wall_limit(cpu: Duration) -> Duration {
    cpu.saturating_mul(10).saturating_add(Duration::from_secs(1))
}
