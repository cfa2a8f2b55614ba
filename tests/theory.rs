//! Numbers that are known of the three problems, as far as they cost less than a few seconds.
//!
//! Spot's class graph and small games are in `spot.rs`, Ships' placements in `ships_counts.rs`, Flip's
//! histograms in `flip_engines.rs`.

use counterpoint::board::Size;
use counterpoint::engine::Budget;
use counterpoint::problems::flip::Stencil;
use counterpoint::problems::flip::search::algebra::nullity;

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
