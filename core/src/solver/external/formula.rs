//! The formula of an external solver: its own, or a shared one, which is copied only when it is changed.

use super::super::Given;
use crate::input::{OnDisk, Stamp};
use counterpoint_encodings::{Cnf, Sink};
use std::fs::File;
use std::io::{self, Seek};

/// A formula to which clauses can be added.
pub(super) enum Stored {
    Own(Cnf),
    Shared(Given),
}

impl Default for Stored {
    fn default() -> Self {
        Stored::Own(Cnf::default())
    }
}

impl Stored {
    pub(super) fn cnf(&self) -> &Cnf {
        match self {
            Stored::Own(cnf) => cnf,
            Stored::Shared(given) => given.formula(),
        }
    }

    pub(super) fn cnf_mut(&mut self) -> &mut Cnf {
        if let Stored::Shared(given) = self {
            *self = Stored::Own(given.formula().clone());
        }
        match self {
            Stored::Own(cnf) => cnf,
            Stored::Shared(_) => unreachable!("it was copied"),
        }
    }

    /// Adds the variables and clauses of a formula.
    pub(super) fn load(&mut self, given: &Given) {
        let cnf = self.cnf();
        match cnf.n_vars() == 0 && cnf.clauses().len() == 0 {
            true => *self = Stored::Shared(given.clone()),
            false => given.write(self.cnf_mut()),
        }
    }

    /// Copies the file from which the formula was read, if there is one. Returns whether `copy` is now a file with this
    /// formula; otherwise it is empty.
    pub(super) fn copy_text(&self, copy: &mut File) -> io::Result<bool> {
        let Stored::Shared(given) = self else { return Ok(false) };
        let Some(OnDisk { path, stamp }) = given.text() else { return Ok(false) };
        // If the stamp is still the same after copying, the file has not changed since the formula was read.
        let copied = File::open(path).and_then(|mut file| {
            io::copy(&mut file, copy)?;
            file.metadata()
        });
        if copied.is_ok_and(|found| Stamp::of(&found).as_ref() == Some(stamp)) {
            return Ok(true);
        }
        copy.set_len(0)?;
        copy.rewind()?;
        Ok(false)
    }
}
