//! Whether a player can force a repeat: by SAT and by search.

use counterpoint::board::Group;
use counterpoint::engine::{Budget, Limit, Unfinished};
use counterpoint::problems::spot::study::forcing_search::ForcingSearch;
use counterpoint::problems::spot::study::implicit::ImplicitGraph;
use counterpoint::problems::spot::study::pursuit::Pursuer;
use counterpoint::problems::spot::study::strategy_sat::forces;
use counterpoint::problems::spot::{Legality, MoveLimit, Rules, Start};

#[test]
fn limits_act_while_the_formula_is_written() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};
    let graph = ImplicitGraph::new(3, Group::Trivial).unwrap();
    let polls = Arc::new(AtomicU32::new(0));
    let counter = Arc::clone(&polls);
    let stop = move || (counter.fetch_add(1, Ordering::Relaxed) == 100).then_some(Limit::Cancelled);
    let mut budget = Budget::new(None, Arc::new(stop));
    let end = forces(&graph, Start::Uncounted, Pursuer(1), 8, &mut budget);
    assert_eq!(end, Err(Unfinished::Limit(Limit::Cancelled)));
    assert_eq!(polls.load(Ordering::Relaxed), 101);
    assert_eq!(budget.work.variables + budget.work.solves, 0);
}

#[test]
fn sat_and_search_agree_on_whether_a_repeat_can_be_forced() {
    let budget = &mut Budget::unlimited();
    for (n, most, group) in [(1, 4, Group::C4), (2, 7, Group::C4), (2, 7, Group::D4), (2, 6, Group::C2)]
        .into_iter()
        .chain([(2, 5, Group::Trivial), (3, 6, Group::C4), (3, 6, Group::D4)])
    {
        for start in [Start::Counted, Start::Uncounted] {
            let rules = Rules { group, start, limit: MoveLimit::None, legality: Legality::Strict };
            let search = ForcingSearch::new(n, &rules).unwrap();
            for (limit, player) in (1..=most).flat_map(|limit| [(limit, 1), (limit, 2)]) {
                let by_search =
                    search.forces(Pursuer(player), limit, 0, &mut |_| {}, budget).map(|found| found.forced);
                let by_sat = forces(&search.graph, start, Pursuer(player), limit, budget);
                assert_eq!(
                    by_sat,
                    Ok(by_search.ok()),
                    "{n} {group:?} {start:?} player {player} by move {limit}"
                );
            }
        }
    }
}
