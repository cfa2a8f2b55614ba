//! The engine `first-row`: tries every set of presses in the first row; the other rows follow.
//!
//! Given the presses of the first row, each further row must press exactly the squares below those that are still
//! wrong. The choice solves the board if nothing is wrong after the last row. Rows run along the shorter side, whether
//! that is the width or the height. For h rows of w ≤ 24 squares, this takes O(2^w · h) word operations. Only the plus
//! stencil is supported.

use super::{found, supports_two_colours, wants_fewest};
use crate::answer::Answer;
use crate::{Instance, Rules, Stencil};
use counterpoint_core::board::{Bits, Cell, Size};
use counterpoint_core::engine::{Budget, Limit, Outcome};
use counterpoint_core::errors::Unsupported;
use counterpoint_core::spec::EngineSpec;

/// The greatest length of the shorter side.
const MAX_COLUMNS: u32 = 24;
/// The greatest length of the longer side.
const MAX_ROWS: u32 = 64;

/// Accepts the plus stencil on boards of up to 24×64 squares, in either orientation.
///
/// # Errors
/// Returns why the instance is not supported.
pub fn supports(rules: &Rules, instance: &Instance, _: &EngineSpec) -> Result<(), Unsupported> {
    check_supported(rules, instance)
}

fn check_supported(rules: &Rules, instance: &Instance) -> Result<(), Unsupported> {
    supports_two_colours(rules, instance)?;
    let Size { width, height } = instance.size;
    if rules.stencil != Stencil::Plus {
        return Err("the first row determines the other rows only with the plus stencil".into());
    }
    if width.min(height) > MAX_COLUMNS || width.max(height) > MAX_ROWS {
        return Err(format!("{} is too large; the maximum is {MAX_COLUMNS}x{MAX_ROWS}", instance.size).into());
    }
    Ok(())
}

/// Solves one board, if [`supports`] accepts it.
pub fn solve(rules: &Rules, instance: &Instance, budget: &mut Budget) -> Outcome<Answer> {
    if let Err(reason) = check_supported(rules, instance) {
        return Outcome::Unsupported(reason);
    }
    search(rules, instance, budget).into()
}

fn search(rules: &Rules, instance: &Instance, budget: &mut Budget) -> Result<Answer, Limit> {
    let size = instance.size;
    // A word holds a line along the shorter side, so that as few first lines as possible are tried.
    let upright = size.width <= size.height;
    let (w, h) = if upright { (size.width, size.height) } else { (size.height, size.width) };
    let cell = |r: u32, c: u32| if upright { Cell::new(r, c) } else { Cell::new(c, r) };
    let mask = (1u64 << w) - 1;
    let mut best: Option<(u32, Vec<u64>)> = None;
    for end in rules.ends() {
        let wrong = instance.wrong(&end);
        let line =
            |r| (0..w).filter(|&c| wrong.get(size.index(cell(r, c)))).fold(0, |line, c| line | 1u64 << c);
        let lines: Vec<u64> = (0..h).map(line).collect();
        for first in 0..=mask {
            budget.node()?;
            let (mut above, mut row, mut count) = (0, first, 0);
            for &line in &lines {
                count += row.count_ones();
                let below = (line ^ row ^ row << 1 ^ row >> 1 ^ above) & mask;
                (above, row) = (row, below);
            }
            let fewer = best.as_ref().is_none_or(|(least, _)| count < *least);
            if row == 0 && fewer {
                best = Some((count, chase(first, &lines, mask)));
                if !wants_fewest(rules) {
                    break;
                }
            }
        }
    }
    let Some((_, rows)) = best else { return Ok(Answer::Impossible(None)) };
    let pressed =
        (0..h).flat_map(|r| (0..w).map(move |c| (r, c))).filter(|&(r, c)| rows[r as usize] >> c & 1 == 1);
    let pressed = Bits::from_indices(size.cells(), pressed.map(|(r, c)| size.index(cell(r, c))));
    Ok(found(rules, pressed))
}

/// The presses of all rows, as they follow from those of the first row.
fn chase(first: u64, lines: &[u64], mask: u64) -> Vec<u64> {
    let mut rows = vec![first];
    for (r, line) in lines.iter().enumerate().take(lines.len() - 1) {
        let (row, above) = (rows[r], if r == 0 { 0 } else { rows[r - 1] });
        rows.push((line ^ row ^ row << 1 ^ row >> 1 ^ above) & mask);
    }
    rows
}
