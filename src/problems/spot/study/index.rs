//! A set of numbers with a dense index of its members. The index of a member is found by counting one bits (G.
//! Jacobson,
//! *Space-efficient Static Trees and Graphs*, FOCS 1989), the member at an index by looking it up in a list.

/// A set of numbers below 2^32.
#[derive(Clone, Debug)]
pub struct Index {
    blocks: Vec<Block>,
    members: Vec<u32>,
}

/// 64 numbers.
#[derive(Clone, Copy, Debug, Default)]
struct Block {
    /// Bit i for number 64 b + i of block b.
    bits: u64,
    /// Members in the blocks before.
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

    /// The number of members less than `number`. For a member this is its index, from 0 in ascending order.
    pub fn rank(&self, number: u32) -> u32 {
        let block = self.blocks[number as usize / 64];
        block.before + (block.bits & ((1 << (number % 64)) - 1)).count_ones()
    }

    /// The member at an index below [`Index::len`].
    pub fn member(&self, rank: u32) -> u32 {
        self.members[rank as usize]
    }
}
