//! A question to an external solver: writes it in the format that the program reads, and tests a model.
//!
//! OPB: O. Roussel, V. Manquinho, *Input/Output Format for the Pseudo-Boolean Competition*, with `>=` and `=` and
//! without negated literals. WCNF: the format of the MaxSAT Evaluation since 2022, without a header.

use super::Input;
use super::answer::AnswerError;
use counterpoint_encodings::{Cnf, Linear, Lit, Relation, Sink};
use std::fs::File;
use std::io::{self, BufWriter, Write};

/// A linear constraint that a pseudo-Boolean solver receives.
pub(super) struct Sum {
    terms: Vec<(i64, Lit)>,
    relation: Relation,
    bound: i64,
}

impl Sum {
    pub(super) fn new(constraint: &Linear<'_>) -> Sum {
        let Linear { terms, relation, bound } = *constraint;
        Sum { terms: terms.to_vec(), relation, bound }
    }

    fn linear(&self) -> Linear<'_> {
        Linear { terms: &self.terms, relation: self.relation, bound: self.bound }
    }
}

/// The cost of each literal that is true; each literal occurs once.
pub(super) type Costs = Vec<(Lit, u64)>;

/// Adds the costs of literals that occur several times.
pub(super) fn merged(costs: &[(Lit, u64)]) -> Costs {
    let mut costs = costs.to_vec();
    costs.sort_unstable_by_key(|(lit, _)| *lit);
    let total = |alike: &[(Lit, u64)]| (alike[0].0, alike.iter().map(|(_, cost)| cost).sum());
    costs.chunk_by(|(a, _), (b, _)| a == b).map(total).collect()
}

/// The part of the costs that OPB's objective leaves out: `c` for a negated literal, whose cost is `c - c x`.
fn constant(costs: &[(Lit, u64)]) -> u64 {
    costs.iter().filter(|(lit, _)| lit.is_neg()).map(|(_, cost)| cost).sum()
}

/// A formula with assumptions or an objective.
pub(super) struct Question<'a> {
    pub(super) clauses: &'a Cnf,
    /// In each parity constraint, an odd number of literals must be true. Only DIMACS has them.
    pub(super) parities: &'a [Vec<Lit>],
    /// Only OPB has linear constraints.
    pub(super) sums: &'a [Sum],
    pub(super) assumptions: &'a [Lit],
    /// The objective, if there is one.
    pub(super) costs: Option<&'a [(Lit, u64)]>,
}

impl Question<'_> {
    /// Writes the question in the format of the program. Assumptions become unit clauses.
    pub(super) fn write(&self, input: Input, file: &mut File) -> io::Result<()> {
        let mut out = BufWriter::with_capacity(1 << 16, file);
        match input {
            Input::File | Input::Stdin => self.write_dimacs(&mut out)?,
            Input::Opb => self.write_opb(&mut out)?,
            Input::Wcnf => self.write_wcnf(&mut out)?,
        }
        out.flush()
    }

    /// For each variable, whether a constraint, an assumption or the objective mentions it.
    pub(super) fn mentioned(&self) -> Vec<bool> {
        let mut mentioned = vec![false; self.clauses.n_vars() as usize];
        let terms = self.sums.iter().flat_map(|sum| &sum.terms).map(|(_, lit)| lit);
        let costs = self.costs.unwrap_or_default().iter().map(|(lit, _)| lit);
        let lits = self.hard().chain(self.parities.iter().map(Vec::as_slice)).flatten();
        lits.chain(terms).chain(costs).for_each(|lit| mentioned[lit.vidx()] = true);
        mentioned
    }

    /// The clauses, then the assumptions as unit clauses.
    fn hard(&self) -> impl Iterator<Item = &[Lit]> {
        self.clauses.clauses().chain(self.assumptions.iter().map(std::slice::from_ref))
    }

    fn write_dimacs(&self, out: &mut impl Write) -> io::Result<()> {
        let lines = self.hard().count() + self.parities.len();
        writeln!(out, "p cnf {} {lines}", self.clauses.n_vars())?;
        self.hard().try_for_each(|clause| write_line(out, "", clause))?;
        self.parities.iter().try_for_each(|parity| write_line(out, "x", parity))
    }

    fn write_opb(&self, out: &mut impl Write) -> io::Result<()> {
        let constraints = self.hard().count() + self.sums.len();
        // Not every reader accepts a formula without variables.
        writeln!(out, "* #variable= {} #constraint= {constraints}", self.clauses.n_vars().max(1))?;
        if let Some(costs) = self.costs.filter(|costs| !costs.is_empty()) {
            out.write_all(b"min:")?;
            for (lit, cost) in costs {
                write!(out, " {}{cost} x{}", if lit.is_pos() { '+' } else { '-' }, lit.vidx() + 1)?;
            }
            out.write_all(b" ;\n")?;
        }
        for clause in self.hard() {
            for lit in clause {
                write!(out, "{}1 x{} ", if lit.is_pos() { '+' } else { '-' }, lit.vidx() + 1)?;
            }
            let negated = clause.iter().filter(|lit| lit.is_neg()).count() as i64;
            writeln!(out, ">= {} ;", 1 - negated)?;
        }
        self.sums.iter().try_for_each(|sum| writeln!(out, "{} ;", sum.linear()))
    }

    fn write_wcnf(&self, out: &mut impl Write) -> io::Result<()> {
        self.hard().try_for_each(|clause| write_line(out, "h ", clause))?;
        let costs = self.costs.unwrap_or_default();
        costs.iter().try_for_each(|(lit, cost)| write_line(out, &format!("{cost} "), &[!*lit]))
    }

    /// Tests a model on every clause, parity constraint, linear constraint and assumption. If the program has printed a
    /// cost, tests whether the model has this cost. Returns the model.
    pub(super) fn verify(
        &self,
        model: Vec<bool>,
        printed: Option<(i128, Input)>,
    ) -> Result<Vec<bool>, AnswerError> {
        let holds = |lit: &Lit| model.get(lit.vidx()) == Some(&lit.is_pos());
        let text = |lits: &[Lit]| lits.iter().map(|lit| format!("{} ", lit.to_ipasir())).collect::<String>();
        if let Some((i, clause)) = self.clauses.clauses().enumerate().find(|(_, c)| !c.iter().any(holds)) {
            return Err(format!("its model does not satisfy clause {}: {}0", i + 1, text(clause)).into());
        }
        let odd = |parity: &&Vec<Lit>| parity.iter().filter(|lit| holds(lit)).count() % 2 == 1;
        if let Some(parity) = self.parities.iter().find(|parity| !odd(parity)) {
            return Err(format!("its model does not satisfy the parity constraint x{}0", text(parity)).into());
        }
        if let Some(sum) = self.sums.iter().find(|sum| !sum.linear().holds(|lit| holds(&lit))) {
            return Err(format!("its model does not satisfy {}", sum.linear()).into());
        }
        if let Some(lit) = self.assumptions.iter().find(|lit| !holds(lit)) {
            return Err(format!("its model does not satisfy the assumption {}", lit.to_ipasir()).into());
        }
        let costs = self.costs.unwrap_or_default();
        if let Some((printed, input)) = printed.filter(|_| !costs.is_empty()) {
            let cost: u64 = costs.iter().filter(|(lit, _)| holds(lit)).map(|(_, cost)| cost).sum();
            let left_out = if input == Input::Opb { constant(costs) } else { 0 };
            let expected = i128::from(cost) - i128::from(left_out);
            if printed != expected {
                return Err(format!("printed the cost {printed}, but its model costs {expected}").into());
            }
        }
        Ok(model)
    }
}

/// Writes a line as in DIMACS.
fn write_line(out: &mut impl Write, prefix: &str, lits: &[Lit]) -> io::Result<()> {
    out.write_all(prefix.as_bytes())?;
    lits.iter().try_for_each(|lit| write_lit(out, *lit))?;
    out.write_all(b"0\n")
}

/// Writes a literal and a space. Formatting with `write!` takes several times as long.
fn write_lit(out: &mut impl Write, lit: Lit) -> io::Result<()> {
    // A minus sign, ten digits and a space.
    let mut text = [b' '; 12];
    let (mut at, mut rest) = (text.len() - 1, lit.vidx32() + 1);
    while rest > 0 {
        at -= 1;
        text[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    if lit.is_neg() {
        at -= 1;
        text[at] = b'-';
    }
    out.write_all(&text[at..])
}
