//! How many independent sets of presses change nothing, for one size or for all squares in a range.
//!
//! For the plus stencil the degree of gcd(F(w + 1)(y), F(h + 1)(y + 1)) over GF(2), in O((w + h)²/64)
//! operations on words: n = 10,000 takes milliseconds. For n×n boards OEIS A159257.

use crate::board::Size;
use crate::engine::Budget;
use crate::problem::{Asked, Param};
use crate::problems::flip::search::algebra;
use crate::problems::flip::{Instance, Rules, Stencil};
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
/// Colours or a size that are not served, or the limit that was met.
pub fn ask(
    &Asked { rules, params, .. }: &Asked<'_, Rules, Instance>,
    budget: &mut Budget,
    report: &mut dyn Report,
) -> Result<(), Halt> {
    if rules.colours > 2 {
        return Err(Halt::Refused("nullities are worked out for two colours only".to_owned()));
    }
    let (first, last) = (params.whole("n"), params.whole("to"));
    if last > 0 && (last < first || params.whole("w") + params.whole("h") > 0) {
        return Err(Halt::Refused(format!("to={last} goes up from n={first} and with no w or h")));
    }
    let sizes: Vec<Size> = match last {
        0 => vec![params.size()],
        last => (first..=last).map(|n| Size::new(n, n)).collect(),
    };
    for size in sizes {
        if rules.stencil != Stencil::Plus {
            algebra::few_enough(size, size.cells()).map_err(Halt::Refused)?;
        }
        let nullity = algebra::nullity(rules.stencil, size, budget)?;
        report.row(row([("size", size.to_string().into()), ("nullity", nullity.into())]));
    }
    Ok(())
}
