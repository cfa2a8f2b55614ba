//! Proofs that derive an engine's encoding from the checker's plain formula, and then refute the encoding.
//!
//! A variable of the encoding is identified with the plain formula's variable of the same name. The proof first defines
//! the other variables of the encoding; then each clause of the encoding follows by unit propagation. The plain formula
//! has two parts: clauses that state the instance, and clauses that state the claim, such as a bound. The second part
//! may have variables that the encoding lacks. A solver refutes the encoding together with the clauses that state the
//! claim. Its proof, with variables renamed, continues where the derivation ends. The checker trusts none of this: it
//! verifies the definitions as RAT steps and the rest like any proof.

use super::auxiliary::{self, Constraint};
use super::{Certificate, Clause, Prover, differences, parities};
use crate::engine::{Budget, Limit, Stop};
use crate::proof::{Derivation, Drat, Formula, Obligation, Proof, ProofError, Refutation};
use counterpoint_base::keyed::KeyedSet;
use counterpoint_encodings::{Cnf, Lit, Sink};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Why an encoding cannot be used to prove an obligation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodingError {
    /// The encoding was not derived from the plain formula, for this reason.
    #[error("{0}")]
    NotDerived(String),
    /// The encoding and the clauses that state the claim have a model: the claim is wrong, or the encoding is weaker
    /// than the plain formula.
    #[error("the encoding is satisfiable")]
    Satisfiable,
    /// The solver's proof cannot be read.
    #[error(transparent)]
    Proof(#[from] ProofError),
}

/// Tries to prove an obligation by refuting `encoding` together with the clauses that state the claim.
///
/// # Errors
/// Returns why the encoding cannot be used: it does not follow from the plain formula, or it is satisfiable together
/// with the clauses that state the claim. A proof that starts from the plain formula may still exist.
pub fn certificate_of(
    obligation: &Obligation<'_>,
    encoding: &Cnf,
    max_bytes: u64,
    prover: &mut Prover,
    budget: &mut Budget,
) -> Result<Certificate, EncodingError> {
    let claim = obligation.claim.clone();
    if let Err(limit) = budget.poll() {
        return Ok(Certificate::Stopped(claim, limit));
    }
    let Some(plain) = obligation.formula() else { return Ok(Certificate::TooLarge(claim)) };
    let mut renamed = Renamed::new(&plain, encoding);
    let claim_clauses = renamed.claim_clauses(&plain);
    // The derivation comes first, because without it the solver need not run.
    let stop = budget.stop();
    let derived = match renamed.derive(&plain, &stop) {
        Ok(derived) => derived,
        Err(NotDerived::Stopped(limit)) => return Ok(Certificate::Stopped(claim, limit)),
        Err(NotDerived::Because(why)) => {
            return Err(EncodingError::NotDerived(no_common_name(&plain, encoding).unwrap_or(why)));
        }
    };
    let refuted = derived.refuted();
    let Drat(mut text) = derived.into_proof();
    if refuted {
        return Ok(Certificate::Proof(Proof::new(claim, Drat(text))));
    }
    let Some(left) = max_bytes.checked_sub(text.len() as u64) else {
        return Ok(Certificate::TooLong(claim, max_bytes));
    };
    let mut formula = Formula::new();
    formula.vars(renamed.proof_vars.len());
    // Each clause occurs once, as in the derivation. Otherwise, the solver could delete one of several copies and go on
    // using another, of which the proof knows nothing.
    let clauses =
        encoding.clauses().map(|clause| clause.iter().map(|lit| lit.to_ipasir()).collect::<Clause>());
    let mut known: KeyedSet<BTreeSet<i32>> = KeyedSet::default();
    for clause in clauses.chain(claim_clauses) {
        if known.insert(clause.iter().copied().collect()) {
            formula.clause(clause);
        }
    }
    match prover.refute(&claim, &formula, left, budget) {
        Ok(Some(refutation)) => {
            text.append(&mut renamed.rename(&refutation)?.0);
            if text.len() as u64 > max_bytes {
                return Ok(Certificate::TooLong(claim, max_bytes));
            }
            Ok(Certificate::Proof(Proof::new(claim, Drat(text))))
        }
        Ok(None) => Err(EncodingError::Satisfiable),
        Err(Limit::Memory) => Ok(Certificate::TooLong(claim, max_bytes)),
        Err(limit) => Ok(Certificate::Stopped(claim, limit)),
    }
}

/// An encoding whose variables have been renumbered for the proof.
struct Renamed {
    /// Maps the index of a variable in the encoding to its number in the proof: the number of the plain formula's
    /// variable of the same name, or else a number beyond those of the plain formula. `claim_clauses` appends the
    /// variables that occur only in the clauses that state the claim.
    proof_vars: Vec<i32>,
    /// The number of variables of the plain formula.
    n_plain: i32,
    /// The clauses of the encoding, renumbered.
    clauses: Vec<Clause>,
}

impl Renamed {
    fn new(plain: &Formula, encoding: &Cnf) -> Renamed {
        let plain_var: FxHashMap<&str, i32> = plain.names().map(|(var, name)| (name, var)).collect();
        let named: FxHashMap<usize, i32> = (encoding.names().iter())
            .filter_map(|(var, name)| Some((var.idx(), *plain_var.get(name.as_str())?)))
            .collect();
        let new_var = |index: usize| plain.n_vars() + 1 + index as i32;
        let n = encoding.n_vars() as usize;
        let proof_vars: Vec<i32> = (0..n).map(|i| named.get(&i).copied().unwrap_or(new_var(i))).collect();
        let rename = |lit: &Lit| match lit.is_pos() {
            true => proof_vars[lit.vidx()],
            false => -proof_vars[lit.vidx()],
        };
        let clauses = encoding.clauses().map(|clause| clause.iter().map(rename).collect()).collect();
        Renamed { proof_vars, n_plain: plain.n_vars(), clauses }
    }

    /// The plain formula's clauses that state the claim, over the variables of the encoding. Variables that the
    /// encoding lacks, such as those of a counter, are appended to the variables of the encoding.
    fn claim_clauses(&mut self, plain: &Formula) -> Vec<Clause> {
        let mut index_of: FxHashMap<i32, i32> =
            (1..).zip(&self.proof_vars).map(|(index, &var)| (var, index)).collect();
        let mut lit = |lit: &i32| {
            let index = *index_of.entry(lit.abs()).or_insert_with(|| {
                self.proof_vars.push(lit.abs());
                self.proof_vars.len() as i32
            });
            index * lit.signum()
        };
        plain.claim_clauses().map(|clause| clause.iter().map(&mut lit).collect()).collect()
    }

    fn is_added(&self, lit: i32) -> bool {
        lit.abs() > self.n_plain
    }

    /// Derives the encoding from the plain formula.
    fn derive<'a>(&self, plain: &Formula, stop: &'a Stop) -> Result<Derivation<'a>, NotDerived> {
        let mut lines = Derivation::new(plain, stop);
        let fixed: BTreeSet<i32> = (self.clauses.iter())
            .filter_map(|clause| if let [lit] = clause[..] { Some(lit) } else { None })
            .filter(|&lit| self.is_added(lit))
            .collect();
        for &lit in &fixed {
            lines.define(&[lit])?;
        }
        for constraint in self.constraints(&fixed) {
            match auxiliary::derive(&constraint) {
                Ok(derivation) => follow(derivation, &mut lines)?,
                Err(_) if parities::derive(&constraint, &mut lines)? => {}
                Err(why) => {
                    let about = about(plain, &constraint.inputs);
                    return Err(NotDerived::Because(format!(
                        "{about} does not follow from the plain formula: it is not an at-most-one constraint ({why}), \
                         and its variables do not define each other"
                    )));
                }
            }
        }
        let mut differences_derived = false;
        for clause in self.clauses.iter().filter(|clause| !self.is_constrained(clause, &fixed)) {
            if lines.add(clause) {
                continue;
            }
            if !differences_derived {
                differences::derive(plain, &mut lines);
                differences_derived = true;
            }
            if !lines.add(clause) {
                let about = about(plain, &clause.iter().map(|lit| lit.abs()).collect::<Vec<_>>());
                return Err(NotDerived::Because(format!("{about} does not follow from the plain formula")));
            }
        }
        Ok(lines)
    }

    /// Whether a clause has an auxiliary variable that is not fixed by a unit clause. Such a clause belongs
    /// to one of the [`constraints`](Self::constraints).
    fn is_constrained(&self, clause: &Clause, fixed: &BTreeSet<i32>) -> bool {
        clause.iter().any(|&lit| self.is_added(lit) && !fixed.contains(&lit) && !fixed.contains(&-lit))
    }

    /// Groups the clauses that have auxiliary variables not fixed by unit clauses. Two clauses belong to the
    /// same constraint if they share such a variable or are connected by other clauses that do.
    fn constraints(&self, fixed: &BTreeSet<i32>) -> Vec<Constraint<'_>> {
        // Union-find over the auxiliary variables, with path halving.
        let mut parents: FxHashMap<i32, i32> = FxHashMap::default();
        fn root(parents: &mut FxHashMap<i32, i32>, mut var: i32) -> i32 {
            while let Some(&parent) = parents.get(&var).filter(|&&parent| parent != var) {
                let grandparent = parents.get(&parent).copied().unwrap_or(parent);
                parents.insert(var, grandparent);
                var = grandparent;
            }
            var
        }
        let is_auxiliary = |var: i32| self.is_added(var) && !fixed.contains(&var) && !fixed.contains(&-var);
        let first_auxiliary =
            |clause: &Clause| clause.iter().map(|lit| lit.abs()).find(|&var| is_auxiliary(var));
        for clause in &self.clauses {
            let Some(first) = first_auxiliary(clause) else { continue };
            let first_root = root(&mut parents, first);
            parents.insert(first_root, first_root);
            for var in clause.iter().map(|lit| lit.abs()).filter(|&var| is_auxiliary(var)) {
                let other_root = root(&mut parents, var);
                parents.insert(other_root, first_root);
            }
        }
        let mut by_root: BTreeMap<i32, Vec<&Clause>> = BTreeMap::new();
        for clause in &self.clauses {
            if let Some(first) = first_auxiliary(clause) {
                by_root.entry(root(&mut parents, first)).or_default().push(clause);
            }
        }
        let mut constraints = Vec::new();
        for clauses in by_root.into_values() {
            let lits = clauses.iter().flat_map(|clause| clause.iter());
            let vars: BTreeSet<i32> = lits.map(|lit| lit.abs()).collect();
            let (added, inputs) = vars.into_iter().partition(|&var| is_auxiliary(var));
            constraints.push(Constraint { clauses, inputs, added });
        }
        constraints
    }

    /// A proof over the variables of the encoding, as text over the variables of the proof. Variables that the solver
    /// has added get numbers beyond all others.
    fn rename(&self, refutation: &Refutation) -> Result<Drat, ProofError> {
        let last = self.proof_vars.iter().copied().max().unwrap_or(0).max(self.n_plain);
        let rename = |lit: i32| {
            let var = match self.proof_vars.get(lit.unsigned_abs() as usize - 1) {
                Some(&var) => var,
                None => last.saturating_add(lit.abs() - self.proof_vars.len() as i32),
            };
            var * lit.signum()
        };
        refutation.to_drat_text(rename)
    }
}

/// Why the encoding was not derived.
enum NotDerived {
    Stopped(Limit),
    Because(String),
}

impl From<Limit> for NotDerived {
    fn from(limit: Limit) -> Self {
        NotDerived::Stopped(limit)
    }
}

/// Adds to `lines` the lines of a derivation of an at-most-one constraint.
fn follow(derivation: auxiliary::Derivation, lines: &mut Derivation<'_>) -> Result<(), NotDerived> {
    let require = |follows: bool, clause: &Clause| match follows {
        true => Ok(()),
        false => {
            Err(NotDerived::Because(format!("the clause {clause:?} does not follow from the plain formula")))
        }
    };
    for clause in &derivation.definitions {
        require(lines.define(clause)?, clause)?;
    }
    for auxiliary::DerivedClause { lemmas, clause } in &derivation.clauses {
        if lines.contains(clause) {
            continue;
        }
        let mut new = Vec::new();
        for lemma in lemmas {
            require(lines.add_lemma(lemma, &mut new), lemma)?;
        }
        require(lines.add(clause), clause)?;
        new.iter().for_each(|lemma| lines.delete(lemma));
    }
    Ok(())
}

/// Why no variable of the encoding is identified with one of the plain formula; `None` if some variable is.
fn no_common_name(plain: &Formula, encoding: &Cnf) -> Option<String> {
    let own: BTreeSet<&str> = encoding.names().iter().map(|(_, name)| name.as_str()).collect();
    let of_encoding = encoding.names().iter().map(|(_, name)| name).next()?;
    if plain.names().any(|(_, name)| own.contains(name)) {
        return None;
    }
    Some(match plain.names().next() {
        Some((_, of_plain)) => format!(
            "no variable of the encoding has the name of a variable of the plain formula (encoding: '{of_encoding}', \
             checker: '{of_plain}'); give them the same names"
        ),
        None => format!(
            "the plain formula names no variable; give its variables the names of the encoding, such as '{of_encoding}'"
        ),
    })
}

/// Describes a constraint by two of its inputs.
fn about(plain: &Formula, inputs: &[i32]) -> String {
    let names: FxHashMap<i32, &str> = plain.names().collect();
    let first: Vec<_> = inputs.iter().take(2).map(|var| names.get(var).copied().unwrap_or("?")).collect();
    match inputs.len().saturating_sub(2) {
        0 => format!("its constraint on {}", first.join(", ")),
        more => format!("its constraint on {} and {more} more variables", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All four clauses over two variables.
    const CLAUSES: [[i32; 2]; 4] = [[1, 2], [1, -2], [-1, 2], [-1, -2]];

    /// The reason why an encoding with variables of these names is not derived from a plain formula.
    fn reason(encoding_names: [&str; 2], plain_names: &[&str]) -> String {
        let mut encoding = Cnf::default();
        let lits = encoding_names.map(|name| encoding.named_var(format_args!("{name}")).pos_lit());
        let lit = |l: i32| if l > 0 { lits[l as usize - 1] } else { !lits[l.unsigned_abs() as usize - 1] };
        CLAUSES.iter().for_each(|clause| encoding.clause(&clause.map(lit)));
        let obligation = Obligation::new("claim", 4, || {
            let mut formula = Formula::new();
            let vars = formula.vars(2);
            CLAUSES.iter().for_each(|clause| formula.clause(clause.iter().copied()));
            vars.into_iter().zip(plain_names).for_each(|(var, name)| formula.name(var, *name));
            formula
        });
        let (mut prover, mut budget) = (Prover::default(), Budget::unlimited());
        let found = certificate_of(&obligation, &encoding, 1 << 20, &mut prover, &mut budget);
        found.err().map_or_else(String::new, |error| error.to_string())
    }

    #[test]
    fn encodings_without_a_common_name_are_rejected_with_the_names() {
        assert_eq!(reason(["x1", "x2"], &["x1", "x2"]), "");
        assert_eq!(
            reason(["x1", "x2"], &["cell 1", "cell 2"]),
            "no variable of the encoding has the name of a variable of the plain formula (encoding: 'x1', checker: \
             'cell 1'); give them the same names"
        );
        assert_eq!(
            reason(["x1", "x2"], &[]),
            "the plain formula names no variable; give its variables the names of the encoding, such as 'x1'"
        );
    }
}
