//! Requires that exactly one of many squares is toggled. The square is chosen directly, or its orbit is
//! chosen first.
//!
//! A pairwise encoding over the squares of a large board has millions of clauses. So if there are many squares, the
//! at-most-one encoding chooses an orbit (the images of a square), and further clauses choose a square of the orbit.

use super::squares::Squares;
use counterpoint_core::board::Cell;
use counterpoint_encodings::{AtMostOne, Lit, Sink};
use itertools::Itertools;
use rustc_hash::FxHashMap;

/// The maximum number of squares among which one is chosen directly.
const MAX_DIRECT: usize = 64;

/// How one of several squares is chosen.
pub(super) enum Choice<'a> {
    /// Among this number of squares.
    Direct(usize),
    /// By orbits, each with the indices of its squares in `places`.
    ByOrbit { squares: &'a Squares, places: &'a [usize], orbits: Vec<Vec<usize>> },
}

impl<'a> Choice<'a> {
    /// How one of the squares at these places is chosen.
    pub(super) fn of(squares: &'a Squares, places: &'a [usize]) -> Self {
        if places.len() <= MAX_DIRECT {
            return Choice::Direct(places.len());
        }
        let mut numbers: FxHashMap<u32, usize> = FxHashMap::default();
        let mut orbits: Vec<Vec<usize>> = Vec::new();
        for (i, &place) in places.iter().enumerate() {
            let number = *numbers.entry(squares.orbit(place)).or_insert(orbits.len());
            if number == orbits.len() {
                orbits.push(Vec::new());
            }
            orbits[number].push(i);
        }
        Choice::ByOrbit { squares, places, orbits }
    }

    /// The number of clauses.
    pub(super) fn n_clauses(&self, amo: AtMostOne) -> u64 {
        let among = |n: usize| amo.at_most_one_size(n as u64).clauses + 1;
        match self {
            Choice::Direct(n) => among(*n),
            Choice::ByOrbit { orbits, .. } => {
                let of_orbit = |orbit: &Vec<usize>| (orbit.len() * (orbit.len() + 1) / 2 + 1) as u64;
                orbits.iter().map(of_orbit).sum::<u64>() + among(orbits.len())
            }
        }
    }

    /// Requires that exactly one of these literals is true. They say which square step `step` toggles.
    pub(super) fn write(&self, step: usize, toggles: &[Lit], amo: AtMostOne, sink: &mut dyn Sink) {
        let Choice::ByOrbit { squares, places, orbits } = self else {
            return amo.exactly_one(sink, toggles);
        };
        let mut choice: Vec<Lit> = Vec::with_capacity(orbits.len());
        for orbit in orbits {
            let chosen = orbit_var(sink, step, squares.cell(places[orbit[0]]));
            orbit.iter().for_each(|&i| sink.clause(&[!toggles[i], chosen]));
            orbit.iter().tuple_combinations().for_each(|(&i, &j)| sink.clause(&[!toggles[i], !toggles[j]]));
            sink.clause(&[!chosen].into_iter().chain(orbit.iter().map(|&i| toggles[i])).collect::<Vec<_>>());
            choice.push(chosen);
        }
        amo.exactly_one(sink, &choice);
    }
}

/// True iff step `step` toggles `cell` or one of its images.
fn orbit_var(sink: &mut dyn Sink, step: usize, cell: Cell) -> Lit {
    sink.named_var(format_args!("orbit step {step} {cell}")).pos_lit()
}
