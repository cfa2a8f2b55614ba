//! A set of numbers. Its members have consecutive indices from 0, in ascending order.
//!
//! The index of a member is found by counting one bits (G. Jacobson, *Space-efficient Static Trees and Graphs*, FOCS
//! 1989). A list gives the member at an index.

/// A set of numbers below 2^32.
#[derive(Clone, Debug)]
pub struct Index {
    /// Block b stands for the numbers from 64 b to 64 b + 63.
    blocks: Vec<Block>,
    /// The members in ascending order.
    members: Vec<u32>,
}

/// The members among 64 consecutive numbers.
#[derive(Clone, Copy, Debug, Default)]
struct Block {
    /// In block b, bit i is set if 64 b + i is a member.
    bits: u64,
    /// The number of members in the blocks before this one.
    before: u32,
}

impl Index {
    /// The set of the numbers below `end` for which `belongs` is true; O(end).
    pub fn new(end: u32, belongs: impl Fn(u32) -> bool) -> Index {
        let members: Vec<u32> = (0..end).filter(|&number| belongs(number)).collect();
        let mut blocks = vec![Block::default(); end.div_ceil(64) as usize];
        members.iter().for_each(|&member| blocks[member as usize / 64].bits |= 1 << (member % 64));
        let mut before = 0;
        for block in &mut blocks {
            block.before = before;
            before += block.bits.count_ones();
        }
        Index { blocks, members }
    }

    /// The number of members.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// The number of members less than `number`, which must be below the `end` of [`Index::new`]. For a member, this
    /// is its index.
    pub fn rank(&self, number: u32) -> u32 {
        let block = self.blocks[number as usize / 64];
        block.before + (block.bits & ((1 << (number % 64)) - 1)).count_ones()
    }

    /// The member at an index below [`Index::len`].
    pub fn member(&self, rank: u32) -> u32 {
        self.members[rank as usize]
    }
}
