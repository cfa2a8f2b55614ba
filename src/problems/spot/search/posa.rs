//! Long games without a repeat on small boards, as long paths in the graph of classes.
//!
//! The path grows by Warnsdorff's rule. Where it is stuck, an edge from its end back into it lets it be
//! turned about: the part behind that vertex is reversed, which gives it another end (L. Pósa,
//! *Hamiltonian circuits in random graphs*, Discrete Mathematics 14, 1976). Chance has a fixed seed.

use super::super::{Move, Rules, Start};
use crate::board::{Bits, Size};
use crate::engine::{Budget, Limit};
use rand::RngExt;
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};

/// As many vertices are moved by rotations, as a rule, before the longest path so far is taken.
pub(super) const MAX_WORK: usize = 1 << 24;

/// The longest game that was found, of at most `moves` moves, with at most `most_work` vertices moved. Boards of up to 16 squares.
///
/// # Errors
/// The limit that was met; each rotation is a node.
pub(in crate::problems::spot) fn game(
    rules: &Rules,
    size: Size,
    moves: usize,
    most_work: usize,
    budget: &mut Budget,
) -> Result<Vec<Move>, Limit> {
    let least = least_images(rules, size);
    let squares = size.cells();
    // Uncounted, the first class is that of a spot in the corner, and the path is one shorter.
    let (start, want) = match rules.start {
        Start::Counted => (0, moves + 1),
        Start::Uncounted => (least[1] as usize, moves),
    };
    let next = |class: usize| (0..squares).map(move |square| class ^ 1 << square);
    let mut path = vec![start];
    // One more than the place of a class on the path, or 0.
    let mut place = vec![0u32; least.len()];
    place[start] = 1;
    let mut longest = path.clone();
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let mut work = 0;
    while path.len() < want && work < most_work {
        let end = path[path.len() - 1];
        let classes = || next(end).map(|board| least[board] as usize);
        let fresh = |class: &usize| place[*class] == 0;
        let onward = |class: &usize| next(*class).filter(|b| place[least[*b] as usize] == 0).count();
        if let Some(class) = classes().filter(fresh).min_by_key(onward) {
            path.push(class);
            place[class] = path.len() as u32;
            continue;
        }
        if path.len() > longest.len() {
            longest.clone_from(&path);
        }
        budget.node()?;
        let back: Vec<usize> = classes().map(|class| place[class] as usize).collect();
        let from = back[rng.random_range(0..back.len())];
        work += 1 + path.len() - from;
        path[from..].reverse();
        for (i, class) in path.iter().enumerate().skip(from) {
            place[*class] = i as u32 + 1;
        }
    }
    let best = if path.len() > longest.len() { path } else { longest };
    let first = usize::from(rules.start == Start::Counted);
    Ok(moves_along(size, &least, &best[first.min(best.len())..]))
}

/// Moves from the empty board through these classes.
fn moves_along(size: Size, least: &[u32], classes: &[usize]) -> Vec<Move> {
    let (mut number, mut board) = (0usize, Bits::zeros(size.cells()));
    let mut moves = Vec::new();
    for &class in classes {
        let leads = |square: &usize| least[number ^ 1 << square] as usize == class;
        // An edge between classes is one from every board of either.
        let Some(square) = (0..size.cells()).find(leads) else { break };
        let mv = Move::toggle(size.width, &board, size.cell(square));
        mv.apply(size.width, &mut board);
        number ^= 1 << square;
        moves.push(mv);
    }
    moves
}

/// The least image of every board; boards are numbers with bit i for the square of index i.
fn least_images(rules: &Rules, size: Size) -> Vec<u32> {
    let mut least: Vec<u32> = (0..1 << size.cells()).collect();
    for symmetry in rules.group.elements() {
        // By the lowest spot: the image of a board is that spot's and the image of what is left.
        let mut image = vec![0u32; least.len()];
        for board in 1..least.len() {
            let to = size.index(symmetry.apply(size.width, size.cell(board.trailing_zeros() as usize)));
            image[board] = image[board & (board - 1)] | 1 << to;
            least[board] = least[board].min(image[board]);
        }
    }
    least
}
