//! The plainest short lines, eight bytes at a time: no branch depends on how long their numbers are.
//!
//! Where the separators stand is read off one word (SWAR; L. Lamport, *Multiple Byte Processing with
//! Full-Word Instructions*, 1975), and a missing tens digit is shifted in as a zero.

const LOW: u64 = u64::from_le_bytes([1; 8]);
const HIGH: u64 = LOW << 7;

/// What stands on a line of two numbers below 100 and any byte, with one space after each number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Triple {
    /// The numbers.
    pub numbers: [u32; 2],
    /// The byte behind them.
    pub byte: u8,
    /// Of the line in bytes, its LF included.
    pub length: usize,
}

/// The line at the start of `text`, if it is such a line and eight bytes are there to look at.
#[inline]
pub fn triple(text: &[u8]) -> Option<Triple> {
    let word = u64::from_le_bytes(*text.first_chunk()?);
    let spaces = equal(word, b' ');
    // Eight times the index of the first space, of the second, and of the line's end.
    let first = spaces.trailing_zeros() & !7;
    let second = (spaces & spaces.wrapping_sub(1)).trailing_zeros() & !7;
    let end = equal(word, b'\n').trailing_zeros() & !7;
    let (x, y) = (first, second.wrapping_sub(first + 8));
    let well_parted = (x == 8 || x == 16) && (y == 8 || y == 16) && end == second + 16;
    if !well_parted {
        return None;
    }
    // Four digits, two a number, the tens before the ones.
    let values = word ^ (LOW * u64::from(b'0'));
    let two = |from: u32, length: u32| u64::from((values >> from << (16 - length)) as u16);
    let digits = two(0, x) | two(first + 8, y) << 16;
    // A byte over 9 carries into its high bit, unless that is set already.
    if ((digits + 0x7676_7676) | digits) & (HIGH >> 32) != 0 {
        return None;
    }
    let number = |tens: u32| (digits >> tens & 15) as u32 * 10 + (digits >> (tens + 8) & 15) as u32;
    let byte = (word >> (second + 8)) as u8;
    Some(Triple { numbers: [number(0), number(16)], byte, length: end as usize / 8 + 1 })
}

/// The high bit of each byte of `word` that equals `byte`, and no other bit.
#[inline]
const fn equal(word: u64, byte: u8) -> u64 {
    let zero_there = word ^ (LOW * byte as u64);
    !(((zero_there & !HIGH) + !HIGH) | zero_there | !HIGH)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same by its definition.
    fn plain(text: &[u8]) -> Option<Triple> {
        let (head, _) = text.split_at_checked(8)?;
        let length = head.iter().position(|&b| b == b'\n')? + 1;
        let words: Vec<&[u8]> = head[..length - 1].splitn(3, |&b| b == b' ').collect();
        let [x, y, &[byte]] = words[..] else { return None };
        let number = |word: &[u8]| {
            let fits = (1..=2).contains(&word.len()) && word.iter().all(u8::is_ascii_digit);
            fits.then(|| word.iter().fold(0, |n, b| n * 10 + u32::from(b - b'0')))
        };
        Some(Triple { numbers: [number(x)?, number(y)?], byte, length })
    }

    #[test]
    fn every_plain_line_and_its_neighbours() {
        let mut found = 0;
        for (x, y) in (0..110).flat_map(|x| (0..110).map(move |y| (x, y))) {
            for line in
                [format!("{x} {y} +\n1 2 -\n"), format!("{x:02} {y} -\n3 4"), format!("{x}  {y}+\n 1 1")]
            {
                assert_eq!(triple(line.as_bytes()), plain(line.as_bytes()), "{line:?}");
                found += u32::from(plain(line.as_bytes()).is_some());
            }
        }
        assert_eq!(found, 2 * 100 * 100);
    }

    #[test]
    fn no_other_bytes_are_taken() {
        // All that can stand at one or two places of a good line.
        for line in [*b"12 34 +\n", *b"1 34 -\n0", *b"12 3 ?\n9", *b"1 2 +\n10"] {
            for (i, j) in (0..8).flat_map(|i| (0..=i).map(move |j| (i, j))) {
                for (a, b) in (0..=255).flat_map(|a| (0..=255).map(move |b| (a, b))) {
                    let mut other = line;
                    (other[i], other[j]) = (a, b);
                    assert_eq!(triple(&other), plain(&other), "{:?}", other.escape_ascii().to_string());
                }
            }
        }
        assert_eq!(triple(b"1 2 +\n0"), None, "seven bytes are too few to look at");
    }
}
