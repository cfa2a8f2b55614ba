//! The parts of the benchmark and their rows.

use std::time::Duration;

/// Rows that are measured in the same way.
pub(crate) struct Part {
    pub(crate) name: &'static str,
    pub(crate) problem: &'static str,
    pub(crate) engines: &'static str,
    /// The limit on the CPU time of an engine for one instance.
    pub(crate) limit: Duration,
    pub(crate) rows: &'static [Row],
}

/// The number of instances, the family with its parameters, and the rules that differ from the judge's.
pub(crate) struct Row(pub(crate) u64, pub(crate) &'static str, pub(crate) &'static str);

const SPOT: &str = "search:fill,sat:toggles,sat:toggles/distinct=lazy";
const SHIPS: &str = "search:cover,sat:owner";
const FREE: &str = "fleet=pentominoes mirror=yes";
const ONE_SIDED: &str = "fleet=one-sided-pentominoes";

const fn spot(name: &'static str, rows: &'static [Row]) -> Part {
    Part { name, problem: "spot", engines: SPOT, limit: Duration::from_secs(5), rows }
}

const fn ships(name: &'static str, seconds: u64, rows: &'static [Row]) -> Part {
    Part { name, problem: "ships", engines: SHIPS, limit: Duration::from_secs(seconds), rows }
}

pub(crate) const PARTS: &[Part] = &[
    spot(
        "spot",
        &[
            Row(40, "smudged n=5 unknown=10", ""),
            Row(40, "smudged n=8 unknown=8", ""),
            Row(40, "smudged n=8 unknown=16", ""),
            Row(40, "smudged n=10 unknown=20", ""),
        ],
    ),
    spot(
        "large",
        &[
            Row(10, "smudged n=20 unknown=20", ""),
            Row(10, "smudged n=30 unknown=20", ""),
            Row(10, "smudged n=40 unknown=20", ""),
            Row(10, "smudged n=50 unknown=20", ""),
            Row(10, "smudged n=50 unknown=4", ""),
        ],
    ),
    spot(
        "cliffs",
        &[
            Row(4, "block n=12 unknown=12 at=0.5", ""),
            Row(4, "block n=15 unknown=12 at=0.5", ""),
            Row(4, "block n=20 unknown=20 at=0.3", ""),
            Row(4, "block n=50 unknown=20 at=0.5", ""),
            Row(4, "undo n=20 unknown=20", ""),
            // No move is known.
            Row(1, "block n=50 unknown=100", ""),
            Row(3, "smudged n=50 unknown=100", ""),
        ],
    ),
    ships(
        "ships",
        5,
        &[
            Row(20, "random", ""),
            Row(20, "random n=6 reveal=0.5", ""),
            Row(20, "hard", ""),
            Row(20, "hard n=6 hidden=0.3", ""),
            Row(20, "hard n=16 hidden=0.3", ""),
            Row(20, "hard n=16 hidden=0.5", ""),
            Row(20, "hard n=16 hidden=0.7", ""),
            Row(20, "contradictory", ""),
            Row(20, "contradictory n=12 hits=11", ""),
            Row(20, "moved", ""),
            Row(20, "moved n=10 hidden=0.3", ""),
            Row(20, "packed", ""),
            Row(20, "packed n=16 spare=3", ""),
            Row(20, "packed w=6 h=5", ""),
        ],
    ),
    ships(
        "pentominoes",
        5,
        &[
            Row(10, "hard n=12 hidden=0.3", FREE),
            Row(10, "hard n=16 hidden=0.3", FREE),
            Row(10, "moved n=12 hidden=0.3", FREE),
            // The checker takes seconds to reach its limit.
            Row(3, "moved n=16 hidden=0.3", FREE),
            Row(10, "packed n=12", FREE),
        ],
    ),
    ships(
        "one-sided",
        5,
        &[
            Row(4, "hard n=12 hidden=0.3", ONE_SIDED),
            Row(10, "hard n=16 hidden=0.3", ONE_SIDED),
            Row(4, "moved n=12 hidden=0.3", ONE_SIDED),
            Row(3, "moved n=16 hidden=0.3", ONE_SIDED),
            Row(4, "packed n=12", ONE_SIDED),
        ],
    ),
    ships(
        "misses",
        2,
        &[
            // All of these boards are empty.
            Row(1, "random n=8 reveal=0", "misses=6"),
            Row(1, "random n=8 reveal=0", "misses=7"),
            Row(1, "random n=8 reveal=0", "misses=8"),
            Row(4, "random n=8 reveal=0.1", "misses=6"),
            Row(4, "random n=8 reveal=0.1", "misses=7"),
            Row(4, "random n=8 reveal=0.1", "misses=8"),
            Row(4, "random n=8 reveal=0.2", "misses=6"),
            Row(4, "random n=8 reveal=0.2", "misses=7"),
            Row(4, "random n=8 reveal=0.2", "misses=8"),
            Row(4, "random n=8 reveal=0.3", "misses=6"),
            Row(4, "random n=8 reveal=0.3", "misses=7"),
            Row(4, "random n=8 reveal=0.3", "misses=8"),
            Row(4, "random n=8 reveal=0.5", "misses=6"),
            Row(4, "random n=8 reveal=0.5", "misses=7"),
            Row(4, "random n=8 reveal=0.5", "misses=8"),
        ],
    ),
];
