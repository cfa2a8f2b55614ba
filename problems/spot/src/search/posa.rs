//! A heuristic for long games without a repeat on small boards: long paths in the class graph.
//!
//! The vertices of the class graph are the symmetry classes of boards; an edge joins two classes if one
//! toggle leads from one to the other. A game without a repeat is a path in this graph.
//!
//! The path is extended by Warnsdorff's rule: to the unvisited neighbour with the fewest unvisited
//! neighbours. If the last vertex has none, a *rotation* changes the end of the path: an edge from the last
//! vertex to a random neighbour v on the path replaces the edge after v, so the part of the path after v
//! is reversed (L. Pósa, *Hamiltonian circuits in random graphs*, Discrete Mathematics 14, 1976). The random
//! numbers have a fixed seed. Rotations never show that a path is longest, so the work is bounded.

use super::super::{Move, Rules, Start};
use chacha20::{ChaCha8Rng, rand_core::SeedableRng};
use counterpoint_core::board::{Bits, Size};
use counterpoint_core::engine::{Budget, Limit};
use rand::RngExt;

/// The usual bound on work, measured in vertices moved by rotations.
pub(super) const MAX_WORK: usize = 1 << 24;

/// Returns the longest game found, of at most `moves` moves. The heuristic stops early when rotations have moved
/// `max_work` or more vertices. It supports boards of up to 16 squares.
///
/// # Errors
/// Returns the limit of the budget that was reached. Each rotation counts as one node of work.
pub(crate) fn game(
    rules: &Rules,
    size: Size,
    moves: usize,
    max_work: usize,
    budget: &mut Budget,
) -> Result<Vec<Move>, Limit> {
    let canonical = canonical_forms(rules, size);
    let squares = size.cells();
    // If the start counts, the path begins with the empty board and has one vertex more than the game has
    // moves. Otherwise it begins with the class of a single spot in the corner.
    let (start, target) = match rules.start {
        Start::Counted => (0, moves + 1),
        Start::Uncounted => (canonical[1] as usize, moves),
    };
    let toggled = |class: usize| (0..squares).map(move |square| class ^ 1 << square);
    let mut path = vec![start];
    // The position of each class on the path, counted from 1; 0 if it is not on the path.
    let mut position = vec![0u32; canonical.len()];
    position[start] = 1;
    let mut longest = path.clone();
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let mut work = 0;
    while path.len() < target && work < max_work {
        let end = path[path.len() - 1];
        let neighbours = || toggled(end).map(|board| canonical[board] as usize);
        let unvisited = |class: &usize| position[*class] == 0;
        let degree =
            |class: &usize| toggled(*class).filter(|b| position[canonical[*b] as usize] == 0).count();
        if let Some(class) = neighbours().filter(unvisited).min_by_key(degree) {
            path.push(class);
            position[class] = path.len() as u32;
            continue;
        }
        if path.len() > longest.len() {
            longest.clone_from(&path);
        }
        budget.node()?;
        let neighbours: Vec<usize> = neighbours().map(|class| position[class] as usize).collect();
        let from = neighbours[rng.random_range(0..neighbours.len())];
        work += 1 + path.len() - from;
        path[from..].reverse();
        for (i, class) in path.iter().enumerate().skip(from) {
            position[*class] = i as u32 + 1;
        }
    }
    let best = if path.len() > longest.len() { path } else { longest };
    let first = usize::from(rules.start == Start::Counted);
    Ok(moves_along(size, &canonical, &best[first.min(best.len())..]))
}

/// The moves of a game from the empty board through these classes.
fn moves_along(size: Size, canonical: &[u32], classes: &[usize]) -> Vec<Move> {
    let (mut number, mut board) = (0usize, Bits::zeros(size.cells()));
    let mut moves = Vec::new();
    for &class in classes {
        let leads = |square: &usize| canonical[number ^ 1 << square] as usize == class;
        // If two classes are adjacent, every board of one has a toggle that leads to the other.
        let Some(square) = (0..size.cells()).find(leads) else { break };
        let mv = Move::toggle(size.width, &board, size.cell(square));
        mv.apply(size.width, &mut board);
        number ^= 1 << square;
        moves.push(mv);
    }
    moves
}

/// The canonical form, that is, the smallest image, of every board. Boards are numbers in which bit i is set if the
/// square with index i has a spot.
fn canonical_forms(rules: &Rules, size: Size) -> Vec<u32> {
    let mut canonical: Vec<u32> = (0..1 << size.cells()).collect();
    for symmetry in rules.group.elements() {
        // The image of a board is the image of the board without its lowest spot, plus the image of that spot.
        let mut image = vec![0u32; canonical.len()];
        for board in 1..canonical.len() {
            let to = size.index(symmetry.apply(size.width, size.cell(board.trailing_zeros() as usize)));
            image[board] = image[board & (board - 1)] | 1 << to;
            canonical[board] = canonical[board].min(image[board]);
        }
    }
    canonical
}
