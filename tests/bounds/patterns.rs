//! Patterns of engines that stand for very many engines, or could be matched in very many ways.

use crate::cost::cost;
use counterpoint::solver::SolverRegistry;
use counterpoint::spec::{EngineSpec, resolve, select};

#[test]
fn patterns_take_bounded_memory() {
    let registry = counterpoint::standard();
    let solvers = SolverRegistry::built_in();
    let engines = registry.find("ships").unwrap().engines();
    let all = resolve(engines, &solvers, "search:*,sat:*").unwrap();
    for (pattern, message) in [
        // Over a million patterns.
        ("{a,b}".repeat(20), "the braces in '{a,b}{a,b}{a,b}{a,b}"),
        ("{".repeat(100_000), "braces are nested deeper than 16 in '{{{{"),
        ("{a}".repeat(100_000), "the patterns for which the braces in '{a}{a}"),
        ("sat:".to_owned() + &"*".repeat(100_000) + "q", "no engine is called 'sat:***"),
        ("sat:owner".to_owned() + &"/a=1".repeat(100_000), "'sat:owner/a=1/a=1"),
        ("sat:{owner,".to_owned() + &"x,".repeat(9_000) + "}", "no engine is called 'sat:x'"),
    ] {
        let bound = 64 * pattern.len() as u64 + (64 << 20);
        let mut found = Vec::new();
        let used = cost(|| {
            let selected = select(&all, &pattern).map(|found| found.into_iter().cloned().collect());
            let errors = [resolve(engines, &solvers, &pattern), selected].map(Result::unwrap_err);
            found = errors.map(|error| error.to_string()).into();
        });
        assert!(found[0].starts_with(message), "{}", &found[0][..found[0].len().min(200)]);
        assert!(used.peak < bound, "{}: {used:?}", &pattern[..20]);
    }
}

/// Every engine is listed once, however often it is named.
#[test]
fn repeated_patterns_take_no_more_memory() {
    let registry = counterpoint::standard();
    let solvers = SolverRegistry::built_in();
    let engines = registry.find("ships").unwrap().engines();
    let resolved = |times: usize| -> (Vec<EngineSpec>, u64) {
        let mut found = Vec::new();
        let pattern = "sat:*@*,".repeat(times) + "search:*";
        let used = cost(|| found = resolve(engines, &solvers, &pattern).unwrap());
        (found, used.peak)
    };
    let ((once, peak), (often, peak_of_all)) = (resolved(1), resolved(2_000));
    assert_eq!(once, often);
    assert!(peak_of_all < 2 * peak + (1 << 17), "{peak} {peak_of_all}");
}
