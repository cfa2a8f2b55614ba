//! A problem's stress tests as [`Trials`].

use super::{Typed, TypedCase, TypedReply};
use crate::erased::{Case, MutantInfo, Reply, TrialInfo, Trials};
use crate::problem::{Package, Problem, Stress};
use crate::rules::Settings;
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use std::sync::Arc;

pub(super) struct TypedTrials<P: Problem>(pub(super) Stress<P::Rules, P::Instance, P::Answer>);

impl<P: Problem> TypedTrials<P> {
    fn known(case: &dyn Case) -> Option<&Arc<Typed<P>>> {
        case.as_any().downcast_ref::<TypedCase<P>>().map(|case| &case.0)
    }
}

impl<P: Problem> Trials for TypedTrials<P> {
    fn trials(&self) -> Vec<TrialInfo> {
        let info =
            |t: &crate::problem::Trial<_, _>| TrialInfo { name: t.name, about: t.about, promise: t.promise };
        self.0.trials.iter().map(info).collect()
    }

    fn games(&self) -> usize {
        self.0.games
    }

    fn make(
        &self,
        settings: &Settings,
        trial: usize,
        round: u64,
        seed: u64,
    ) -> Result<Box<dyn Case>, String> {
        let rules = P::rules(settings)?;
        let trial = self.0.trials.get(trial).ok_or("there is no such trial")?;
        let instance = (trial.make)(&rules, round, &mut ChaCha8Rng::seed_from_u64(seed))?;
        Ok(Box::new(TypedCase::<P>(Arc::new(Typed { settings: settings.clone(), rules, instance }))))
    }

    fn input(&self, case: &dyn Case) -> String {
        Self::known(case).map_or(String::new(), |case| (self.0.input)(&case.rules, &case.instance))
    }

    fn smaller(&self, case: &dyn Case) -> Vec<Box<dyn Case>> {
        let Some(case) = Self::known(case) else { return Vec::new() };
        let smaller = |instance| {
            let (settings, rules) = (case.settings.clone(), case.rules.clone());
            Box::new(TypedCase::<P>(Arc::new(Typed { settings, rules, instance }))) as _
        };
        (self.0.smaller)(&case.instance).into_iter().map(smaller).collect()
    }

    fn silent(&self, reply: &dyn Reply) -> Option<&'static str> {
        let reply = reply.as_any().downcast_ref::<TypedReply<P>>()?;
        (self.0.silent)(&reply.case.instance, &reply.answer)
    }

    fn mutants(&self) -> Vec<MutantInfo> {
        self.0.mutants.iter().map(|m| MutantInfo { name: m.name, fault: m.fault }).collect()
    }

    fn tell(&self, mutant: usize, cases: &[&dyn Case]) -> Option<String> {
        let cases: Vec<_> = cases.iter().map(|case| Self::known(*case)).collect::<Option<_>>()?;
        let instances: Vec<_> = cases.iter().map(|case| &case.instance).collect();
        (self.0.mutants.get(mutant)?.tell)(&cases.first()?.rules, &instances)
    }

    fn package(&self) -> Package {
        self.0.package
    }
}
