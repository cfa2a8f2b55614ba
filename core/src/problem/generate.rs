//! Functions that generate instances, for stress tests of programs and of encoders.

use crate::errors::GenerateError;
use chacha20::ChaCha8Rng;

/// Makes the instance of a round, counted from 0. All randomness comes from the given random number generator, so the
/// same seed gives the same instance.
///
/// # Errors
/// Returns why there is no such instance under these rules.
pub type MakeGame<R, I> = fn(&R, u64, &mut ChaCha8Rng) -> Result<I, GenerateError>;
