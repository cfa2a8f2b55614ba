//! The encoding `presses`: one variable and one parity constraint for each square.
//!
//! If a symmetry preserves the set of squares that must change, it maps each solution to a solution with the same
//! number of presses. With `lex=yes`, only solutions without a lexicographically smaller image remain; for every
//! solution, its smallest image remains. (J. Crawford et al., *Symmetry-Breaking Predicates for Search Problems*, KR
//! 1996.) The formula may then have fewer models than the board has solutions. Because the symmetry-breaking clauses do
//! not follow from the board, proofs are written without them.

use super::super::{Instance, Rules, Target};
use super::{Encoding, Lex, Pressing, Term, black, few_enough, parity_clauses, press};
use counterpoint_core::board::Cell;
use counterpoint_core::errors::Unsupported;
use counterpoint_encodings::{Lit, Parity, Sink, lex_at_most, lex_size};

/// Accepts boards whose formula has at most five million clauses.
///
/// # Errors
/// Returns why the instance is not supported.
pub(super) fn supports(
    rules: &Rules,
    instance: &Instance,
    Encoding { parity, cardinality, .. }: Encoding,
    lex: Lex,
) -> Result<(), Unsupported> {
    let cells = instance.size.cells();
    let lits = rules.stencil.max_squares(instance.size) as u64 + u64::from(rules.target == Target::Either);
    let parities = parity_clauses(parity, lits)?.saturating_mul(cells as u64);
    let images = images(rules, instance, lex).len() as u64;
    few_enough(rules, cardinality, parities.saturating_add(images * lex_size(cells as u64).clauses), cells)
}

/// The symmetries, except the identity, that preserve the set of squares that must change. Each is given as the list of
/// the images of all squares. There are none unless `lex=yes`. Every stencil is invariant under all symmetries of the
/// board.
fn images(rules: &Rules, instance: &Instance, lex: Lex) -> Vec<Vec<usize>> {
    let (size, wrong) = (instance.size, instance.wrong(&rules.first_end()));
    let mut maps = Vec::new();
    match lex {
        Lex::Off => return maps,
        Lex::On => {}
    }
    for (transposed, upside_down, turned) in (0..8).map(|i| (i >> 2 & 1, i >> 1 & 1, i & 1)).skip(1) {
        if transposed == 1 && size.width != size.height {
            continue;
        }
        let image = |cell: Cell| {
            let (row, col) = if transposed == 1 { (cell.col, cell.row) } else { (cell.row, cell.col) };
            let row = if upside_down == 1 { size.height - 1 - row } else { row };
            let col = if turned == 1 { size.width - 1 - col } else { col };
            size.index(Cell::new(row, col))
        };
        let map: Vec<usize> = size.iter().map(image).collect();
        if map.iter().enumerate().all(|(square, &there)| wrong.get(square) == wrong.get(there)) {
            maps.push(map);
        }
    }
    maps
}

/// Writes the clauses for presses that lead to a final board.
pub(crate) fn pressing(
    rules: &Rules,
    instance: &Instance,
    parity: Parity,
    lex: Lex,
    sink: &mut dyn Sink,
) -> Pressing {
    let size = instance.size;
    let presses: Vec<Lit> = size.iter().map(|cell| press(sink, cell)).collect();
    sink.show(&presses.iter().map(|press| press.var()).collect::<Vec<_>>());
    let black = (rules.target == Target::Either).then(|| black(sink));
    let wrong = instance.wrong(&rules.first_end());
    sink.group("parity of each square");
    for cell in size.iter() {
        let around = rules.stencil.squares(size, cell);
        // The number of presses around a square must be odd iff the square is wrong. If either colour is allowed,
        // `wrong` holds for white, and `black` joins the parity, because for black exactly the other squares are wrong.
        let lits: Vec<Lit> = around.into_iter().map(|c| presses[size.index(c)]).chain(black).collect();
        parity.encode(sink, &lits, wrong.get(size.index(cell)));
    }
    for map in images(rules, instance, lex) {
        sink.group("no image is less");
        lex_at_most(sink, &presses, &map.iter().map(|&there| presses[there]).collect::<Vec<_>>());
    }
    let squares = presses.iter().copied().map(Term::Lit).collect();
    Pressing { squares, always: 0, counted: presses, black }
}
