//! Generators of boards from a seed: random boards, boards that presses solve, and boards that are made to be hard.
//! `study/space.rs` has the linear algebra.

use super::study::space::space;
use super::{End, Instance, Rules};
use chacha20::ChaCha8Rng;
use counterpoint_core::board::{Cell, Digits, Size};
use counterpoint_core::errors::GenerateError;
use counterpoint_core::problem::{Param, Params, SIZE};
use rand::RngExt;
use std::collections::HashSet;

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
/// Parameters of [`few`]: `presses` is the number of presses that solve the board.
pub const FEW: &[Param] = &[SIDES[0], SIDES[1], SIDES[2], Param::number("presses", 6.0, 0.0, 1e9)];
/// Parameters of [`deep`]: `presses` is the number of the fewest presses; 0 stands for as many as are found.
pub const DEEP: &[Param] = &[SIDES[0], SIDES[1], SIDES[2], Param::number("presses", 0.0, 0.0, 1e6)];
/// Parameters of [`impossible`]: `black` is that of [`random`]; `sum` is the kind of contradiction.
pub const IMPOSSIBLE: &[Param] = &[
    SIDES[0],
    SIDES[1],
    SIDES[2],
    Param::number("black", 0.5, 0.0, 1.0),
    Param::word("sum", &["any", "long"]),
];

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
    // A board from which white can be reached is solvable for black, too, so boards are the same for both targets.
    let end = match rules.first_end() {
        End::Colour { colours, .. } => End::Colour { colour: 0, colours },
        end @ End::Board(_) => end,
    };
    let mut board = at_end(rules, size, &end)?;
    for cell in size.iter() {
        if rng.random_bool(params.real("press")) {
            board.press(cell, any_number(rules, rng));
        }
    }
    Ok(board.instance())
}

/// A board that is being generated.
struct Board<'a> {
    rules: &'a Rules,
    size: Size,
    colours: Vec<u8>,
    /// The squares that the last press turned over.
    turned: Vec<Cell>,
}

/// The final board `end`.
fn at_end<'a>(rules: &'a Rules, size: Size, end: &End) -> Result<Board<'a>, GenerateError> {
    match end {
        End::Board(target) if target.size != size => Err(format!("the target is {}", target.size).into()),
        _ => {
            let colours = (0..size.cells()).map(|i| end.colour(i) as u8).collect();
            Ok(Board { rules, size, colours, turned: Vec::new() })
        }
    }
}

impl Board<'_> {
    /// Adds `times` to the colour of a square.
    fn turn(&mut self, square: usize, times: u32) {
        let colour = &mut self.colours[square];
        *colour = ((u32::from(*colour) + times) % self.rules.colours) as u8;
    }

    fn press(&mut self, cell: Cell, times: u32) {
        let mut turned = std::mem::take(&mut self.turned);
        self.rules.stencil.squares_into(self.size, cell, &mut turned);
        turned.iter().for_each(|&cell| self.turn(self.size.index(cell), times));
        self.turned = turned;
    }

    fn instance(self) -> Instance {
        let counts = self.colours.iter().enumerate().flat_map(|(i, &colour)| (0..colour).map(move |_| i));
        Instance { size: self.size, squares: Digits::counts(self.size.cells(), counts) }
    }
}

/// Like [`solvable`], but `presses` presses, which are chosen at random, solve the board. Fewer presses may be enough.
///
/// # Errors
/// Returns the errors of [`solvable`], or that a board of this size has fewer presses.
pub fn few(rules: &Rules, params: &Params, rng: &mut ChaCha8Rng) -> Result<Instance, GenerateError> {
    let (size, presses) = (size(rules, params)?, params.whole("presses") as usize);
    let repeats = rules.colours as usize - 1;
    let most = size.cells() * repeats;
    if presses > most {
        return Err(format!("on {size}, at most {most} presses are not redundant, not {presses}").into());
    }
    let mut board = at_end(rules, size, &rules.first_end())?;
    // Floyd's sampling without replacement (Bentley, Floyd, *Programming pearls*, CACM 30, 1987).
    let mut chosen = HashSet::new();
    for last in most - presses..most {
        let drawn = rng.random_range(0..=last);
        let press = if chosen.insert(drawn) { drawn } else { last };
        chosen.insert(press);
        // A press in the opposite direction undoes a press.
        board.press(size.cell(press / repeats), rules.colours - 1);
    }
    Ok(board.instance())
}

/// A board whose fewest presses are `presses` or, if that is 0, as many as climbing finds.
///
/// # Errors
/// Returns the errors of [`solvable`], that the board has too many solutions to weigh all of them, or that no board was
/// found.
pub fn deep(rules: &Rules, params: &Params, rng: &mut ChaCha8Rng) -> Result<Instance, GenerateError> {
    let (size, presses) = (size(rules, params)?, params.whole("presses"));
    let mut board = at_end(rules, size, &rules.first_end())?;
    let presses = space(rules, size)?.deep((presses > 0).then_some(presses), rng)?;
    for (cell, presses) in size.iter().zip(presses) {
        board.press(cell, rules.colours - u32::from(presses));
    }
    Ok(board.instance())
}

/// A random board that no presses solve. If the random board can be solved, another square changes. With `sum=long`,
/// squares change until every contradiction is a sum of many equations.
///
/// # Errors
/// Returns the errors of [`random`], or that every board of this size can be solved.
pub fn impossible(rules: &Rules, params: &Params, rng: &mut ChaCha8Rng) -> Result<Instance, GenerateError> {
    let Instance { size, squares } = random(rules, params, rng)?;
    let mut board = at_end(rules, size, &rules.first_end())?;
    let p = rules.colours;
    let turns: Vec<u8> =
        (0..size.cells()).map(|i| ((u32::from(board.colours[i]) + p - squares.get(i)) % p) as u8).collect();
    board.colours = (0..size.cells()).map(|i| squares.get(i) as u8).collect();
    let space = space(rules, size)?;
    let sums = space.contradictions();
    if sums.is_empty() {
        return Err(
            format!("on {size}, every board can be solved; `study flip nullity` shows other sizes").into()
        );
    }
    if params.word("sum") == "long" {
        let changes = space.lengthen(&sums, &turns, any_number(rules, rng) as u8)?;
        // A square that needs one more turn has a colour that is less by one.
        changes.iter().enumerate().for_each(|(i, &more)| board.turn(i, p - u32::from(more)));
    } else if space.is_solvable(&sums, &turns) {
        let summed: Vec<usize> = (0..size.cells()).filter(|&i| sums.iter().any(|sum| sum[i] > 0)).collect();
        board.turn(summed[rng.random_range(0..summed.len())], any_number(rules, rng));
    }
    Ok(board.instance())
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
