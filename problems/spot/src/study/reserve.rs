//! A bound without search: reserved classes guarantee that the pursued is not forced to repeat soon.
//!
//! The parity of a class is that of its number of spots. One player, the pursuer, always moves to classes of one
//! parity; the other player, the pursued, always moves to classes of the other parity. The pursued is forced to repeat
//! at a class w if all neighbours of w are produced. Only moves of the pursued produce these neighbours. (The empty
//! board is an exception if the start counts: it is produced without a move.)
//!
//! A class is *fresh* until it is produced. Suppose that a fresh neighbour ρ(v) is *reserved* for each of some classes
//! v, and that all ρ(v) are different. From v, the pursued moves to ρ(v); from any other class, it moves to a fresh
//! neighbour that is not reserved. So the pursued has an answer at every v.
//!
//! Consider the next r moves of the pursued and a class w without a reserved neighbour. The pursued has an answer at w
//! throughout these moves if w has more fresh, unreserved neighbours than the first r - 1 of the moves can produce. A
//! move produces at most one neighbour of w. If w has d more or d fewer spots than the class at which the pursuer is to
//! move, the j-th of these moves can produce a neighbour of w only if 2j + 1 ≥ d.
//!
//! # Algorithm
//! A class *lacks* neighbours if the pursuer can reach it in time, no neighbour is reserved for it, and it has fewer
//! fresh neighbours that are not reserved than it needs. While some class lacks neighbours, take the class that lacks
//! the most and reserve a neighbour for it. This is a fresh, unreserved neighbour, if there is one; otherwise an
//! augmenting path frees a neighbour. The algorithm stops when no class lacks neighbours: then the pursued has an
//! answer everywhere. It also stops when no neighbour can be reserved for a class: then the bound shows nothing.

use super::matching::Graph;

/// Stands for no class.
const NONE: u32 = u32::MAX;

/// Says which classes are produced at some point of a game, and counts fresh neighbours.
#[derive(Clone, Debug)]
pub struct Produced {
    /// For each class, by its index in the graph, the number of spots.
    pub spots: Vec<u8>,
    /// For each class, whether it is fresh, that is, not produced yet.
    pub fresh: Vec<bool>,
    /// For each class, the number of its fresh neighbours.
    pub fresh_neighbours: Vec<u8>,
}

impl Produced {
    /// The state in which no class is produced; `spots` returns the number of spots of a class.
    pub fn new<G: Graph>(graph: G, spots: impl Fn(usize) -> u32) -> Produced {
        let classes = 0..graph.node_count();
        Produced {
            spots: classes.clone().map(|class| spots(class) as u8).collect(),
            fresh: vec![true; classes.len()],
            fresh_neighbours: classes.map(|class| graph.around(class).count() as u8).collect(),
        }
    }

    /// Marks a class as produced.
    pub fn produce<G: Graph>(&mut self, graph: G, class: usize) {
        self.fresh[class] = false;
        graph.around(class).for_each(|near| self.fresh_neighbours[near] -= 1);
    }

    /// Marks a produced class as fresh again.
    pub fn take_back<G: Graph>(&mut self, graph: G, class: usize) {
        self.fresh[class] = true;
        graph.around(class).for_each(|near| self.fresh_neighbours[near] += 1);
    }

    /// The number of fresh, unreserved neighbours that `class` needs so that the pursued has an answer there during its
    /// next `moves` moves, with the pursuer to move at `from`. `None` if the pursuer cannot reach `class` in time.
    pub fn needed(&self, from: usize, moves: usize, class: usize) -> Option<usize> {
        let distance = usize::from(self.spots[from].abs_diff(self.spots[class]));
        let first = (distance.saturating_sub(1) / 2).max(1);
        (first <= moves && distance < 2 * moves).then(|| moves + 1 - first)
    }
}

/// A class, and the neighbour that is reserved for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reservation {
    /// The class.
    pub class: usize,
    /// The neighbour that is reserved for it.
    pub neighbour: usize,
}

/// Reservations that guarantee the pursued an answer in each of its next `moves` moves, with the pursuer to move at
/// `from`; `None` if the bound does not show this. O(classes + reservations × (lacking classes + degree²)), plus the
/// augmenting paths.
pub fn reserve<G: Graph>(
    graph: G,
    produced: &Produced,
    from: usize,
    moves: usize,
) -> Option<Vec<Reservation>> {
    let mut reservations = Reservations::new(graph, produced);
    let parity = 1 - produced.spots[from] % 2;
    let comes = |class: &usize| produced.fresh[*class] && produced.spots[*class] % 2 == parity;
    let lacks = |class: &usize| {
        let needed = produced.needed(from, moves, *class);
        needed.is_some_and(|needed| usize::from(produced.fresh_neighbours[*class]) < needed)
    };
    let mut lacking: Vec<usize> = (0..produced.fresh.len()).filter(comes).filter(lacks).collect();
    // How many more fresh, unreserved neighbours a class has than it needs; negative if it lacks some, `None` if the
    // pursuer cannot reach it in time.
    let spare = |reservations: &Reservations<'_, G>, class: usize| {
        let needed = produced.needed(from, moves, class);
        needed.map(|needed| reservations.unreserved[class] as i32 - needed as i32)
    };
    // The class that lacks the most comes first; ties go to the lowest index.
    let order = |reservations: &Reservations<'_, G>, class: usize| (spare(reservations, class), class);
    while let Some(at) = (0..lacking.len()).min_by_key(|&at| order(&reservations, lacking[at])) {
        let class = lacking.swap_remove(at);
        reservations.has_one[class] = true;
        // How much a reservation of `near` harms the other classes around it: most if a class has no spare neighbour.
        let harm = |near: usize| -> u32 {
            let others = graph.around(near);
            let others = others.filter(|&other| produced.fresh[other] && !reservations.has_one[other]);
            let harm = |other| match spare(&reservations, other)? {
                ..=0 => Some(64),
                1 => Some(8),
                2 => Some(2),
                _ => Some(1),
            };
            others.filter_map(harm).sum()
        };
        let is_free = |near: &usize| produced.fresh[*near] && reservations.holder[*near] == NONE;
        let taken = match graph.around(class).filter(is_free).min_by_key(|&near| (harm(near), near)) {
            Some(near) => {
                reservations.assign(near, class);
                near
            }
            None => reservations.augment(class)?,
        };
        for near in graph.around(taken).filter(|&near| produced.fresh[near]) {
            reservations.unreserved[near] -= 1;
            if !reservations.has_one[near] && spare(&reservations, near) == Some(-1) {
                lacking.push(near);
            }
        }
    }
    Some(reservations.list())
}

/// The reservations so far: a matching of classes and neighbours.
struct Reservations<'a, G> {
    graph: G,
    produced: &'a Produced,
    /// For each class, the number of its fresh neighbours that are not reserved.
    unreserved: Vec<u8>,
    /// For each class, the class for which it is reserved, or `NONE`.
    holder: Vec<u32>,
    /// For each class, whether one of its neighbours is reserved for it.
    has_one: Vec<bool>,
}

impl<'a, G: Graph> Reservations<'a, G> {
    fn new(graph: G, produced: &'a Produced) -> Self {
        let classes = produced.fresh.len();
        Reservations {
            graph,
            produced,
            unreserved: produced.fresh_neighbours.clone(),
            holder: vec![NONE; classes],
            has_one: vec![false; classes],
        }
    }

    fn assign(&mut self, near: usize, class: usize) {
        self.holder[near] = class as u32;
    }

    fn list(&self) -> Vec<Reservation> {
        let reserved = self.holder.iter().enumerate().filter(|&(_, &holder)| holder != NONE);
        reserved.map(|(neighbour, &class)| Reservation { class: class as usize, neighbour }).collect()
    }

    /// Reserves a neighbour for `class` by an augmenting path, which is found by breadth-first search. Returns the end
    /// of the path, the only class that was not reserved before; `None` if there is no augmenting path.
    fn augment(&mut self, class: usize) -> Option<usize> {
        // Classes for which a neighbour is to be reserved, each with the neighbour that is reserved for it so far.
        let mut queue = vec![(class, None)];
        // For each neighbour, the queue index of the class from which it was reached.
        let mut reached_from = vec![NONE; self.holder.len()];
        let mut at = 0;
        while let Some(&(needy, _)) = queue.get(at) {
            for near in self.graph.around(needy) {
                if !self.produced.fresh[near] || reached_from[near] != NONE {
                    continue;
                }
                reached_from[near] = at as u32;
                if self.holder[near] != NONE {
                    queue.push((self.holder[near] as usize, Some(near)));
                    continue;
                }
                let mut taken = Some(near);
                while let Some(near) = taken {
                    let (needy, before) = queue[reached_from[near] as usize];
                    self.assign(near, needy);
                    taken = before;
                }
                return Some(near);
            }
            at += 1;
        }
        None
    }
}
