//! The order in which boards are tested.

/// The number of tiny boards that are tested before the first random one. After these, both kinds alternate, so that
/// boards of both kinds are tested even if time is short.
const TINY_FIRST: u64 = 64;

/// The kind of a board, and its number among those of its kind, from 0.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// A tiny board.
    Tiny(u64),
    /// A random board.
    Random(u64),
}

/// The board that is tested as number `number` among `tinies` tiny and `random` random ones.
pub(super) fn in_turn(number: u64, tinies: u64, random: u64) -> Turn {
    let first = tinies.min(TINY_FIRST);
    let Some(rest) = number.checked_sub(first) else { return Turn::Tiny(number) };
    let pairs = (tinies - first).min(random);
    match rest.checked_sub(2 * pairs) {
        None if rest % 2 == 0 => Turn::Tiny(first + rest / 2),
        None => Turn::Random(rest / 2),
        Some(left) if pairs == random => Turn::Tiny(first + pairs + left),
        Some(left) => Turn::Random(pairs + left),
    }
}

#[cfg(test)]
mod tests {
    use super::{TINY_FIRST, Turn, in_turn};

    #[test]
    fn every_board_has_one_turn_and_neither_kind_waits_for_the_other() {
        for (tinies, random) in [(0, 5), (5, 0), (TINY_FIRST, 3), (100, 10), (70, 100), (100, 36), (1, 1)] {
            let turns: Vec<Turn> =
                (0..tinies + random).map(|number| in_turn(number, tinies, random)).collect();
            for (count, kind) in [(tinies, Turn::Tiny as fn(u64) -> Turn), (random, Turn::Random)] {
                let places: Vec<_> =
                    (0..count).map(|number| turns.iter().position(|turn| *turn == kind(number))).collect();
                assert!(
                    places.iter().all(Option::is_some) && places.is_sorted(),
                    "{tinies} and {random}: {turns:?}"
                );
            }
            let begin = turns.iter().position(|turn| *turn == Turn::Random(0)).unwrap_or(0) as u64;
            assert!(begin <= TINY_FIRST + 1);
        }
    }
}
