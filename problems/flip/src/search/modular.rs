//! Solves boards of more than two colours by light chasing and elimination over GF(p), then looks for a coset leader.
//!
//! The method is that of `elimination.rs`, with numbers modulo p in place of bits. With the plus stencil, each press is
//! an affine form in the presses of the first row; with other stencils, the press of every square is an unknown. The
//! system has two right-hand sides. The first consists of the turns that lead to the first end (the first final board
//! that the rules allow). The second is one turn of every square, which leads from one colour to the next. If a coset
//! has at most [`MAX_WEIGHED`] vectors, all are weighed in modular Gray order: step s = 1, 2, … adds the null vector
//! whose index is the exponent of p in s (TAOCP 7.2.1.1). Otherwise only one vector of each coset is weighed.

use super::residues::{add, eliminate, negate, scaled_add};
use super::wants_fewest;
use crate::answer::Answer;
use crate::{Instance, Rules, Stencil, Target};
use counterpoint_core::board::{Cell, Digits, Size};
use counterpoint_core::engine::{Budget, Limit, Outcome};
use counterpoint_core::errors::Unsupported;

/// The maximum number of unknowns.
const MAX_UNKNOWNS: usize = 1 << 11;
/// The maximum number of squares. Within these bounds, the null vectors take at most 128 MiB.
const MAX_SQUARES: usize = 1 << 18;

/// The maximum number of solutions that are weighed one by one for each end.
const MAX_WEIGHED: u64 = 1 << 26;

/// Accepts boards of up to 262,144 squares with the plus stencil, and of up to 2,048 squares with other stencils.
///
/// # Errors
/// Returns why the board is not supported.
pub(crate) fn supports(stencil: Stencil, size: Size) -> Result<(), Unsupported> {
    let unknowns = match stencil {
        Stencil::Plus => size.width.min(size.height) as usize,
        _ => size.cells(),
    };
    if unknowns > MAX_UNKNOWNS || size.cells() > MAX_SQUARES {
        return Err(format!(
            "{size} has {unknowns} unknowns on {} squares; with more than two colours, elimination supports at most \
             {MAX_UNKNOWNS} unknowns on {MAX_SQUARES} squares",
            size.cells()
        )
        .into());
    }
    Ok(())
}

/// All solutions: a coset of the null space for each end that can be reached.
pub(crate) struct Solutions {
    /// One solution for each end that can be reached.
    pub(crate) starts: Vec<Vec<u8>>,
    /// A basis of the null space.
    pub(crate) null: Vec<Vec<u8>>,
}

/// Solves one board of more than two colours.
pub(crate) fn solve(rules: &Rules, instance: &Instance, budget: &mut Budget) -> Outcome<Answer> {
    match solutions(rules, instance, budget) {
        Err(limit) => Outcome::GaveUp(limit, None),
        Ok(Solutions { starts, null }) if starts.is_empty() => {
            Outcome::Decided(Answer::Impossible(obstacle(rules, instance, &null).map(|y| digits(&y))))
        }
        Ok(solutions) => least(rules, solutions, budget),
    }
}

/// The number of turns modulo p that each square needs to reach the first end.
fn turns(rules: &Rules, instance: &Instance) -> Vec<u8> {
    let end = rules.first_end();
    let turns = |i| (rules.colours + end.colour(i) - instance.squares.get(i)) % rules.colours;
    (0..instance.size.cells()).map(|i| turns(i) as u8).collect()
}

fn digits(numbers: &[u8]) -> Digits {
    let times = numbers.iter().enumerate().flat_map(|(i, &n)| (0..n).map(move |_| i));
    Digits::counts(numbers.len(), times)
}

/// Solves the system of a board of more than two colours, which [`supports`] must accept.
///
/// # Errors
/// Returns the limit that was reached.
pub(crate) fn solutions(rules: &Rules, instance: &Instance, budget: &mut Budget) -> Result<Solutions, Limit> {
    let (p, size) = (rules.colours as u8, instance.size);
    let turns = turns(rules, instance);
    let further = if rules.target == Target::Either { 0..p } else { 0..1 };
    if rules.stencil != Stencil::Plus {
        let residues = eliminate(p, whole(rules.stencil, size, &turns), size.cells(), budget)?;
        let starts = further.filter_map(|k| residues.solution(k)).collect();
        return Ok(Solutions { starts, null: residues.null() });
    }
    // Chase along the longer side, so that the unknowns are the presses of a line along the shorter side.
    let upright = size.width <= size.height;
    let (across, turns) =
        if upright { (size, turns) } else { (Size::new(size.height, size.width), transposed(size, &turns)) };
    let back = |all: Vec<u8>| if upright { all } else { transposed(across, &all) };
    let w = across.width as usize;
    let residues = eliminate(p, chase(p, across, &turns, budget)?, w, budget)?;
    let start = |k| {
        let first: Vec<u8> = residues.solution(k)?;
        Some(back(unroll(p, across, &first, |i| (turns[i] + k) % p)))
    };
    let null = residues.null().into_iter().map(|first| back(unroll(p, across, &first, |_| 0)));
    Ok(Solutions { starts: further.filter_map(start).collect(), null: null.collect() })
}

fn transposed(size: Size, numbers: &[u8]) -> Vec<u8> {
    let turned = Size::new(size.height, size.width);
    turned.iter().map(|cell| numbers[size.index(Cell::new(cell.col, cell.row))]).collect()
}

/// One equation per square: a coefficient for each press, which is 1 if the press turns the square, then the two
/// right-hand sides.
pub(super) fn whole(stencil: Stencil, size: Size, turns: &[u8]) -> Vec<Vec<u8>> {
    let n = size.cells();
    let equation = |(i, cell)| {
        let mut row = vec![0; n + 2];
        stencil.squares(size, cell).into_iter().for_each(|c| row[size.index(c)] = 1);
        (row[n], row[n + 1]) = (turns[i], 1);
        row
    };
    size.iter().enumerate().map(equation).collect()
}

/// Light chasing: x(r + 1) = t(r) - B x(r) - x(r - 1), where x(r) are the presses of row r, t(r) the turns that its
/// squares need, and B the matrix of a press within its row. A form holds one coefficient for each press of the first
/// row, followed by two constants. Returns the forms of the row below the board as equations. Each form counts as a
/// node.
fn chase(p: u8, size: Size, turns: &[u8], budget: &mut Budget) -> Result<Vec<Vec<u8>>, Limit> {
    let w = size.width as usize;
    let unit = |c: usize| (0..w + 2).map(|i| u8::from(i == c)).collect();
    let (mut above, mut row) = (vec![vec![0; w + 2]; w], (0..w).map(unit).collect::<Vec<Vec<u8>>>());
    for r in 0..size.height as usize {
        for (c, form) in above.iter_mut().enumerate() {
            budget.node()?;
            for near in row[c.saturating_sub(1)..(c + 2).min(w)].iter() {
                add(p, form, near);
            }
            negate(p, form);
            form[w] = (form[w] + turns[r * w + c]) % p;
            form[w + 1] = (form[w + 1] + 1) % p;
        }
        std::mem::swap(&mut above, &mut row);
    }
    // No square can be pressed below the board, so each form must be 0. Moving the constants to the right-hand side
    // negates them.
    row.iter_mut().for_each(|form| negate(p, &mut form[w..]));
    Ok(row)
}

/// Computes all presses from those of the first row. `turns` gives the turns that a square needs.
fn unroll(p: u8, size: Size, first: &[u8], turns: impl Fn(usize) -> u8) -> Vec<u8> {
    let w = size.width as usize;
    let mut all = first.to_vec();
    for i in 0..size.cells() - w {
        let col = i % w;
        let above = if i >= w { all[i - w] } else { 0 };
        let near: u8 = all[i - usize::from(col > 0)..=i + usize::from(col + 1 < w)].iter().sum();
        all.push((turns(i) + (p - above) + (4 * p - near)) % p);
    }
    all
}

/// A null vector that proves the board impossible: its inner product with the turns is not 0 and, if the final board
/// may have any colour, its inner product with the all-ones board is 0. Such a vector exists: otherwise every null
/// vector orthogonal to the ones would be orthogonal to the turns, too. Then the inner product with the turns would be
/// a multiple of that with the ones on the whole null space, and some colour could be reached.
fn obstacle(rules: &Rules, instance: &Instance, null: &[Vec<u8>]) -> Option<Vec<u8>> {
    let p = rules.colours as u8;
    let turns = turns(rules, instance);
    let null = null.to_vec();
    let null = if rules.target == Target::Either { orthogonal_to_ones(p, null) } else { null };
    null.into_iter().find(|y| inner(p, y, |i| turns[i]) > 0)
}

/// The inner product of `y` with the vector that `with` gives.
fn inner(p: u8, y: &[u8], with: impl Fn(usize) -> u8) -> u8 {
    let sum: u64 = y.iter().enumerate().map(|(i, &y)| u64::from(y) * u64::from(with(i))).sum();
    (sum % u64::from(p)) as u8
}

/// A basis of the vectors in the span of `null` whose inner product with the all-ones board is 0.
pub(crate) fn orthogonal_to_ones(p: u8, mut null: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    let ones = |y: &[u8]| inner(p, y, |_| 1);
    if let Some(at) = null.iter().position(|y| ones(y) > 0) {
        let pivot = null.swap_remove(at);
        for y in &mut null {
            // Add the pivot as many times as it takes to make the inner product with the ones 0.
            let times = (0..p).find(|k| (ones(y) + k * ones(&pivot)) % p == 0).unwrap_or(0);
            scaled_add(p, y, times, &pivot);
        }
    }
    null
}

/// A solution with the fewest presses. Under `goal=any`, returns the first solution instead. If there are too many
/// solutions to weigh, weighs one solution for each end and returns the lightest, not marked as optimal.
fn least(rules: &Rules, solutions: Solutions, budget: &mut Budget) -> Outcome<Answer> {
    let Solutions { starts, null } = solutions;
    let p = rules.colours as u8;
    let answer = |presses: &[u8], optimal| Answer::Presses { presses: digits(presses).into(), optimal };
    let few = u64::from(p).checked_pow(null.len() as u32).is_some_and(|all| all <= MAX_WEIGHED);
    if !wants_fewest(rules) {
        return Outcome::Decided(answer(&starts[0], false));
    }
    let mut best = (weight(&starts[0]), starts[0].clone());
    for start in &starts {
        let end =
            if few { weigh_all(p, start, &null, &mut best, budget) } else { keep(start, &mut best, budget) };
        if let Err(limit) = end {
            return Outcome::GaveUp(limit, Some(answer(&best.1, false)));
        }
    }
    Outcome::Decided(answer(&best.1, few))
}

fn weight(presses: &[u8]) -> u64 {
    presses.iter().map(|&n| u64::from(n)).sum()
}

fn keep(presses: &[u8], best: &mut (u64, Vec<u8>), budget: &mut Budget) -> Result<(), Limit> {
    budget.node()?;
    if weight(presses) < best.0 {
        *best = (weight(presses), presses.to_vec());
    }
    Ok(())
}

/// Weighs the sums of `start` and all linear combinations of null vectors. Each sum counts as a node.
fn weigh_all(
    p: u8,
    start: &[u8],
    null: &[Vec<u8>],
    best: &mut (u64, Vec<u8>),
    budget: &mut Budget,
) -> Result<(), Limit> {
    let mut sum = start.to_vec();
    let mut step = 1u64;
    loop {
        keep(&sum, best, budget)?;
        let divided = std::iter::successors(Some(step), |s| Some(s / u64::from(p)));
        let times = divided.take_while(|s| s.is_multiple_of(u64::from(p))).count();
        let Some(vector) = null.get(times) else { return Ok(()) };
        add(p, &mut sum, vector);
        step += 1;
    }
}
