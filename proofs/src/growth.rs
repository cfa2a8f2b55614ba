//! Vectors that waste little memory: they grow by a quarter, not by a factor of two.
//!
//! So the memory of a check is a small multiple of what was read of the proof. For the same reason, if there are many
//! lists and most of them are short or empty, all are stored as chains in a single vector.

/// Stands for "no index".
pub(crate) const NONE: u32 = u32::MAX;

fn grow<T>(vec: &mut Vec<T>, more: usize) {
    if vec.capacity() - vec.len() < more {
        vec.reserve_exact(more.max(vec.len() / 4 + 4));
    }
}

pub(crate) fn push<T>(vec: &mut Vec<T>, item: T) {
    grow(vec, 1);
    vec.push(item);
}

pub(crate) fn extend<T: Copy>(vec: &mut Vec<T>, items: &[T]) {
    grow(vec, items.len());
    vec.extend_from_slice(items);
}

/// Lengthens a vector to `len` with copies of `item`, unless it is that long already.
pub(crate) fn fill<T: Copy>(vec: &mut Vec<T>, len: usize, item: T) {
    if vec.len() < len {
        grow(vec, len - vec.len());
        vec.resize(len, item);
    }
}

/// A list of items for each index. The item that was added last comes first.
pub(crate) struct Chains<T> {
    /// For each index, the first link of its list, or `NONE`.
    heads: Vec<u32>,
    /// Each item, with the index of the next link in the same list, or `NONE`.
    links: Vec<(T, u32)>,
}

impl<T> Default for Chains<T> {
    fn default() -> Self {
        Chains { heads: Vec::new(), links: Vec::new() }
    }
}

impl<T: Copy> Chains<T> {
    pub(crate) fn add(&mut self, at: usize, item: T) {
        fill(&mut self.heads, at + 1, NONE);
        let link = self.links.len() as u32;
        push(&mut self.links, (item, self.heads[at]));
        self.heads[at] = link;
    }

    pub(crate) fn of(&self, at: usize) -> impl Iterator<Item = T> + '_ {
        let mut next = self.heads.get(at).copied().unwrap_or(NONE);
        std::iter::from_fn(move || {
            let &(item, after) = self.links.get(next as usize)?;
            next = after;
            Some(item)
        })
    }

    /// Removes the items of a list for which `keep` returns false.
    pub(crate) fn retain(&mut self, at: usize, keep: impl Fn(T) -> bool) {
        let Some(head) = self.heads.get_mut(at) else { return };
        let (mut last, mut next) = (NONE, *head);
        while let Some(&(item, after)) = self.links.get(next as usize) {
            if keep(item) {
                last = next;
            } else if last == NONE {
                *head = after;
            } else {
                self.links[last as usize].1 = after;
            }
            next = after;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_grow_by_a_quarter() {
        let mut one = Vec::new();
        let capacities = (0..40).map(|i| {
            push(&mut one, i);
            one.capacity()
        });
        let expected = [(4, 4), (5, 9), (6, 15), (7, 22), (9, 31), (9, 42)];
        let expected = expected.into_iter().flat_map(|(count, capacity)| vec![capacity; count]);
        assert!(capacities.eq(expected));
        let mut many = Vec::new();
        let sizes = (0..4).map(|_| {
            extend(&mut many, &[7; 100]);
            (many.len(), many.capacity())
        });
        assert_eq!(sizes.collect::<Vec<_>>(), [(100, 100), (200, 200), (300, 300), (400, 400)]);
        fill(&mut many, 405, 1);
        fill(&mut many, 3, 1);
        assert_eq!((many.len(), many.capacity(), many.last()), (405, 504, Some(&1)));
    }

    #[test]
    fn retain_removes_exactly_the_other_items() {
        for kept in 0u32..1 << 5 {
            let mut chains = Chains::default();
            for item in 0..5u32 {
                chains.add(3, item);
                chains.add(1, 9);
            }
            let keep = |item: u32| kept >> item & 1 == 1;
            chains.retain(3, keep);
            chains.retain(7, keep);
            assert!(chains.of(3).eq((0..5).rev().filter(|&item| keep(item))));
            assert_eq!((chains.of(0).count(), chains.of(1).count(), chains.of(7).count()), (0, 5, 0));
            chains.add(3, 8);
            assert_eq!(chains.of(3).next(), Some(8));
        }
    }
}
