//! The list of known solvers.
//!
//! A registry is a value, not a global: every function that resolves engine ids takes a registry as an argument. So an
//! external solver is used like any other.

use super::factory::SolverFactory;
use counterpoint_base::suggest::{nearest, suggestion};

/// The name of the default solver, which engine ids omit.
pub const DEFAULT: &str = "varisat";

/// Solvers that are built in only with the feature of the same name.
pub const OPTIONAL: &[&str] = &["splr", "cadical"];

/// The default solver.
impl Default for SolverFactory {
    fn default() -> Self {
        super::varisat::factory()
    }
}

/// Solvers by name, the default first.
#[derive(Clone, Debug)]
pub struct SolverRegistry {
    factories: Vec<SolverFactory>,
    /// The remark set by [`SolverRegistry::configured`]; empty if there is none.
    configuration: String,
}

impl SolverRegistry {
    /// The solvers that are linked into this program.
    pub fn built_in() -> Self {
        let factories = vec![
            super::varisat::factory(),
            super::batsat::factory(),
            #[cfg(feature = "splr")]
            super::splr::factory(),
            #[cfg(feature = "cadical")]
            super::cadical::factory(),
        ];
        SolverRegistry { factories, configuration: String::new() }
    }

    /// Adds a solver. A solver of the same name is replaced.
    #[must_use]
    pub fn with(mut self, factory: SolverFactory) -> Self {
        match self.factories.iter_mut().find(|known| **known == factory) {
            Some(known) => *known = factory,
            None => self.factories.push(factory),
        }
        self
    }

    /// Sets a remark, such as "configuration: counterpoint.toml". Messages about an unknown name end with it, in
    /// parentheses.
    #[must_use]
    pub fn configured(self, configuration: impl Into<String>) -> Self {
        SolverRegistry { configuration: configuration.into(), ..self }
    }

    /// All solvers.
    pub fn iter(&self) -> impl Iterator<Item = &SolverFactory> {
        self.factories.iter()
    }

    /// The remark of [`SolverRegistry::configured`] as the end of a message; empty if there is none.
    pub(crate) fn configuration(&self) -> String {
        match self.configuration.as_str() {
            "" => String::new(),
            text => format!(" ({text})"),
        }
    }

    /// The error message for an unknown name.
    pub(crate) fn unknown(&self, name: &str) -> String {
        let configuration = self.configuration();
        if OPTIONAL.contains(&name) {
            let remedy = format!("build with the feature '{name}', or configure it as [solver.{name}]");
            return format!("solver {name} is not built in; {remedy}{configuration}");
        }
        let names: Vec<_> = self.iter().map(|factory| factory.name().to_owned()).collect();
        let near = nearest(name, names.iter().map(String::as_str));
        format!("no solver is called '{name}'; {}{configuration}", suggestion(near, &names))
    }
}
