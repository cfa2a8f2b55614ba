//! The problems, each in a folder of its own: three board problems, whose folders have the same structure, and
//! formulas.

pub mod cnf;
pub mod flip;
pub mod ships;
pub mod spot;

use crate::registry::Registry;

/// The registry of all problems: Spot, Ships, Flip and formulas.
pub fn standard() -> Registry {
    Registry::empty().with::<spot::Spot>().with::<ships::Ships>().with::<flip::Flip>().with::<cnf::Cnf>()
}
