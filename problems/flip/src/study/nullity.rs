//! The question `nullity`: the nullity of one size, or of all n×n boards in a range.
//!
//! With two colours and the plus stencil, n = 10,000 takes milliseconds. For n×n boards, the sequence of nullities is
//! OEIS A159257.

use crate::search::nullity;
use crate::{Instance, Rules};
use counterpoint_core::board::Size;
use counterpoint_core::engine::Budget;
use counterpoint_core::problem::{Param, StudyRequest};
use counterpoint_core::study::{StudyError, StudyOutput, row};

/// Parameters of [`run`]: one size, or all n×n boards from n to `to`.
pub const PARAMS: &[Param] = &[
    Param::number("n", 4.0, 1.0, 1e6),
    Param::number("w", 0.0, 0.0, 1e6),
    Param::number("h", 0.0, 0.0, 1e6),
    Param::number("to", 0.0, 0.0, 1e6),
];

/// Answers the question `nullity`, with one row per size.
///
/// # Errors
/// Returns that a size is not supported, or the limit that was reached.
pub fn run(
    &StudyRequest { rules, params, .. }: &StudyRequest<'_, Rules, Instance>,
    budget: &mut Budget,
    report: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    let (first, last) = (params.whole("n"), params.whole("to"));
    if last > 0 && (last < first || params.whole("w") + params.whole("h") > 0) {
        let why = format!("to={last} must be at least n={first}, and w and h cannot be given with it");
        return Err(StudyError::unsupported(why));
    }
    let sizes: Vec<Size> = match last {
        0 => vec![params.size()],
        last => (first..=last).map(|n| Size::new(n, n)).collect(),
    };
    for size in sizes {
        nullity::supports(rules.colours, rules.stencil, size)?;
        report.progress(format_args!("{size}"));
        let nullity = nullity::nullity(rules.colours, rules.stencil, size, budget)?;
        report.row(row([("size", size.to_string().into()), ("nullity", nullity.into())]));
    }
    Ok(())
}
