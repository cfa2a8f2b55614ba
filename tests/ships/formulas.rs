//! Tests the bounds on the number of clauses, for every way to write the formula.

use counterpoint::board::Size;
use counterpoint::problems::ships::formula::{
    Encoding, Form, Idle, Leaders, Redundant, max_clauses, max_clauses_of_size, max_clauses_of_sunflower,
    write, write_sunflower,
};
use counterpoint::problems::ships::{Dialect, Fleet, Instance, Rules, Square};
use counterpoint_encodings::{AtMostOne, Sink, Tally};
use itertools::Itertools;

#[test]
fn the_bound_on_clauses_holds() {
    let rules = Rules { misses: 1, fleet: Fleet::standard(), dialect: Dialect::Auto };
    for size in [Size::new(2, 2), Size::new(3, 7), Size::new(10, 10), Size::new(16, 5)] {
        let squares = (0..size.cells()).map(|i| match i % 7 {
            2 => Square::Hit,
            5 => Square::Miss,
            _ => Square::Unknown,
        });
        let instance = Instance { size, squares: squares.collect() };
        let leaders = [None, Some(Leaders::Counted), Some(Leaders::Named)];
        let extras = [Redundant::Cells, Redundant::Colours].into_iter().powerset().cartesian_product(leaders);
        let extras = extras.map(|(others, leaders)| {
            others.into_iter().chain(leaders.map(Redundant::Leaders)).collect::<Vec<_>>()
        });
        let ways =
            [Encoding::Placement, Encoding::Owner].into_iter().cartesian_product([Idle::Placed, Idle::Later]);
        for ((encoding, idle), (amo, redundant)) in
            ways.cartesian_product(AtMostOne::ALL.into_iter().cartesian_product(extras))
        {
            let form = Form { encoding, amo, idle, redundant };
            let mut tally = Tally::default();
            write(&form, &rules, &instance, &mut tally as &mut dyn Sink);
            let (n, most) = (tally.n_clauses(), max_clauses(&form, &rules, &instance));
            assert!(n <= most, "{form:?} on {size}: {n} > {most}");
            let of_size = max_clauses_of_size(&form, &rules, &instance);
            assert!(most <= of_size, "{form:?} on {size}: {most} > {of_size}");
            if idle == Idle::Placed && form.redundant.is_empty() {
                let mut tally = Tally::default();
                write_sunflower(&form, &rules, &instance, &mut tally as &mut dyn Sink);
                let (n, most) = (tally.n_clauses(), max_clauses_of_sunflower(&form, &rules, &instance));
                assert!(n <= most, "sunflower, {form:?} on {size}: {n} > {most}");
            }
        }
    }
}
