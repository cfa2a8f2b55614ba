//! Boolean constraints as clauses: at most one, cardinality, linear, parity and lexicographic constraints.
//!
//! An encoder takes literals and a [`Sink`]. It asks the sink for the variables that it needs and adds clauses to it.
//! Solvers, file writers and counters are sinks. The crate contains no solver.
//!
//! ```
//! use counterpoint_encodings::{Cnf, AtMostOne, Sink};
//!
//! let mut cnf = Cnf::default();
//! let lits: Vec<_> = (0..5).map(|_| cnf.new_var().pos_lit()).collect();
//! AtMostOne::Sequential.exactly_one(&mut cnf, &lits);
//! assert_eq!((cnf.n_vars(), cnf.clauses().count()), (9, 12));
//! ```
//!
//! # With any RustSAT solver
//!
//! ```
//! use counterpoint_encodings::{Bounds, Cardinality, Count, Parity, RustSatSink};
//! use rustsat::instances::{BasicVarManager, Cnf, ManageVars};
//! use rustsat::solvers::{Solve, SolveIncremental, SolverResult};
//!
//! // An odd number of sixteen switches is on. What is the smallest possible number?
//! let (mut cnf, mut vars) = (Cnf::new(), BasicVarManager::default());
//! let switches: Vec<_> = (0..16).map(|_| vars.new_lit()).collect();
//! let mut sink = RustSatSink::new(&mut cnf, &mut vars);
//! Parity::Cut(4).encode(&mut sink, &switches, true);
//! let count = Count::new(Cardinality::Totalizer, &mut sink, &switches, 16, Bounds::Upper);
//! sink.finish()?;
//!
//! let mut solver = rustsat_batsat::BasicSolver::default();
//! solver.add_cnf(cnf)?;
//! let mut fewest = 16;
//! while let Some(fewer) = count.at_most(fewest - 1) {
//!     if solver.solve_assumps(&[fewer])? == SolverResult::Unsat {
//!         break;
//!     }
//!     fewest -= 1;
//! }
//! assert_eq!(fewest, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Files
//!
//! | file | constraint | reference |
//! |---|---|---|
//! | `at_most_one` | at most one, exactly one: encodings by name | |
//! | `pairwise` | … a clause for each pair | folklore |
//! | `sequential` | … by a counter | Sinz, CP 2005 |
//! | `ladder` | … by the position in unary | Gent, Nightingale 2004; Ansótegui, Manyà 2004 |
//! | `bitwise` | … in binary | Prestwich 2007 |
//! | `product` | … by rows and columns | Chen 2010 |
//! | `commander` | … by groups with commanders | Klieber, Kwon 2007 |
//! | `bimander` | … by groups in binary | Nguyen, Mai 2015 |
//! | `cardinality` | at most k, at least k, incremental in k: encodings by name | |
//! | `totalizer` | … by a tree of unary additions | Bailleux, Boufkhad 2003 |
//! | `counter` | … by a sequential counter | Sinz, CP 2005 |
//! | `network` | … by odd-even merging | Asín et al. 2011 |
//! | `linear`, `watchdog` | a weighted sum compared with a bound | Bailleux, Boufkhad, Roussel 2009 |
//! | `native` | counts and parities as linear constraints, for sinks that support these | |
//! | `parity` | exclusive or: encodings by name | |
//! | `direct`, `cut`, `tree` | … without new variables, in a chain, in a tree | Gwynne, Kullmann 2014 |
//! | `lex` | one sequence is lexicographically at most another | Knuth, TAOCP 7.2.2.2 |
//!
//! `sink` has the trait [`Sink`], `size` has [`EncodingSize`], and `forward` has a trait for sinks that wrap
//! another sink. `adapter` connects sinks with RustSAT's collectors. `catalogue` lists the sizes and
//! properties of all encodings except that of linear constraints. `ladder`, `bitwise`, `product` and
//! `bimander` use RustSAT's encoders.

#[doc = include_str!("../ADDING.md")]
pub mod adding {}

mod adapter;
mod at_most_one;
mod bimander;
mod bitwise;
mod bounds;
mod cardinality;
mod catalogue;
mod clauses;
mod commander;
mod counter;
mod cut;
mod direct;
mod forward;
mod ladder;
mod lex;
mod linear;
mod native;
mod network;
mod pairwise;
mod parity;
mod product;
mod sequential;
mod sink;
mod size;
mod totalizer;
mod tree;
mod watchdog;

pub use adapter::{RustSatSink, UpperBound};
pub use at_most_one::{AtMostOne, one_of};
pub use bounds::Bounds;
pub use cardinality::{Cardinality, Count};
pub use catalogue::{Constraint, Entry, ModelCount, catalogue};
pub use forward::Forward;
pub use lex::{lex_at_most, lex_size};
pub use linear::{Linear, Relation};
pub use parity::Parity;
pub use rustsat::types::{Lit, Var};
pub use sink::{Cnf, Sink, SoftSink, Tally, TallyRow};
pub use size::EncodingSize;

/// The example of the README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
