//! Resolves the engines that the command line names.

use super::config;
use super::context::Context;
use super::exit::Failure;
use crate::erased::DynProblem;
use crate::solver::SolverRegistry;
use crate::spec::{self, EngineSpec};

impl Context {
    /// All engines that match the patterns. The configuration is read only if a pattern names a solver.
    pub(super) fn engines(
        &self,
        problem: &dyn DynProblem,
        patterns: &str,
    ) -> Result<Vec<EngineSpec>, Failure> {
        let solvers =
            if patterns.contains('@') { config::load(self)?.solvers } else { SolverRegistry::built_in() };
        Ok(spec::resolve(problem.engines(), &solvers, patterns)?)
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
