//! The engines that a command line names.

use super::config;
use super::context::Context;
use super::exit::Failure;
use crate::erased::DynProblem;
use crate::solver::SolverRegistry;
use crate::spec::{self, EngineSpec};

impl Context {
    /// All engines that the patterns name. The configuration is read only if they name a solver.
    pub(super) fn engines(
        &self,
        problem: &dyn DynProblem,
        patterns: &str,
    ) -> Result<Vec<EngineSpec>, Failure> {
        let solvers =
            if patterns.contains('@') { config::load(self)?.solvers } else { SolverRegistry::built_in() };
        Ok(spec::resolve(problem.engines(), &solvers, patterns)?)
    }

    /// Exactly one engine.
    pub(super) fn engine(&self, problem: &dyn DynProblem, pattern: &str) -> Result<EngineSpec, Failure> {
        let mut found = self.engines(problem, pattern)?;
        match found.len() {
            1 => Ok(found.remove(0)),
            n => Err(Failure::usage(format!("'{pattern}' names {n} engines; name one"))),
        }
    }
}
