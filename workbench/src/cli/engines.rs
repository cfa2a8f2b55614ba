//! Resolves the engines that the command line names.

use super::config;
use super::context::Context;
use super::exit::Failure;
use crate::erased::DynProblem;
use crate::solver::SolverRegistry;
use crate::spec::{self, EngineSpec};

impl Context {
    /// All engines that match the patterns. The configuration is read only if a pattern may mean something that is
    /// declared there: if the pattern names a solver, contains `*`, or matches no engine of the problem itself.
    pub(super) fn engines(
        &self,
        problem: &dyn DynProblem,
        patterns: &str,
    ) -> Result<Vec<EngineSpec>, Failure> {
        if !patterns.contains(['@', '*'])
            && let Ok(found) = spec::resolve(problem.engines(), &SolverRegistry::built_in(), patterns)
        {
            return Ok(found);
        }
        let config = config::load(self)?;
        let engines = config::engines(self, problem, &config.declared);
        Ok(spec::resolve(&engines, &config.solvers, patterns)?)
    }

    /// The one engine that matches the pattern.
    pub(super) fn engine(&self, problem: &dyn DynProblem, pattern: &str) -> Result<EngineSpec, Failure> {
        let mut found = self.engines(problem, pattern)?;
        match found.len() {
            1 => Ok(found.remove(0)),
            n => Err(Failure::usage(format!("'{pattern}' matches {n} engines; expected one"))),
        }
    }
}
