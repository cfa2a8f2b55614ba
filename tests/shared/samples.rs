//! How much the tests try: by default what fits into a few minutes, before a release more.

use std::sync::LazyLock;

/// The environment variable `COUNTERPOINT_SAMPLES`: a factor for the number of random instances, 1 by default.
static FACTOR: LazyLock<u64> = LazyLock::new(|| match std::env::var("COUNTERPOINT_SAMPLES") {
    Ok(text) => text.parse().expect("COUNTERPOINT_SAMPLES is not a whole number"),
    Err(_) => 1,
});

/// `n` times the factor.
#[allow(dead_code, reason = "not every test program needs it")]
pub(crate) fn samples(n: u64) -> u64 {
    n * *FACTOR
}

/// Whether cases that take seconds are tested: with a factor of 10 or more.
pub(crate) fn is_thorough() -> bool {
    *FACTOR >= 10
}

/// Of cases that take long: all of them in a thorough test, otherwise every third one.
#[allow(dead_code, reason = "not every test program needs it")]
pub(crate) fn some<T>(cases: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
    cases.into_iter().step_by(if is_thorough() { 1 } else { 3 })
}
