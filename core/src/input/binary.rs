//! Converts rows of two kinds of bytes to bits. Sixteen bytes are compared at once, and the results become 16 bits.

use wide::u8x16;

/// Writes one bit for each byte of a row to `words`, the first byte to the lowest bit: 1 for `one`, 0 for `zero`. Bits
/// beyond the row are 0. Returns false if a byte is neither.
pub fn bits(row: &[u8], zero: u8, one: u8, words: &mut Vec<u64>) -> bool {
    let (parts, rest) = row.as_chunks::<64>();
    let (zeros, ones) = (u8x16::splat(zero), u8x16::splat(one));
    let mut good = true;
    words.clear();
    words.extend(parts.iter().map(|part| {
        let (word, known) = bits_of_64(part, zeros, ones);
        good &= known;
        word
    }));
    if !rest.is_empty() {
        let mut last = [zero; 64];
        last[..rest.len()].copy_from_slice(rest);
        let (word, known) = bits_of_64(&last, zeros, ones);
        good &= known;
        words.push(word);
    }
    good
}

#[inline]
fn bits_of_64(row: &[u8; 64], zero: u8x16, one: u8x16) -> (u64, bool) {
    let (parts, _) = row.as_chunks::<16>();
    let (mut word, mut known) = (0, u8x16::splat(u8::MAX));
    for (i, &part) in parts.iter().enumerate() {
        let part = u8x16::new(part);
        let ones = part.simd_eq(one);
        known &= ones | part.simd_eq(zero);
        word |= u64::from(ones.to_bitmask()) << (16 * i);
    }
    (word, known.all())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_any_length_with_any_byte_anywhere() {
        let mut words = vec![7; 9];
        for length in [0, 1, 7, 15, 16, 17, 63, 64, 65, 128, 200] {
            let is_one = |i: usize| i.is_multiple_of(3) || i % 7 == 2;
            let mut row: Vec<u8> = (0..length).map(|i| if is_one(i) { b'b' } else { b'w' }).collect();
            assert!(bits(&row, b'w', b'b', &mut words));
            let expected = |i: usize| i < length && is_one(i);
            assert!((0..64 * words.len()).all(|i| (words[i / 64] >> (i % 64) & 1 == 1) == expected(i)));
            assert_eq!(words.len(), length.div_ceil(64));
            for i in 0..length {
                for byte in (0..=u8::MAX).filter(|byte| !b"bw".contains(byte)) {
                    let good = std::mem::replace(&mut row[i], byte);
                    assert!(!bits(&row, b'w', b'b', &mut words), "{byte} at {i} of {length}");
                    row[i] = good;
                }
            }
        }
    }
}
