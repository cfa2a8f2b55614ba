//! Computes the reasons that explanations cite, by plain elimination over GF(p), for boards small enough to explain.
//!
//! *Fewest presses*: the complete system is solved and, if its solutions are few, all of them are weighed.
//!
//! *Impossible*: each square gives an equation, stored as a row. The row has a one for each press that changes the
//! square and, if any colour is allowed, a one for the unknown colour. The right-hand side is the number of turns that
//! the square needs. A row that is independent of the rows before it is kept. A dependent row is dropped if the
//! right-hand sides satisfy the same dependency. If they do not, the dependency is a contradiction and the search ends.
//! This last dependency is unique up to a factor, so its squares form a circuit: no proper subset of them is dependent
//! (Oxley, *Matroid Theory*, fundamental circuits).

use super::super::answer::Answer;
use super::super::answer::reason::{Lightest, Reason};
use super::super::{Instance, Rules, Target};
use counterpoint_core::engine::{Budget, Limit};

/// The maximum number of squares of a board whose complete system is solved.
const MAX_SQUARES: usize = 256;
/// The maximum number of solutions that are enumerated for each end.
const MAX_SOLUTIONS: usize = 1 << 12;
/// The maximum number of squares among which a circuit is sought: those with a weight in the answer or, if it has no
/// weights, all.
const MAX_MARKED: usize = 1 << 11;
/// The maximum number of multiplications for extracting a circuit.
const MAX_STEPS: usize = 1 << 28;
/// The number of multiplications that count as a node.
const STEPS: usize = 1 << 12;

/// The reason for an answer; `None` if the answer has presses but does not claim that they are the fewest, if no reason
/// is found, or if a bound or the budget is exceeded.
pub fn reason(rules: &Rules, instance: &Instance, answer: &Answer, budget: &mut Budget) -> Option<Reason> {
    match answer {
        Answer::Presses { optimal: true, .. } | Answer::Number { optimal: true, .. } => {
            solutions(rules, instance, budget).ok()?
        }
        Answer::Presses { .. } | Answer::Number { .. } => None,
        Answer::Impossible(weights) => {
            let squares: Vec<usize> = match weights {
                Some(weights) => weights.iter().map(|(square, _)| square).collect(),
                None => (0..instance.size.cells()).collect(),
            };
            circuit(rules, instance, &squares, budget).ok()?.map(Reason::Circuit)
        }
    }
}

/// An equation.
#[derive(Clone)]
struct Row {
    /// The coefficient of each press. In [`circuit`], the coefficient of the colour follows.
    presses: Vec<u32>,
    /// The right-hand side for each end. In [`circuit`], only the one for the first end.
    turns: Vec<u32>,
    /// For each original row, how many times it was added to make this row, modulo p; empty in [`solutions`].
    from: Vec<u32>,
}

struct Rows<'a> {
    p: u32,
    /// Reduced rows, each with its pivot column: the row has 1 there, and all later rows have 0.
    basis: Vec<(usize, Row)>,
    budget: &'a mut Budget,
}

impl Rows<'_> {
    /// Subtracts multiples of the basis rows until the row is 0 in all pivot columns.
    fn reduce(&mut self, row: &mut Row) -> Result<(), Limit> {
        for (column, base) in &self.basis {
            let factor = self.p - row.presses[*column];
            if factor < self.p {
                add_multiple(self.p, row, base, factor);
                let steps = row.presses.len() + row.from.len();
                (0..=steps / STEPS).try_for_each(|_| self.budget.node())?;
            }
        }
        Ok(())
    }

    /// Adds a reduced row to the basis; it must not be 0 in `column`.
    fn push(&mut self, column: usize, mut row: Row) {
        let inverse = (1..self.p).find(|i| i * row.presses[column] % self.p == 1).unwrap_or(1);
        let scale = |numbers: &mut Vec<u32>| numbers.iter_mut().for_each(|n| *n = *n * inverse % self.p);
        [&mut row.presses, &mut row.turns, &mut row.from].into_iter().for_each(scale);
        self.basis.push((column, row));
    }
}

/// Adds `factor` times `base` to `row`.
fn add_multiple(p: u32, row: &mut Row, base: &Row, factor: u32) {
    let add = |into: &mut [u32], from: &[u32]| {
        into.iter_mut().zip(from).for_each(|(n, m)| *n = (*n + factor * m) % p);
    };
    add(&mut row.presses, &base.presses);
    add(&mut row.turns, &base.turns);
    add(&mut row.from, &base.from);
}

/// The turns that the square needs for each end, in the order of [`Rules::ends`].
fn turns(rules: &Rules, instance: &Instance, square: usize) -> Vec<u32> {
    let colour = instance.squares.get(square);
    rules.ends().map(|end| (rules.colours + end.colour(square) - colour) % rules.colours).collect()
}

/// Finds a circuit among `squares` whose dependency the turns of its squares contradict. Returns its squares with their
/// weights, or `None` if `squares` do not make the board impossible.
fn circuit(
    rules: &Rules,
    instance: &Instance,
    squares: &[usize],
    budget: &mut Budget,
) -> Result<Option<Vec<(usize, u32)>>, Limit> {
    let (n, marked) = (instance.size.cells(), squares.len());
    if marked > MAX_MARKED || marked.saturating_mul(marked).saturating_mul(n) > MAX_STEPS {
        return Err(Limit::Work);
    }
    budget.poll()?;
    let any_colour = u32::from(rules.target == Target::Either);
    let mut rows = Rows { p: rules.colours, basis: Vec::new(), budget };
    for (number, &square) in squares.iter().enumerate() {
        let mut row = Row { presses: vec![0; n + 1], turns: Vec::new(), from: vec![0; marked] };
        for cell in rules.stencil.squares(instance.size, instance.size.cell(square)) {
            row.presses[instance.size.index(cell)] = 1;
        }
        row.presses[n] = any_colour;
        row.from[number] = 1;
        row.turns = turns(rules, instance, square)[..1].to_vec();
        rows.reduce(&mut row)?;
        match row.presses.iter().position(|&n| n > 0) {
            Some(column) => rows.push(column, row),
            None if row.turns[0] > 0 => {
                let weights = squares.iter().copied().zip(row.from).filter(|(_, weight)| *weight > 0);
                return Ok(Some(weights.collect()));
            }
            None => {}
        }
    }
    Ok(None)
}

/// Solves the complete system and, if the solutions are few, weighs all of them for each end. Returns `None` if the
/// board is too large.
fn solutions(rules: &Rules, instance: &Instance, budget: &mut Budget) -> Result<Option<Reason>, Limit> {
    let (n, p) = (instance.size.cells(), rules.colours);
    if n > MAX_SQUARES {
        return Ok(None);
    }
    budget.poll()?;
    let mut rows = Rows { p, basis: Vec::new(), budget };
    let n_ends = rules.ends().count();
    let mut solvable = vec![true; n_ends];
    for square in 0..n {
        let mut row = Row { presses: vec![0; n], turns: turns(rules, instance, square), from: Vec::new() };
        for cell in rules.stencil.squares(instance.size, instance.size.cell(square)) {
            row.presses[instance.size.index(cell)] = 1;
        }
        rows.reduce(&mut row)?;
        match row.presses.iter().position(|&n| n > 0) {
            Some(column) => rows.push(column, row),
            None => solvable.iter_mut().zip(&row.turns).for_each(|(solvable, &left)| *solvable &= left == 0),
        }
    }
    // Back substitution: later rows have 0 in the pivot columns of earlier rows, but earlier rows may not have 0 in
    // those of later rows.
    let mut done: Vec<(usize, Row)> = Vec::new();
    for (column, mut row) in rows.basis.iter().rev().cloned() {
        for (later, base) in &done {
            let factor = p - row.presses[*later];
            if factor < p {
                add_multiple(p, &mut row, base, factor);
            }
        }
        done.push((column, row));
    }
    let free: Vec<usize> = (0..n).filter(|i| done.iter().all(|(column, _)| column != i)).collect();
    let null = free.iter().map(|&column| {
        let mut vector = vec![0; n];
        vector[column] = 1;
        done.iter().for_each(|(at, row)| vector[*at] = (p - row.presses[column]) % p);
        vector
    });
    let null: Vec<Vec<u32>> = null.collect();
    let count = u32::try_from(null.len()).ok().and_then(|d| (p as usize).checked_pow(d));
    let few = count.is_some_and(|count| count <= MAX_SOLUTIONS);
    let lightest = |end: usize| {
        if !solvable[end] {
            return Lightest::None;
        }
        if !few {
            return Lightest::Unknown;
        }
        let mut start = vec![0; n];
        done.iter().for_each(|(column, row)| start[*column] = row.turns[end]);
        Lightest::Weight(least(p, &start, &null))
    };
    let ends = rules.ends().enumerate().map(|(i, end)| (end, lightest(i))).collect();
    Ok(Some(Reason::Solutions { nullity: null.len(), ends }))
}

/// The weight of a coset leader: the least weight of `start` plus any combination of null vectors.
fn least(p: u32, start: &[u32], null: &[Vec<u32>]) -> usize {
    let Some((first, rest)) = null.split_first() else {
        return start.iter().sum::<u32>() as usize;
    };
    let mut at = start.to_vec();
    let mut best = usize::MAX;
    for _ in 0..p {
        best = best.min(least(p, &at, rest));
        at.iter_mut().zip(first).for_each(|(n, m)| *n = (*n + m) % p);
    }
    best
}
