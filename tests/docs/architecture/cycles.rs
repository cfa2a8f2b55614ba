//! Import cycles: no file may depend on itself by way of other files.
//!
//! A file that names an item depends on the file that defines the item, even if a module above re-exports the item. The
//! submodules of a module are not counted among its dependencies, so a `mod.rs` or `lib.rs` may use its children.

use super::{code, paths, root, sources};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A module as segments from the root of its crate; the root itself is empty.
type Module = Vec<String>;

/// The modules of a crate, with their re-exports and dependencies.
struct Crate {
    /// For each module, the path that each re-exported name stands for.
    modules: BTreeMap<Module, BTreeMap<String, Vec<String>>>,
    /// For each module, the modules that it depends on.
    edges: BTreeMap<Module, BTreeSet<Module>>,
}

impl Crate {
    fn read(source: &Path) -> Crate {
        let files: Vec<(Module, String)> = (sources(source).iter())
            .map(|path| (module(path.strip_prefix(source).unwrap()), plain(path)))
            .collect();
        let modules = files.iter().map(|(module, code)| (module.clone(), exports(module, code))).collect();
        let mut found = Crate { modules, edges: BTreeMap::new() };
        for (module, code) in &files {
            // A re-export is not a dependency.
            let used = paths(&without_exports(code))
                .into_iter()
                .filter(|path| !path[0].starts_with("counterpoint_"));
            let used = used.filter_map(|path| found.definition(absolute(module, &path), 0));
            let used = used.filter(|used| !used.is_empty() && !used.starts_with(module)).collect();
            found.edges.insert(module.clone(), used);
        }
        found
    }

    /// The module that defines the item with this path from the root of the crate.
    fn definition(&self, path: Vec<String>, depth: usize) -> Option<Module> {
        let n = (0..=path.len()).rev().find(|&n| self.modules.contains_key(&path[..n]))?;
        let exported = path.get(n).and_then(|name| self.modules[&path[..n]].get(name));
        match exported {
            Some(target) if depth < 8 => {
                let rest = &path[n + 1..];
                self.definition([target, rest].concat(), depth + 1)
            }
            _ => Some(path[..n].to_vec()),
        }
    }

    /// All modules that a module depends on, directly or not.
    fn reached(&self, from: &Module) -> BTreeSet<Module> {
        let (mut reached, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(module) = open.pop() {
            let next = self.edges.get(module).into_iter().flatten();
            open.extend(next.filter(|next| reached.insert((*next).clone())));
        }
        reached
    }

    /// The strongly connected components of more than one module.
    fn cycles(&self) -> BTreeSet<Vec<Module>> {
        let reached: BTreeMap<_, _> =
            self.edges.keys().map(|module| (module, self.reached(module))).collect();
        let returns = |module: &&Module| reached[*module].contains(*module);
        let component = |module: &Module| {
            let others = reached[module].iter().filter(|other| reached[other].contains(module));
            others.cloned().collect()
        };
        self.edges.keys().filter(returns).map(component).collect()
    }
}

/// The module of a file, by its path below the crate's sources.
fn module(relative: &Path) -> Module {
    let mut module: Module =
        relative.with_extension("").iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if module.last().is_some_and(|last| ["mod", "lib", "main"].contains(&&**last)) {
        module.pop();
    }
    module
}

/// Turns a path as written in a module into a path from the root of the crate.
fn absolute(module: &Module, path: &[String]) -> Vec<String> {
    let mut place = module.clone();
    for segment in path {
        match segment.as_str() {
            "crate" => place.clear(),
            "super" => drop(place.pop()),
            "self" | "" => {}
            name => place.push(name.to_owned()),
        }
    }
    place
}

/// Every `pub use`, up to its semicolon.
fn export_statements(code: &str) -> impl Iterator<Item = &str> {
    let starts = code.match_indices("pub").map(|(at, _)| &code[at..]);
    starts.filter_map(|rest| {
        let statement = rest.split(';').next()?;
        let visibility = statement.split_once("use ")?.0;
        let is_visibility =
            visibility == "pub " || visibility.starts_with("pub(") && visibility.ends_with(") ");
        is_visibility.then_some(statement)
    })
}

fn without_exports(code: &str) -> String {
    export_statements(code).fold(code.to_owned(), |code, statement| code.replace(statement, ""))
}

/// The names that a module re-exports, with their paths from the root.
fn exports(module: &Module, code: &str) -> BTreeMap<String, Vec<String>> {
    let mut found = BTreeMap::new();
    for statement in export_statements(code) {
        let path = statement.split_once("use ").unwrap().1;
        // A path without a prefix begins with a submodule or names another crate, which has no module here.
        let starts = ["crate::", "super::", "self::"].iter().any(|start| path.starts_with(start));
        let path = if starts { path.to_owned() } else { format!("self::{path}") };
        let mut leaves = Vec::new();
        super::expand(&path, Vec::new(), &mut leaves);
        for leaf in leaves {
            let target = absolute(module, &leaf);
            if let Some(name) = target.last() {
                found.insert(name.clone(), target);
            }
        }
    }
    found
}

/// The code of a file without unit tests. Renamings (`as NAME`) and visibilities such as `pub(in crate::…)` are
/// removed, too, because they are not uses.
fn plain(path: &Path) -> String {
    let code = code(path);
    let mut parts = code.split("pub(in ");
    let first = parts.next().unwrap_or_default().to_owned();
    let code = parts.fold(first, |code, part| code + part.split_once(')').map_or("", |(_, rest)| rest));
    let mut words = code.split(" as ");
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |code, part| code + part.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_'))
}

#[test]
fn no_file_depends_on_itself_by_way_of_others() {
    let mut found = Vec::new();
    for source in [
        "src",
        "core/src",
        "workbench/src",
        "problems/spot/src",
        "problems/ships/src",
        "problems/flip/src",
        "problems/cnf/src",
        "base/src",
        "encodings/src",
        "proofs/src",
        "statistics/src",
        "report/src",
    ] {
        for cycle in Crate::read(&root().join(source)).cycles() {
            found.push(
                cycle.iter().map(|module| format!("{source}/{}", module.join("/"))).collect::<Vec<_>>(),
            );
        }
    }
    assert!(found.is_empty(), "import cycles: {found:#?}");
}

#[test]
fn an_import_means_the_file_that_defines_the_item() {
    let exported = exports(&vec!["a".to_owned()], "pub use b::{C, d::E};\npub(crate) use super::f;");
    let path = |text: &str| text.split("::").map(str::to_owned).collect::<Vec<_>>();
    let expected = [("C", "a::b::C"), ("E", "a::b::d::E"), ("f", "f")];
    assert_eq!(exported, expected.map(|(name, target)| (name.to_owned(), path(target))).into());
    let modules =
        [("a", exported), ("a::b", BTreeMap::new()), ("a::b::d", BTreeMap::new()), ("g", BTreeMap::new())];
    let modules = modules.map(|(module, exports)| (path(module), exports)).into();
    let edges = [("a::b", "a"), ("a", "g"), ("g", "a::b"), ("a::b::d", "a")];
    let edges = edges.map(|(from, to)| (path(from), BTreeSet::from([path(to)]))).into();
    let example = Crate { modules, edges };
    assert_eq!(example.definition(path("a::E::new"), 0), Some(path("a::b::d")));
    assert_eq!(example.definition(path("a::other"), 0), Some(path("a")));
    assert_eq!(example.cycles(), BTreeSet::from([["a", "a::b", "g"].map(path).to_vec()]));
}
