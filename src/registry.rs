//! The list of problems: all that a program of this library knows.

use crate::erased::{DynProblem, Erased};
use crate::problem::Problem;
use crate::spec::{nearest, suggestion};

/// Problems by name, in the order in which they are listed.
pub struct Registry(Vec<Box<dyn DynProblem>>);

impl Registry {
    /// No problem at all.
    pub fn empty() -> Self {
        Registry(Vec::new())
    }

    /// Spot, Ships and Flip.
    pub fn standard() -> Self {
        use crate::problems::{flip::entry::Flip, ships::entry::Ships, spot::entry::Spot};
        Registry::empty().with::<Spot>().with::<Ships>().with::<Flip>()
    }

    /// These problems and one more; one of the same name is replaced.
    #[must_use]
    pub fn with<P: Problem>(mut self) -> Self {
        self.0.retain(|known| known.name() != P::NAME);
        self.0.push(Box::new(Erased::<P>::new()));
        self
    }

    /// All problems.
    pub fn iter(&self) -> impl Iterator<Item = &dyn DynProblem> {
        self.0.iter().map(Box::as_ref)
    }

    /// The problem of that name.
    ///
    /// # Errors
    /// A sentence with the nearest name.
    pub fn find(&self, name: &str) -> Result<&dyn DynProblem, String> {
        self.iter().find(|p| p.name() == name).ok_or_else(|| {
            let names: Vec<_> = self.iter().map(|p| p.name().to_owned()).collect();
            let near = nearest(name, self.iter().map(|p| p.name()));
            format!("no problem is called '{name}'; {}", suggestion(near, &names))
        })
    }
}
