//! A problem's stress tests as [`Trials`].

use super::{Typed, TypedAnswer, TypedInstance};
use crate::board::Sheet;
use crate::erased::{DynAnswer, DynInstance, EncodingInfo, MutantInfo, TrialInfo, Trials};
use crate::errors::{GenerateError, RulesError};
use crate::problem::{Encoding, Judgement, NamedCell, Package, Printed, Problem, Stress};
use crate::rules::Settings;
use chacha20::{ChaCha8Rng, rand_core::SeedableRng};
use std::sync::Arc;

pub(super) struct TypedTrials<P: Problem>(pub(super) Stress<P::Rules, P::Instance, P::Answer>);

impl<P: Problem> TypedTrials<P> {
    fn known(instance: &dyn DynInstance) -> Option<&Arc<Typed<P>>> {
        instance.as_any().downcast_ref::<TypedInstance<P>>().map(|instance| &instance.0)
    }

    fn boxed(settings: &Settings, rules: &P::Rules, instance: P::Instance) -> Box<dyn DynInstance> {
        let typed = Typed { settings: settings.clone(), rules: rules.clone(), instance };
        Box::new(TypedInstance::<P>(Arc::new(typed)))
    }

    /// The instances that `make` derives from `instance`, under the same rules.
    fn derived(
        instance: &dyn DynInstance,
        make: impl Fn(&P::Instance) -> Vec<P::Instance>,
    ) -> Vec<Box<dyn DynInstance>> {
        let Some(typed) = Self::known(instance) else { return Vec::new() };
        let made = |instance| Self::boxed(&typed.settings, &typed.rules, instance);
        make(&typed.instance).into_iter().map(made).collect()
    }
}

/// The words of a text, separated by white space.
fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

impl<P: Problem> Trials for TypedTrials<P> {
    fn trials(&self) -> Vec<TrialInfo> {
        let info = |t: &crate::problem::Trial<_, _>| TrialInfo {
            name: t.name,
            about: t.about,
            promise: t.promise,
            effort: t.effort,
        };
        self.0.trials.iter().map(info).collect()
    }

    fn first_inputs(&self) -> u64 {
        self.0.first_inputs
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
    ) -> Result<Box<dyn DynInstance>, GenerateError> {
        let rules = P::rules(settings)?;
        let trial = self.0.trials.get(trial).ok_or("there is no such trial")?;
        let instance = (trial.make)(&rules, round, &mut ChaCha8Rng::seed_from_u64(seed))?;
        Ok(Self::boxed(settings, &rules, instance))
    }

    fn input(&self, instance: &dyn DynInstance) -> String {
        Self::known(instance).map_or(String::new(), |typed| (self.0.input)(&typed.rules, &typed.instance))
    }

    fn smaller(&self, instance: &dyn DynInstance) -> Vec<Box<dyn DynInstance>> {
        Self::derived(instance, self.0.smaller)
    }

    fn silent(&self, answer: &dyn DynAnswer) -> Option<&'static str> {
        let answer = answer.as_any().downcast_ref::<TypedAnswer<P>>()?;
        (self.0.silent)(&answer.typed.instance, &answer.answer)
    }

    fn mutants(&self) -> Vec<MutantInfo> {
        let mutants = self.0.mutants.iter().map(|m| MutantInfo { name: m.name, fault: m.fault });
        let bugs = self.0.judge.map_or(Vec::new(), |judge| (judge.bugs)());
        mutants.chain(bugs.into_iter().map(|[name, fault]| MutantInfo { name, fault })).collect()
    }

    fn mutant_output(&self, mutant: usize, instances: &[&dyn DynInstance]) -> Option<String> {
        let typed: Vec<_> = instances.iter().map(|instance| Self::known(*instance)).collect::<Option<_>>()?;
        let instances: Vec<_> = typed.iter().map(|typed| &typed.instance).collect();
        (self.0.mutants.get(mutant)?.output)(&typed.first()?.rules, &instances)
    }

    fn may_print(&self, mutant: usize, instances: &[&dyn DynInstance], printed: Printed<'_>) -> Option<bool> {
        match (self.0.judge, instances) {
            (Some(judge), [instance]) => {
                (judge.may_print)(mutant, &Self::known(*instance)?.instance, printed)
            }
            (Some(_), _) => None,
            (None, _) => {
                let output = self.mutant_output(mutant, instances)?;
                Some(words(output.as_bytes()).eq(words(printed.output)))
            }
        }
    }

    fn has_judge(&self) -> bool {
        self.0.judge.is_some()
    }

    fn judge(&self, answer: &dyn DynAnswer, printed: Printed<'_>) -> Option<Judgement> {
        let answer = answer.as_any().downcast_ref::<TypedAnswer<P>>()?;
        Some((self.0.judge?.judge)(&answer.typed.instance, &answer.answer, printed))
    }

    fn encoding(&self, settings: &Settings) -> Result<Option<EncodingInfo>, RulesError> {
        let rules = P::rules(settings)?;
        let info = |encoding: Encoding<_, _>| EncodingInfo {
            models: encoding.models,
            extent: (encoding.extent)(&rules),
        };
        Ok(self.0.encoding.map(info))
    }

    fn tiny<'a>(
        &'a self,
        settings: &Settings,
    ) -> Result<Box<dyn Iterator<Item = Box<dyn DynInstance>> + 'a>, RulesError> {
        let (rules, settings) = (P::rules(settings)?, settings.clone());
        let boards = self.0.encoding.map(|encoding| (encoding.tiny)(&rules));
        let boards = boards.into_iter().flatten();
        Ok(Box::new(boards.map(move |instance| Self::boxed(&settings, &rules, instance))))
    }

    fn small(
        &self,
        settings: &Settings,
        round: u64,
        seed: u64,
    ) -> Result<Box<dyn DynInstance>, GenerateError> {
        let rules = P::rules(settings)?;
        let encoding = self.0.encoding.ok_or("there are no boards for encoders")?;
        let instance = (encoding.random)(&rules, round, &mut ChaCha8Rng::seed_from_u64(seed))?;
        Ok(Self::boxed(settings, &rules, instance))
    }

    fn simpler(&self, instance: &dyn DynInstance) -> Vec<Box<dyn DynInstance>> {
        self.0.encoding.map_or(Vec::new(), |encoding| Self::derived(instance, encoding.smaller))
    }

    fn cells(&self, instance: &dyn DynInstance) -> Vec<NamedCell> {
        let cells = |typed: &Arc<Typed<P>>| Some((self.0.encoding?.cells)(&typed.instance));
        Self::known(instance).and_then(cells).unwrap_or_default()
    }

    fn draw(&self, instance: &dyn DynInstance, values: &[Option<bool>]) -> Sheet {
        let draw =
            |typed: &Arc<Typed<P>>| Some((self.0.encoding?.draw)(&typed.rules, &typed.instance, values));
        Self::known(instance).and_then(draw).unwrap_or_default()
    }

    fn package(&self) -> Option<Package> {
        self.0.package
    }
}
