//! The encoding of a formula: the formula itself.

use super::Instance;
use counterpoint_core::engine::EngineInfo;
use counterpoint_core::errors::Unsupported;
use counterpoint_encodings::Sink;

/// The only encoding. Solvers and formats that support parity constraints get them unchanged; others get clauses.
pub const PLAIN: EngineInfo = EngineInfo::sat(
    "plain",
    "the formula as it is; parities as clauses unless the solver knows parities",
    &[],
)
.after("DIMACS 1993");

/// Writes the formula. Its variables have the numbers of the file.
///
/// # Errors
/// Never returns an error.
pub fn write(instance: &Instance, sink: &mut dyn Sink) -> Result<(), Unsupported> {
    instance.formula.write(sink);
    Ok(())
}
