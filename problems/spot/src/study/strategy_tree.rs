//! Evidence for certificates: a winner's answers in a game without a limit, and strategy trees.
//!
//! A class is written as its canonical board, a number in which bit i is set if the square with row-major index i has a
//! spot. A move from one class to another is written as a square: the first square whose toggle leads from the
//! canonical board of the first class to the second class. The moves at a class are ordered by these squares.
//!
//! A tree for a position with the pursuer to move has one of three forms:
//! * `{"reserve": [[class, square], ..]}` shows that the pursuer cannot force a repeat because of reserved classes
//!   (`reserve.rs`). It lists each class with the move to the neighbour that is reserved for it. The list is empty if
//!   the pursued has no moves left.
//! * `{"each": [[square, tree], ..]}` shows that the pursuer cannot force a repeat for another reason. For each move of
//!   the pursuer, in order, it has the answer of the pursued and a tree for the position after this answer.
//! * `{"move": square, "then": [tree, ..]}` shows that the pursuer can force a repeat. It has the pursuer's move, and a
//!   tree for the position after each answer, in order.
//!
//! If the pursuer is player 2, the pursued makes the first move, so the evidence is not one of these trees. If the
//! pursuer cannot force a repeat, the evidence is a pair `[square, tree]`: the first move, and a tree for the position
//! after this move. If the pursuer can force a repeat, the evidence is a list with a tree for each first move.

use super::super::Rules;
use super::implicit::ImplicitGraph;
use super::matching::Graph;
use super::pursuit::{Pursuer, Pursuit};
use super::reserve::Reservation;
use super::strategy::Strategy;
use counterpoint_core::board::Bits;
use counterpoint_core::engine::{Budget, Limit};
use petgraph::graph::NodeIndex;
use petgraph::visit::IntoNodeIdentifiers;
use serde_json::{Map, Value, json};

/// Writes evidence about boards of one size.
pub struct TreeWriter<'a> {
    graph: &'a ImplicitGraph,
    squares: u32,
}

impl<'a> TreeWriter<'a> {
    /// A writer for `n`×`n` boards.
    pub fn new(graph: &'a ImplicitGraph, n: u32) -> Self {
        TreeWriter { graph, squares: n * n }
    }

    fn board(&self, class: usize) -> u32 {
        self.graph.board(NodeIndex::new(class))
    }

    /// The first square whose toggle leads from the canonical board of the class `from` to the class `to`.
    fn square(&self, from: usize, to: usize) -> u32 {
        let leads = |square: &u32| self.graph.class(self.board(from) ^ 1 << square).index() == to;
        (0..self.squares).find(leads).unwrap_or(0)
    }

    fn in_order(&self, from: usize, mut classes: Vec<usize>) -> Vec<usize> {
        classes.sort_by_key(|&to| self.square(from, to));
        classes
    }

    /// Evidence that the pursuer cannot force the other to repeat by move `limit`. The search must have found this.
    ///
    /// # Errors
    /// Returns the limit of the budget that was reached.
    pub fn holds<G: Graph>(
        &self,
        pursuit: &mut Pursuit<'_, G>,
        pursuer: Pursuer,
        limit: usize,
        budget: &mut Budget,
    ) -> Result<Value, Limit> {
        let moves = pursuer.others_moves(limit);
        if pursuer == Pursuer(1) || moves == 0 {
            return self.pursued(pursuit, 0, moves, budget);
        }
        self.answered(pursuit, 0, moves, budget)
    }

    fn pursued<G: Graph>(
        &self,
        pursuit: &mut Pursuit<'_, G>,
        class: usize,
        moves: usize,
        budget: &mut Budget,
    ) -> Result<Value, Limit> {
        let reserved = if moves == 0 { Some(Vec::new()) } else { pursuit.reserve(class, moves, budget)? };
        if let Some(reserved) = reserved {
            let pair = |&Reservation { class, neighbour }: &Reservation| {
                json!([self.board(class), self.square(class, neighbour)])
            };
            return Ok(json!({ "reserve": reserved.iter().map(pair).collect::<Vec<_>>() }));
        }
        let mut each = Vec::new();
        for next in self.in_order(class, pursuit.fresh(class)) {
            each.push(pursuit.after(next, |pursuit| self.answered(pursuit, next, moves, budget))?);
        }
        Ok(json!({ "each": each }))
    }

    /// An answer after which the pursuer cannot force a repeat, and the tree for the position after it.
    fn answered<G: Graph>(
        &self,
        pursuit: &mut Pursuit<'_, G>,
        class: usize,
        moves: usize,
        budget: &mut Budget,
    ) -> Result<Value, Limit> {
        for next in pursuit.answers(class) {
            let tree = pursuit.after(next, |pursuit| {
                if pursuit.pursue(next, moves - 1, budget)? {
                    return Ok(None);
                }
                self.pursued(pursuit, next, moves - 1, budget).map(Some)
            })?;
            if let Some(tree) = tree {
                return Ok(json!([self.square(class, next), tree]));
            }
        }
        Ok(Value::Null)
    }

    /// Evidence that the pursuer can force the other to repeat by move `limit`. The search must have found this.
    ///
    /// # Errors
    /// Returns the limit of the budget that was reached.
    pub fn forces<G: Graph>(
        &self,
        pursuit: &mut Pursuit<'_, G>,
        pursuer: Pursuer,
        limit: usize,
        budget: &mut Budget,
    ) -> Result<Value, Limit> {
        let moves = pursuer.others_moves(limit);
        if pursuer == Pursuer(1) {
            return self.forced(pursuit, 0, moves, budget);
        }
        self.all_forced(pursuit, 0, moves, budget)
    }

    fn forced<G: Graph>(
        &self,
        pursuit: &mut Pursuit<'_, G>,
        class: usize,
        moves: usize,
        budget: &mut Budget,
    ) -> Result<Value, Limit> {
        for next in pursuit.fresh(class) {
            let then = pursuit.after(next, |pursuit| {
                if !pursuit.answer(next, moves, budget)? {
                    return Ok(None);
                }
                self.all_forced(pursuit, next, moves, budget).map(Some)
            })?;
            if let Some(then) = then {
                return Ok(json!({ "move": self.square(class, next), "then": then }));
            }
        }
        Ok(Value::Null)
    }

    fn all_forced<G: Graph>(
        &self,
        pursuit: &mut Pursuit<'_, G>,
        class: usize,
        moves: usize,
        budget: &mut Budget,
    ) -> Result<Value, Limit> {
        let mut then = Vec::new();
        for next in self.in_order(class, pursuit.fresh(class)) {
            then.push(pursuit.after(next, |pursuit| self.forced(pursuit, next, moves - 1, budget))?);
        }
        Ok(Value::Array(then))
    }

    /// For a game without a limit on moves: the square that the winner toggles at each class at which it may be the
    /// winner's turn. Classes are in the order of their canonical boards, and each square is a digit in base 36.
    pub fn answers(&self, strategy: &Strategy, winner: u8) -> String {
        let turn = |class: &NodeIndex| self.graph.is_even(*class) == (winner == 1);
        let answer = |class| {
            let board = Bits::of_word(self.squares as usize, self.graph.board(class).into());
            char::from_digit(strategy.answer(&board) as u32, 36)
        };
        self.graph.node_identifiers().filter(turn).filter_map(answer).collect()
    }
}

/// The members with which every certificate of a question about `n`×`n` boards starts.
pub fn certificate(question: &str, n: u32, rules: &Rules) -> Map<String, Value> {
    let members = [
        ("problem", "spot".into()),
        ("question", question.into()),
        ("version", 1.into()),
        ("n", n.into()),
        ("symmetry", rules.group.name().into()),
        ("start", rules.start.name().into()),
    ];
    members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}
