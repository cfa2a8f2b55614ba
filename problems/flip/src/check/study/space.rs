//! Solves the all-ones problem by plain elimination modulo p: finds presses that turn every square once, and the null
//! space.

use super::super::modular::{self, NotSolved, Solutions};
use crate::Stencil;
use counterpoint_core::board::Size;
use counterpoint_core::engine::{Budget, Limit};

/// The greatest number of unknowns that are eliminated.
const MAX_UNKNOWNS: usize = 1 << 10;

/// Presses that turn every square once, or `None` if there are none, and a basis of the null space.
///
/// With the plus stencil the first row of presses determines the others (light chasing): the unknowns are the presses
/// of the first row, and the equations say that the row below the board needs no press. Other stencils get one unknown
/// and one equation per square. Each row operation counts as a node, and limits are tested for each column.
pub(super) fn solutions(
    stencil: Stencil,
    size: Size,
    p: u32,
    budget: &mut Budget,
) -> Result<Solutions, NotSolved> {
    let n = size.width as usize;
    let unknowns = if stencil == Stencil::Plus { n } else { size.cells() };
    if unknowns > MAX_UNKNOWNS {
        return Err(NotSolved::TooManyUnknowns(MAX_UNKNOWNS));
    }
    if stencil != Stencil::Plus {
        let mut rows = vec![vec![0; unknowns]; unknowns];
        for (i, cell) in size.iter().enumerate() {
            stencil.squares(size, cell).into_iter().for_each(|c| rows[size.index(c)][i] = 1);
        }
        rows.iter_mut().for_each(|row| row.push(1));
        return modular::eliminate(p, rows, unknowns, budget);
    }
    let below = |first, turns| chase((size, size.height + 1), p, first, turns).split_off(size.cells());
    let column = |k: usize| {
        // A certificate may list many boards.
        budget.poll()?;
        Ok(below((0..n).map(|c| u32::from(c == k)).collect(), 0))
    };
    let columns: Vec<Vec<u32>> = (0..n).map(column).collect::<Result<_, Limit>>()?;
    let constants = below(vec![0; n], 1);
    let row = |c: usize| columns.iter().map(|column| column[c]).chain([(p - constants[c]) % p]).collect();
    let (start, null) = modular::eliminate(p, (0..n).map(row).collect(), n, budget)?;
    let all = |first, turns| chase((size, size.height), p, first, turns);
    Ok((start.map(|first| all(first, 1)), null.into_iter().map(|first| all(first, 0)).collect()))
}

/// Light chasing with the plus stencil: extends the first row of presses to `rows` rows, so that every square of all
/// rows but the last is turned `turns` times modulo p.
pub(super) fn chase((size, rows): (Size, u32), p: u32, first: Vec<u32>, turns: u32) -> Vec<u32> {
    let n = size.width as usize;
    let mut presses = first;
    for i in 0..n * (rows as usize - 1) {
        let left = if i % n > 0 { presses[i - 1] } else { 0 };
        let right = if i % n + 1 < n { presses[i + 1] } else { 0 };
        let above = if i >= n { presses[i - n] } else { 0 };
        presses.push((turns + 4 * p - (presses[i] + left + right + above)) % p);
    }
    presses
}
