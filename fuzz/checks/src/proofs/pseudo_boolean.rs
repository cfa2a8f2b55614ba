//! Pseudo-Boolean proofs against brute force.

use super::{Small, Step, steps};
use crate::brute::is_true;
use crate::input::Input;
use counterpoint::engine::Budget;
use counterpoint::proof::{Formula, Opb, VeriPb};
use std::fmt::Write;

/// A linear constraint: the weights of the true literals sum to at least the degree.
struct Inequality {
    terms: Vec<(i64, i32)>,
    degree: i64,
}

impl Inequality {
    fn new(n: i32, input: &mut Input<'_>) -> Self {
        let terms = (0..input.number(0..=4)).map(|_| (input.number(-3..=5), input.literal(n))).collect();
        Inequality { terms, degree: input.number(-4..=8) }
    }

    fn clause(lits: &[i32]) -> Self {
        Inequality { terms: lits.iter().map(|&lit| (1, lit)).collect(), degree: 1 }
    }

    fn holds(&self, assignment: u32) -> bool {
        let of = |&(weight, lit): &(i64, i32)| if is_true(assignment, lit) { weight } else { 0 };
        self.terms.iter().map(of).sum::<i64>() >= self.degree
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for &(weight, lit) in &self.terms {
            // Writing to a String cannot fail.
            let _ = write!(text, "{weight:+} {}x{} ", if lit < 0 { "~" } else { "" }, lit.abs());
        }
        format!("{text}>= {} ;", self.degree)
    }
}

/// No proof refutes constraints that have a solution. The clauses of a solver's proof, each as a step `rup`, refute
/// every formula that has no model.
pub(crate) fn veripb(data: &[u8]) {
    let input = &mut Input::new(data);
    if input.flag() {
        return of_formula(input);
    }
    let n = input.number(1..=6);
    let formula: Vec<Inequality> = (0..input.number(0..=10)).map(|_| Inequality::new(n, input)).collect();
    let opb: String = formula.iter().map(|one| one.text() + "\n").collect();
    let satisfiable = (0..1u32 << n).any(|m| formula.iter().all(|one| one.holds(m)));
    let read = Opb::read(opb.as_bytes()).expect("the file is well formed");
    assert_eq!(read.len(), formula.len(), "{opb}");
    let proof = random(n, formula.len() as i64, input);
    let found = VeriPb::from(proof.as_str()).check_opb(read);
    assert!(found.is_err() || !satisfiable, "{opb}\n{proof}");
}

/// The checker's own formulas: clauses and counts. The text that a solver reads has the same constraints.
fn of_formula(input: &mut Input<'_>) {
    let small = Small::new(input);
    let mut formula = small.formula.clone();
    let counts = input.number(0..=2);
    let mut satisfiable = small.satisfiable;
    if counts > 0 {
        let all: Vec<i32> = (1..=small.n).collect();
        let mut limits = Vec::new();
        for _ in 0..counts {
            let lits: Vec<i32> = all.iter().filter(|_| input.flag()).copied().collect();
            let max = input.number(0..=3);
            match max == 1 && input.flag() {
                true => formula.at_most_one(&lits),
                false => formula.at_most(max, &lits),
            }
            limits.push((max, lits));
        }
        let counted = |m: u32, lits: &[i32]| lits.iter().filter(|&&lit| is_true(m, lit)).count();
        satisfiable = (0..1u32 << small.n).any(|m| {
            small.clauses.iter().all(|clause| clause.iter().any(|&lit| is_true(m, lit)))
                && limits.iter().all(|(max, lits)| counted(m, lits) <= *max)
        });
    }
    let constraints = formula.constraints().count();
    let opb = formula.to_opb();
    let read = Opb::read(opb.as_bytes()).expect("the checker has written it");
    assert_eq!((read.len(), Opb::of(&formula).len()), (constraints, constraints), "{opb}");
    let (proof, must_hold) = match input.flag() {
        true => by_clauses(&small, &formula, input),
        false => (random(small.n, constraints as i64, input), false),
    };
    let found = VeriPb::from(proof.as_str()).check_until(&formula, &Budget::unlimited().stop());
    let of_text = VeriPb::from(proof.as_str()).check_opb(read);
    assert_eq!(found.is_ok(), of_text.is_ok(), "{found:?} {of_text:?}\n{opb}\n{proof}");
    assert!(found.is_err() || !satisfiable, "{opb}\n{proof}");
    assert!(found.is_ok() || !must_hold, "{found:?}\n{opb}\n{proof}");
}

/// The added clauses of DRAT steps as steps `rup`. Returns also whether they must be accepted: that is so if they are
/// the unaltered proof of a solver.
fn by_clauses(small: &Small, formula: &Formula, input: &mut Input<'_>) -> (String, bool) {
    let is_altered = input.flag();
    let steps = if is_altered { steps(small, input) } else { small.proof() };
    let mut proof = format!("pseudo-Boolean proof version 2.0\nf {}\n", formula.constraints().count());
    for step in &steps {
        if let Step::Add(lits) = step {
            proof += &format!("rup {}\n", Inequality::clause(lits).text());
        }
    }
    (proof + "rup >= 1 ;\nconclusion UNSAT : -1\n", !is_altered && !small.satisfiable)
}

/// A proof of random steps. `count` is the number of constraints of the formula.
fn random(n: i32, count: i64, input: &mut Input<'_>) -> String {
    let version = *input.choose(&["2.0", "3.0", "1.1"]);
    let end = if version == "3.0" { ";" } else { "" };
    let mut proof = format!("pseudo-Boolean proof version {version}{end}\nf {count} {end}\n");
    let mut last = count;
    for _ in 0..input.number(0..=12) {
        let step = match input.number(0..=5) {
            0 => {
                last += 1;
                format!("rup {}", Inequality::new(n + 1, input).text())
            }
            1 => {
                last += 1;
                let image = *input.choose(&["0", "1", "x1", "~x2"]);
                let var = input.number(1..=n + 2);
                let of = Inequality::new(n + 2, input).text();
                let arrow = *input.choose(&["", "-> "]);
                format!("red {of} x{var} {arrow}{image} {end}")
            }
            2 => format!("del id {} {end}", input.number(1..=last.max(1))),
            3 => {
                last += 1;
                format!("ia {} {} {end}", Inequality::new(n, input).text(), input.number(1..=last))
            }
            _ => {
                last += 1;
                format!("pol {} {end}", polish(n, last, input))
            }
        };
        proof += &step;
        proof.push('\n');
    }
    match (version, input.number(0..=2)) {
        ("1.1", _) => proof + &format!("c {last}\n"),
        (_, 0) => proof + &format!("conclusion UNSAT {end}\n"),
        (_, 1) => proof + &format!("rup >= 1 ;\nconclusion UNSAT : -1 {end}\n"),
        _ => proof + &format!("conclusion UNSAT : {last} {end}\n"),
    }
}

/// Operations on constraints in reverse Polish notation that leave one constraint.
fn polish(n: i32, last: i64, input: &mut Input<'_>) -> String {
    let operand = |input: &mut Input<'_>| match input.flag() {
        true => format!("{} ", input.number(-last..=last)),
        false => format!("{}x{} ", if input.flag() { "~" } else { "" }, input.number(1..=n)),
    };
    let mut text = format!("{} ", input.number(1..=last));
    for _ in 0..input.number(0..=6) {
        text += &match input.number(0..=4) {
            0 => format!("{} * ", input.number(1..=4)),
            1 => format!("{} d ", input.number(1..=4)),
            2 => "s ".to_owned(),
            3 => format!("x{} w ", input.number(1..=n)),
            _ => operand(input) + "+ ",
        };
    }
    text
}
