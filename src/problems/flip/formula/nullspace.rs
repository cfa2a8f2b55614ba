//! `nullspace`: a variable for each dimension of the null space; every press is a parity of some of them.
//!
//! The searches' elimination gives one solution, a basis of the presses that change nothing and, where
//! either colour will do, presses that turn all squares over. Reduced, each basis vector has a square of
//! its own, whose press is its variable. Squares that lie in the same basis vectors are pressed alike or
//! contrariwise in every solution, so they share one parity, and of two contrary ones just one is
//! pressed. What is left to the solver is the least weight alone; impossible boards never get so far.

use super::super::search::elimination;
use super::super::{Instance, Rules, Stencil, Target};
use super::{Pressing, Term, black, few_enough, parity, parity_clauses, press};
use crate::board::{Bits, Digits, Size};
use crate::engine::{Budget, Limit};
use crate::spec::EngineSpec;
use counterpoint_encodings::{Lit, Sink};
use rustc_hash::FxHashMap;

/// The most squares of a board with the plus stencil, which leaves a row of unknowns.
const MAX_CHASED: usize = 1 << 14;
/// The most squares of a board with another stencil, all of them unknowns.
const MAX_UNKNOWN: usize = 1 << 12;

/// Squares between two looks at the limits.
const POLL_EVERY: usize = 64;

/// All presses that do.
pub(in crate::problems::flip) struct Coset {
    size: Size,
    /// One solution. It presses none of `own`.
    start: Bits,
    /// Of each null vector the square that no other one holds.
    own: Vec<usize>,
    /// Which of the squares lie in the same vectors.
    kinds: Vec<Kind>,
}

/// Squares that are pressed alike or contrariwise.
struct Kind {
    /// Numbers of the vectors that hold them; behind the null vectors comes the one that turns all over.
    vectors: Vec<usize>,
    squares: Vec<usize>,
}

impl Kind {
    /// How many squares are pressed in `start`, and how many are not.
    fn pressed(&self, start: &Bits) -> (usize, usize) {
        let pressed = self.squares.iter().filter(|&&square| start.get(square)).count();
        (pressed, self.squares.len() - pressed)
    }
}

/// Every solution of the board; if there is none, squares of which each press turns over an even number
/// though an odd number must change.
///
/// # Errors
/// The limit that was met.
pub(in crate::problems::flip) fn coset(
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
    // All-ones can be reached from any board (Sutner 1989).
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

/// Makes each of `null` hold a square that neither another one nor any of `affine` holds; these squares.
///
/// # Errors
/// The limit that was met.
fn reduce(null: &mut [Bits], affine: &mut [Bits], budget: &Budget) -> Result<Vec<usize>, Limit> {
    let mut own = Vec::with_capacity(null.len());
    for k in 0..null.len() {
        budget.poll()?;
        let vector = null[k].clone();
        // Basis vectors are not 0.
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

/// Boards of which few enough squares are unknowns.
///
/// # Errors
/// Why the instance is not supported.
pub(super) fn supports(rules: &Rules, instance: &Instance) -> Result<(), String> {
    let cells = instance.size.cells();
    let most = if rules.stencil == Stencil::Plus { MAX_CHASED } else { MAX_UNKNOWN };
    if cells > most {
        return Err(format!("{} has {cells} squares; at most {most} are eliminated first", instance.size));
    }
    Ok(())
}

impl Coset {
    /// Whether the formula has at most five million clauses.
    ///
    /// # Errors
    /// How many it has, or which parity has too many.
    pub(in crate::problems::flip) fn few_enough(
        &self,
        rules: &Rules,
        spec: &EngineSpec,
    ) -> Result<(), String> {
        let (mut parities, mut counted) = (0u64, 0);
        for kind in self.kinds.iter().filter(|kind| !kind.vectors.is_empty()) {
            if kind.vectors.len() > 1 {
                let clauses = parity_clauses(parity(spec), kind.vectors.len() as u64 + 1)?;
                parities = parities.saturating_add(clauses);
            }
            let (pressed, not) = kind.pressed(&self.start);
            counted += pressed.abs_diff(not);
        }
        few_enough(rules, spec, parities, counted)
    }

    /// The presses as parities of basis vectors.
    pub(in crate::problems::flip) fn pressing(
        &self,
        rules: &Rules,
        spec: &EngineSpec,
        sink: &mut dyn Sink,
    ) -> Pressing {
        let mut vectors: Vec<Lit> =
            self.own.iter().map(|&square| press(sink, self.size.cell(square))).collect();
        let black = (rules.target == Target::Either).then(|| black(sink));
        vectors.extend(black);
        // These determine all other presses, and two of their assignments never press alike.
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
                    // Its variable is the press of its first square.
                    let first = kind.squares[0];
                    let lit = press(sink, self.size.cell(first));
                    let parts = kind.vectors.iter().map(|&vector| vectors[vector]).chain([lit]);
                    parity(spec).encode(sink, &parts.collect::<Vec<_>>(), self.start.get(first));
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
