//! Explanations: every sentence follows from the squares, moves and rules that it names, and a set that rules an answer
//! out is minimal. The tests try all presses, games or layouts of ships that agree with what a sentence names.

mod flip;
mod pictures;
mod ships;
mod spot;
