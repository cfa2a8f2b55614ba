//! The plus stencil as one congruence between polynomials over GF(2).
//!
//! Let B be the matrix of a press within its row (tridiagonal, all ones), x(r) the presses of row r, counted from 0,
//! and t(r) the squares of row r that must change. Row r ends up right iff x(r + 1) = B x(r) + x(r - 1) + t(r); this
//! is light chasing. Hence x(h) = F(h + 1)(B) x(0) + c, where F are the Fibonacci polynomials, and c is the row x(h) of
//! a chase that presses no square of the first row. The board is solved iff x(h) = 0.
//!
//! The unit vector e(i) of a row is F(i + 1)(A) e(0), where A = B + I is the adjacency matrix of a path. Rows are
//! therefore polynomials in y modulo f = F(w + 1), the characteristic polynomial of A, and the system becomes
//!
//!   x(0) · F(h + 1)(y + 1) ≡ c  modulo f.
//!
//! Let g be the greatest common divisor of F(h + 1)(y + 1) and f. The null space consists of the multiples of f/g, and
//! there is a solution iff g divides c. (Sutner, *Sigma-automata and Chebyshev polynomials*, TCS 230, 2000; Hunziker,
//! Machiavelo, Park, *Chebyshev polynomials over finite fields and reversibility of σ-automata*, TCS 320, 2004.) A
//! solution takes O(w·h/64 + w²/64) word operations, little more than reading each square once.

use super::fibonacci::{at_y_plus_1, fibonacci, from_fibonacci, to_fibonacci};
use super::polynomial::{Poly, cofactor, gcd};
use counterpoint_core::board::{Bits, Size};
use counterpoint_core::engine::{Budget, Limit};
use itertools::izip;

/// The polynomials of the congruence, which depend on the size alone.
pub(super) struct Congruence {
    size: Size,
    /// f / g. Its multiples that have a degree below w are the first rows of null vectors.
    step: Poly,
    /// gcd(F(h + 1)(y + 1), f).
    g: Poly,
    /// The polynomial u with u · F(h + 1)(y + 1) ≡ g modulo f.
    inverse: Poly,
}

/// Returns F(h + 1)(y + 1), the factor of x(0), and the modulus f.
fn sides(size: Size) -> (Poly, Poly) {
    (at_y_plus_1(&fibonacci(size.height as usize + 1)), fibonacci(size.width as usize + 1))
}

/// The nullity: the dimension of the space of press sets that change nothing. For n×n boards, this is OEIS A159257.
/// Takes O((w + h)²/64) word operations. Each subtraction in Euclid's algorithm counts as a node.
///
/// # Errors
/// Returns the limit that was reached.
pub(super) fn nullity(size: Size, budget: &mut Budget) -> Result<usize, Limit> {
    let (p, f) = sides(size);
    Ok(gcd(f, p, budget)?.degree().unwrap_or(0))
}

/// Computes the congruence of all boards of a size. Each subtraction in Euclid's algorithm counts as a node.
///
/// # Errors
/// Returns the limit that was reached.
pub(super) fn congruence(size: Size, budget: &mut Budget) -> Result<Congruence, Limit> {
    let (p, f) = sides(size);
    let (_, p) = p.divide(&f);
    let (g, inverse) = cofactor(&p, &f, budget)?;
    let (step, _) = f.divide(&g);
    Ok(Congruence { size, step, g, inverse })
}

impl Congruence {
    /// The dimension of the null space.
    pub(super) fn nullity(&self) -> usize {
        self.g.degree().unwrap_or(0)
    }

    /// Returns presses that turn over exactly the squares `wrong`. If there are none, the error is a null vector that
    /// contains an odd number of the squares `wrong`.
    pub(super) fn solve(&self, wrong: &Bits) -> Result<Bits, Bits> {
        self.solve_into(wrong, Bits::default())
    }

    /// Like [`Congruence::solve`], but writes the presses to `memory`. A caller that reuses memory gains time, because
    /// its pages are already mapped; touching fresh pages would take longer than everything else.
    pub(super) fn solve_into(&self, wrong: &Bits, memory: Bits) -> Result<Bits, Bits> {
        let left = chase(self.size, wrong);
        let (quotient, remainder) = from_fibonacci(&left).divide(&self.g);
        if !remainder.is_zero() {
            return Err(self.obstacle(&left));
        }
        let (_, first) = quotient.times(&self.inverse).divide(&self.step);
        Ok(unroll_into(self.size, &self.row(&first), Some(wrong), memory))
    }

    /// A basis of the null space.
    pub(super) fn null(&self) -> impl Iterator<Item = Bits> {
        let mut first = self.step.clone();
        (0..self.nullity()).map(move |_| {
            let null = unroll(self.size, &self.row(&first), None);
            first = first.times_x();
            null
        })
    }

    fn row(&self, first: &Poly) -> Vec<u64> {
        to_fibonacci(first, self.size.width as usize)
    }

    /// A null vector that contains an odd number of the squares that must change. If `a` is the *last* row of a null
    /// vector, then row r is F(h - r)(B) a. B is symmetric, so the inner product of this vector with the squares that
    /// must change is the inner product of `a` with c = Σ F(h - r)(B) t(r), which is `left`. Because c is not in the
    /// range of F(h + 1)(B), some multiple `a` of f/g has an odd inner product with c.
    fn obstacle(&self, left: &[u64]) -> Bits {
        let mut last = self.step.clone();
        let mut row = self.row(&last);
        let odd = |row: &[u64]| row.iter().zip(left).map(|(a, c)| (a & c).count_ones()).sum::<u32>() % 2 == 1;
        for _ in 1..self.nullity() {
            if odd(&row) {
                break;
            }
            last = last.times_x();
            row = self.row(&last);
        }
        // The null space is invariant under turning the board upside down.
        let (w, h) = (self.size.width as usize, self.size.height as usize);
        let down = unroll(self.size, &row, None);
        let mut up = Bits::zeros(w * h);
        let mut line = vec![0; w.div_ceil(64)];
        for r in 0..h {
            down.copy_words(r * w, &mut line);
            if let (Some(last), false) = (line.last_mut(), w.is_multiple_of(64)) {
                *last &= (1 << (w % 64)) - 1;
            }
            up.xor_words((h - 1 - r) * w, &line);
        }
        up
    }
}

/// Row `r` of a board with rows of `w` squares: borrowed if rows consist of whole words, otherwise copied to `copy`.
/// The last word may contain further bits after the row.
fn line_of<'a>(board: &'a Bits, w: usize, r: usize, copy: &'a mut [u64]) -> &'a [u64] {
    if w.is_multiple_of(64) {
        return &board.words()[r * w / 64..][..w / 64];
    }
    board.copy_words(r * w, copy);
    copy
}

/// The two current rows of presses of a chase. Each has a word of zeros at either end.
struct Rows {
    above: Vec<u64>,
    here: Vec<u64>,
    /// Mask of the bits of the last word that lie on the board.
    mask: u64,
}

impl Rows {
    fn new(w: usize) -> Rows {
        let words = w.div_ceil(64) + 2;
        Rows { above: vec![0; words], here: vec![0; words], mask: u64::MAX >> ((64 - w % 64) % 64) }
    }

    /// The row without its margins.
    fn here(&self) -> &[u64] {
        &self.here[1..self.here.len() - 1]
    }

    /// Advances to the next row; `wrong` holds the squares of the current row that must change.
    fn next(&mut self, wrong: &[u64]) {
        // With slices of equal length, the compiler vectorizes the loop.
        let n = self.here.len() - 2;
        let [left, here, right] = [0, 1, 2].map(|from| &self.here[from..][..n]);
        let above = &mut self.above[1..][..n];
        for (above, left, word, right, wrong) in izip!(above, left, here, right, wrong) {
            *above ^= word ^ (word << 1 | left >> 63) ^ (word >> 1 | right << 63) ^ wrong;
        }
        std::mem::swap(&mut self.above, &mut self.here);
        self.here[n] &= self.mask;
    }
}

/// The row below the board after a chase whose first row has no presses: the constant c.
fn chase(size: Size, wrong: &Bits) -> Vec<u64> {
    let w = size.width as usize;
    let mut rows = Rows::new(w);
    let mut line = vec![0; w.div_ceil(64)];
    for r in 0..size.height as usize {
        rows.next(line_of(wrong, w, r, &mut line));
    }
    rows.here().to_vec()
}

/// Computes all presses from those of the first row. Without `wrong`, the result is a null vector.
pub(super) fn unroll(size: Size, first: &[u64], wrong: Option<&Bits>) -> Bits {
    unroll_into(size, first, wrong, Bits::default())
}

fn unroll_into(size: Size, first: &[u64], wrong: Option<&Bits>, mut all: Bits) -> Bits {
    let (w, h) = (size.width as usize, size.height as usize);
    all.empty_for(w * h);
    let mut rows = Rows::new(w);
    rows.here[1..=first.len()].copy_from_slice(first);
    let mut line = vec![0; w.div_ceil(64)];
    for r in 0..h {
        all.extend(rows.here(), w);
        match wrong {
            Some(wrong) => rows.next(line_of(wrong, w, r, &mut line)),
            None => rows.next(&line),
        }
    }
    debug_assert!(rows.here().iter().all(|&word| word == 0), "presses remain below the board");
    all
}
