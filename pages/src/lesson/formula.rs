//! A formula as a page shows it: groups of constraints, each as a sentence with its clauses.
//!
//! A short parity constraint is one line on the page. If consecutive clauses together say that at
//! most one of three or more literals is true, they are one line, too. This line begins with "at most one of".

use super::scene::number;
use crate::parity::Parities;
use counterpoint_core::export::{Names, at_most_one_sentence, parity_sentence, sentence};
use counterpoint_core::problem::{Minimised, Scene};
use counterpoint_encodings::{Lit, Parity, Sink, Var};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::fmt;

/// A sink that collects a formula for a page.
#[derive(Debug, Default)]
pub(super) struct PageFormula {
    n_vars: u32,
    names: Vec<(Var, String)>,
    /// The variables that determine the answer; `None` if the encoding does not declare them.
    pub(super) shown: Option<Vec<Var>>,
    /// The labels of the groups.
    groups: Vec<String>,
    /// The index of the current group.
    group: usize,
    constraints: Vec<Constraint>,
    parities: Parities,
}

#[derive(Debug)]
struct Constraint {
    /// The index of its group.
    group: usize,
    kind: Kind,
    /// The literals of the clause or the parity constraint, or those of which at most one is true.
    lits: Vec<Lit>,
    clauses: Vec<Vec<Lit>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Clause,
    Odd,
    Even,
    AtMostOne,
}

impl PageFormula {
    pub(super) fn n_clauses(&self) -> usize {
        self.constraints.iter().map(|constraint| constraint.clauses.len()).sum()
    }

    /// Variables, groups and constraints as JSON, to be merged into the page's data. Those that count what is minimised
    /// are in a member of their own.
    pub(super) fn into_json(self, scene: &Scene) -> Map<String, Value> {
        let names = Names::new(self.n_vars, &self.names);
        let variables = (0..self.n_vars).map(|i| json!({ "name": names.of(Var::new(i).pos_lit()) }));
        let mut variables: Vec<Value> = variables.collect();
        let mut groups = self.groups;
        let sentence =
            |label: &str| scene.groups.iter().find(|(group, _)| *group == label).map(|(_, words)| *words);
        let (mut all, mut counting) = (merge_pairs(self.constraints), Vec::new());
        if let Some(minimised) = &scene.minimised {
            let counts = |c: &Constraint| groups[c.group] == minimised.group;
            (counting, all) = all.into_iter().partition(counts);
            groups.retain(|label| label != minimised.group);
        }
        let constraints = |of: &[Constraint]| of.iter().map(|c| c.to_json(&names)).collect::<Vec<Value>>();
        let minimised = scene.minimised.as_ref().map(|Minimised { noun, group, n_vars, least, at_most }| {
            json!({
                "noun": noun,
                "group": group,
                "meaning": sentence(group),
                "least": least,
                "at_most": at_most.iter().copied().map(number).collect::<Vec<_>>(),
                "variables": variables.split_off(*n_vars as usize),
                "constraints": constraints(&counting),
            })
        });
        let meanings: Vec<_> = groups.iter().map(|label| sentence(label)).collect();
        let members: [(&str, Value); 6] = [
            ("parities", self.parities.to_json()),
            ("constraints", constraints(&all).into()),
            ("minimised", minimised.into()),
            ("variables", variables.into()),
            ("meanings", meanings.into()),
            ("groups", groups.into()),
        ];
        members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    fn add(&mut self, kind: Kind, lits: &[Lit], clauses: Vec<Vec<Lit>>) {
        if self.groups.is_empty() {
            self.groups.push("clauses".to_owned());
        }
        self.constraints.push(Constraint { group: self.group, kind, lits: lits.to_vec(), clauses });
    }
}

impl Sink for PageFormula {
    fn new_var(&mut self) -> Var {
        self.n_vars += 1;
        Var::new(self.n_vars - 1)
    }

    fn n_vars(&self) -> u32 {
        self.n_vars
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.add(Kind::Clause, lits, vec![lits.to_vec()]);
    }

    /// A short parity constraint is added as one constraint. A longer one is cut, and its pieces are added as clauses.
    fn xor(&mut self, lits: &[Lit], odd: bool) {
        match self.parities.add(lits, odd) {
            Some(clauses) => self.add(if odd { Kind::Odd } else { Kind::Even }, lits, clauses),
            None => Parity::DEFAULT.encode(self, lits, odd),
        }
    }

    fn named_var(&mut self, name: fmt::Arguments<'_>) -> Var {
        let var = self.new_var();
        self.names.push((var, name.to_string()));
        var
    }

    fn group(&mut self, label: &str) {
        let known = self.groups.iter().position(|group| group == label);
        self.group = known.unwrap_or_else(|| {
            self.groups.push(label.to_owned());
            self.groups.len() - 1
        });
    }

    fn show(&mut self, vars: &[Var]) {
        self.shown.get_or_insert_default().extend_from_slice(vars);
    }
}

impl Constraint {
    fn to_json(&self, names: &Names) -> Value {
        let (kind, words) = match self.kind {
            Kind::Clause => ("clause", sentence(&self.lits, names)),
            Kind::Odd => ("odd", parity_sentence(&self.lits, true, names)),
            Kind::Even => ("even", parity_sentence(&self.lits, false, names)),
            Kind::AtMostOne => ("at most one", at_most_one_sentence(&self.lits, names)),
        };
        let numbers = |lits: &[Lit]| lits.iter().copied().map(number).collect::<Vec<_>>();
        json!({
            "group": self.group,
            "kind": kind,
            "words": words,
            "lits": numbers(&self.lits),
            "clauses": self.clauses.iter().map(|lits| numbers(lits)).collect::<Vec<_>>(),
        })
    }

    /// The variables, as positive literals, of a clause of two negated literals; `None` for other constraints.
    fn pair(&self) -> Option<[Lit; 2]> {
        match self.lits[..] {
            [a, b] if self.kind == Kind::Clause && a.is_neg() && b.is_neg() => Some([!a, !b]),
            _ => None,
        }
    }
}

/// Replaces consecutive clauses by one at-most-one constraint if together they forbid exactly the pairs of three or
/// more literals.
fn merge_pairs(constraints: Vec<Constraint>) -> Vec<Constraint> {
    let mut found = Vec::new();
    let mut rest = &constraints[..];
    while let [first, after @ ..] = rest {
        let length = clique_len(rest);
        if length > 1 {
            let pairs = rest[..length].iter().filter_map(Constraint::pair).flatten();
            let lits: BTreeSet<Lit> = pairs.collect();
            let clauses = rest[..length].iter().flat_map(|constraint| constraint.clauses.clone()).collect();
            let lits = lits.into_iter().collect();
            found.push(Constraint { group: first.group, kind: Kind::AtMostOne, lits, clauses });
            rest = &rest[length..];
        } else {
            let Constraint { group, kind, lits, clauses } = first;
            found.push(Constraint {
                group: *group,
                kind: *kind,
                lits: lits.clone(),
                clauses: clauses.clone(),
            });
            rest = after;
        }
    }
    found
}

/// The length of the longest prefix that can be merged; 0 if there is none. All clauses of such a prefix are in one
/// group. There are at least three literals, and the clauses forbid each pair of them once and nothing else.
fn clique_len(constraints: &[Constraint]) -> usize {
    let (mut lits, mut pairs, mut longest) = (BTreeSet::new(), BTreeSet::new(), 0);
    for (i, constraint) in constraints.iter().enumerate() {
        let Some([a, b]) = constraint.pair().filter(|_| constraint.group == constraints[0].group) else {
            break;
        };
        lits.extend([a, b]);
        if !pairs.insert((a.min(b), a.max(b))) {
            break;
        }
        if lits.len() > 2 && pairs.len() == lits.len() * (lits.len() - 1) / 2 {
            longest = i + 1;
        }
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;
    use counterpoint_encodings::AtMostOne;

    fn kinds(formula: PageFormula) -> Vec<(Kind, usize, usize)> {
        let all = merge_pairs(formula.constraints);
        all.iter().map(|c| (c.kind, c.lits.len(), c.clauses.len())).collect()
    }

    #[test]
    fn pairs_are_merged_and_no_clause_is_lost() {
        let mut sink = PageFormula::default();
        let lits: Vec<Lit> = (0..6).map(|_| sink.new_var().pos_lit()).collect();
        AtMostOne::Pairwise.exactly_one(&mut sink, &lits[..4]);
        AtMostOne::Pairwise.at_most_one(&mut sink, &lits[3..]);
        sink.clause(&[!lits[0], !lits[5]]);
        sink.clause(&[!lits[0], lits[5]]);
        sink.group("other");
        AtMostOne::Pairwise.at_most_one(&mut sink, &lits[1..3]);
        assert_eq!(sink.n_clauses(), 13);
        let kinds = kinds(sink);
        assert_eq!(kinds.iter().map(|(_, _, clauses)| clauses).sum::<usize>(), 13);
        let merged: Vec<_> = kinds.iter().filter(|(kind, ..)| *kind == Kind::AtMostOne).collect();
        assert_eq!(merged, [&(Kind::AtMostOne, 4, 6), &(Kind::AtMostOne, 3, 3)]);
    }

    #[test]
    fn a_parity_constraint_keeps_its_clauses() {
        let mut sink = PageFormula::default();
        let lits: Vec<Lit> = (0..12).map(|_| sink.new_var().pos_lit()).collect();
        sink.xor(&lits[..4], true);
        assert_eq!(sink.n_vars(), 12);
        sink.xor(&lits, false);
        assert!(sink.n_vars() > 12);
        let kinds = kinds(sink);
        assert_eq!(kinds[0], (Kind::Odd, 4, 8));
        assert!(kinds[1..].iter().all(|(kind, ..)| *kind == Kind::Clause));
    }
}
