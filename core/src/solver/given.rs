//! A formula that is handed to a solver as a whole, so that the solver need not copy the formula. If the
//! formula was read from a file, a solver that reads files can get a copy of this file.

use crate::input::OnDisk;
use counterpoint_encodings::{Cnf, Sink};
use std::fmt;
use std::sync::Arc;

/// A formula in memory and, if it was read from a file that every solver can read, the file.
#[derive(Clone)]
pub struct Given {
    formula: Arc<dyn AsRef<Cnf> + Send + Sync>,
    text: Option<Arc<OnDisk>>,
}

impl Given {
    /// A formula. `text` is a file that was read as this formula, in DIMACS without anything that some solver does not
    /// read: no compression, no parities, and comments only before the header.
    pub fn new(formula: Arc<dyn AsRef<Cnf> + Send + Sync>, text: Option<Arc<OnDisk>>) -> Self {
        Given { formula, text }
    }

    /// The formula.
    pub fn formula(&self) -> &Cnf {
        (*self.formula).as_ref()
    }

    /// The file from which the formula was read. It may have changed since.
    pub fn text(&self) -> Option<&OnDisk> {
        self.text.as_deref()
    }

    /// Adds the variables and clauses to a sink, one by one.
    pub fn write(&self, sink: &mut (impl Sink + ?Sized)) {
        for _ in 0..self.formula().n_vars() {
            sink.new_var();
        }
        self.formula().clauses().for_each(|clause| sink.clause(clause));
    }
}

impl fmt::Debug for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Given").field("n_vars", &self.formula().n_vars()).field("text", &self.text).finish()
    }
}
