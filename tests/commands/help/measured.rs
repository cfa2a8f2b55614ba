//! `compare` warms engines up, and shows the counters of the measured run only.

use super::run_in;
use crate::samples::some;
use std::fs;

/// The whole numbers in a text; here they are the counters.
fn counters(text: &str) -> Vec<u64> {
    text.split_whitespace().filter_map(|word| word.parse().ok()).collect()
}

#[test]
fn warming_up_changes_no_counter() {
    let folder = tempfile::tempdir().unwrap();
    for (problem, family, engines) in some([
        ("flip", "solvable", &["search:algebra", "search:first-row", "search:bfs", "sat:presses"][..]),
        ("ships", "hard", &["search:cover", "search:fleet-dfs", "sat:owner", "sat:placement@batsat"]),
        ("spot", "random", &["search:zobrist", "search:canonical", "search:rotate-all"]),
        ("spot", "smudged", &["search:fill", "sat:toggles", "sat:path"]),
    ]) {
        let side = if problem == "ships" { "n=6" } else { "n=4" };
        let (status, game, err) = run_in(folder.path(), &["generate", problem, family, side, "--seed", "3"]);
        assert_eq!(status, 0, "{err}");
        fs::write(folder.path().join("game.txt"), game).unwrap();
        for engine in engines {
            let (_, solved, _) = run_in(folder.path(), &["solve", problem, "game.txt", "-e", engine]);
            let by = solved.lines().find(|line| line.starts_with("  by ")).unwrap();
            let parts = by.split_once(": ").unwrap().1.split(", ");
            let shown = ["node", "conflict", "variable", "clause"];
            let cold: Vec<u64> = parts
                .filter(|part| shown.iter().any(|what| part.contains(what)))
                .flat_map(counters)
                .collect();
            let (_, table, err) = run_in(folder.path(), &["compare", problem, "game.txt", "-e", engine]);
            let row = table.lines().find(|line| line.contains(engine)).unwrap_or_else(|| panic!("{err}"));
            let behind = row.split("s ").last().unwrap();
            assert_eq!(counters(behind), cold, "{engine}: {row}\n{by}");
        }
    }
}
