//! Bit-sliced counters: one small number for each cell, stored as one mask for each binary digit. Adding a mask
//! increments the counters of all its cells with a few word operations (vertical counters; Harley and Seal).

use super::mask::Mask;

/// A counter for each cell, which saturates at 31. Digits are stored least significant first.
pub(super) struct Slices<const W: usize>([Mask<W>; 5]);

impl<const W: usize> Slices<W> {
    /// All counters 0.
    pub(super) const ZERO: Self = Slices([Mask::EMPTY; 5]);

    /// Increments the counters of the cells of `mask`.
    #[inline]
    pub(super) fn add(&mut self, mask: Mask<W>) {
        self.add_digits([mask, Mask::EMPTY, Mask::EMPTY]);
    }

    /// Adds to the counter of each cell the number of masks that contain it.
    #[inline]
    pub(super) fn add_four(&mut self, masks: [Mask<W>; 4]) {
        self.add_digits(sum_of_four(masks));
    }

    /// Adds a number of three binary digits to the counter of each cell, with a carry chain.
    #[inline]
    fn add_digits(&mut self, numbers: [Mask<W>; 3]) {
        let mut carry = Mask::EMPTY;
        for (i, digit) in self.0.iter_mut().enumerate() {
            let other = numbers.get(i).copied().unwrap_or(Mask::EMPTY);
            let odd = digit.xor(other);
            let next = digit.and(other).or(odd.and(carry));
            *digit = odd.xor(carry);
            carry = next;
        }
        // A carry out of the last digit means overflow: set all digits.
        self.0.iter_mut().for_each(|digit| *digit = digit.or(carry));
    }

    /// The cells of `among` whose counters are the lowest.
    pub(super) fn least(&self, among: Mask<W>) -> Mask<W> {
        self.0.iter().rev().fold(among, |at, digit| {
            let smaller = at.without(*digit);
            if smaller.is_empty() { at } else { smaller }
        })
    }
}

/// For each cell, how many of the four masks contain it, as three binary digits.
#[inline]
pub(super) fn sum_of_four<const W: usize>([a, b, c, d]: [Mask<W>; 4]) -> [Mask<W>; 3] {
    let (odd, carries) = ([a.xor(b), c.xor(d)], [a.and(b), c.and(d)]);
    let two = carries[0].xor(carries[1]).xor(odd[0].and(odd[1]));
    [odd[0].xor(odd[1]), two, carries[0].and(carries[1])]
}

#[cfg(test)]
mod tests {
    use super::*;
    use chacha20::ChaCha8Rng;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn counters_agree_with_plain_numbers() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut random = || (0..128).filter(|_| rng.random_bool(0.6)).collect::<Vec<usize>>();
        for rounds in [0, 1, 2, 5, 20] {
            let (mut slices, mut numbers) = (Slices::<2>::ZERO, [0; 128]);
            for _ in 0..rounds {
                let cells = [random(), random(), random(), random(), random()];
                let [a, b, c, d, e] = cells.each_ref().map(|cells| Mask::of(cells.iter().copied()));
                slices.add(a);
                slices.add_four([b, c, d, e]);
                cells.iter().flatten().for_each(|&i| numbers[i] = 31.min(numbers[i] + 1));
            }
            let among = random();
            let mask = Mask::of(among.iter().copied());
            let all = || among.iter().map(|&i| numbers[i]);
            let of = |number| among.iter().copied().filter(move |&i| Some(numbers[i]) == number);
            assert!(slices.least(mask).iter().eq(of(all().min())));
        }
    }
}
