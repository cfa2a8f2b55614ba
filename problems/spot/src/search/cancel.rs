//! Whether enough unknown moves are left to make two boards equal.
//!
//! # Counting
//! Let d be the set of squares in which board m and the image of board i would differ if no further unknown move were
//! made. An unknown move after move i (a *late* one) changes d in one square. An unknown move up to move i (an *early*
//! one) changes d in a square and its image. So the cycles of the symmetry are independent: which squares of a cycle
//! an odd number of early moves toggle determines which ones an odd number of late moves must toggle. Each such choice
//! needs a minimum number of early and of late moves, and the numbers of all cycles must fit into the numbers of
//! moves that there are.
//!
//! # Parity
//! Two more moves on one square change nothing, so what is left over of the late moves must be even. What is left over
//! of the early moves must be even, too, unless a symmetry fixes a square, or two late moves are left over: together
//! with an early move, they can make one spot advance by one step of a cycle.

use super::known::bits;

/// The unknown moves that are left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Left {
    /// The number of those up to the earlier board.
    pub(super) early: usize,
    /// The number of those after it.
    pub(super) late: usize,
}

/// The maximum number of early moves for which cycles are counted.
const MAX_EARLY: usize = 127;
/// The maximum length of a cycle, the order of an element of a group.
const MAX_CYCLE: usize = 4;

/// Whether the moves that are left can cancel `difference`, which has `size` squares. The symmetry maps each square to
/// its `image`. Under the identity, early moves change nothing, so `left.early` must be 0.
pub(super) fn can_cancel(
    difference: &[u64],
    size: usize,
    left: Left,
    image: impl Fn(usize) -> usize,
    fixes_square: impl Fn() -> bool,
) -> bool {
    let Left { early, late } = left;
    if size > late + 2 * early || (size + late) % 2 == 1 {
        return false;
    }
    if early == 0 || early > MAX_EARLY {
        return true;
    }
    // Bit j of entry k: whether k late and j early moves are enough for the cycles so far.
    let mut enough = vec![0u128; late + 1];
    enough[0] = 1;
    let mut next = vec![0u128; late + 1];
    let is_set = |square: usize| difference[square / 64] >> (square % 64) & 1 == 1;
    for square in bits(difference) {
        // Bit k: whether square k of the cycle is in the difference.
        let (mut at, mut length, mut set, mut is_first) = (image(square), 1, 1u32, true);
        while at != square {
            if is_set(at) {
                set |= 1 << length;
                is_first &= at > square;
            }
            length += 1;
            at = image(at);
        }
        if !is_first {
            continue;
        }
        if length > MAX_CYCLE {
            return true;
        }
        next.fill(0);
        for toggled in 0..1u32 << length {
            let images = (toggled << 1 | toggled >> (length - 1)) & ((1 << length) - 1);
            let needed = (set ^ toggled ^ images).count_ones() as usize;
            for (have, &before) in enough.iter().enumerate().take((late + 1).saturating_sub(needed)) {
                next[have + needed] |= before << toggled.count_ones();
            }
        }
        std::mem::swap(&mut enough, &mut next);
    }
    let any = (1u128 << early << 1).wrapping_sub(1);
    let even = if early % 2 == 0 { u128::MAX / 3 } else { (u128::MAX / 3) << 1 };
    let spare = |k: usize| enough[k] & any;
    let same_parity = (late % 2..=late).step_by(2);
    same_parity.clone().any(|k| spare(k) & even != 0)
        || same_parity.clone().any(|k| k < late && spare(k) & any >> 1 != 0)
        || fixes_square() && same_parity.clone().any(|k| spare(k) != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All differences on six squares, in cycles of 4, 2 or 1 squares, compared with all sequences of moves.
    #[test]
    fn counting_agrees_with_trying_all_moves() {
        let symmetries = [[1, 2, 3, 0, 5, 4], [1, 0, 3, 2, 5, 4], [1, 2, 3, 0, 4, 5], [0, 1, 2, 3, 4, 5]];
        for images in symmetries {
            let has_fixed = (0..).zip(images).any(|(square, image)| square == image);
            for early in 0..4 {
                for late in 0..5 {
                    let reached = reached(&images, early, late);
                    for difference in 0..64u64 {
                        let size = difference.count_ones() as usize;
                        // Under the identity, early moves do not count.
                        let early = if images[1] == 1 { 0 } else { early };
                        let left = Left { early, late };
                        let answer =
                            can_cancel(&[difference], size, left, |square| images[square], || has_fixed);
                        assert_eq!(
                            answer, reached[difference as usize],
                            "{images:?} {left:?} {difference:06b}"
                        );
                    }
                }
            }
        }
    }

    /// For each difference, whether this many moves can make it.
    fn reached(images: &[usize; 6], early: usize, late: usize) -> Vec<bool> {
        let mut reached = vec![false; 64];
        reached[0] = true;
        for mv in 0..early + late {
            let mut next = vec![false; 64];
            for (difference, _) in reached.iter().enumerate().filter(|(_, is_reached)| **is_reached) {
                for (square, image) in images.iter().enumerate() {
                    let change = if mv < early { 1 << square ^ 1 << image } else { 1 << square };
                    next[difference ^ change] = true;
                }
            }
            reached = next;
        }
        reached
    }
}
