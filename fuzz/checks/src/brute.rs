//! Satisfiability by trying all assignments, and by a small search where there are too many of them.

/// Whether an assignment, given as bits, makes a DIMACS literal true.
pub(crate) fn is_true(assignment: u32, lit: i32) -> bool {
    (assignment >> (lit.unsigned_abs() - 1) & 1 == 1) == (lit > 0)
}

/// Whether some assignment of the variables 1 to `n` satisfies all clauses.
pub(crate) fn satisfiable(n: i32, clauses: &[Vec<i32>]) -> bool {
    let holds = |m: u32| clauses.iter().all(|clause| clause.iter().any(|&lit| is_true(m, lit)));
    (0..1u32 << n).any(holds)
}

/// The number of models of the clauses that extend a partial assignment, counted up to `max`. `values` has a value for
/// each variable, with variable v at index v - 1.
pub(crate) fn models(clauses: &[Vec<i32>], values: &[Option<bool>], max: usize) -> usize {
    let mut values = values.to_vec();
    let value = |values: &[Option<bool>], lit: i32| {
        values[lit.unsigned_abs() as usize - 1].map(|value| value == (lit > 0))
    };
    loop {
        let mut changed = false;
        for clause in clauses {
            if clause.iter().any(|&lit| value(&values, lit) == Some(true)) {
                continue;
            }
            let mut open = clause.iter().filter(|&&lit| value(&values, lit).is_none());
            match (open.next(), open.next()) {
                (None, _) => return 0,
                (Some(&lit), None) => {
                    values[lit.unsigned_abs() as usize - 1] = Some(lit > 0);
                    changed = true;
                }
                _ => {}
            }
        }
        if !changed {
            break;
        }
    }
    let Some(var) = values.iter().position(Option::is_none) else { return 1 };
    let mut found = 0;
    for value in [false, true] {
        if found < max {
            values[var] = Some(value);
            found += models(clauses, &values, max - found);
        }
    }
    found
}
