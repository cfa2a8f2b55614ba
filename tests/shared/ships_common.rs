//! Helpers for the tests of Ships: rules, instances from rows, engines by pattern, claims with proofs.

#![allow(dead_code, reason = "each test file uses a part")]

use counterpoint::certify::{certify, proofs};
use counterpoint::claim::{Claim, all_closed, any_failed};
use counterpoint::engine::{Budget, Outcome};
use counterpoint::erased::{DynAnswer, DynInstance, DynProblem};
use counterpoint::input::{Source, Warnings};
use counterpoint::problems::ships::Ships;
use counterpoint::registry::Registry;
use counterpoint::rules::Settings;
use counterpoint::solver::SolverRegistry;
use counterpoint::spec::{self, EngineSpec};

/// The settings for these rules. The value of a rule that expects a file is the file's text.
pub(crate) fn settings(rules: &[(&str, &str)]) -> Settings {
    let given: Vec<_> = rules.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    let registry = Registry::empty().with::<Ships>();
    Settings::new(registry.find("ships").unwrap().rules(), &given, &|text| Ok(text.to_owned())).unwrap()
}

pub(crate) fn with_ships<T>(then: impl FnOnce(&dyn DynProblem) -> T) -> T {
    let registry = Registry::empty().with::<Ships>();
    then(registry.find("ships").unwrap())
}

pub(crate) fn engines(patterns: &str) -> Vec<EngineSpec> {
    with_ships(|ships| spec::resolve(ships.engines(), &SolverRegistry::built_in(), patterns).unwrap())
}

/// A board from rows separated by `/`.
pub(crate) fn instance(settings: &Settings, rows: &str) -> Box<dyn DynInstance> {
    let (width, height) = (rows.split('/').next().unwrap().len(), rows.split('/').count());
    let text = format!("{width} {height}\n{}\n0 0\n", rows.replace('/', "\n"));
    with_ships(|ships| {
        let warnings = Warnings::default();
        ships.open(settings, Source::from_text("t", &text), &warnings).unwrap().next().unwrap().unwrap()
    })
}

/// The answer of one engine.
pub(crate) fn decide(instance: &dyn DynInstance, engine: &EngineSpec) -> Box<dyn DynAnswer> {
    match instance.solve(engine, &mut Budget::unlimited()) {
        Outcome::Decided(reply) => reply,
        other => panic!("{engine}: {:?}", other.answer().map(|reply| reply.outcome())),
    }
}

/// The claims of an answer, all of which must be closed. If the checker cannot close all of them alone, a solver proves
/// the rest.
pub(crate) fn closed(reply: &dyn DynAnswer) -> Vec<Claim> {
    let claims = reply.check(&[], &mut Budget::unlimited());
    assert!(!any_failed(&claims), "{claims:?}");
    if all_closed(&claims) {
        return claims;
    }
    let proofs = proofs(certify(&reply.obligations(), &mut Budget::unlimited()));
    let claims = reply.check(&proofs, &mut Budget::unlimited());
    assert!(all_closed(&claims), "{claims:?}");
    claims
}
