//! Engine ids: `search:NAME` or `sat:MODEL[/AXIS=VALUE]…[@SOLVER]`, and patterns over them.
//!
//! An id leaves defaults out. In a pattern `*` stands for any text and `{a,b}` for either; a model
//! that lacks an axis which the pattern names is not meant by it.

use crate::engine::{EngineInfo, Side};
use crate::solver::{self, Recipe, Roster, Solver};
use std::fmt;

/// One engine with a value for each axis and a solver: a fully resolved id.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Choice {
    /// Search or SAT.
    pub side: Side,
    /// The engine's name within its side.
    pub name: &'static str,
    /// Axis, value, and whether the value is the default, in the engine's order.
    axes: Vec<(&'static str, &'static str, bool)>,
    /// SAT only.
    solver: Option<Recipe>,
}

impl Choice {
    /// The value on an axis that the engine declares; empty for any other.
    pub fn axis(&self, name: &str) -> &'static str {
        self.axes.iter().find(|(axis, ..)| *axis == name).map_or("", |(_, value, _)| value)
    }

    /// Every axis with its value, in the engine's order.
    pub fn axes(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.axes.iter().map(|&(axis, value, _)| (axis, value))
    }

    /// A fresh solver; the default one for a search, which never asks.
    pub fn solver(&self) -> Box<dyn Solver> {
        self.solver.as_ref().map_or_else(|| Recipe::default().fresh(), Recipe::fresh)
    }

    /// The same with another solver of the same name; a search stays as it is.
    #[must_use]
    pub fn map_solver(self, change: impl FnOnce(&Recipe) -> Recipe) -> Choice {
        Choice { solver: self.solver.as_ref().map(change), ..self }
    }

    /// The name of the solver, if the engine has one.
    pub fn solver_name(&self) -> Option<&str> {
        self.solver.as_ref().map(Recipe::name)
    }

    /// The engine with default axes and solver.
    pub fn default_of(info: &EngineInfo) -> Choice {
        let axes = info.axes.iter().map(|axis| (axis.name, axis.values[0], true)).collect();
        let solver = (info.side == Side::Sat).then(Recipe::default);
        Choice { side: info.side, name: info.name, axes, solver }
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.side, self.name)?;
        for (axis, value, _) in self.axes.iter().filter(|(.., default)| !default) {
            write!(f, "/{axis}={value}")?;
        }
        match &self.solver {
            Some(solver) if solver.name() != solver::DEFAULT => write!(f, "@{}", solver.name()),
            _ => Ok(()),
        }
    }
}

/// All engines that `patterns` (several, parted by commas outside braces) name, each once, in the
/// order named. `search` and `sat` alone are the first engine of their side; solvers come from `roster`.
///
/// # Errors
/// A sentence that says what was not understood and which names there are.
pub fn resolve(infos: &[EngineInfo], roster: &Roster, patterns: &str) -> Result<Vec<Choice>, String> {
    let mut chosen = Vec::new();
    for pattern in split_outside_braces(patterns) {
        let found = expand(infos, roster, pattern)?;
        if found.is_empty() {
            let names = infos.iter().map(|i| format!("{}:{}", i.side, i.name)).collect::<Vec<_>>();
            let near = nearest(pattern, names.iter().map(String::as_str));
            return Err(format!("no engine is called '{pattern}'; {}", suggestion(near, &names)));
        }
        found.into_iter().for_each(|c| {
            if !chosen.contains(&c) {
                chosen.push(c);
            }
        });
    }
    Ok(chosen)
}

fn expand(infos: &[EngineInfo], roster: &Roster, pattern: &str) -> Result<Vec<Choice>, String> {
    let (id, solver) = pattern.split_once('@').map_or((pattern, None), |(id, s)| (id, Some(s)));
    let Some((side, body)) = id.split_once(':') else {
        // A side alone is its first engine; axes may follow.
        let (side, axes) = id.split_at(id.find('/').unwrap_or(id.len()));
        let solver = solver.map_or(String::new(), |solver| format!("@{solver}"));
        return match infos.iter().find(|info| info.side.to_string() == side) {
            Some(first) => expand(infos, roster, &format!("{side}:{}{axes}{solver}", first.name)),
            None => Ok(Vec::new()),
        };
    };
    let mut parts = body.split('/');
    let model = parts.next().unwrap_or_default();
    let mut wanted = Vec::new();
    for part in parts {
        let pair = part.split_once('=');
        wanted.push(pair.ok_or_else(|| format!("'{part}' in '{pattern}' is no AXIS=VALUE"))?);
    }
    let meant: Vec<_> =
        infos.iter().filter(|i| matches(side, &i.side.to_string()) && matches(model, i.name)).collect();
    let mut choices = Vec::new();
    for info in &meant {
        let missing = wanted.iter().find(|(axis, _)| info.axes.iter().all(|a| a.name != *axis));
        match missing {
            Some((axis, _)) if meant.len() == 1 => {
                let names: Vec<_> = info.axes.iter().map(|a| a.name.to_owned()).collect();
                let near = nearest(axis, info.axes.iter().map(|a| a.name));
                let known = suggestion(near, &names);
                return Err(format!("{}:{} has no axis '{axis}'; {known}", info.side, info.name));
            }
            Some(_) => continue,
            None => choices.extend(match solver {
                _ if info.side == Side::Sat => with_solvers(&vary(info, &wanted)?, roster, solver)?,
                None => vary(info, &wanted)?,
                Some(solver) => {
                    let name = info.name;
                    return Err(format!("search:{name} takes no solver; '@{solver}' is for sat engines"));
                }
            }),
        }
    }
    Ok(choices)
}

/// The engine with every combination of the values that `wanted` names.
fn vary(info: &EngineInfo, wanted: &[(&str, &str)]) -> Result<Vec<Choice>, String> {
    let mut choices = vec![Choice::default_of(info)];
    for (slot, axis) in info.axes.iter().enumerate() {
        let Some((_, pattern)) = wanted.iter().find(|(name, _)| *name == axis.name) else { continue };
        let values: Vec<_> = axis.values.iter().filter(|v| matches(pattern, v)).collect();
        if values.is_empty() {
            let all = axis.values.join(", ");
            return Err(format!("axis {} has no value '{pattern}'; it has {all}", axis.name));
        }
        choices = (choices.iter())
            .flat_map(|c| {
                values.iter().map(|&&v| {
                    let mut c = c.clone();
                    c.axes[slot] = (axis.name, v, v == axis.values[0]);
                    c
                })
            })
            .collect();
    }
    Ok(choices)
}

/// Each choice with every solver that the pattern names.
fn with_solvers(choices: &[Choice], roster: &Roster, pattern: Option<&str>) -> Result<Vec<Choice>, String> {
    let Some(pattern) = pattern else { return Ok(choices.to_vec()) };
    let solvers: Vec<_> = roster.iter().filter(|s| matches(pattern, s.name())).collect();
    if solvers.is_empty() {
        return Err(roster.unknown(pattern));
    }
    let with = |c: &Choice| {
        let choice = |&solver: &&Recipe| Choice { solver: Some(solver.clone()), ..c.clone() };
        solvers.iter().map(choice).collect::<Vec<_>>()
    };
    Ok(choices.iter().flat_map(with).collect())
}

fn split_outside_braces(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0i32, 0);
    for (i, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth <= 0 => {
                parts.push(&text[start..i]);
                start = i + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

/// Glob match with `*` and one level of `{a,b}`.
fn matches(pattern: &str, text: &str) -> bool {
    if let Some((before, rest)) = pattern.split_once('{')
        && let Some((inside, after)) = rest.split_once('}')
    {
        return inside.split(',').any(|alternative| matches(&format!("{before}{alternative}{after}"), text));
    }
    match pattern.split_once('*') {
        None => pattern == text,
        Some((before, after)) => text.strip_prefix(before).is_some_and(|rest| {
            (0..=rest.len()).any(|i| rest.is_char_boundary(i) && matches(after, &rest[i..]))
        }),
    }
}

/// The candidate most like `text`, if any is alike at all.
pub fn nearest<'a>(text: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let scored = candidates.map(|c| (strsim::jaro_winkler(text, c), c));
    scored.filter(|(score, _)| *score > 0.75).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, c)| c)
}

/// "did you mean …?" or the list of what there is.
pub fn suggestion(near: Option<&str>, all: &[String]) -> String {
    match near {
        Some(near) => format!("did you mean '{near}'?"),
        None if all.is_empty() => "there is none".to_owned(),
        None => format!("there are {}", all.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Axis;

    const AMO: Axis = Axis { name: "amo", values: &["pairwise", "sequential"] };
    const INFOS: &[EngineInfo] = &[
        EngineInfo { side: Side::Search, name: "cover", about: "", source: "", axes: &[] },
        EngineInfo { side: Side::Sat, name: "owner", about: "", source: "", axes: &[AMO] },
        EngineInfo { side: Side::Sat, name: "plain", about: "", source: "", axes: &[] },
    ];

    fn ids(patterns: &str) -> Result<Vec<String>, String> {
        resolve(INFOS, &Roster::built_in(), patterns).map(|c| c.iter().map(Choice::to_string).collect())
    }

    #[test]
    fn patterns_name_many_and_defaults_are_left_out() {
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
    fn errors_name_the_nearest() {
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
            ids("sat:owner@z").unwrap_err().starts_with("no solver is called 'z'; there are varisat, batsat")
        );
        assert_eq!(
            ids("sat:owner@varsat").unwrap_err(),
            "no solver is called 'varsat'; did you mean 'varisat'?"
        );
        assert!(ids("search:cover@varisat").unwrap_err().contains("takes no solver"));
    }
}
