//! Reads short lines such as `7 12 +`, eight bytes at a time. No branch depends on the lengths of their numbers.
//!
//! Three bits determine which of four shapes the line can have. Then all bytes are compared with that shape at once,
//! and one product computes both numbers from their digits (SWAR; L. Lamport, *Multiple Byte Processing with
//! Full-Word Instructions*, 1975).

/// The shapes, indexed by how many of the bits [`SECOND`] are 1 in the line. `0` stands for a digit, `+` for a sign,
/// and `*` for any byte.
const SHAPES: [Shape; 4] =
    [Shape::new(b"0 0 +\n**"), Shape::new(b"0 00 +\n*"), Shape::new(b"00 0 +\n*"), Shape::new(b"00 00 +\n")];

/// Bit 4 of bytes 1, 3 and 4. It is 1 in digits, but 0 in spaces and signs.
const SECOND: u64 = u64::from_le_bytes([0, 0x10, 0, 0x10, 0x10, 0, 0, 0]);
/// The two highest bits of the product of these bits and `SUM` are the sum of the three bits, which is the index of the
/// shape.
const SUM: u64 = 1 << (62 - 12) | 1 << (62 - 28) | 1 << (62 - 36);
const HIGH: u64 = u64::from_le_bytes([0x80; 8]);

struct Shape {
    /// A line of this shape, with zeros in place of the bytes that may have any value.
    form: u64,
    /// The bits that are compared with the form.
    mask: u64,
    /// Added to the difference from the form, `slack` sets the high bit of each byte whose difference is too great:
    /// above 9 for a digit, above 0 for any other byte that is compared.
    slack: u64,
    /// The product of `weights` and the digits has the first number in byte 6 and the second in byte 4. No sum within a
    /// byte reaches 256.
    weights: u64,
}

impl Shape {
    const fn new(line: &[u8; 8]) -> Shape {
        let [mut form, mut mask, mut slack, mut weights] = [[0; 8]; 4];
        let (mut i, mut target) = (0, 6);
        while i < 8 {
            if line[i] != b'*' {
                (form[i], mask[i], slack[i]) = (line[i], 0xff, 0x7f);
            }
            if line[i] == b'+' {
                // The bytes from '(' to '/' differ only in their lowest three bits.
                (form[i], mask[i]) = (b'(', !7);
            } else if line[i] == b'0' {
                slack[i] = 0x7f - 9;
                weights[target - i] = if line[i + 1] == b'0' { 10 } else { 1 };
            } else if line[i] == b' ' {
                target = 4;
            }
            i += 1;
        }
        let [form, mask] = [u64::from_le_bytes(form), u64::from_le_bytes(mask)];
        Shape { form, mask, slack: u64::from_le_bytes(slack), weights: u64::from_le_bytes(weights) }
    }
}

/// A line of two numbers below 100, each followed by one space, and a byte from `(` to `/`, such as `+` or `-`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Triple {
    /// The numbers.
    pub numbers: [u8; 2],
    /// The byte after them, which the caller must test.
    pub byte: u8,
    /// The length of the line in bytes, including its LF.
    pub length: usize,
}

/// The line at the start of `text`; `None` if it has another form, or if `text` has fewer than eight bytes.
#[inline]
pub fn triple(text: &[u8]) -> Option<Triple> {
    let bytes: &[u8; 8] = text.first_chunk()?;
    let word = u64::from_le_bytes(*bytes);
    let long = ((word & SECOND).wrapping_mul(SUM) >> 62) as usize;
    // The length is computed rather than looked up, because the next line cannot be read until the length is known.
    let length = 6 + long.div_ceil(2);
    let Shape { form, mask, slack, weights } = SHAPES[long];
    let off = (word ^ form) & mask;
    if (off.wrapping_add(slack) | off) & HIGH != 0 {
        return None;
    }
    let sums = off.wrapping_mul(weights);
    Some(Triple { numbers: [(sums >> 48) as u8, (sums >> 32) as u8], byte: bytes[(length - 2) % 8], length })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computes the result of [`triple`] from its definition.
    fn plain(text: &[u8]) -> Option<Triple> {
        let (head, _) = text.split_at_checked(8)?;
        let length = head.iter().position(|&b| b == b'\n')? + 1;
        let words: Vec<&[u8]> = head[..length - 1].splitn(3, |&b| b == b' ').collect();
        let [x, y, &[byte @ b'('..=b'/']] = words[..] else { return None };
        let number = |word: &[u8]| {
            let fits = (1..=2).contains(&word.len()) && word.iter().all(u8::is_ascii_digit);
            fits.then(|| word.iter().fold(0, |n, b| n * 10 + (b - b'0')))
        };
        Some(Triple { numbers: [number(x)?, number(y)?], byte, length })
    }

    #[test]
    fn numbers_below_100_are_read_and_others_are_not() {
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
    fn lines_with_one_or_two_other_bytes_agree_with_the_definition() {
        // Every way to replace one or two bytes of a good line.
        for line in [*b"12 34 +\n", *b"1 34 -\n0", *b"12 3 *\n9", *b"1 2 +\n10"] {
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
