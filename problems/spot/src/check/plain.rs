//! The checker's own formula for "some completion has this ending", written as plainly as possible.
//!
//! Every step has two variables for each square: whether it holds a spot after the step, and whether the step toggles
//! it. (A known move under lenient rules has no variables of the second kind.) Further variables compare the boards of
//! two steps. Known parts of the record become clauses instead of constants, and no code is shared with the encodings
//! of the engines. Only the names of variables are the same: `certify` uses them to derive the clauses of an encoding
//! from this formula.

use super::super::answer::Ending;
use super::super::{Instance, Legality, Rules, Sign, Start};
use counterpoint_core::board::{Cell, Size, Symmetry};
use counterpoint_core::proof::Formula;

/// An estimate of the number of clauses of [`formula`].
pub fn clauses(rules: &Rules, instance: &Instance, ending: Ending) -> usize {
    let steps = match ending {
        Ending::Repeat(mv) => mv,
        Ending::Draw => instance.record.len(),
    };
    let squares = instance.size().cells();
    let compared = steps.saturating_mul(steps).saturating_mul(rules.group.elements().len() * squares);
    compared.saturating_add(steps.saturating_mul(squares * squares))
}

/// The formula: satisfiable if and only if some completion of the record has this ending.
pub fn formula(rules: &Rules, instance: &Instance, ending: Ending) -> Formula {
    let steps = match ending {
        Ending::Repeat(mv) => mv,
        Ending::Draw => instance.record.len(),
    };
    let size = instance.size();
    let mut f = Formula::new();
    // spots[s][c] is true iff square c holds a spot after step s.
    let spots: Vec<Vec<i32>> = (0..=steps).map(|_| f.vars(size.cells())).collect();
    spots[0].iter().for_each(|&spot| f.clause([-spot]));
    for (step, spots) in spots.iter().enumerate().skip(1) {
        let names = size.iter().zip(spots);
        names.for_each(|(cell, &spot)| f.name(spot, format!("spot step {step} {cell}")));
    }
    for (step, entry) in instance.record.iter().enumerate().take(steps) {
        let (before, after) = (&spots[step], &spots[step + 1]);
        if let (Some(mv), Legality::Lenient) = (entry.known(), rules.legality) {
            for cell in size.iter() {
                let (b, a) = (before[size.index(cell)], after[size.index(cell)]);
                if cell == mv.cell {
                    f.clause([if mv.sign == Sign::Place { a } else { -a }]);
                } else {
                    f.clause([-a, b]);
                    f.clause([a, -b]);
                }
            }
            continue;
        }
        // toggles[c] is true iff this step toggles square c.
        let toggles = f.vars(size.cells());
        f.clause(toggles.iter().copied());
        for (i, cell) in size.iter().enumerate() {
            let (t, b, a) = (toggles[i], before[i], after[i]);
            f.name(t, format!("toggle step {} {cell}", step + 1));
            toggles[..i].iter().for_each(|&other| f.clause([-t, -other]));
            if !entry.allows(cell) {
                f.clause([-t]);
            }
            match entry.sign() {
                Some(Sign::Place) => f.clause([-t, -b]),
                Some(Sign::Take) => f.clause([-t, b]),
                None => {}
            }
            for clause in [[-t, b, a], [-t, -b, -a], [t, -b, a], [t, b, -a]] {
                f.clause(clause);
            }
        }
    }
    // Under every symmetry, the board after each step differs from all earlier boards (from the start, too, if it
    // counts). If the ending is a repeat, the last step is an exception.
    let distinct = if ending == Ending::Draw { steps } else { steps - 1 };
    for later in 1..=distinct {
        for (earlier, symmetry) in comparisons(rules, later) {
            let mut differ = Vec::new();
            for cell in size.iter() {
                let (a, b) = squares(size, &spots, earlier, later, symmetry, cell);
                let d = f.var();
                f.name(d, format!("differ {} {cell}", comparison(later, earlier, symmetry)));
                f.clause([-d, a, b]);
                f.clause([-d, -a, -b]);
                differ.push(d);
            }
            f.clause(differ);
        }
    }
    if let Ending::Repeat(last) = ending {
        let mut ways = Vec::new();
        for (earlier, symmetry) in comparisons(rules, last) {
            let same = f.var();
            f.name(same, format!("same {}", comparison(last, earlier, symmetry)));
            for cell in size.iter() {
                let (a, b) = squares(size, &spots, earlier, last, symmetry, cell);
                f.clause([-same, -a, b]);
                f.clause([-same, a, -b]);
            }
            ways.push(same);
        }
        f.clause(ways);
    }
    f
}

/// Returns the pairs (earlier step, symmetry) with which the board after step `later` must be compared. Step 0 is the
/// start. A legal move changes the parity of the number of spots, so under strict rules equal boards are an even number
/// of steps apart. Under lenient rules a move may change nothing, so step `later` is compared with every earlier step.
fn comparisons(rules: &Rules, later: usize) -> Vec<(usize, Symmetry)> {
    let first = if rules.start == Start::Counted { 0 } else { 1 };
    let strict = rules.legality == Legality::Strict;
    let steps = (first..later).filter(|earlier| !strict || (later - earlier).is_multiple_of(2));
    steps.flat_map(|earlier| rules.group.elements().into_iter().map(move |g| (earlier, g))).collect()
}

/// The part of a variable name that stands for two steps and a symmetry. The encodings use the same names.
fn comparison(later: usize, earlier: usize, Symmetry { turns, mirrored }: Symmetry) -> String {
    let mirror = if mirrored { " mirrored" } else { "" };
    format!("step {later} step {earlier} turns {turns}{mirror}")
}

/// Two variables: that of square `at` in the earlier board, and that of the square's image under `g` in the
/// later one.
fn squares(
    size: Size,
    spots: &[Vec<i32>],
    earlier: usize,
    later: usize,
    g: Symmetry,
    at: Cell,
) -> (i32, i32) {
    (spots[earlier][size.index(at)], spots[later][size.index(g.apply(size.width, at))])
}
