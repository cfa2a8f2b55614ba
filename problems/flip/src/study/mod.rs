//! Research questions about the Flip Game that go beyond the judge's.

pub mod all_ones;
mod certificate;
mod code;
pub mod hardest;
pub mod hardness;
pub mod histogram;
pub mod nullity;
pub(crate) mod space;

use counterpoint_core::problem::Params;
use counterpoint_core::study::StudyError;
use std::ops::RangeInclusive;

/// The sides from `n` to `to`, or `n` alone if `to` is 0.
fn sides(params: &Params) -> Result<RangeInclusive<u32>, StudyError> {
    let (first, last) = (params.whole("n"), params.whole("to"));
    match last {
        0 => Ok(first..=first),
        _ if last < first => Err(StudyError::unsupported(format!("to={last} is less than n={first}"))),
        _ => Ok(first..=last),
    }
}
