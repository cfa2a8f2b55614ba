//! Arrays that take little more room than what is in them: memory follows what was read of a proof.
//!
//! They grow by a quarter rather than twofold. Lists of many literals, most of them short or empty, are
//! chains through one array.

/// No place.
pub(crate) const NONE: u32 = u32::MAX;

fn make_room<T>(vec: &mut Vec<T>, more: usize) {
    if vec.capacity() - vec.len() < more {
        vec.reserve_exact(more.max(vec.len() / 4 + 4));
    }
}

pub(crate) fn push<T>(vec: &mut Vec<T>, item: T) {
    make_room(vec, 1);
    vec.push(item);
}

pub(crate) fn extend<T: Copy>(vec: &mut Vec<T>, items: &[T]) {
    make_room(vec, items.len());
    vec.extend_from_slice(items);
}

/// Fills up to `len`, if it is shorter.
pub(crate) fn fill<T: Copy>(vec: &mut Vec<T>, len: usize, item: T) {
    if vec.len() < len {
        make_room(vec, len - vec.len());
        vec.resize(len, item);
    }
}

/// For each of many places a list, the last item first.
pub(crate) struct Chains<T> {
    /// The first link of each list.
    heads: Vec<u32>,
    /// Each item with the next link.
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

    /// Leaves out of a list what is not to be kept.
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
    fn lists_keep_what_they_are_to_keep() {
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
