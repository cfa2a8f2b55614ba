//! An engine of a problem: one of its own, or one that a configuration declares.

use super::{Typed, missing};
use crate::declared::{self, Declared, Printed, Prints};
use crate::engine::{Budget, Limit, Outcome, Side, Unfinished};
use crate::errors::{FormatError, UnknownName, Unsupported};
use crate::named::{self, NamedFormula};
use crate::problem::{Engine, JudgeStatus, Problem, Session};
use crate::rules::Settings;
use crate::spec::EngineSpec;
use counterpoint_encodings::Sink;

/// An engine of problem `P`.
pub(super) enum AnyEngine<P: Problem> {
    /// An engine of ours.
    Own(&'static Engine<P>),
    /// An engine that a configuration declares.
    Declared(&'static Declared),
}

/// A running engine. A declared engine keeps nothing from one instance to the next.
pub(super) enum AnySession<P: Problem> {
    Own(Session<P>),
    Declared(&'static Declared),
}

impl<P: Problem> Clone for AnyEngine<P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: Problem> Copy for AnyEngine<P> {}

impl<P: Problem> AnyEngine<P> {
    /// The engine of that id.
    pub(super) fn of(spec: &EngineSpec) -> Result<Self, UnknownName> {
        let found = match spec.declared() {
            Some(declared) if declared.problem == P::NAME => return Ok(AnyEngine::Declared(declared)),
            Some(_) => None,
            None => P::ENGINES.iter().find(|e| e.info.side == spec.side && e.info.name == spec.name),
        };
        found.map(AnyEngine::Own).ok_or_else(|| format!("{} has no engine '{spec}'", P::NAME).into())
    }

    /// Whether it supports an instance; if not, why not.
    #[inline(always)]
    pub(super) fn supports(
        self,
        settings: &Settings,
        rules: &P::Rules,
        instance: &P::Instance,
        spec: &EngineSpec,
    ) -> Result<(), Unsupported> {
        if let Some(solver) = spec.solver_profile().filter(|solver| solver.capabilities.needs_objective)
            && P::FORMULAS.objective.and_then(|find| find(rules, spec)).is_none()
        {
            let why = "reads WCNF, so it answers only questions with an objective, and this one has none";
            return Err(format!("solver {} {why}", solver.name).into());
        }
        match self {
            AnyEngine::Own(engine) => (engine.supports)(rules, instance, spec),
            AnyEngine::Declared(declared) => supports::<P>(declared, settings),
        }
    }

    /// Starts a session.
    pub(super) fn start(self) -> AnySession<P> {
        match self {
            AnyEngine::Own(engine) => AnySession::Own((engine.start)()),
            AnyEngine::Declared(declared) => AnySession::Declared(declared),
        }
    }

    /// Writes the formula of a SAT engine.
    pub(super) fn formula(
        self,
        typed: &Typed<P>,
        spec: &EngineSpec,
        sink: &mut dyn Sink,
    ) -> Result<(), Unsupported> {
        match self {
            AnyEngine::Own(engine) => {
                let write = engine.formula.ok_or_else(|| format!("{spec} has no formula"))?;
                write(&typed.rules, &typed.instance, spec, sink)
            }
            AnyEngine::Declared(declared) if spec.side == Side::Sat => {
                supports::<P>(declared, &typed.settings)?;
                let mut budget = Budget::unlimited();
                let Typed { settings, rules, instance } = typed;
                let formula = formula::<P>(declared, settings, (rules, instance), spec, &mut budget);
                formula.map_err(|unfinished| unfinished.to_string())?.write(sink);
                Ok(())
            }
            AnyEngine::Declared(_) => Err(format!("{spec} has no formula").into()),
        }
    }
}

impl<P: Problem> AnySession<P> {
    /// Solves an instance.
    #[inline(always)]
    pub(super) fn solve(
        &mut self,
        settings: &Settings,
        rules: &P::Rules,
        instance: &P::Instance,
        spec: &EngineSpec,
        budget: &mut Budget,
    ) -> Outcome<P::Answer> {
        match self {
            AnySession::Own(session) => session(rules, instance, spec, budget),
            AnySession::Declared(declared) => solve::<P>(declared, settings, (rules, instance), spec, budget),
        }
    }
}

/// The capability that the problem lacks to support declared engines that print this.
pub(super) fn lacks<P: Problem>(prints: Prints) -> Option<&'static str> {
    match prints {
        Prints::Verdict if P::OUTSIDE.read_verdict.is_none() => Some("reading verdicts"),
        Prints::Formula if P::OUTSIDE.solve_named.is_none() => Some("formulas of encoders"),
        _ => None,
    }
}

/// A declared engine supports the judge's value of each rule, and other values of the rules that its
/// declaration lists.
#[cold]
fn supports<P: Problem>(declared: &Declared, settings: &Settings) -> Result<(), Unsupported> {
    if let Some(capability) = lacks::<P>(declared.prints) {
        return Err(missing::<P>(capability, "OUTSIDE").into());
    }
    match settings.changed().find(|(key, _)| !declared.rules.iter().any(|rule| rule == key)) {
        Some((key, value)) => Err(format!(
            "its declaration does not list the rule {key}, which is {value} here; \
             if the program supports it, add rules = [\"{key}\"]"
        )
        .into()),
        None => Ok(()),
    }
}

#[cold]
fn solve<P: Problem>(
    declared: &Declared,
    settings: &Settings,
    (rules, instance): (&P::Rules, &P::Instance),
    spec: &EngineSpec,
    budget: &mut Budget,
) -> Outcome<P::Answer> {
    if let Err(reason) = supports::<P>(declared, settings) {
        return Outcome::Unsupported(reason);
    }
    if declared.prints == Prints::Formula {
        let Some(solve) = P::OUTSIDE.solve_named else {
            return Outcome::Unsupported(missing::<P>("formulas of encoders", "OUTSIDE").into());
        };
        return match formula::<P>(declared, settings, (rules, instance), spec, budget) {
            Ok(formula) => solve(rules, instance, &formula, spec, budget),
            Err(unfinished) => unfinished.outcome(None),
        };
    }
    let (printed, status) = match run::<P>(declared, settings, (rules, instance), spec, budget) {
        Ok(Printed { bytes, status }) => (bytes, status),
        Err(unfinished) => return unfinished.outcome(None),
    };
    let read = match (declared.prints, P::OUTSIDE.read_verdict) {
        (Prints::Verdict, Some(_)) if gave_up::<P>(&printed, status) => {
            return Outcome::GaveUp(Limit::Solver, None);
        }
        (Prints::Verdict, Some(read)) => {
            read(rules, instance, &printed).and_then(|answer| agrees_with::<P>(status, answer))
        }
        _ => from_json::<P>(instance, &printed),
    };
    match read {
        Ok(answer) => Outcome::Decided(answer),
        Err(error) => Outcome::Failed(format!("{spec}: {error}{}", declared::quote(&printed))),
    }
}

/// Whether a program has printed that it reached one of its own limits.
fn gave_up<P: Problem>(printed: &[u8], status: i32) -> bool {
    P::JUDGE_STATUS.is_some_and(|JudgeStatus { unknown, .. }| {
        let is_unknown = |line: &[u8]| line.trim_ascii_end() == unknown.trim_ascii_end().as_bytes();
        status == 0 && printed.split(|&byte| byte == b'\n').any(is_unknown)
    })
}

/// The answer, unless the program has ended with the status of another answer. Status 0 fits every answer.
fn agrees_with<P: Problem>(status: i32, answer: P::Answer) -> Result<P::Answer, FormatError> {
    match P::JUDGE_STATUS.map(|JudgeStatus { of, .. }| i32::from(of(&answer))) {
        Some(expected) if status != 0 && status != expected => {
            let outcome = P::outcome(&answer);
            Err(format!("it answered {outcome}, but ended with status {status}; expected {expected} or 0")
                .into())
        }
        _ => Ok(answer),
    }
}

fn from_json<P: Problem>(instance: &P::Instance, printed: &[u8]) -> Result<P::Answer, FormatError> {
    let map = serde_json::from_slice(printed).map_err(|error| format!("its output is not JSON: {error}"))?;
    P::from_json(instance, &map)
}

/// The formula that an encoder prints.
fn formula<P: Problem>(
    declared: &Declared,
    settings: &Settings,
    question: (&P::Rules, &P::Instance),
    spec: &EngineSpec,
    budget: &mut Budget,
) -> Result<NamedFormula, Unfinished> {
    let printed = run::<P>(declared, settings, question, spec, budget)?;
    named::parse(&printed.bytes).map_err(|bad| Unfinished::Failed(format!("{spec}: {}{bad}", named::OUTPUT)))
}

/// Runs the command on the instance, with the values of axes and rules in place of their names.
fn run<P: Problem>(
    declared: &Declared,
    settings: &Settings,
    (rules, instance): (&P::Rules, &P::Instance),
    spec: &EngineSpec,
    budget: &mut Budget,
) -> Result<Printed, Unfinished> {
    let input = match (P::STRESS, P::FILE) {
        (Some(stress), _) => (stress.input)(rules, instance),
        (None, Some(file)) => (file.text)(instance),
        (None, None) => P::write_instance(rules, instance),
    };
    let mut values: Vec<(&str, &str)> = spec.axes().collect();
    values.extend(declared.rules.iter().map(|key| (key.as_str(), settings.get(key))));
    declared.command.run(&input, &values, budget).map_err(|unfinished| match unfinished {
        Unfinished::Failed(reason) => Unfinished::Failed(format!("{spec}: {reason}")),
        limit @ Unfinished::Limit(_) => limit,
    })
}
