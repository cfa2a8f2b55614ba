//! Engine ids: `search:NAME`, `sat:ENCODING[/AXIS=VALUE]…[@SOLVER]` or `exec:NAME`, and patterns over them.
//!
//! An id omits default values. In a pattern, `*` stands for any text, and `{a,b}` stands for `a` or `b`; braces may be
//! nested. If `*` occurs in the encoding's place, encodings that lack one of the given axes or values do not match.
//! Every alternative in braces must match some engine. So a misspelt alternative is an error; it does not just make the
//! result smaller.

mod axis;
mod pattern;
mod select;

pub use axis::TypedAxis;
pub use counterpoint_base::suggest::{nearest, suggestion};
pub use select::{built_in, select};

use self::pattern::matches;
use self::select::unknown;
use crate::declared::Declared;
use crate::engine::{Axis, EngineInfo, Side};
use crate::errors::UnknownName;
use crate::solver::{self, Profile, Solver, SolverFactory, SolverRegistry};
use std::collections::HashSet;
use std::fmt;

/// A fully resolved engine id: an engine with a value for each axis and a solver.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EngineSpec {
    /// What kind of engine it is.
    pub side: Side,
    /// The engine's name within its side.
    pub name: &'static str,
    /// One setting for each axis, in the engine's order.
    axes: Vec<AxisSetting>,
    /// The solver of a SAT engine; `None` for any other.
    solver: Option<SolverFactory>,
    /// The declaration of an engine that a configuration declares; `None` for an engine of ours.
    declared: Option<&'static Declared>,
}

/// The value that an engine has on one axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct AxisSetting {
    axis: &'static str,
    value: &'static str,
    is_default: bool,
}

impl EngineSpec {
    /// The name of the value on an axis; `None` if the engine does not declare the axis. [`TypedAxis::of`] returns the
    /// value itself.
    pub fn axis(&self, name: &str) -> Option<&'static str> {
        self.axes.iter().find(|setting| setting.axis == name).map(|setting| setting.value)
    }

    /// Every axis with its value, in the engine's order.
    pub fn axes(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.axes.iter().map(|setting| (setting.axis, setting.value))
    }

    /// The declaration of an engine that a configuration declares; `None` for an engine of ours.
    pub fn declared(&self) -> Option<&'static Declared> {
        self.declared
    }

    /// A fresh solver of the engine's kind. Only SAT engines call this; a search would get the default solver.
    pub fn solver(&self) -> Box<dyn Solver> {
        self.solver.as_ref().map_or_else(|| SolverFactory::default().fresh(), SolverFactory::fresh)
    }

    /// The same engine, with its solver replaced by the result of `change`, which must have the same name. A search
    /// remains unchanged.
    #[must_use]
    pub fn map_solver(self, change: impl FnOnce(&SolverFactory) -> SolverFactory) -> EngineSpec {
        EngineSpec { solver: self.solver.as_ref().map(change), ..self }
    }

    /// The factory of the engine's solver, if the engine has one.
    pub fn solver_factory(&self) -> Option<&SolverFactory> {
        self.solver.as_ref()
    }

    /// The name of the solver, if the engine has one.
    pub fn solver_name(&self) -> Option<&str> {
        self.solver.as_ref().map(SolverFactory::name)
    }

    /// The description of the solver, if the engine has one.
    pub fn solver_profile(&self) -> Option<&Profile> {
        self.solver.as_ref().map(SolverFactory::profile)
    }

    /// The key by which engines are sorted: the index of the engine in `infos`, the indices of its values on their
    /// axes, and the index of its solver in `solvers`.
    fn rank(
        &self,
        infos: &[EngineInfo],
        solvers: &SolverRegistry,
    ) -> (Option<usize>, Vec<Option<usize>>, Option<usize>) {
        let row = infos.iter().position(|info| info.side == self.side && info.name == self.name);
        let axes = row.map_or(&[][..], |row| infos[row].axes);
        let values =
            axes.iter().map(|axis| axis.values.iter().position(|v| Some(*v) == self.axis(axis.name)));
        let solver = solvers.iter().position(|factory| Some(factory) == self.solver.as_ref());
        (row, values.collect(), solver)
    }

    /// The engine with default axes and solver.
    pub fn default_of(info: &EngineInfo) -> EngineSpec {
        let default = |axis: &Axis| AxisSetting { axis: axis.name, value: axis.values[0], is_default: true };
        let axes = info.axes.iter().map(default).collect();
        let solver = (info.side == Side::Sat).then(SolverFactory::default);
        EngineSpec { side: info.side, name: info.name, axes, solver, declared: info.declared }
    }
}

impl fmt::Display for EngineSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.side, self.name)?;
        for AxisSetting { axis, value, .. } in self.axes.iter().filter(|setting| !setting.is_default) {
            write!(f, "/{axis}={value}")?;
        }
        match &self.solver {
            Some(solver) if solver.name() != solver::DEFAULT => write!(f, "@{}", solver.name()),
            _ => Ok(()),
        }
    }
}

/// All engines that match one of the `patterns`, which are separated by commas outside braces. Each engine
/// occurs once. The engines are in the order of the patterns; those that match the same pattern are in the
/// order of `infos` and `solvers`. `search` alone stands for the first search, and `sat` alone for the first
/// SAT engine.
///
/// # Errors
/// Returns an error if a pattern, or an alternative in braces, matches no engine. The message is about the first such
/// pattern or alternative, and suggests the nearest name.
pub fn resolve(
    infos: &[EngineInfo],
    solvers: &SolverRegistry,
    patterns: &str,
) -> Result<Vec<EngineSpec>, UnknownName> {
    let (mut chosen, mut known) = (Vec::new(), HashSet::new());
    for pattern in pattern::split_outside_braces(patterns) {
        let first_new = chosen.len();
        let (expansions, alternatives) = pattern::expand(pattern)?;
        let found: Vec<_> =
            expansions.iter().map(|expansion| plain(infos, solvers, &expansion.text)).collect();
        let mut is_used = vec![false; alternatives];
        for (expansion, _) in expansions.iter().zip(&found).filter(|(_, found)| found.is_ok()) {
            expansion.taken.iter().for_each(|&alternative| is_used[alternative] = true);
        }
        let mut errors =
            expansions.iter().zip(&found).filter_map(|(e, found)| Some((e, found.as_ref().err()?)));
        let error = match is_used.iter().position(|is_used| !is_used) {
            // Prefer the expansion with the fewest other unused alternatives, so that the error is about
            // `first`.
            Some(first) => errors
                .filter(|(expansion, _)| expansion.taken.contains(&first))
                .min_by_key(|(e, _)| e.taken.iter().filter(|&&taken| !is_used[taken]).count()),
            None => errors.next().filter(|_| found.iter().all(Result::is_err)),
        };
        if let Some((_, error)) = error {
            return Err(error.clone());
        }
        for spec in found.into_iter().flatten().flatten() {
            if known.insert(spec.clone()) {
                chosen.push(spec);
            }
        }
        chosen[first_new..].sort_by_cached_key(|spec| spec.rank(infos, solvers));
    }
    Ok(chosen)
}

/// The engines that match a pattern without braces; at least one.
fn plain(
    infos: &[EngineInfo],
    solvers: &SolverRegistry,
    pattern: &str,
) -> Result<Vec<EngineSpec>, UnknownName> {
    let (id, solver) = pattern.split_once('@').map_or((pattern, None), |(id, s)| (id, Some(s)));
    let Some((side, body)) = id.split_once(':') else {
        // A side alone stands for the first engine of that side; axes may follow.
        let (side, axes) = id.split_at(id.find('/').unwrap_or(id.len()));
        let solver = solver.map_or(String::new(), |solver| format!("@{solver}"));
        return match infos.iter().find(|info| info.side.to_string() == side) {
            Some(first) => plain(infos, solvers, &format!("{side}:{}{axes}{solver}", first.name)),
            None => Err(unknown(infos, solvers, pattern).into()),
        };
    };
    let mut parts = body.split('/');
    let name = parts.next().unwrap_or_default();
    let (mut wanted, mut known): (Vec<(&str, &str)>, HashSet<&str>) = (Vec::new(), HashSet::new());
    for part in parts {
        let pair = part
            .split_once('=')
            .ok_or_else(|| format!("'{part}' in '{pattern}' is not of the form AXIS=VALUE"))?;
        if !known.insert(pair.0) {
            return Err(format!("'{pattern}' names the axis {} twice", pair.0).into());
        }
        wanted.push(pair);
    }
    let matching: Vec<_> =
        (infos.iter()).filter(|i| matches(side, &i.side.to_string()) && matches(name, i.name)).collect();
    let (mut specs, mut errors) = (Vec::new(), Vec::new());
    for info in &matching {
        match (vary(info, &wanted), solver) {
            (Err(error), _) => errors.push(error),
            (Ok(varied), _) if info.side == Side::Sat => {
                specs.extend(with_solvers(&varied, solvers, solver)?)
            }
            (Ok(varied), None) => specs.extend(varied),
            (Ok(_), Some(solver)) => {
                let (side, name) = (info.side, info.name);
                return Err(format!("{side}:{name} takes no solver; '@{solver}' is for sat engines").into());
            }
        }
    }
    if specs.is_empty() {
        // The error of an engine that has the axes is more helpful than that of one that lacks them.
        errors.sort_by_key(|misfit| matches!(misfit, Misfit::Axis(_)));
        return Err(errors
            .into_iter()
            .next()
            .map_or_else(|| unknown(infos, solvers, pattern), Misfit::into_text)
            .into());
    }
    Ok(specs)
}

/// Why an engine does not match.
enum Misfit {
    /// It lacks an axis.
    Axis(String),
    /// One of its axes lacks the value.
    Value(String),
}

impl Misfit {
    fn into_text(self) -> String {
        match self {
            Misfit::Axis(text) | Misfit::Value(text) => text,
        }
    }
}

/// The engine with every combination of the values that match `wanted`. Axes that `wanted` lacks keep their
/// defaults.
fn vary(info: &EngineInfo, wanted: &[(&str, &str)]) -> Result<Vec<EngineSpec>, Misfit> {
    if let Some((axis, _)) = wanted.iter().find(|(axis, _)| info.axes.iter().all(|a| a.name != *axis)) {
        let names: Vec<_> = info.axes.iter().map(|a| a.name.to_owned()).collect();
        let known = suggestion(nearest(axis, info.axes.iter().map(|a| a.name)), &names);
        return Err(Misfit::Axis(format!("{}:{} has no axis '{axis}'; {known}", info.side, info.name)));
    }
    let mut specs = vec![EngineSpec::default_of(info)];
    for (slot, axis) in info.axes.iter().enumerate() {
        let Some((_, pattern)) = wanted.iter().find(|(name, _)| *name == axis.name) else { continue };
        let values: Vec<_> = axis.values.iter().filter(|v| matches(pattern, v)).collect();
        if values.is_empty() {
            let known = match nearest(pattern, axis.values.iter().copied()) {
                Some(near) => format!("did you mean '{near}'?"),
                None => format!("it has {}", axis.values.join(", ")),
            };
            return Err(Misfit::Value(format!("axis {} has no value '{pattern}'; {known}", axis.name)));
        }
        specs = (specs.iter())
            .flat_map(|c| {
                values.iter().map(|&&v| {
                    let mut c = c.clone();
                    c.axes[slot] = AxisSetting { axis: axis.name, value: v, is_default: v == axis.values[0] };
                    c
                })
            })
            .collect();
    }
    Ok(specs)
}

/// Each engine with every solver that matches the pattern, or with its own solver if there is no pattern.
fn with_solvers(
    specs: &[EngineSpec],
    solvers: &SolverRegistry,
    pattern: Option<&str>,
) -> Result<Vec<EngineSpec>, UnknownName> {
    let Some(pattern) = pattern else { return Ok(specs.to_vec()) };
    let named: Vec<_> = solvers.iter().filter(|s| matches(pattern, s.name())).collect();
    if named.is_empty() {
        return Err(solvers.unknown(pattern).into());
    }
    let with = |c: &EngineSpec| {
        let spec = |&solver: &&SolverFactory| EngineSpec { solver: Some(solver.clone()), ..c.clone() };
        named.iter().map(spec).collect::<Vec<_>>()
    };
    Ok(specs.iter().flat_map(with).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const AMO: Axis = Axis { name: "amo", values: &["pairwise", "sequential"], about: "" };
    const INFOS: &[EngineInfo] = &[
        EngineInfo { side: Side::Search, name: "cover", about: "", source: "", axes: &[], declared: None },
        EngineInfo { side: Side::Sat, name: "owner", about: "", source: "", axes: &[AMO], declared: None },
        EngineInfo { side: Side::Sat, name: "plain", about: "", source: "", axes: &[], declared: None },
    ];

    fn ids(patterns: &str) -> Result<Vec<String>, UnknownName> {
        resolve(INFOS, &SolverRegistry::built_in(), patterns)
            .map(|c| c.iter().map(EngineSpec::to_string).collect())
    }

    #[test]
    fn patterns_match_several_engines_and_ids_omit_defaults() {
        assert_eq!(ids("search,sat").unwrap(), ["search:cover", "sat:owner"]);
        assert_eq!(ids("sat:owner/amo=*").unwrap(), ["sat:owner", "sat:owner/amo=sequential"]);
        assert_eq!(ids("sat@batsat").unwrap(), ["sat:owner@batsat"]);
        assert_eq!(ids("sat/amo=sequential").unwrap(), ["sat:owner/amo=sequential"]);
        assert_eq!(ids("sat:*").unwrap(), ["sat:owner", "sat:plain"]);
        assert_eq!(ids("sat:*/amo=seq*").unwrap(), ["sat:owner/amo=sequential"]);
        assert_eq!(ids("sat:{plain,owner}@{varisat,batsat}").unwrap().len(), 4);
        assert_eq!(ids("sat:plain@batsat,sat:plain@batsat").unwrap(), ["sat:plain@batsat"]);
    }

    #[test]
    fn every_alternative_in_braces_must_match_something() {
        let error = |patterns: &str| String::from(ids(patterns).unwrap_err());
        let amo = "axis amo has no value 'pairwse'; did you mean 'pairwise'?";
        assert_eq!(error("sat:owner/amo={pairwse,sequential}@{varisat,batsta}"), amo);
        assert_eq!(error("sat:*/amo={sequential,pairwse}"), amo);
        assert_eq!(error("sat:owner/amo={sequential,{pairwise,pairwse}}"), amo);
        let batsat = "no solver is called 'batsta'; did you mean 'batsat'?";
        assert_eq!(error("sat:owner@{varisat,batsta}"), batsat);
        assert_eq!(error("sat:*@{{varisat,batsta},batsat}"), batsat);
        assert!(error("sat:{owner,plan}").starts_with("no engine is called 'sat:plan'; did you mean"));
        assert!(error("{search,sta}:*").starts_with("no engine is called 'sta:*'; there are"));
        assert!(error("search:*,sat:{owner,plan}").contains("'sat:plan'"));
        assert_eq!(error("sat:{owner,plain}/amo=*"), "sat:plain has no axis 'amo'; there is none");
        assert!(error("sat:{owner,}").starts_with("no engine is called 'sat:'"));
        assert_eq!(
            error("{search,sat}:*@batsat"),
            "search:cover takes no solver; '@batsat' is for sat engines"
        );
        // It is enough that an alternative matches in one combination with the others.
        assert_eq!(ids("{search,sat}:{cover,owner}").unwrap(), ["search:cover", "sat:owner"]);
        assert_eq!(
            ids("sat:owner{,/amo=sequential}, search:cover").unwrap(),
            ["sat:owner", "sat:owner/amo=sequential", "search:cover"]
        );
        assert_eq!(ids("{sat:{plain,owner},search}").unwrap(), ["search:cover", "sat:owner", "sat:plain"]);
    }

    #[test]
    fn parts_that_match_nothing_are_errors() {
        for (pattern, words) in [
            ("sat:x*", "no engine is called 'sat:x*'; "),
            ("*", "'*' does not name a kind of engine; for all engines, use 'search:*,sat:*'"),
            ("sat:owner/amo=x*", "axis amo has no value 'x*'; it has pairwise, sequential"),
            ("sat:*/amo=x*", "axis amo has no value 'x*'; it has pairwise, sequential"),
            ("sat:*/amp=*", "sat:owner has no axis 'amp'; did you mean 'amo'?"),
            ("sat:owner@x*", "no solver is called 'x*'; there are varisat"),
            ("search,,sat", "no engine is called ''; there are search:cover"),
            ("sat:owner/amo=pairwise/amo=sequential", "names the axis amo twice"),
            ("sat:owner@{varisat", "has a '{' without a '}'"),
        ] {
            let error = ids(pattern).unwrap_err();
            assert!(error.message().contains(words), "{pattern}: {error}");
        }
    }

    #[test]
    fn errors_suggest_the_nearest_name() {
        assert_eq!(
            ids("search:covr").unwrap_err(),
            "no engine is called 'search:covr'; did you mean 'search:cover'?"
        );
        assert_eq!(ids("sat:owner/amp=x").unwrap_err(), "sat:owner has no axis 'amp'; did you mean 'amo'?");
        assert_eq!(
            ids("sat:owner/amo=x").unwrap_err(),
            "axis amo has no value 'x'; it has pairwise, sequential"
        );
        assert!(
            ids("sat:owner@z")
                .unwrap_err()
                .message()
                .starts_with("no solver is called 'z'; there are varisat, batsat")
        );
        assert_eq!(
            ids("sat:owner@varsat").unwrap_err(),
            "no solver is called 'varsat'; did you mean 'varisat'?"
        );
        assert!(ids("search:cover@varisat").unwrap_err().message().contains("takes no solver"));
    }
}
