//! Numbers that are known of the three problems, as far as they cost less than a few seconds.
//!
//! Spot's class graph and small games are in `spot.rs`, Flip's histograms in `flip_engines.rs`.

use counterpoint::board::Size;
use counterpoint::engine::Budget;
use counterpoint::problems::flip::Stencil;
use counterpoint::problems::flip::search::algebra::nullity;
use counterpoint::problems::ships::Fleet;
use counterpoint::problems::ships::study::count::{Count, count};

#[test]
fn placements_of_the_fleet_on_small_boards() {
    for (w, h, placements, sets) in [
        (4, 7, 0, 0),
        (7, 4, 0, 0),
        (5, 6, 1_768, 202),
        (3, 10, 828, 172),
        (2, 15, 24, 8),
        (4, 8, 30_108, 9_784),
    ] {
        let counted = count(Size::new(w, h), &Fleet::standard(), &mut Budget::unlimited());
        assert_eq!(counted, Ok(Count { placements, sets }), "{w}x{h}");
    }
    let counted = count(Size::new(5, 7), &Fleet::standard(), &mut Budget::unlimited());
    assert_eq!(counted, Ok(Count { placements: 1_294_136, sets: 717_646 }));
}

/// OEIS A159257.
#[test]
fn dimensions_of_null_spaces() {
    let known = [
        (3, 0),
        (4, 4),
        (5, 2),
        (6, 0),
        (7, 0),
        (8, 0),
        (9, 8),
        (10, 0),
        (11, 6),
        (12, 0),
        (14, 4),
        (16, 8),
        (19, 16),
        (30, 20),
        (39, 32),
        (47, 30),
        (79, 64),
        (95, 62),
    ];
    for (n, d) in known {
        assert_eq!(nullity(Stencil::Plus, Size::new(n, n), &mut Budget::unlimited()), Ok(d), "n = {n}");
    }
}
