//! The size of a formula, by groups of clauses. Short parities count with all their clauses, as in a lesson.

use crate::parity::Parities;
use counterpoint_encodings::{Lit, Parity, Sink, Var};
use serde_json::{Value, json};
use std::fmt;

/// A sink that only counts.
#[derive(Debug, Default)]
pub(super) struct Sizes {
    n_vars: u32,
    groups: Vec<Group>,
    /// The index of the current group.
    group: usize,
    parities: Parities,
}

#[derive(Debug, Default)]
struct Group {
    label: String,
    clauses: u64,
    literals: u64,
}

impl Sizes {
    pub(super) fn to_json(&self) -> Value {
        let sum = |of: fn(&Group) -> u64| self.groups.iter().map(of).sum::<u64>();
        let group = |group: &Group| json!({ "label": group.label, "clauses": group.clauses, "literals": group.literals });
        json!({
            "variables": self.n_vars,
            "clauses": sum(|group| group.clauses),
            "literals": sum(|group| group.literals),
            "parities": self.parities.to_json(),
            "groups": self.groups.iter().filter(|group| group.clauses > 0).map(group).collect::<Vec<_>>(),
        })
    }
}

impl Sink for Sizes {
    fn new_var(&mut self) -> Var {
        self.n_vars += 1;
        Var::new(self.n_vars - 1)
    }

    fn n_vars(&self) -> u32 {
        self.n_vars
    }

    fn clause(&mut self, lits: &[Lit]) {
        if self.groups.is_empty() {
            self.group("clauses");
        }
        let group = &mut self.groups[self.group];
        group.clauses += 1;
        group.literals += lits.len() as u64;
    }

    fn xor(&mut self, lits: &[Lit], odd: bool) {
        match self.parities.add(lits, odd) {
            Some(clauses) => clauses.iter().for_each(|lits| self.clause(lits)),
            None => Parity::DEFAULT.encode(self, lits, odd),
        }
    }

    fn named_var(&mut self, _: fmt::Arguments<'_>) -> Var {
        self.new_var()
    }

    fn group(&mut self, label: &str) {
        let known = self.groups.iter().position(|group| group.label == label);
        self.group = known.unwrap_or_else(|| {
            self.groups.push(Group { label: label.to_owned(), ..Group::default() });
            self.groups.len() - 1
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_are_counted_by_group() {
        let mut sizes = Sizes::default();
        let [a, b] = [sizes.new_var().pos_lit(), sizes.new_var().pos_lit()];
        sizes.clause(&[a]);
        sizes.group("pairs");
        sizes.clause(&[a, b]);
        sizes.clause(&[!a, !b]);
        sizes.group("clauses");
        sizes.xor(&[a, b], true);
        let json = sizes.to_json();
        assert_eq!((json["variables"].as_u64(), json["clauses"].as_u64()), (Some(2), Some(5)));
        assert_eq!(json["groups"][1], json!({ "label": "pairs", "clauses": 2, "literals": 4 }));
        assert_eq!(json["groups"][0]["literals"], 5);
        assert_eq!(json["parities"], Value::Null);
    }

    #[test]
    fn short_parities_are_counted_as_in_a_lesson() {
        let mut sizes = Sizes::default();
        let lits: Vec<Lit> = (0..12).map(|_| sizes.new_var().pos_lit()).collect();
        sizes.xor(&lits[..6], true);
        assert_eq!(
            (sizes.to_json()["variables"].as_u64(), sizes.to_json()["clauses"].as_u64()),
            (Some(12), Some(32))
        );
        sizes.xor(&lits, true);
        assert!(sizes.n_vars() > 12);
        assert_eq!(sizes.to_json()["parities"]["lines"], 1);
    }
}
