//! How many random instances the tests draw.

use std::sync::LazyLock;

/// The environment variable `COUNTERPOINT_SAMPLES`: a factor for the number of random instances, 1 by default.
static FACTOR: LazyLock<u64> = LazyLock::new(|| match std::env::var("COUNTERPOINT_SAMPLES") {
    Ok(text) => text.parse().expect("COUNTERPOINT_SAMPLES is not a whole number"),
    Err(_) => 1,
});

/// `n` times the factor.
pub(crate) fn samples(n: u64) -> u64 {
    n * *FACTOR
}
