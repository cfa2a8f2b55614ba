//! Converts rows of two kinds of bytes to bits. The loops over 64 bytes have no branches, so the compiler turns them
//! into SIMD instructions.

/// Writes one bit for each byte of a row to `words`, the first byte to the lowest bit: 1 for `one`, 0 for `zero`. Bits
/// beyond the row are 0. Returns false if a byte is neither.
pub fn bits(row: &[u8], zero: u8, one: u8, words: &mut Vec<u64>) -> bool {
    let (parts, rest) = row.as_chunks::<64>();
    let mut good = true;
    words.clear();
    words.extend(parts.iter().map(|part| {
        let (word, known) = bits_of_64(part, zero, one);
        good &= known;
        word
    }));
    if !rest.is_empty() {
        let mut last = [zero; 64];
        last[..rest.len()].copy_from_slice(rest);
        let (word, known) = bits_of_64(&last, zero, one);
        good &= known;
        words.push(word);
    }
    good
}

#[inline]
fn bits_of_64(row: &[u8; 64], zero: u8, one: u8) -> (u64, bool) {
    let mut ones = [0; 64];
    let mut unknown = 0;
    for (is_one, &byte) in ones.iter_mut().zip(row) {
        *is_one = u8::from(byte == one);
        unknown |= u8::from(byte != one) & u8::from(byte != zero);
    }
    let (groups, _) = ones.as_chunks::<8>();
    let gathered = groups.iter().rev().fold(0, |word, group| word << 8 | gather(*group));
    (gathered, unknown == 0)
}

/// Eight bytes, each 0 or 1, as the eight low bits of a word. In the factor, bits 56, 49, ..., 7 are set. So the
/// multiplication moves the bit of byte i from position 8i to position 56 + i. No two partial products have a bit at
/// the same position, so there are no carries.
#[inline]
fn gather(bytes: [u8; 8]) -> u64 {
    u64::from_le_bytes(bytes).wrapping_mul(0x0102_0408_1020_4080) >> 56
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
