//! Seeded boards.

use super::{Instance, Rules};
use crate::board::{Bits, Size};
use crate::problem::{Param, Params};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Width and height; `n` sets both, the others win.
const SIDES: [Param; 3] = [
    Param { key: "n", default: 4.0, min: 1.0, max: 16_384.0 },
    Param { key: "w", default: 0.0, min: 0.0, max: 16_384.0 },
    Param { key: "h", default: 0.0, min: 0.0, max: 16_384.0 },
];

/// Parameters of [`random`].
pub const RANDOM: &[Param] =
    &[SIDES[0], SIDES[1], SIDES[2], Param { key: "black", default: 0.5, min: 0.0, max: 1.0 }];
/// Parameters of [`solvable`].
pub const SOLVABLE: &[Param] =
    &[SIDES[0], SIDES[1], SIDES[2], Param { key: "press", default: 0.5, min: 0.0, max: 1.0 }];
/// Parameters of [`black`].
pub const BLACK: &[Param] = &SIDES;

fn size(rules: &Rules, params: &Params) -> Result<Size, String> {
    if let Some(size) = rules.size {
        return Ok(size);
    }
    let side = |key| if params.whole(key) == 0 { params.whole("n") } else { params.whole(key) };
    let size = Size::new(side("w"), side("h"));
    if size.width == 4 && size.height != 4 {
        return Err(format!("rows of four squares read as boards 4x4; say --rule size={size}"));
    }
    Ok(size)
}

/// Each square black with probability `black`.
///
/// # Errors
/// A size that does not read back as one board.
pub fn random(rules: &Rules, params: &Params, rng: &mut ChaCha8Rng) -> Result<Instance, String> {
    let size = size(rules, params)?;
    let black = (0..size.cells()).filter(|_| rng.random_bool(params.real("black")));
    Ok(Instance { size, black: Bits::from_indices(size.cells(), black) })
}

/// A white board with each square pressed with probability `press`.
///
/// # Errors
/// A size that does not read back as one board.
pub fn solvable(rules: &Rules, params: &Params, rng: &mut ChaCha8Rng) -> Result<Instance, String> {
    let size = size(rules, params)?;
    let mut black = Bits::zeros(size.cells());
    for cell in size.iter() {
        if rng.random_bool(params.real("press")) {
            rules.stencil.squares(size, cell).into_iter().for_each(|c| black.flip(size.index(c)));
        }
    }
    Ok(Instance { size, black })
}

/// All black: the all-ones problem, always solvable.
///
/// # Errors
/// A size that does not read back as one board.
pub fn black(rules: &Rules, params: &Params, _: &mut ChaCha8Rng) -> Result<Instance, String> {
    let size = size(rules, params)?;
    Ok(Instance { size, black: Bits::ones(size.cells()) })
}
