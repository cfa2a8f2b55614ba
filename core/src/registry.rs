//! The registry of problems. Programs that use this library differ only in their registries.

use crate::erased::{DynProblem, Erased};
use crate::errors::UnknownName;
use crate::problem::Problem;
use crate::spec::{nearest, suggestion};

/// Name and version of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Program {
    /// The name in help, messages and suggested commands.
    pub name: &'static str,
    /// What `--version` prints after the name.
    pub version: &'static str,
    /// The revision of the sources, which `--version` prints, too; empty if it is not known.
    pub revision: &'static str,
}

impl Default for Program {
    fn default() -> Self {
        Program { name: "counterpoint", version: env!("CARGO_PKG_VERSION"), revision: "" }
    }
}

/// A list of problems, and the program that offers them.
pub struct Registry {
    problems: Vec<Box<dyn DynProblem>>,
    program: Program,
}

impl Registry {
    /// A registry without problems.
    pub fn empty() -> Self {
        Registry { problems: Vec::new(), program: Program::default() }
    }

    /// Sets the name and the version of the program: `.named(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"))`.
    #[must_use]
    pub fn named(mut self, name: &'static str, version: &'static str) -> Self {
        self.program = Program { name, version, ..self.program };
        self
    }

    /// Sets the revision of the sources of the program, such as a commit.
    #[must_use]
    pub fn built_from(mut self, revision: &'static str) -> Self {
        self.program.revision = revision;
        self
    }

    /// The program that offers these problems.
    pub fn program(&self) -> Program {
        self.program
    }

    /// Adds a problem. A problem of the same name is replaced.
    #[must_use]
    pub fn with<P: Problem>(self) -> Self {
        self.with_erased(Box::new(Erased::<P>::new()))
    }

    /// Adds a problem that already is a trait object. A problem of the same name is replaced.
    #[must_use]
    pub fn with_erased(mut self, problem: Box<dyn DynProblem>) -> Self {
        self.problems.retain(|known| known.name() != problem.name());
        self.problems.push(problem);
        self
    }

    /// All problems.
    pub fn iter(&self) -> impl Iterator<Item = &dyn DynProblem> {
        self.problems.iter().map(Box::as_ref)
    }

    /// The problem of that name.
    ///
    /// # Errors
    /// Returns an error if there is no such problem. The message suggests the nearest name.
    pub fn find(&self, name: &str) -> Result<&dyn DynProblem, UnknownName> {
        self.iter().find(|p| p.name() == name).ok_or_else(|| {
            let names: Vec<_> = self.iter().map(|p| p.name().to_owned()).collect();
            let near = nearest(name, self.iter().map(|p| p.name()));
            format!("no problem is called '{name}'; {}", suggestion(near, &names)).into()
        })
    }
}
