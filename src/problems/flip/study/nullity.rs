//! How many independent sets of presses change nothing, for one size or for all squares in a range.
//!
//! Of two colours with the plus stencil: n = 10,000 takes milliseconds. For n×n boards OEIS A159257.

use crate::board::Size;
use crate::engine::Budget;
use crate::problem::{Asked, Param};
use crate::problems::flip::search::nullity;
use crate::problems::flip::{Instance, Rules};
use crate::study::{Halt, Report, row};

/// Parameters of [`ask`]: a size, or all n×n from n to `to`.
pub const PARAMS: &[Param] = &[
    Param { key: "n", default: 4.0, min: 1.0, max: 1e6 },
    Param { key: "w", default: 0.0, min: 0.0, max: 1e6 },
    Param { key: "h", default: 0.0, min: 0.0, max: 1e6 },
    Param { key: "to", default: 0.0, min: 0.0, max: 1e6 },
];

/// The question `nullity`: a row a size.
///
/// # Errors
/// A size that is not served, or the limit that was met.
pub fn ask(
    &Asked { rules, params, .. }: &Asked<'_, Rules, Instance>,
    budget: &mut Budget,
    report: &mut dyn Report,
) -> Result<(), Halt> {
    let (first, last) = (params.whole("n"), params.whole("to"));
    if last > 0 && (last < first || params.whole("w") + params.whole("h") > 0) {
        return Err(Halt::Refused(format!("to={last} goes up from n={first} and with no w or h")));
    }
    let sizes: Vec<Size> = match last {
        0 => vec![params.size()],
        last => (first..=last).map(|n| Size::new(n, n)).collect(),
    };
    for size in sizes {
        nullity::supports(rules.colours, rules.stencil, size).map_err(Halt::Refused)?;
        report.progress(format_args!("{size}"));
        let nullity = nullity::nullity(rules.colours, rules.stencil, size, budget)?;
        report.row(row([("size", size.to_string().into()), ("nullity", nullity.into())]));
    }
    Ok(())
}
