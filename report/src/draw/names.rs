//! Short names of engines: ids without the parts that all engines of one side share.

use itertools::Itertools;
use std::collections::{HashMap, HashSet};

/// Ids of engines with their short names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Names {
    short: HashMap<String, String>,
    /// The part that is left out, such as `sat:owner`; may be empty.
    pub(crate) shared: String,
}

impl Names {
    /// The short name of an engine. Other names are returned unchanged.
    pub(crate) fn of<'n>(&'n self, id: &'n str) -> &'n str {
        self.short.get(id).map_or(id, String::as_str)
    }
}

/// Ids without the parts that all engines of one side share. The side is the one with more engines, or `sat` if both
/// sides have equally many. For example, if all SAT engines are variants of `sat:owner`, the short name of
/// `sat:owner/amo=ladder@batsat` is `amo=ladder@batsat`. An engine keeps its id if nothing would be left of it. All
/// engines keep their ids if two names would be equal.
pub(crate) fn short_names(engines: &[String]) -> Names {
    let engines: Vec<&String> = engines.iter().filter(|id| id.contains(':')).unique().collect();
    let side = |id: &str| id.split(':').next().unwrap_or_default().to_owned();
    let sides = engines.iter().counts_by(|id| side(id));
    let most = engines.iter().map(|id| side(id)).max_by_key(|side| (sides[side], side == "sat"));
    let none = Names { short: HashMap::new(), shared: String::new() };
    let Some(most) = most.filter(|most| sides[most] > 1) else { return none };
    let group: Vec<Vec<String>> = engines.iter().filter(|id| side(id) == most).map(|id| pieces(id)).collect();
    let shared: Vec<&String> =
        group[0].iter().filter(|piece| group.iter().all(|other| other.contains(piece))).collect();
    // If only the side is shared, it is kept, because it shows that a name is the name of an engine.
    if shared.iter().all(|piece| piece.ends_with(':')) {
        return none;
    }
    let short = |id: &&String| {
        let rest: Vec<String> = pieces(id).into_iter().filter(|piece| !shared.contains(&piece)).collect();
        if side(id) != most || rest.is_empty() { (*id).clone() } else { joined(&rest) }
    };
    let short: HashMap<String, String> = engines.iter().map(|id| ((*id).clone(), short(id))).collect();
    let distinct: HashSet<&String> = short.values().collect();
    if distinct.len() < engines.len() {
        return none;
    }
    let shared: Vec<String> = shared.into_iter().cloned().collect();
    Names { short, shared: joined(&shared) }
}

/// The parts of an id: side with its colon, name, options with their slashes, solver with its `@`.
fn pieces(id: &str) -> Vec<String> {
    let (side, rest) = id.split_once(':').unwrap_or(("", id));
    let (rest, solver) = rest.split_once('@').map_or((rest, None), |(rest, solver)| (rest, Some(solver)));
    let mut parts = rest.split('/');
    let name = parts.next().unwrap_or_default().to_owned();
    let options = parts.map(|option| format!("/{option}"));
    let solver = solver.map(|solver| format!("@{solver}"));
    [format!("{side}:"), name].into_iter().chain(options).chain(solver).collect()
}

fn joined(pieces: &[String]) -> String {
    pieces.concat().trim_start_matches('/').to_owned()
}

#[cfg(test)]
mod tests {
    use super::short_names;

    fn short(engines: &[&str]) -> (Vec<String>, String) {
        let engines: Vec<String> = engines.iter().map(|id| (*id).to_owned()).collect();
        let names = short_names(&engines);
        (engines.iter().map(|id| names.of(id).to_owned()).collect(), names.shared.clone())
    }

    #[test]
    fn shared_parts_are_left_out_of_names() {
        let all = |engines: &[&str], expected: &[&str], shared: &str| {
            let (names, found) = short(engines);
            assert_eq!(
                (names.iter().map(String::as_str).collect::<Vec<_>>().as_slice(), found.as_str()),
                (expected, shared)
            );
        };
        all(&["sat:owner", "sat:owner/amo=ladder"], &["sat:owner", "amo=ladder"], "sat:owner");
        all(
            &["search:cover", "sat:a/x=1@b", "sat:a/x=1/y=2@b"],
            &["search:cover", "sat:a/x=1@b", "y=2"],
            "sat:a/x=1@b",
        );
        all(&["sat:a/x=1", "sat:b/x=1@c"], &["a", "b@c"], "sat:/x=1");
        all(&["search:a", "search:b"], &["search:a", "search:b"], "");
        all(&["sat:a", "search:b", "sat:c"], &["sat:a", "search:b", "sat:c"], "");
        all(&["sat:a"], &["sat:a"], "");
        all(&["sat:a", "virtual best"], &["sat:a", "virtual best"], "");
        all(&[], &[], "");
    }

    #[test]
    fn names_stay_distinct() {
        // A name and an option may have the same letters.
        let (names, _) = short(&["sat:a/b", "sat:b/a", "sat:a/b@c"]);
        assert_eq!(names.len(), 3);
        assert_ne!(names[0], names[1]);
    }
}
