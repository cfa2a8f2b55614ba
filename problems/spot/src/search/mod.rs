//! Search engines: three that find the first repeat of a complete record, and one that completes smudged records.

mod alike;
mod bounds;
mod cancel;
pub mod canonical;
mod completions;
pub mod fill;
mod frame;
mod goal;
mod known;
mod matching;
pub(super) mod posa;
mod position;
pub mod reason;
pub mod rotate_all;
mod split;
pub mod zobrist;

use super::Instance;
use counterpoint_core::errors::Unsupported;

/// The maximum number of squares, summed over all boards of a record, for engines that store every board. With one bit
/// for each square, this is 128 MiB.
const MAX_SQUARES: u64 = 1 << 30;

/// Supports complete records only.
///
/// # Errors
/// Returns a message that names the first unknown move.
fn complete(instance: &Instance) -> Result<(), Unsupported> {
    match instance.first_unknown() {
        None => Ok(()),
        Some(i) => {
            Err(format!("move {} is unknown, and this engine supports only known moves", i + 1).into())
        }
    }
}

/// Supports complete records whose boards all fit into memory.
///
/// # Errors
/// Returns why the record is not supported.
fn complete_and_storable(instance: &Instance) -> Result<(), Unsupported> {
    complete(instance)?;
    storable(instance)
}

/// Supports records whose boards all fit into memory.
///
/// # Errors
/// Returns a message with the size that is too large.
fn storable(instance: &Instance) -> Result<(), Unsupported> {
    let squares = instance.record.len() as u64 * instance.size().cells() as u64;
    if squares > MAX_SQUARES {
        return Err(format!(
            "the boards have {squares} squares in all; this engine stores up to {MAX_SQUARES}"
        )
        .into());
    }
    Ok(())
}
