//! Generators of boards from a seed.

use super::{End, Instance, Rules};
use counterpoint_core::board::{Digits, Size};
use counterpoint_core::errors::GenerateError;
use counterpoint_core::problem::{Param, Params, SIZE};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Parameters for width and height: `n` sets both; `w` and `h` override it if they are not 0.
const SIDES: [Param; 3] = [
    Param::number("n", 4.0, 1.0, 16_384.0),
    Param::number("w", 0.0, 0.0, 16_384.0),
    Param::number("h", 0.0, 0.0, 16_384.0),
];

/// Parameters of [`random`].
pub const RANDOM: &[Param] = &[SIDES[0], SIDES[1], SIDES[2], Param::number("black", 0.5, 0.0, 1.0)];
/// Parameters of [`solvable`].
pub const SOLVABLE: &[Param] = &[SIDES[0], SIDES[1], SIDES[2], Param::number("press", 0.5, 0.0, 1.0)];
/// Parameters of [`black`].
pub const BLACK: &[Param] = &SIDES;

fn size(rules: &Rules, params: &Params) -> Result<Size, GenerateError> {
    let size = params.size();
    let given = SIDES.iter().map(|side| side.key).chain([SIZE]).any(|key| params.is_given(key));
    match rules.size {
        Some(ruled) if given && size != ruled => {
            return Err(format!("the parameters say {size}, the rule size says {ruled}").into());
        }
        Some(ruled) => return Ok(ruled),
        None => {}
    }
    if size.width == 4 && size.height != 4 {
        return Err(format!("rows of four squares are read as boards 4x4; say --rule size={size}").into());
    }
    Ok(size)
}

/// Makes each square black with probability `black`. With more than two colours, such a square gets a random colour
/// other than the first.
///
/// # Errors
/// Returns a message if a board of this size would not read back as one board, or if the rules do not allow the size.
pub fn random(rules: &Rules, params: &Params, rng: &mut ChaCha8Rng) -> Result<Instance, GenerateError> {
    let size = size(rules, params)?;
    let mut squares = Digits::zeros(size.cells());
    for i in 0..size.cells() {
        if rng.random_bool(params.real("black")) {
            (0..any_number(rules, rng)).for_each(|_| squares.increment(i));
        }
    }
    Ok(Instance { size, squares })
}

/// Starts from a white board, or from the board in the file that the rule `target` names, and presses each square with
/// probability `press`. With more than two colours, a square is pressed a random number of times.
///
/// # Errors
/// Returns a message if a board of this size would not read back as one board, or if the rules do not allow the size.
pub fn solvable(rules: &Rules, params: &Params, rng: &mut ChaCha8Rng) -> Result<Instance, GenerateError> {
    let size = size(rules, params)?;
    let end = rules.first_end();
    let mut board: Vec<u8> = match end {
        End::Board(target) if target.size != size => {
            return Err(format!("the target is {}", target.size).into());
        }
        End::Board(target) => (0..size.cells()).map(|i| target.squares.get(i) as u8).collect(),
        End::Colour { .. } => vec![0; size.cells()],
    };
    let mut turned = Vec::new();
    for cell in size.iter() {
        if rng.random_bool(params.real("press")) {
            let times = any_number(rules, rng);
            rules.stencil.squares_into(size, cell, &mut turned);
            for &cell in &turned {
                let colour = &mut board[size.index(cell)];
                *colour = ((u32::from(*colour) + times) % rules.colours) as u8;
            }
        }
    }
    let counts = board.iter().enumerate().flat_map(|(i, &colour)| (0..colour).map(move |_| i));
    Ok(Instance { size, squares: Digits::counts(size.cells(), counts) })
}

/// Makes the whole board black or, with more than two colours, gives it the last colour. With two colours and
/// `target=white`, this is the all-ones problem, which always has a solution.
///
/// # Errors
/// Returns a message if a board of this size would not read back as one board, or if the rules do not allow the size.
pub fn black(rules: &Rules, params: &Params, _: &mut ChaCha8Rng) -> Result<Instance, GenerateError> {
    let size = size(rules, params)?;
    Ok(Instance { size, squares: Digits::all(size.cells(), rules.colours - 1) })
}

/// A random number from 1 to p - 1. Draws nothing from the generator if p is 2, because there is only one choice.
fn any_number(rules: &Rules, rng: &mut ChaCha8Rng) -> u32 {
    if rules.colours == 2 { 1 } else { rng.random_range(1..rules.colours) }
}
