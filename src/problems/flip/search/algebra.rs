//! `algebra`: all solutions by linear algebra, then the least weight in their coset.
//!
//! For the plus stencil the first row's presses determine all others: with them as unknowns, every
//! press is an affine form, and only the row below the board gives equations ("light chasing"). That
//! leaves a system of w unknowns instead of w·h. Other stencils are eliminated whole. The second
//! right-hand side is the all-ones board, which every stencil here can reach (Sutner, *Linear
//! cellular automata and the Garden-of-Eden*, 1989): it leads from one colour to the other.

use super::elimination::{Solutions, eliminate};
use super::least::{Coset, lightest};
use super::{cells, refuse_within, wants_least};
use crate::board::{Bits, Cell, Size};
use crate::choice::Choice;
use crate::engine::{Budget, Limit, Outcome};
use crate::problems::flip::answer::Answer;
use crate::problems::flip::{Instance, Rules, Stencil, Target};

/// The greatest shorter side for chasing, and the most squares for elimination of the whole board.
const MOST_UNKNOWNS: usize = 4096;

/// Boards up to 4096 squares on the shorter side, or in all for stencils other than plus.
///
/// # Errors
/// Why the instance is not served.
pub fn supports(rules: &Rules, instance: &Instance, _: &Choice) -> Result<(), String> {
    refuse_within(rules)?;
    let size = instance.size;
    let unknowns = match rules.stencil {
        Stencil::Plus => size.width.min(size.height) as usize,
        _ => size.cells(),
    };
    if unknowns > MOST_UNKNOWNS {
        return Err(format!("{size} leaves {unknowns} unknowns; at most {MOST_UNKNOWNS} are eliminated"));
    }
    Ok(())
}

/// Solves one board.
pub fn solve(rules: &Rules, instance: &Instance, budget: &mut Budget) -> Outcome<Answer> {
    match solutions(rules.stencil, instance, budget) {
        Ok(space) => decide(rules, instance, &space, budget),
        Err(limit) => Outcome::GaveUp(limit, None),
    }
}

/// The dimension of the null space: how many independent sets of presses change nothing. For n×n
/// boards with the plus stencil OEIS A159257.
///
/// # Errors
/// The limit that was met.
pub fn nullity(stencil: Stencil, size: Size, budget: &mut Budget) -> Result<usize, Limit> {
    let white = Instance { size, black: Bits::zeros(size.cells()) };
    solutions(stencil, &white, budget).map(|found| found.null.len())
}

/// All presses that make the board white, and (second right-hand side) that turn all squares over.
fn solutions(stencil: Stencil, instance: &Instance, budget: &mut Budget) -> Result<Solutions, Limit> {
    let Size { width, height } = instance.size;
    match stencil {
        Stencil::Plus if width <= height => chase(instance, budget),
        Stencil::Plus => {
            let turned = transpose(instance.size, &instance.black);
            let turned = Instance { size: Size::new(height, width), black: turned };
            let found = chase(&turned, budget)?;
            let back = |bits: Bits| transpose(turned.size, &bits);
            let null = found.null.into_iter().map(back).collect();
            Ok(Solutions { particular: found.particular.map(|x| x.map(back)), null })
        }
        _ => whole(stencil, instance, budget),
    }
}

fn transpose(size: Size, bits: &Bits) -> Bits {
    let turned = Size::new(size.height, size.width);
    let ones = bits.iter().map(|i| size.cell(i)).map(|c| turned.index(Cell::new(c.col, c.row)));
    Bits::from_indices(turned.cells(), ones)
}

/// One equation a square: an odd number of presses around it iff it must change.
fn whole(stencil: Stencil, instance: &Instance, budget: &mut Budget) -> Result<Solutions, Limit> {
    let n = instance.size.cells();
    let mut rows = Vec::with_capacity(n);
    for cell in instance.size.iter() {
        let around = stencil.squares(instance.size, cell);
        let mut row = Bits::from_indices(n + 2, around.into_iter().map(|c| instance.size.index(c)));
        if instance.black.get(instance.size.index(cell)) {
            row.set(n);
        }
        row.set(n + 1);
        rows.push(row);
    }
    eliminate(rows, n, budget)
}

/// Row `r + 1` from rows `r` and `r - 1`: a square of row r is right iff the press below it is the
/// sum of the square and the presses left of it, on it, right of it and above it. A form holds a
/// coefficient for each press of the first row and then the two constants.
fn chase(instance: &Instance, budget: &mut Budget) -> Result<Solutions, Limit> {
    let w = instance.size.width as usize;
    let mut above = vec![Bits::zeros(w + 2); w];
    let mut row: Vec<Bits> = (0..w).map(|c| Bits::from_indices(w + 2, [c])).collect();
    for r in 0..instance.size.height {
        for (c, form) in above.iter_mut().enumerate() {
            budget.node()?;
            if instance.black.get(instance.size.index(Cell::new(r, c as u32))) {
                form.flip(w);
            }
            form.flip(w + 1);
            for neighbour in [c.checked_sub(1), Some(c), (c + 1 < w).then_some(c + 1)].into_iter().flatten() {
                form.xor(&row[neighbour]);
            }
        }
        std::mem::swap(&mut above, &mut row);
    }
    // `row` now lies below the board, where no press may be needed: each form is an equation.
    let first = eliminate(row, w, budget)?;
    let unroll = |first: &Bits, board: Start| unroll(instance, first, board);
    let [white, over] = &first.particular;
    let particular = [
        white.as_ref().map(|row| unroll(row, Start::Board)),
        over.as_ref().map(|row| unroll(row, Start::AllBlack)),
    ];
    let null = first.null.iter().map(|row| unroll(row, Start::AllWhite)).collect();
    Ok(Solutions { particular, null })
}

/// The board from which presses are unrolled.
#[derive(Clone, Copy, PartialEq)]
enum Start {
    Board,
    AllBlack,
    AllWhite,
}

/// All presses from those of the first row.
fn unroll(instance: &Instance, first: &Bits, start: Start) -> Bits {
    let size = instance.size;
    let (w, h) = (size.width as usize, size.height as usize);
    let mut all = Bits::from_indices(size.cells(), first.iter());
    for i in w..w * h {
        let up = i - w;
        let black = match start {
            Start::Board => instance.black.get(up),
            Start::AllBlack => true,
            Start::AllWhite => false,
        };
        let col = up % w;
        let around = [
            all.get(up),
            col > 0 && all.get(up - 1),
            col + 1 < w && all.get(up + 1),
            up >= w && all.get(up - w),
        ];
        if around.iter().fold(black, |sum, &x| sum ^ x) {
            all.set(i);
        }
    }
    all
}

fn decide(rules: &Rules, instance: &Instance, space: &Solutions, budget: &mut Budget) -> Outcome<Answer> {
    let size = instance.size;
    let [Some(white), Some(over)] = &space.particular else {
        // The all-ones board is always reached, so it is this board that is outside the range of the
        // symmetric matrix: some null vector meets it oddly, and every press meets that one evenly.
        let odd = space.null.iter().find(|null| null.count_common(&instance.black) % 2 == 1);
        return Outcome::Decided(Answer::Impossible(odd.map(|null| cells(size, null))));
    };
    let mut black = white.clone();
    black.xor(over);
    let starts = match rules.target {
        Target::White => vec![white.clone()],
        Target::Black => vec![black],
        Target::Either => vec![white.clone(), black],
    };
    if !wants_least(rules) {
        return Outcome::Decided(Answer::Presses { cells: cells(size, &starts[0]), least: false });
    }
    let found = lightest(Coset { starts: &starts, null: &space.null }, budget);
    let answer = Answer::Presses { cells: cells(size, &found.lightest), least: found.exhausted };
    match found.limit {
        None => Outcome::Decided(answer),
        Some(limit) => Outcome::GaveUp(limit, Some(answer)),
    }
}
