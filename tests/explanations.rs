//! Explanations: every sentence follows from the squares, moves and rules that it names, and of a reason why nothing
//! fits nothing can be left out. Held against all boards, moves and layouts of ships that there are.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on shall panic")]

mod explanations {
    mod flip;
    mod pictures;
    mod ships;
    mod spot;
}
