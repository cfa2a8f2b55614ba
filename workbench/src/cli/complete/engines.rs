//! The candidates for engine ids, part by part: names, axes, values, solvers.

use super::super::config;
use super::super::context::Context;
use super::Candidate;
use crate::engine::{EngineInfo, Side};
use crate::erased::DynProblem;
use crate::solver::SolverRegistry;

/// The engines that a comma-separated list may end with. If `side` is given, only engines of this side are offered.
///
/// Inside braces that are still open, the candidates are the names or values that may stand there. After a pattern, no
/// other part of an id is offered but a solver, because the parts depend on the engine.
pub(super) fn candidates(
    context: &Context,
    problem: &dyn DynProblem,
    side: Option<Side>,
    word: &str,
) -> Vec<Candidate> {
    let (before, id) = word.split_at(start_of_last(word));
    // Completion also helps to repair a configuration with an error.
    let known = config::load(context).map(|config| {
        let engines = config::engines(context, problem, &config.declared);
        (engines, config.solvers)
    });
    let (mut engines, solvers) =
        known.unwrap_or_else(|_| (problem.engines().to_vec(), SolverRegistry::built_in()));
    engines.retain(|info| side.is_none_or(|side| info.side == side));
    let candidates = Ids { engines: &engines, solvers: &solvers }.of_pattern(id);
    candidates.into_iter().map(|candidate| with_prefix(before, candidate)).collect()
}

/// Where the last pattern of a list begins: after the last comma outside braces.
fn start_of_last(list: &str) -> usize {
    let (mut depth, mut start) = (0_usize, 0);
    for (at, byte) in list.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => start = at + 1,
            _ => {}
        }
    }
    start
}

fn with_prefix(prefix: &str, candidate: Candidate) -> Candidate {
    match candidate {
        Candidate::Word { value, about, is_part } => {
            Candidate::Word { value: format!("{prefix}{value}"), about, is_part }
        }
        other => other,
    }
}

/// The engines and solvers of which ids are made.
struct Ids<'a> {
    engines: &'a [EngineInfo],
    solvers: &'a SolverRegistry,
}

impl Ids<'_> {
    /// The candidates for a pattern that begins with `pattern`.
    fn of_pattern(&self, pattern: &str) -> Vec<Candidate> {
        if !pattern.contains(['*', '{', '}']) {
            return self.after(pattern);
        }
        let is_pattern = |text: &str| text.contains(['*', '{', '}']);
        match (pattern.rsplit_once('{'), pattern.rsplit_once('@')) {
            // A list of names or values in the only braces, which are still open.
            (Some((head, list)), _) if !is_pattern(head) && !is_pattern(list) => self.in_braces(head, list),
            // A solver after a pattern of SAT engines.
            (_, Some((engine, solver))) if engine.starts_with("sat") && !is_pattern(solver) => {
                let is_closed = engine.matches('{').count() == engine.matches('}').count();
                let names = self.solver_names(solver).filter(|_| is_closed);
                names.map(|(name, about)| Candidate::word(format!("{engine}@{name}"), about)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The candidates for the last entry of a list in braces that follow `head`. Entries before it are not offered
    /// again. Each candidate is to be continued, by a comma or a closing brace.
    fn in_braces(&self, head: &str, list: &str) -> Vec<Candidate> {
        let (before, last) = list.split_at(list.rfind(',').map_or(0, |comma| comma + 1));
        let in_braces = |candidate: Candidate| match candidate {
            Candidate::Word { value, about, is_part: false } => {
                let entry = value.strip_prefix(head)?;
                // A part of an id that follows the entry does not belong to it.
                let is_new = before.split(',').all(|known| known != entry);
                let is_entry =
                    is_new && !entry.is_empty() && (head.is_empty() || !entry.contains(['/', '@', ':']));
                is_entry.then(|| Candidate::part(format!("{head}{{{before}{entry}"), about))
            }
            _ => None,
        };
        self.after(&format!("{head}{last}")).into_iter().filter_map(in_braces).collect()
    }

    /// The candidates for an id that begins with `id`. If only one complete id is possible, its continuations are
    /// candidates, too.
    fn after(&self, id: &str) -> Vec<Candidate> {
        if let Some((engine, solver)) = id.split_once('@') {
            return self.solvers_of(engine, solver);
        }
        let whole: Vec<(String, String)> = match id.rsplit_once('/') {
            None => self.names(),
            Some((engine, part)) => match part.split_once('=') {
                Some((axis, _)) => self.values(engine, axis),
                None => return self.axes(engine),
            },
        };
        let whole: Vec<_> = whole.into_iter().filter(|(value, _)| value.starts_with(id)).collect();
        let mut candidates: Vec<Candidate> =
            whole.iter().map(|(value, about)| Candidate::word(value, about)).collect();
        if let [(only, _)] = &whole[..] {
            candidates.extend(self.axes(only));
            candidates.extend(
                self.info(only)
                    .filter(|info| info.side == Side::Sat)
                    .map(|_| Candidate::part(format!("{only}@"), "a solver")),
            );
        }
        candidates
    }

    /// The sides, which stand for their first engines, and the names of all engines.
    fn names(&self) -> Vec<(String, String)> {
        let mut names = Vec::new();
        for info in self.engines {
            let side = info.side.to_string();
            if info.side != Side::Exec && names.iter().all(|(name, _)| *name != side) {
                names.push((side.clone(), format!("{side}:{}", info.name)));
            }
            names.push((format!("{side}:{}", info.name), info.about.to_owned()));
        }
        names
    }

    /// The engine of an id, or of the beginning of an id that ends before `/` or `@`.
    fn info(&self, id: &str) -> Option<&EngineInfo> {
        let name = id.split('/').next().unwrap_or_default();
        self.engines.iter().find(|info| match name.split_once(':') {
            Some((side, name)) => info.side.to_string() == side && info.name == name,
            None => info.side.to_string() == name,
        })
    }

    /// The axes on which an id has no value yet.
    fn axes(&self, id: &str) -> Vec<Candidate> {
        let Some(info) = self.info(id) else { return Vec::new() };
        let is_open = |axis: &str| id.split('/').skip(1).all(|part| part.split('=').next() != Some(axis));
        let open = info.axes.iter().filter(|axis| is_open(axis.name));
        open.map(|axis| Candidate::part(format!("{id}/{}=", axis.name), axis.values.join(", "))).collect()
    }

    /// An id with each value of an axis.
    fn values(&self, id: &str, axis: &str) -> Vec<(String, String)> {
        let axis = self.info(id).and_then(|info| info.axes.iter().find(|known| known.name == axis));
        let Some(axis) = axis else { return Vec::new() };
        let about = |index: usize| if index == 0 { "default" } else { "" };
        let values = axis.values.iter().enumerate();
        values.map(|(i, value)| (format!("{id}/{}={value}", axis.name), about(i).to_owned())).collect()
    }

    /// A SAT engine with each solver whose name begins with `solver`.
    fn solvers_of(&self, id: &str, solver: &str) -> Vec<Candidate> {
        if self.info(id).is_none_or(|info| info.side != Side::Sat) {
            return Vec::new();
        }
        let names = self.solver_names(solver);
        names.map(|(name, about)| Candidate::word(format!("{id}@{name}"), about)).collect()
    }

    /// The solvers whose names begin with `start`, each with its version.
    fn solver_names(&self, start: &str) -> impl Iterator<Item = (String, String)> {
        let fitting = self.solvers.iter().filter(move |factory| factory.name().starts_with(start));
        let about =
            |version: &str| if version.is_empty() { String::new() } else { format!("version {version}") };
        fitting.map(move |factory| (factory.name().to_owned(), about(&factory.profile().version)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Axis;

    const AMO: Axis = Axis { name: "amo", values: &["pairwise", "ladder"], about: "" };
    const XOR: Axis = Axis { name: "xor", values: &["whole", "cut3"], about: "" };

    fn offered(id: &str) -> Vec<String> {
        let engines = [
            EngineInfo::search("cover", ""),
            EngineInfo::sat("owner", "", &[AMO, XOR]),
            EngineInfo::sat("plain", "", &[]),
        ];
        let solvers = SolverRegistry::built_in();
        let found = Ids { engines: &engines, solvers: &solvers }.of_pattern(id).into_iter();
        let text = |candidate| match candidate {
            Candidate::Word { value, is_part, .. } => format!("{value}{}", if is_part { "…" } else { "" }),
            other => format!("{other:?}"),
        };
        found.map(text).collect()
    }

    #[test]
    fn ids_are_completed_part_by_part() {
        assert_eq!(offered(""), ["search", "search:cover", "sat", "sat:owner", "sat:plain"]);
        assert_eq!(offered("sat:"), ["sat:owner", "sat:plain"]);
        assert_eq!(offered("sat:o"), ["sat:owner", "sat:owner/amo=…", "sat:owner/xor=…", "sat:owner@…"]);
        assert_eq!(offered("search:c"), ["search:cover"]);
        assert_eq!(offered("sat:owner/a"), ["sat:owner/amo=…", "sat:owner/xor=…"]);
        assert_eq!(offered("sat:owner/amo="), ["sat:owner/amo=pairwise", "sat:owner/amo=ladder"]);
        let ladder = ["sat:owner/amo=ladder", "sat:owner/amo=ladder/xor=…", "sat:owner/amo=ladder@…"];
        assert_eq!(offered("sat:owner/amo=l"), ladder);
        assert_eq!(offered("sat/xor="), ["sat/xor=whole", "sat/xor=cut3"]);
        assert_eq!(offered("sat:plain@bat"), ["sat:plain@batsat"]);
        for nothing in ["search:cover@", "sat:owner/amp=", "sat:x", "sat:plain/"] {
            assert!(offered(nothing).is_empty(), "{nothing}");
        }
    }

    #[test]
    fn in_braces_only_names_and_values_are_offered() {
        assert_eq!(offered("sat:{"), ["sat:{owner…", "sat:{plain…"]);
        assert_eq!(offered("sat:{owner,p"), ["sat:{owner,plain…"]);
        assert_eq!(offered("sat:{owner,"), ["sat:{owner,plain…"]);
        assert_eq!(offered("sat:owner/amo={pairwise,"), ["sat:owner/amo={pairwise,ladder…"]);
        assert_eq!(offered("sat:plain@{var"), ["sat:plain@{varisat…"]);
        assert_eq!(
            offered("{search,s"),
            ["{search,search:cover…", "{search,sat…", "{search,sat:owner…", "{search,sat:plain…"]
        );
        assert_eq!(offered("sat:*@bat"), ["sat:*@batsat"]);
        assert_eq!(offered("sat:{owner,plain}@bat"), ["sat:{owner,plain}@batsat"]);
        let nothing = [
            "sat:*",
            "*",
            "sat:*/",
            "sat:*/amo=",
            "sat:{owner,plain}",
            "sat:{owner,plain}/a",
            "search:*@",
            "*@",
        ];
        for nothing in nothing.iter().chain(&[
            "sat:{owner/amo=",
            "sat:{o{",
            "sat:{*,p",
            "sat:*/amo={l",
            "sat:{owner@bat",
        ]) {
            assert!(offered(nothing).is_empty(), "{nothing}: {:?}", offered(nothing));
        }
    }

    #[test]
    fn a_list_is_split_outside_braces() {
        for (list, last) in [("a,b", "b"), ("a{b,c", "a{b,c"), ("a{b,c},d", "d"), ("", ""), ("a,", "")] {
            assert_eq!(&list[start_of_last(list)..], last);
        }
    }
}
