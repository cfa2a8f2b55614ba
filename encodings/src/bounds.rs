//! Which bounds a count supports.

/// Which bounds a count supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bounds {
    /// Upper bounds only: true inputs force outputs to be true, but true outputs force nothing. Needs fewer clauses.
    Upper,
    /// Upper and lower bounds: each output is equivalent to its meaning, so the new variables are determined by the
    /// inputs.
    Both,
}
