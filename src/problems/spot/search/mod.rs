//! Search engines: three referees for complete records, and one that completes smudged ones.

pub mod canonical;
pub mod fill;
pub(super) mod posa;
mod position;
mod reach;
pub mod reason;
pub mod rotate_all;
pub mod zobrist;

use super::Instance;

/// The most squares over all boards of a record that an engine keeps whole: 128 MiB of bits.
const MAX_SQUARES: u64 = 1 << 30;

/// Complete records only.
///
/// # Errors
/// That the record is smudged.
fn complete(instance: &Instance) -> Result<(), String> {
    match instance.first_unknown() {
        None => Ok(()),
        Some(i) => {
            Err(format!("move {} is unknown; search:fill, sat:toggles and sat:path complete records", i + 1))
        }
    }
}

/// Complete records whose boards can all be kept.
///
/// # Errors
/// Why not.
fn complete_and_stored(instance: &Instance) -> Result<(), String> {
    complete(instance)?;
    stored(instance)
}

/// Records whose boards can all be kept.
///
/// # Errors
/// That they are too many or too large.
fn stored(instance: &Instance) -> Result<(), String> {
    let squares = instance.record.len() as u64 * instance.size().cells() as u64;
    if squares > MAX_SQUARES {
        return Err(format!("{squares} squares over all boards; this engine keeps up to {MAX_SQUARES}"));
    }
    Ok(())
}
