//! Selects engines of a list by patterns. Here, the parts of an id that a pattern does not name may be
//! anything: `sat:*@kissat` selects every SAT engine with the solver kissat, whatever its axes.

use super::pattern::{expand, matches, split_outside_braces};
use super::{EngineSpec, nearest, suggestion};
use crate::engine::{EngineInfo, Side};
use crate::errors::UnknownName;
use crate::solver::SolverRegistry;
use std::collections::BTreeSet;

/// The engines that match one of the comma-separated `patterns`, in the order of `engines`.
///
/// # Errors
/// Returns an error if a pattern, or an alternative in its braces, matches none of the engines. The message suggests
/// the nearest id.
pub fn select<'e>(engines: &'e [EngineSpec], patterns: &str) -> Result<Vec<&'e EngineSpec>, UnknownName> {
    let mut chosen = vec![false; engines.len()];
    for pattern in split_outside_braces(patterns) {
        let (expansions, alternatives) = expand(pattern)?;
        let mut is_used = vec![false; alternatives];
        let mut any = false;
        for expansion in &expansions {
            for (engine, chosen) in engines.iter().zip(&mut chosen) {
                if is_match(engine, &expansion.text)? {
                    (*chosen, any) = (true, true);
                    expansion.taken.iter().for_each(|&alternative| is_used[alternative] = true);
                }
            }
        }
        let unused = is_used.iter().position(|used| !used);
        let lost = expansions.iter().find(|e| unused.map_or(!any, |unused| e.taken.contains(&unused)));
        if let Some(lost) = lost {
            let ids: Vec<String> = engines.iter().map(ToString::to_string).collect();
            let near = nearest(&lost.text, ids.iter().map(String::as_str));
            let text = format!("'{}' matches none of the engines; {}", lost.text, suggestion(near, &ids));
            return Err(text.into());
        }
    }
    Ok(engines.iter().zip(chosen).filter_map(|(engine, chosen)| chosen.then_some(engine)).collect())
}

/// Whether an engine matches a pattern without braces.
fn is_match(engine: &EngineSpec, pattern: &str) -> Result<bool, UnknownName> {
    let (id, solver) = pattern.split_once('@').map_or((pattern, None), |(id, solver)| (id, Some(solver)));
    let mut parts = id.split('/');
    let (side, name) = parts.next().unwrap_or_default().split_once(':').unwrap_or((id, "*"));
    let side = side.split('/').next().unwrap_or_default();
    let mut is_match = matches(side, &engine.side.to_string()) && matches(name, engine.name);
    for part in parts {
        let (axis, value) = part
            .split_once('=')
            .ok_or_else(|| format!("'{part}' in '{pattern}' is not of the form AXIS=VALUE"))?;
        is_match &= engine.axis(axis).is_some_and(|own| matches(value, own));
    }
    Ok(is_match && solver.is_none_or(|solver| engine.solver_name().is_some_and(|own| matches(solver, own))))
}

/// The engine with this id. `info` describes it, and its solver is a built-in one.
///
/// # Errors
/// Returns an error if the id does not name an engine.
pub fn built_in(info: EngineInfo, id: &str) -> Result<EngineSpec, UnknownName> {
    let found = super::resolve(&[info], &SolverRegistry::built_in(), id)?;
    found.into_iter().next().ok_or_else(|| UnknownName::from(format!("{id} does not name an engine")))
}

/// The message for a pattern without braces that matches no engine.
pub(super) fn unknown(infos: &[EngineInfo], solvers: &SolverRegistry, pattern: &str) -> String {
    if pattern.starts_with("exec") && infos.iter().all(|info| info.side != Side::Exec) {
        let configuration = solvers.configuration();
        return format!(
            "no engine is called '{pattern}'; [engine.NAME] declares a program{configuration}, also in a plan, which --plan EXP reads"
        );
    }
    if pattern == "*" {
        let sides: BTreeSet<String> = infos.iter().map(|info| format!("{}:*", info.side)).collect();
        let all = sides.into_iter().rev().collect::<Vec<_>>().join(",");
        return format!("'*' does not name a kind of engine; for all engines, use '{all}'");
    }
    let names = infos.iter().map(|i| format!("{}:{}", i.side, i.name)).collect::<Vec<_>>();
    let near = nearest(pattern, names.iter().map(String::as_str));
    format!("no engine is called '{pattern}'; {}", suggestion(near, &names))
}

#[cfg(test)]
mod tests {
    use super::super::{EngineSpec, resolve};
    use super::select;
    use crate::engine::{Axis, EngineInfo, Side};
    use crate::solver::SolverRegistry;

    const AMO: Axis = Axis { name: "amo", values: &["pairwise", "ladder"], about: "" };
    const INFOS: &[EngineInfo] = &[
        EngineInfo { side: Side::Search, name: "cover", about: "", source: "", axes: &[], declared: None },
        EngineInfo { side: Side::Sat, name: "owner", about: "", source: "", axes: &[AMO], declared: None },
    ];

    #[test]
    fn parts_that_a_pattern_does_not_name_may_be_anything() {
        let all = "search:cover,sat:owner/amo=*@{varisat,batsat}";
        let engines = resolve(INFOS, &SolverRegistry::built_in(), all).unwrap();
        let ids = |pattern: &str| {
            let found = select(&engines, pattern).map_err(String::from)?;
            Ok::<_, String>(found.into_iter().map(EngineSpec::to_string).collect::<Vec<_>>().join(" "))
        };
        let found = |pattern: &str| ids(pattern).unwrap();
        assert_eq!(found("sat:*@batsat"), "sat:owner@batsat sat:owner/amo=ladder@batsat");
        assert_eq!(found("sat:owner/amo=ladder"), "sat:owner/amo=ladder sat:owner/amo=ladder@batsat");
        assert_eq!(found("sat:owner/amo=pairwise@varisat"), "sat:owner");
        assert_eq!(found("sat").split(' ').count(), 4);
        assert_eq!(found("sat/amo=ladder"), found("sat:*/amo=ladder"));
        assert_eq!(found("search,sat@{batsat,varisat}"), found("*"));
        assert!(
            ids("search:*@batsat")
                .unwrap_err()
                .starts_with("'search:*@batsat' matches none of the engines; ")
        );
        assert!(ids("sat:{owner,ownr}").unwrap_err().starts_with("'sat:ownr' matches none of the engines; "));
        assert!(ids("sat:owner/ladder").unwrap_err().contains("is not of the form AXIS=VALUE"));
        assert!(ids("").is_err() && ids("sat:{").is_err());
    }
}
