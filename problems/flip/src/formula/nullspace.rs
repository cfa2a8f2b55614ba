//! The encoding `nullspace`: one variable for each dimension of the null space; presses are parities of these
//! variables.
//!
//! Elimination, as in the searches, yields one solution, a basis of the null space and, if either colour is allowed,
//! presses that turn all squares over. The basis is reduced until each vector has a square that no other vector
//! contains; the press of this square is the vector's variable. Any two squares that lie in the same basis vectors have
//! either equal presses in every solution, or opposite presses in every solution. So they share one parity constraint.
//! Of two squares with opposite presses, every solution presses exactly one. Elimination recognises impossible boards,
//! so the solver only has to minimise the weight.

use super::super::search::elimination;
use super::super::{Instance, Rules, Stencil, Target};
use super::{Encoding, Pressing, Term, black, few_enough, parity_clauses, press};
use counterpoint_core::board::{Bits, Digits, Size};
use counterpoint_core::engine::{Budget, Limit};
use counterpoint_core::errors::Unsupported;
use counterpoint_encodings::{Lit, Parity, Sink};
use rustc_hash::FxHashMap;

/// The maximum number of squares of a board with the plus stencil, where only the presses of one row are unknowns.
const MAX_CHASED: usize = 1 << 14;
/// The maximum number of squares of a board with another stencil, where the presses of all squares are unknowns.
const MAX_UNKNOWN: usize = 1 << 12;

/// The number of squares between two checks of the limits.
const POLL_EVERY: usize = 64;

/// All solutions of a board, as a coset of the null space.
pub(crate) struct Coset {
    size: Size,
    /// One solution. It presses none of `own`.
    start: Bits,
    /// For each null vector, a square that no other vector contains.
    own: Vec<usize>,
    /// The squares, grouped by which vectors contain them.
    kinds: Vec<Kind>,
}

/// Squares that lie in the same vectors, so that their presses are equal or opposite in every solution.
struct Kind {
    /// Indices of the vectors that contain the squares. If either colour is allowed, `own.len()` is the index of the
    /// presses that turn all squares over; they come after the null vectors.
    vectors: Vec<usize>,
    squares: Vec<usize>,
}

impl Kind {
    /// The number of squares that are pressed in `start`, and the number of those that are not.
    fn pressed(&self, start: &Bits) -> (usize, usize) {
        let pressed = self.squares.iter().filter(|&&square| start.get(square)).count();
        (pressed, self.squares.len() - pressed)
    }
}

/// Returns all solutions of the board. If there are none, the inner error is a set of squares that proves it: every
/// press turns over an even number of these squares, but an odd number of them must change. An impossible board always
/// has such a set, so the inner error is never `None`.
///
/// # Errors
/// Returns the limit that was reached.
pub(crate) fn coset(
    rules: &Rules,
    instance: &Instance,
    budget: &mut Budget,
) -> Result<Result<Coset, Option<Digits>>, Limit> {
    let (size, wrong) = (instance.size, instance.wrong(&rules.first_end()));
    let solutions = elimination::solutions(rules.stencil, size, &wrong, budget)?;
    let (mut null, [start, over]) = (solutions.null, solutions.particular);
    let Some(start) = start else {
        let odd = null.into_iter().find(|null| null.count_common(&wrong) % 2 == 1);
        return Ok(Err(odd.map(Into::into)));
    };
    // Presses that turn all squares over always exist (Sutner 1989).
    let over = over.filter(|_| rules.target == Target::Either);
    let mut affine: Vec<Bits> = [start].into_iter().chain(over).collect();
    let own = reduce(&mut null, &mut affine, budget)?;
    let start = affine.swap_remove(0);
    null.append(&mut affine);
    let mut kinds: Vec<Kind> = Vec::new();
    let mut numbers: FxHashMap<Vec<usize>, usize> = FxHashMap::default();
    for square in 0..size.cells() {
        if square % POLL_EVERY == 0 {
            budget.poll()?;
        }
        let vectors: Vec<usize> = (0..null.len()).filter(|&k| null[k].get(square)).collect();
        let number = *numbers.entry(vectors.clone()).or_insert_with(|| {
            kinds.push(Kind { vectors, squares: Vec::new() });
            kinds.len() - 1
        });
        kinds[number].squares.push(square);
    }
    Ok(Ok(Coset { size, start, own, kinds }))
}

/// Changes the vectors until each vector of `null` has a square that no other null vector and no vector of `affine`
/// contains. Returns these squares.
///
/// # Errors
/// Returns the limit that was reached.
fn reduce(null: &mut [Bits], affine: &mut [Bits], budget: &Budget) -> Result<Vec<usize>, Limit> {
    let mut own = Vec::with_capacity(null.len());
    for k in 0..null.len() {
        budget.poll()?;
        let vector = null[k].clone();
        // Basis vectors are not 0, so there is always a square.
        let Some(square) = vector.iter().next() else { continue };
        let others = null.iter_mut().enumerate().filter(|(other, _)| *other != k).map(|(_, other)| other);
        others
            .chain(affine.iter_mut())
            .filter(|other| other.get(square))
            .for_each(|other| other.xor(&vector));
        own.push(square);
    }
    Ok(own)
}

/// Accepts boards that are small enough for elimination.
///
/// # Errors
/// Returns why the instance is not supported.
pub(super) fn supports(rules: &Rules, instance: &Instance) -> Result<(), Unsupported> {
    let cells = instance.size.cells();
    let most = if rules.stencil == Stencil::Plus { MAX_CHASED } else { MAX_UNKNOWN };
    if cells > most {
        return Err(
            format!("{} has {cells} squares; nullspace supports at most {most}", instance.size).into()
        );
    }
    Ok(())
}

impl Coset {
    /// Checks that the formula has at most five million clauses.
    ///
    /// # Errors
    /// Returns a message if there are more clauses, or if a parity has too many literals to be encoded directly.
    pub(crate) fn few_enough(
        &self,
        rules: &Rules,
        Encoding { parity, cardinality, .. }: Encoding,
    ) -> Result<(), Unsupported> {
        let (mut parities, mut counted) = (0u64, 0);
        for kind in self.kinds.iter().filter(|kind| !kind.vectors.is_empty()) {
            if kind.vectors.len() > 1 {
                let clauses = parity_clauses(parity, kind.vectors.len() as u64 + 1)?;
                parities = parities.saturating_add(clauses);
            }
            let (pressed, not) = kind.pressed(&self.start);
            counted += pressed.abs_diff(not);
        }
        few_enough(rules, cardinality, parities, counted)
    }

    /// Writes each press as a parity of the variables of basis vectors.
    pub(crate) fn pressing(&self, rules: &Rules, parity: Parity, sink: &mut dyn Sink) -> Pressing {
        let mut vectors: Vec<Lit> =
            self.own.iter().map(|&square| press(sink, self.size.cell(square))).collect();
        let black = (rules.target == Target::Either).then(|| black(sink));
        vectors.extend(black);
        // These variables determine all other presses, and different assignments give different presses.
        sink.show(&vectors.iter().map(|vector| vector.var()).collect::<Vec<_>>());
        sink.group("parity of each kind of square");
        let mut pressing = Pressing {
            squares: (0..self.size.cells()).map(|square| Term::Known(self.start.get(square))).collect(),
            always: 0,
            counted: Vec::new(),
            black,
        };
        for kind in &self.kinds {
            let (pressed, not) = kind.pressed(&self.start);
            let odd = match kind.vectors[..] {
                [] => {
                    pressing.always += pressed;
                    continue;
                }
                [vector] => vectors[vector],
                _ => {
                    // The variable of the kind is the press of its first square.
                    let first = kind.squares[0];
                    let lit = press(sink, self.size.cell(first));
                    let parts = kind.vectors.iter().map(|&vector| vectors[vector]).chain([lit]);
                    parity.encode(sink, &parts.collect::<Vec<_>>(), self.start.get(first));
                    if self.start.get(first) { !lit } else { lit }
                }
            };
            // `odd` is true iff an odd number of the kind's vectors is added to `start`.
            for &square in &kind.squares {
                pressing.squares[square] = Term::Lit(if self.start.get(square) { !odd } else { odd });
            }
            pressing.always += pressed.min(not);
            let most = if pressed > not { !odd } else { odd };
            pressing.counted.extend(std::iter::repeat_n(most, pressed.abs_diff(not)));
        }
        pressing
    }
}
