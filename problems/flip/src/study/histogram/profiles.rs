//! Counts boards of two colours by the number of presses that they need, without enumerating the boards.
//!
//! A *kind* consists of the squares that lie in the same basis vectors (`code.rs`). The basis spans the null
//! space and, if either colour is allowed, the presses that turn all squares over. Take any set of presses
//! that solves a board, and write it as signs: -1 for a press, 1 otherwise. The number of presses that the
//! board needs depends only on the sum of the signs of each kind. So sets of presses with the same sums are
//! counted together, by binomial coefficients. For one final board, each solvable board is solved by as many
//! sets of presses as the null space has elements, so the totals are divided by this number.

use crate::search::{algebra, elimination};
use crate::study::code::{Code, MAX_DIMENSIONS, code};
use crate::{Rules, Stencil, Target};
use counterpoint_core::board::{Bits, Size};
use counterpoint_core::engine::{Budget, Limit};
use counterpoint_core::study::{StudyError, StudyOutput};

/// The maximum number of squares, chosen so that the number of boards times the number of squares fits in 128 bits.
const MAX_SQUARES: usize = 120;
/// The maximum number of combinations of sums that are enumerated.
const MAX_PROFILES: u64 = 1 << 28;

/// Returns how many boards need 0, 1, 2 … presses. Each combination of sums counts as a node.
pub(super) fn counts(
    rules: &Rules,
    size: Size,
    budget: &mut Budget,
    report: &mut dyn StudyOutput,
) -> Result<Vec<u128>, StudyError> {
    if size.cells() > MAX_SQUARES {
        return Err(StudyError::unsupported(format!("{size} has more than {MAX_SQUARES} squares")));
    }
    if rules.stencil != Stencil::Plus {
        algebra::few_enough(size, size.cells())?;
    }
    let solutions = elimination::solutions(rules.stencil, size, &Bits::ones(size.cells()), budget)?;
    let nullity = solutions.null.len();
    let mut basis = solutions.null;
    if rules.target == Target::Either {
        let [over, _] = solutions.particular;
        basis.extend(over);
    }
    if basis.len() > MAX_DIMENSIONS {
        return Err(StudyError::unsupported(format!(
            "the null space of {size} is too large: it has {nullity} dimensions"
        )));
    }
    let code = code(size.cells(), &basis);
    let sizes = code.kinds.iter().map(|kind| kind.squares.len() as u64 + 1);
    let profiles = sizes.fold(1u64, u64::saturating_mul);
    if profiles > MAX_PROFILES {
        return Err(StudyError::unsupported(format!(
            "the squares of {size} are of {} kinds, so there are {profiles} combinations of sums; the maximum is \
             {MAX_PROFILES}",
            code.kinds.len()
        )));
    }
    report.progress(format_args!("{profiles} combinations"));
    let mut tally = Tally { code: &code, counts: vec![0; size.cells() + 1] };
    // Squares in no vector do not contribute to the Walsh spectrum (`code.rs`); they are counted at the end of each
    // combination.
    let mut spectrum = vec![0; 1 << code.dimensions];
    tally.kinds(0, 1, &mut spectrum, budget)?;
    let mut counts = tally.counts;
    counts.iter_mut().for_each(|count| *count >>= nullity);
    while counts.last() == Some(&0) {
        counts.pop();
    }
    Ok(counts)
}

struct Tally<'a> {
    code: &'a Code,
    /// For each number of presses: how many sets of presses lead to boards that need this number.
    counts: Vec<u128>,
}

impl Tally<'_> {
    /// Enumerates the sums of all kinds from index `at` on; `ways` counts the press sets with the sums chosen before,
    /// and `spectrum` is the spectrum of these sums.
    fn kinds(
        &mut self,
        at: usize,
        ways: u128,
        spectrum: &mut [i32],
        budget: &mut Budget,
    ) -> Result<(), Limit> {
        let Some(kind) = self.code.kinds.get(at) else {
            budget.node()?;
            let greatest = spectrum.iter().max().copied().unwrap_or(0);
            let least = (self.code.length() as i64 - i64::from(greatest)) as usize / 2;
            let fixed = self.code.fixed.len();
            let mut choose = ways;
            for more in 0..=fixed {
                self.counts[least + more] += choose;
                choose = choose * (fixed - more) as u128 / (more + 1) as u128;
            }
            return Ok(());
        };
        let count = kind.squares.len();
        let add = |spectrum: &mut [i32], by: i32| {
            for (c, value) in (0u32..).zip(spectrum) {
                *value += if (c & kind.key).count_ones().is_multiple_of(2) { by } else { -by };
            }
        };
        add(spectrum, count as i32);
        let mut choose = ways;
        for pressed in 0..=count {
            self.kinds(at + 1, choose, spectrum, budget)?;
            choose = choose * (count - pressed) as u128 / (pressed + 1) as u128;
            add(spectrum, -2);
        }
        // Undo all changes, including that of the step beyond the last sum.
        add(spectrum, count as i32 + 2);
        Ok(())
    }
}
