//! The nullity of a stencil's matrix modulo p, computed from the form of the stencil without computing null vectors.
//!
//! * Plus: let φ(n) be the characteristic polynomial of a path of n squares: φ(n + 1) = y φ(n) - φ(n - 1). A row is a
//!   polynomial modulo φ(w), and light chasing multiplies the first row by φ(h)(-1 - y) to give the row below the
//!   board, which must be 0. The nullity is therefore the degree of gcd(φ(w)(y), φ(h)(-1 - y)). Over GF(2), the φ(n)
//!   are the Fibonacci polynomials.
//! * King: the matrix is the Kronecker product of two tridiagonal matrices. For any p, such a tridiagonal matrix with n
//!   rows has rank n - 1 if n is 2 modulo 3, and full rank otherwise.
//! * Cross: a null vector has the form x(r, c) = R(r) + C(c), where R and C are its own row and column sums.
//! * Torus: two rows determine the others, and the chase around the torus must return to them. This leaves 2w unknowns,
//!   where w is the shorter side. If w < 3, the full system is eliminated instead.

use super::modular::whole;
use super::plus;
use super::residues::{add, eliminate, negate, scaled_add};
use crate::Stencil;
use counterpoint_core::board::Size;
use counterpoint_core::engine::{Budget, Limit};
use counterpoint_core::errors::Unsupported;

/// The longest side supported for the plus stencil with more than two colours.
const MAX_DEGREE: u32 = 1 << 14;
/// The maximum number of unknowns that are eliminated for a torus.
const MAX_UNKNOWNS: usize = 1 << 11;

/// Checks that the nullity of a board of this size can be computed.
///
/// # Errors
/// Returns why it cannot.
pub fn supports(p: u32, stencil: Stencil, size: Size) -> Result<(), Unsupported> {
    let side = size.width.max(size.height);
    let unknowns = if thin(size) { size.cells() } else { 2 * size.width.min(size.height) as usize };
    match stencil {
        Stencil::Plus if p > 2 && side > MAX_DEGREE => {
            Err(format!("with more than two colours, a side has at most {MAX_DEGREE} squares, not {side}").into())
        }
        Stencil::Torus if unknowns > MAX_UNKNOWNS || size.cells() > 1 << 22 => Err(format!(
            "a torus of {size} leaves {unknowns} unknowns; the maximum is {MAX_UNKNOWNS}, on at most {} squares",
            1 << 22
        ).into()),
        _ => Ok(()),
    }
}

/// The nullity: the dimension of the space of presses that change nothing, modulo a prime p ≤ 7.
///
/// Each step of a recurrence, of Euclid's algorithm or of an elimination counts as a node.
///
/// # Errors
/// Returns the limit that was reached.
///
/// # References
/// Hunziker, Machiavelo, Park, *Chebyshev polynomials over finite fields and reversibility of σ-automata on square
/// grids*, TCS 320, 2004.
pub fn nullity(p: u32, stencil: Stencil, size: Size, budget: &mut Budget) -> Result<usize, Limit> {
    let (w, h) = (size.width as usize, size.height as usize);
    match stencil {
        Stencil::Plus if p == 2 => plus::nullity(size, budget),
        Stencil::Plus => {
            // φ(h) at -1 - y, and φ(w) at y.
            let shifted = characteristic(p as u8, h, p as u8 - 1, p as u8 - 1, budget)?;
            common_degree(p as u8, characteristic(p as u8, w, 0, 1, budget)?, shifted, budget)
        }
        Stencil::King => {
            let rank = |n: usize| if n % 3 == 2 { n - 1 } else { n };
            Ok(w * h - rank(w) * rank(h))
        }
        Stencil::Cross => Ok(cross(p as usize, w, h)),
        Stencil::Torus if thin(size) => {
            let rows = whole(stencil, size, &vec![0; w * h]);
            Ok(eliminate(p as u8, rows, w * h, budget)?.nullity())
        }
        Stencil::Torus => torus(p as u8, w.min(h), w.max(h), budget),
    }
}

/// Whether a torus is so thin that two neighbours of a square are the same square, or that a square is its own
/// neighbour. A press turns such a square only once, so the chase does not apply.
fn thin(size: Size) -> bool {
    size.width.min(size.height) < 3
}

/// The nullity of the cross stencil. Let R be the row sums of a null vector, C its column sums and T its total. Then
/// x(r, c) = R(r) + C(c), (w - 1) R(r) + T = 0 and (h - 1) C(c) + T = 0. If w is 1 modulo p, T is 0 and R is any vector
/// of sum 0; likewise for h and C. If neither w nor h is 1 modulo p, both R and C are constant, and T = -T h / (w - 1).
fn cross(p: usize, w: usize, h: usize) -> usize {
    match (w % p == 1, h % p == 1) {
        (false, false) => usize::from((w + h) % p == 1),
        (wide, high) => (if wide { h - 1 } else { 0 }) + (if high { w - 1 } else { 0 }),
    }
}

/// The coefficients of φ(n)(`times`·y + `plus`), lowest first; the last one is not 0. Takes O(n²).
fn characteristic(p: u8, n: usize, plus: u8, times: u8, budget: &mut Budget) -> Result<Vec<u8>, Limit> {
    let (mut before, mut here) = (Vec::new(), vec![1]);
    for _ in 0..n {
        budget.node()?;
        let mut next = vec![0; here.len() + 1];
        scaled_add(p, &mut next[1..], times, &here);
        scaled_add(p, &mut next, plus, &here);
        scaled_add(p, &mut next, p - 1, &before);
        before = std::mem::replace(&mut here, next);
    }
    Ok(here)
}

/// The degree of the greatest common divisor of two nonzero polynomials.
fn common_degree(p: u8, mut high: Vec<u8>, mut low: Vec<u8>, budget: &mut Budget) -> Result<usize, Limit> {
    while let Some(&lead) = low.last() {
        // p is prime, so some multiple of the leading coefficient is 1.
        let inverse = (1..p).find(|k| k * lead % p == 1).unwrap_or(1);
        while let (Some(&top), Some(shift)) = (high.last(), high.len().checked_sub(low.len())) {
            budget.node()?;
            scaled_add(p, &mut high[shift..], (p - top) * inverse % p, &low);
            let used = high.iter().rposition(|&a| a > 0).map_or(0, |i| i + 1);
            high.truncate(used);
        }
        std::mem::swap(&mut high, &mut low);
    }
    Ok(high.len().saturating_sub(1))
}

/// The nullity on a torus. Each press is a linear form in the presses of rows 0 and 1, with x(r + 1) = -(B x(r) + x(r -
/// 1)), where x(r) are the presses of row r, and B is the matrix of a press within its row. Rows h and h + 1 are rows 0
/// and 1 again, which gives 2w equations.
fn torus(p: u8, w: usize, h: usize, budget: &mut Budget) -> Result<usize, Limit> {
    let unit = |i: usize| (0..2 * w).map(|k| u8::from(k == i)).collect::<Vec<u8>>();
    let mut above: Vec<Vec<u8>> = (0..w).map(unit).collect();
    let mut row: Vec<Vec<u8>> = (w..2 * w).map(unit).collect();
    for _ in 0..h {
        for (c, form) in above.iter_mut().enumerate() {
            budget.node()?;
            [(c + w - 1) % w, c, (c + 1) % w].iter().for_each(|&near| add(p, form, &row[near]));
            negate(p, form);
        }
        std::mem::swap(&mut above, &mut row);
    }
    let mut rows = above;
    rows.append(&mut row);
    for (i, form) in rows.iter_mut().enumerate() {
        form[i] = (form[i] + p - 1) % p;
        // `eliminate` expects two right-hand sides in each row; here both are 0.
        form.extend([0, 0]);
    }
    Ok(eliminate(p, rows, 2 * w, budget)?.nullity())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_agrees_with_plain_elimination() {
        for p in [2, 3, 5, 7] {
            for stencil in [Stencil::Plus, Stencil::King, Stencil::Cross, Stencil::Torus] {
                for (w, h) in (1..=9).flat_map(|w| (1..=9).map(move |h| (w, h))) {
                    let size = Size::new(w, h);
                    let rows = whole(stencil, size, &vec![0; size.cells()]);
                    let mut budget = Budget::unlimited();
                    let plain = eliminate(p as u8, rows, size.cells(), &mut budget).unwrap().nullity();
                    assert_eq!(nullity(p, stencil, size, &mut budget), Ok(plain), "{p} {stencil:?} {size}");
                }
            }
        }
    }
}
