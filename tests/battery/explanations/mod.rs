//! Explanations: every sentence follows from the squares, moves and rules that it names, and of a reason why nothing
//! fits nothing can be left out. Held against all boards, moves and layouts of ships that there are.

mod flip;
mod pictures;
mod ships;
mod spot;
