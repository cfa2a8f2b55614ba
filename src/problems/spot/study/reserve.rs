//! A reason why nobody is forced to repeat soon, without a search: classes kept in reserve.
//!
//! One player, the pursuer, moves to classes of one parity, the other, the pursued, to those of the other parity. The
//! pursued is forced to repeat at a class w if all neighbours of w are produced, and nobody but she produces them
//! (but for a start that counts). Suppose that some classes v have a neighbour ρ(v) each, all different, fresh, and kept for
//! v: the pursued answers v with ρ(v) and any other class with a fresh one that is kept for none. Then she
//! has an answer at every v. She has one at another class w for r more moves of hers, if w has more fresh neighbours kept
//! for none than she can have used up by then. A move of hers uses up one, and none before her walk
//! can have come near w: with d toggles or more from here to w her j-th move is next to w only if 2j + 1 ≥ d.
//!
//! Classes that lack neighbours get one reserved, along an augmenting path if all of theirs are taken, until none
//! lacks any or one cannot get any.

use super::matching::Graph;

/// No class.
const NONE: u32 = u32::MAX;

/// What a game has come to.
#[derive(Clone, Debug)]
pub struct Stage {
    /// For each class the number of its spots.
    pub spots: Vec<u8>,
    /// Whether a class is not produced yet.
    pub fresh: Vec<bool>,
    /// For each class how many of its neighbours are fresh.
    pub free: Vec<u8>,
}

impl Stage {
    /// No class is produced; `spots` says how many spots a class has.
    pub fn new<G: Graph>(graph: G, spots: impl Fn(usize) -> u32) -> Stage {
        let classes = 0..graph.node_count();
        Stage {
            spots: classes.clone().map(|class| spots(class) as u8).collect(),
            fresh: vec![true; classes.len()],
            free: classes.map(|class| graph.around(class).count() as u8).collect(),
        }
    }

    /// A class is produced.
    pub fn produce<G: Graph>(&mut self, graph: G, class: usize) {
        self.fresh[class] = false;
        graph.around(class).for_each(|near| self.free[near] -= 1);
    }

    /// It is not, after all.
    pub fn take_back<G: Graph>(&mut self, graph: G, class: usize) {
        self.fresh[class] = true;
        graph.around(class).for_each(|near| self.free[near] += 1);
    }

    /// How many fresh neighbours of `class`, kept for none, suffice for `moves` moves of the pursued with the pursuer to
    /// move at `from`; `None` where he cannot come.
    pub fn enough(&self, from: usize, moves: usize, class: usize) -> Option<usize> {
        let distance = usize::from(self.spots[from].abs_diff(self.spots[class]));
        let first = (distance.saturating_sub(1) / 2).max(1);
        (first <= moves && distance < 2 * moves).then(|| moves + 1 - first)
    }
}

/// Pairs of a class and the neighbour kept for it, by which the pursued has an answer for `moves` moves of hers, with the
/// pursuer to move at `from`; `None` if this way finds no reason. O(classes + pairs × degree²) but for augmenting
/// paths.
pub fn reserve<G: Graph>(graph: G, stage: &Stage, from: usize, moves: usize) -> Option<Vec<(usize, usize)>> {
    let mut kept = Kept::new(graph, stage);
    let parity = 1 - stage.spots[from] % 2;
    let comes = |class: &usize| stage.fresh[*class] && stage.spots[*class] % 2 == parity;
    let lacks = |class: &usize| {
        stage.enough(from, moves, *class).is_some_and(|enough| usize::from(stage.free[*class]) < enough)
    };
    let mut lacking: Vec<usize> = (0..stage.fresh.len()).filter(comes).filter(lacks).collect();
    // How many fresh neighbours, kept for none, a class has to spare.
    let spare = |kept: &Kept<'_, G>, class: usize| {
        stage.enough(from, moves, class).map(|enough| kept.open[class] as i32 - enough as i32)
    };
    // The class that lacks most goes first, of equal ones the lowest.
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

/// What is kept for whom.
struct Kept<'a, G> {
    graph: G,
    stage: &'a Stage,
    /// For each class how many fresh neighbours are kept for none.
    open: Vec<u8>,
    /// For whom a class is kept, or `NONE`.
    holder: Vec<u32>,
    /// Whether something is kept for a class.
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

    /// Keeps one more class, by a path along which each holder but the first hands over what is kept for it: the class
    /// at its end.
    fn augment(&mut self, class: usize) -> Option<usize> {
        // Who asks for a class, and what is kept for whoever asks.
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
