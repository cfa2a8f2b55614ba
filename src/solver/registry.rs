//! Solvers by name: what each is and can do, and how a fresh one is made.
//!
//! A roster is a value, not a global: whoever resolves engine ids hands one in, so an outside program
//! is a solver like any other.

use super::Solver;
use crate::spec::{nearest, suggestion};
use std::fmt;
use std::sync::Arc;

/// The name of the default solver, which engine ids leave out.
pub const DEFAULT: &str = "varisat";

/// Solvers that are built in only under the feature of the same name.
pub const OPTIONAL: &[&str] = &["splr", "cadical"];

/// What a solver can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// What one call learns serves the next; otherwise each call is a fresh run.
    pub incremental: bool,
    /// Literals can be assumed; otherwise they become unit clauses of a fresh run.
    pub assumptions: bool,
    /// Writes DRAT proofs of a single, non-incremental call.
    pub drat: bool,
    /// Writes LRAT proofs of a single, non-incremental call.
    pub lrat: bool,
    /// Takes parity constraints without turning them into clauses.
    pub native_parity: bool,
    /// How soon a limit acts.
    pub stops: Stops,
    /// What it counts.
    pub counts: &'static [Count],
}

/// How soon a limit acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stops {
    /// Within some thousand steps of the search.
    Soon,
    /// When 8 KiB of learnt clauses have come together; never while nothing is learnt.
    WhenLearning,
    /// When a call has ended: the call itself cannot be stopped.
    AfterCall,
    /// At once: it is a process, and is killed. It cannot be limited by conflicts.
    Killed,
}

/// What a solver may count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Conflicts.
    Conflicts,
    /// Decisions.
    Decisions,
    /// Propagated literals.
    Propagations,
}

/// What a solver is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// Its name in engine ids.
    pub name: String,
    /// Its version; empty if it is not known.
    pub version: String,
    /// What it can do.
    pub capabilities: Capabilities,
}

impl Profile {
    /// A profile from its parts.
    pub fn new(name: &str, version: &str, capabilities: Capabilities) -> Self {
        Profile { name: name.to_owned(), version: version.to_owned(), capabilities }
    }
}

/// A solver by name, and how a fresh one is made. Equal if the names are.
#[derive(Clone)]
pub struct SolverFactory {
    profile: Arc<Profile>,
    make: Arc<dyn Fn() -> Box<dyn Solver> + Send + Sync>,
}

impl SolverFactory {
    /// A solver that `make` makes, empty.
    pub fn new(profile: Profile, make: impl Fn() -> Box<dyn Solver> + Send + Sync + 'static) -> Self {
        SolverFactory { profile: Arc::new(profile), make: Arc::new(make) }
    }

    /// Its name in engine ids.
    pub fn name(&self) -> &str {
        &self.profile.name
    }

    /// What it is and can do.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// An empty solver.
    pub fn fresh(&self) -> Box<dyn Solver> {
        (self.make)()
    }
}

/// The default solver.
impl Default for SolverFactory {
    fn default() -> Self {
        super::varisat::factory()
    }
}

impl PartialEq for SolverFactory {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for SolverFactory {}

impl std::hash::Hash for SolverFactory {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

impl fmt::Debug for SolverFactory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Solvers by name, the default first.
#[derive(Clone, Debug)]
pub struct SolverRegistry {
    recipes: Vec<SolverFactory>,
    /// Where outside solvers are named, for messages; empty if nowhere.
    configuration: String,
}

impl SolverRegistry {
    /// The solvers that are linked in.
    pub fn built_in() -> Self {
        let recipes = vec![
            super::varisat::factory(),
            super::batsat::factory(),
            #[cfg(feature = "splr")]
            super::splr::factory(),
            #[cfg(feature = "cadical")]
            super::cadical::factory(),
        ];
        SolverRegistry { recipes, configuration: String::new() }
    }

    /// These solvers and one more; one of the same name is replaced.
    #[must_use]
    pub fn with(mut self, factory: SolverFactory) -> Self {
        match self.recipes.iter_mut().find(|known| **known == factory) {
            Some(known) => *known = factory,
            None => self.recipes.push(factory),
        }
        self
    }

    /// The same solvers. Messages about an unknown name say that outside solvers are configured there, such
    /// as "configuration: counterpoint.toml".
    #[must_use]
    pub fn configured(self, configuration: impl Into<String>) -> Self {
        SolverRegistry { configuration: configuration.into(), ..self }
    }

    /// All solvers.
    pub fn iter(&self) -> impl Iterator<Item = &SolverFactory> {
        self.recipes.iter()
    }

    /// What to say of a name that is on no roster.
    pub(crate) fn unknown(&self, name: &str) -> String {
        let configuration = match self.configuration.as_str() {
            "" => String::new(),
            text => format!(" ({text})"),
        };
        if OPTIONAL.contains(&name) {
            let remedy = format!("build with the feature '{name}', or name the program as [solver.{name}]");
            return format!("solver {name} is not built in; {remedy}{configuration}");
        }
        let names: Vec<_> = self.iter().map(|factory| factory.name().to_owned()).collect();
        let near = nearest(name, names.iter().map(String::as_str));
        format!("no solver is called '{name}'; {}{configuration}", suggestion(near, &names))
    }
}
