//! Boolean constraints as clauses: a shape in, clauses out.
//!
//! The crate knows no solver, no board and no text. An encoder takes literals and a [`Sink`], asks
//! the sink for the variables that it needs and hands it clauses. A solver, a DIMACS writer and a
//! counter are all sinks.
//!
//! ```
//! use counterpoint_encodings::{Cnf, ExactlyOne, Sink};
//!
//! let mut cnf = Cnf::default();
//! let ship: Vec<_> = (0..5).map(|_| cnf.new_var().pos_lit()).collect();
//! ExactlyOne::Sequential.encode(&mut cnf, &ship);
//! assert_eq!((cnf.n_vars(), cnf.clauses().count()), (9, 12));
//! ```
//!
//! | file | constraint | reference |
//! |---|---|---|
//! | `exactly_one` | exactly one, at most one: the choice of an encoding by name | |
//! | `pairwise` | at most one, without new variables | folklore |
//! | `sequential` | at most one, linear | Sinz, CP 2005 |
//! | `parity` | exclusive or, directly or cut into pieces | folklore; Gwynne, Kullmann 2014 |
//! | `totalizer` | at most k, incremental in k | Bailleux, Boufkhad, CP 2003 |

mod exactly_one;
mod pairwise;
mod parity;
mod sequential;
mod sink;
mod totalizer;

pub use exactly_one::ExactlyOne;
pub use parity::Parity;
pub use rustsat::types::{Lit, Var};
pub use sink::{Cnf, Sink, Tally, TallyRow};
pub use totalizer::Totalizer;
