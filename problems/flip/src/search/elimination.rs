//! The engine `elimination`: light chasing where possible, then Gaussian elimination, for any stencil.
//!
//! With the plus stencil, the presses of the first row determine all others. Each press is therefore an affine form in
//! the presses of the first row, and only the row below the board gives equations: w unknowns instead of w·h. (A board
//! that is wider than high is transposed first.) With other stencils, every square has an unknown and an equation.
//!
//! The system has two right-hand sides. The first consists of the squares that must change. The second is the all-ones
//! board, which leads from one colour to the other. The all-ones board is solvable for every stencil here (Sutner,
//! *Linear cellular automata and the Garden-of-Eden*, 1989).

use super::least::{answer, others};
use super::matrix::{Solutions, eliminate};
use super::{plus, supports_two_colours};
use crate::answer::Answer;
use crate::{Instance, Rules, Stencil};
use counterpoint_core::board::{Bits, Cell, Size};
use counterpoint_core::engine::{Budget, Limit, Outcome};
use counterpoint_core::errors::Unsupported;
use counterpoint_core::spec::EngineSpec;

/// The maximum number of unknowns; the matrix then takes 32 MiB.
const MAX_UNKNOWNS: usize = 1 << 14;

/// Accepts boards that leave at most 16,384 unknowns: the squares of the shorter side for the plus stencil, all
/// squares for the others.
///
/// # Errors
/// Returns why the instance is not supported.
pub fn supports(rules: &Rules, instance: &Instance, _: &EngineSpec) -> Result<(), Unsupported> {
    check_supported(rules, instance)
}

fn check_supported(rules: &Rules, instance: &Instance) -> Result<(), Unsupported> {
    supports_two_colours(rules, instance)?;
    let Size { width, height } = instance.size;
    match rules.stencil {
        Stencil::Plus => few_enough(instance.size, width.min(height) as usize),
        _ => few_enough(instance.size, instance.size.cells()),
    }
}

/// Checks that a system of `unknowns` unknowns is small enough for elimination.
///
/// # Errors
/// Returns a message with the bound if it is not.
pub fn few_enough(size: Size, unknowns: usize) -> Result<(), Unsupported> {
    if unknowns > MAX_UNKNOWNS {
        return Err(
            format!("{size} has {unknowns} unknowns; elimination supports at most {MAX_UNKNOWNS}").into()
        );
    }
    Ok(())
}

/// Solves one board, if [`supports`] accepts it.
pub fn solve(rules: &Rules, instance: &Instance, budget: &mut Budget) -> Outcome<Answer> {
    if let Err(reason) = check_supported(rules, instance) {
        return Outcome::Unsupported(reason);
    }
    let wrong = instance.wrong(&rules.first_end());
    let solutions = solutions(rules.stencil, instance.size, &wrong, budget);
    decide(rules, (instance.size, &wrong), solutions, budget)
}

/// All press sets that change exactly the squares `wrong`, and all that change every square.
///
/// # Errors
/// Returns the limit that was reached.
pub(crate) fn solutions(
    stencil: Stencil,
    size: Size,
    wrong: &Bits,
    budget: &mut Budget,
) -> Result<Solutions, Limit> {
    match stencil {
        Stencil::Plus => chase(size, wrong, budget),
        _ => whole(stencil, size, wrong, budget),
    }
}

/// Makes the answer from the solutions: presses, or a null vector that proves the board impossible.
///
/// The all-ones board is always solvable, so a board that cannot reach the first end can reach none. Then `wrong` lies
/// outside the range of the matrix. The matrix is symmetric, so its range is the orthogonal complement of its kernel:
/// some null vector contains an odd number of the squares `wrong`, while every press flips an even number of squares of
/// each null vector.
pub(super) fn decide(
    rules: &Rules,
    (size, wrong): (Size, &Bits),
    solutions: Result<Solutions, Limit>,
    budget: &mut Budget,
) -> Outcome<Answer> {
    match solutions {
        Err(limit) => Outcome::GaveUp(limit, None),
        Ok(Solutions { particular: [Some(start), over], null }) => {
            let nullity = null.len();
            let others = others(size, over, null, nullity);
            answer(rules, start, || &others, budget)
        }
        Ok(Solutions { particular: [None, _], null }) => {
            let odd = null.into_iter().find(|null| null.count_common(wrong) % 2 == 1);
            Outcome::Decided(Answer::Impossible(odd.map(Into::into)))
        }
    }
}

/// Solves the full system for `wrong` and for the all-ones board. The system has one equation per square: the
/// number of presses that flip the square is odd iff the square must change.
///
/// # Errors
/// Returns the limit that was reached.
pub(super) fn whole(
    stencil: Stencil,
    size: Size,
    wrong: &Bits,
    budget: &mut Budget,
) -> Result<Solutions, Limit> {
    let n = size.cells();
    let mut rows = Vec::with_capacity(n);
    let mut around = Vec::new();
    for (i, cell) in size.iter().enumerate() {
        stencil.squares_into(size, cell, &mut around);
        let mut row = Bits::from_indices(n + 2, around.iter().map(|&c| size.index(c)));
        if wrong.get(i) {
            row.set(n);
        }
        row.set(n + 1);
        rows.push(row);
    }
    eliminate(rows, n, budget)
}

/// Chases along the longer side, so that the unknowns are the presses of a line along the shorter side.
fn chase(size: Size, wrong: &Bits, budget: &mut Budget) -> Result<Solutions, Limit> {
    if size.width <= size.height {
        return chase_down(size, wrong, budget);
    }
    let turned = Size::new(size.height, size.width);
    let Solutions { particular, null } = chase_down(turned, &transpose(size, wrong), budget)?;
    let back = |bits: Bits| transpose(turned, &bits);
    Ok(Solutions { particular: particular.map(|x| x.map(back)), null: null.into_iter().map(back).collect() })
}

fn transpose(size: Size, bits: &Bits) -> Bits {
    let turned = Size::new(size.height, size.width);
    let ones = bits.iter().map(|i| size.cell(i)).map(|c| turned.index(Cell::new(c.col, c.row)));
    Bits::from_indices(turned.cells(), ones)
}

/// Light chasing: computes the presses of row `r + 1` from those of rows `r` and `r - 1`. A square of row r ends up
/// right iff the press below the square is the sum of the square's right-hand side and of the presses to the left, on
/// the square, to the right and above. A form holds one coefficient for each press of the first row, followed by a
/// constant for each right-hand side. Each form counts as a node.
fn chase_down(size: Size, wrong: &Bits, budget: &mut Budget) -> Result<Solutions, Limit> {
    let w = size.width as usize;
    let mut above = vec![Bits::zeros(w + 2); w];
    let mut row: Vec<Bits> = (0..w).map(|c| Bits::from_indices(w + 2, [c])).collect();
    for r in 0..size.height as usize {
        for (c, form) in above.iter_mut().enumerate() {
            budget.node()?;
            if wrong.get(r * w + c) {
                form.flip(w);
            }
            form.flip(w + 1);
            for neighbour in [c.checked_sub(1), Some(c), (c + 1 < w).then_some(c + 1)].into_iter().flatten() {
                form.xor(&row[neighbour]);
            }
        }
        std::mem::swap(&mut above, &mut row);
    }
    // `row` now lies below the board, where no square can be pressed, so each form must be 0.
    let Solutions { particular: [start, over], null } = eliminate(row, w, budget)?;
    let all = Bits::ones(size.cells());
    Ok(Solutions {
        particular: [
            start.map(|first| plus::unroll(size, first.words(), Some(wrong))),
            over.map(|first| plus::unroll(size, first.words(), Some(&all))),
        ],
        null: null.iter().map(|first| plus::unroll(size, first.words(), None)).collect(),
    })
}
