//! A bound without search: reserved classes guarantee that the pursued is not forced to repeat soon.
//!
//! One player, the pursuer, moves to classes of one parity, the other, the pursued, to those of the other parity. The
//! pursued is forced to repeat at a class w if all neighbours of w are produced, and only its own moves produce them
//! (apart from a start that counts).
//!
//! Suppose that each of some classes v has a neighbour ρ(v) that is fresh and reserved for v, with all ρ(v) different.
//! The pursued answers v with ρ(v), and any other class with a fresh neighbour that is not reserved. Then it has
//! an answer at every v. At another class w it has an answer for the next r of its moves if w has more fresh
//! neighbours that are not reserved than these moves can use up. Each move uses up at most one, and only if it is
//! made next to w: if w is at least d toggles away, the j-th move can be next to w only if 2j + 1 ≥ d.
//!
//! # Algorithm
//! While some class has too few neighbours that are not reserved, take the one that lacks most and reserve a
//! neighbour for it: a free one if it has any, else one gained by an augmenting path. Stop when no class lacks
//! neighbours (the bound holds) or when one cannot get any (nothing is shown).

use super::matching::Graph;

/// No class.
const NONE: u32 = u32::MAX;

/// The state of a game: which classes are produced.
#[derive(Clone, Debug)]
pub struct Stage {
    /// The number of spots of each class.
    pub spots: Vec<u8>,
    /// Whether each class is fresh, that is, not produced yet.
    pub fresh: Vec<bool>,
    /// The number of fresh neighbours of each class.
    pub free: Vec<u8>,
}

impl Stage {
    /// The state in which no class is produced; `spots` returns the number of spots of a class.
    pub fn new<G: Graph>(graph: G, spots: impl Fn(usize) -> u32) -> Stage {
        let classes = 0..graph.node_count();
        Stage {
            spots: classes.clone().map(|class| spots(class) as u8).collect(),
            fresh: vec![true; classes.len()],
            free: classes.map(|class| graph.around(class).count() as u8).collect(),
        }
    }

    /// Marks a class as produced.
    pub fn produce<G: Graph>(&mut self, graph: G, class: usize) {
        self.fresh[class] = false;
        graph.around(class).for_each(|near| self.free[near] -= 1);
    }

    /// Marks a produced class as fresh again.
    pub fn take_back<G: Graph>(&mut self, graph: G, class: usize) {
        self.fresh[class] = true;
        graph.around(class).for_each(|near| self.free[near] += 1);
    }

    /// The number of fresh, unreserved neighbours of `class` that suffice for `moves` moves of the pursued, with the
    /// pursuer to move at `from`; `None` if the pursuer cannot reach `class` in time.
    pub fn enough(&self, from: usize, moves: usize, class: usize) -> Option<usize> {
        let distance = usize::from(self.spots[from].abs_diff(self.spots[class]));
        let first = (distance.saturating_sub(1) / 2).max(1);
        (first <= moves && distance < 2 * moves).then(|| moves + 1 - first)
    }
}

/// Pairs of a class and the neighbour reserved for it that guarantee the pursued an answer for `moves` moves, with the
/// pursuer to move at `from`; `None` if the bound does not show this. O(classes + pairs × degree²), without the
/// augmenting paths.
pub fn reserve<G: Graph>(graph: G, stage: &Stage, from: usize, moves: usize) -> Option<Vec<(usize, usize)>> {
    let mut kept = Kept::new(graph, stage);
    let parity = 1 - stage.spots[from] % 2;
    let comes = |class: &usize| stage.fresh[*class] && stage.spots[*class] % 2 == parity;
    let lacks = |class: &usize| {
        stage.enough(from, moves, *class).is_some_and(|enough| usize::from(stage.free[*class]) < enough)
    };
    let mut lacking: Vec<usize> = (0..stage.fresh.len()).filter(comes).filter(lacks).collect();
    // The number of fresh, unreserved neighbours of a class beyond those it needs.
    let spare = |kept: &Kept<'_, G>, class: usize| {
        stage.enough(from, moves, class).map(|enough| kept.open[class] as i32 - enough as i32)
    };
    // The class that lacks most comes first; ties go to the lowest.
    while let Some(at) = (0..lacking.len()).min_by_key(|&at| (spare(&kept, lacking[at]), lacking[at])) {
        let class = lacking.swap_remove(at);
        kept.served[class] = true;
        let harm = |near: usize| -> u32 {
            let others = graph.around(near).filter(|&other| stage.fresh[other] && !kept.served[other]);
            let harm = |other| match spare(&kept, other)? {
                ..=0 => Some(64),
                1 => Some(8),
                2 => Some(2),
                _ => Some(1),
            };
            others.filter_map(harm).sum()
        };
        let open = graph.around(class).filter(|&near| stage.fresh[near] && kept.holder[near] == NONE);
        let taken = match open.min_by_key(|&near| (harm(near), near)) {
            Some(near) => {
                kept.keep(near, class);
                near
            }
            None => kept.augment(class)?,
        };
        for near in graph.around(taken).filter(|&near| stage.fresh[near]) {
            kept.open[near] -= 1;
            if !kept.served[near] && spare(&kept, near) == Some(-1) {
                lacking.push(near);
            }
        }
    }
    Some(kept.pairs())
}

/// The reservations: a matching of classes and neighbours.
struct Kept<'a, G> {
    graph: G,
    stage: &'a Stage,
    /// For each class the number of fresh neighbours that are not reserved.
    open: Vec<u8>,
    /// The class for which a class is reserved, or `NONE`.
    holder: Vec<u32>,
    /// Whether a neighbour is reserved for a class.
    served: Vec<bool>,
}

impl<'a, G: Graph> Kept<'a, G> {
    fn new(graph: G, stage: &'a Stage) -> Self {
        let classes = stage.fresh.len();
        Kept {
            graph,
            stage,
            open: stage.free.clone(),
            holder: vec![NONE; classes],
            served: vec![false; classes],
        }
    }

    fn keep(&mut self, near: usize, class: usize) {
        self.holder[near] = class as u32;
    }

    fn pairs(&self) -> Vec<(usize, usize)> {
        let kept = self.holder.iter().enumerate().filter(|&(_, &holder)| holder != NONE);
        kept.map(|(near, &class)| (class as usize, near)).collect()
    }

    /// Reserves a neighbour for `class` by an augmenting path, found breadth first. Returns the class at its end, the
    /// only one that was not reserved before.
    fn augment(&mut self, class: usize) -> Option<usize> {
        // For each class the queue index of the class that asks for it; the queue has asking classes, each with the
        // class that is reserved for it so far.
        let mut asked = vec![NONE; self.holder.len()];
        let mut queue = vec![(class, None)];
        let mut at = 0;
        while let Some(&(asking, _)) = queue.get(at) {
            for near in self.graph.around(asking) {
                if !self.stage.fresh[near] || asked[near] != NONE {
                    continue;
                }
                asked[near] = at as u32;
                if self.holder[near] != NONE {
                    queue.push((self.holder[near] as usize, Some(near)));
                    continue;
                }
                let mut taken = Some(near);
                while let Some(near) = taken {
                    let (asking, had) = queue[asked[near] as usize];
                    self.keep(near, asking);
                    taken = had;
                }
                return Some(near);
            }
            at += 1;
        }
        None
    }
}
