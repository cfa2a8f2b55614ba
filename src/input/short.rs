//! The plainest short lines, eight bytes at a time: no branch depends on how long their numbers are.
//!
//! A line such as `7 12 +` is brought into the form `07 12 +` by shifting in the tens digit that it
//! lacks; then all eight bytes are held against that form at once (SWAR; L. Lamport, *Multiple Byte
//! Processing with Full-Word Instructions*, 1975).

/// The form: digits, separators, and a byte that may be anything.
const FORM: u64 = u64::from_le_bytes(*b"00 00 \0\n");
/// What carries into a byte's high bit if it differs from the form by more than it may.
const SLACK: u64 = u64::from_le_bytes([0x76, 0x76, 0x7f, 0x76, 0x76, 0x7f, 0, 0x7f]);
const HIGH: u64 = u64::from_le_bytes([0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0, 0x80]);

/// What stands on a line of two numbers below 100 and any byte, with one space after each number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Triple {
    /// The numbers.
    pub numbers: [u32; 2],
    /// The byte behind them, for the caller to judge: a space or LF is possible too.
    pub byte: u8,
    /// Of the line in bytes, its LF included.
    pub length: usize,
}

/// The line at the start of `text`, if it is such a line and eight bytes are there to look at.
#[inline]
pub fn triple(text: &[u8]) -> Option<Triple> {
    let word = u64::from_le_bytes(*text.first_chunk()?);
    let short_x = (word >> 8) as u8 == b' ';
    let word = if short_x { (word << 8) | (FORM & 0xff) } else { word };
    let short_y = (word >> 32) as u8 == b' ';
    let gap = ((word >> 24) << 32) | (FORM & 0xff00_0000) | (word & 0xff_ffff);
    let word = if short_y { gap } else { word };
    let off = word ^ FORM;
    if (((off & !HIGH) + SLACK) | off) & HIGH != 0 {
        return None;
    }
    // Each byte and ten times the one before it: no sum reaches 256.
    let sums = off.wrapping_mul(1 + (10 << 8));
    let numbers = [(sums >> 8) as u8, (sums >> 32) as u8].map(u32::from);
    let length = 8 - usize::from(short_x) - usize::from(short_y);
    Some(Triple { numbers, byte: (word >> 48) as u8, length })
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
                    let found = triple(&other);
                    // Such a line ends one byte earlier, and is no line of three.
                    if found.is_some_and(|found| found.byte != b'\n') || plain(&other).is_some() {
                        assert_eq!(found, plain(&other), "{:?}", other.escape_ascii().to_string());
                    }
                }
            }
        }
        assert_eq!(triple(b"1 2 +\n0"), None, "seven bytes are too few to look at");
    }
}
