//! Boolean constraints as clauses: a shape in, clauses out.
//!
//! The crate knows no solver, no board and no text. An encoder takes literals and a [`Sink`], asks
//! the sink for the variables that it needs and hands it clauses. A solver, a DIMACS writer and a
//! counter are all sinks.
//!
//! ```
//! use counterpoint_encodings::{Cnf, AtMostOne, Sink};
//!
//! let mut cnf = Cnf::default();
//! let ship: Vec<_> = (0..5).map(|_| cnf.new_var().pos_lit()).collect();
//! AtMostOne::Sequential.encode(&mut cnf, &ship);
//! assert_eq!((cnf.n_vars(), cnf.clauses().count()), (9, 12));
//! ```
//!
//! # With any RustSAT solver
//!
//! ```
//! use counterpoint_encodings::{Cardinality, Count, Parity, RustSatSink, Bounds};
//! use rustsat::instances::{BasicVarManager, Cnf, ManageVars};
//! use rustsat::solvers::{Solve, SolveIncremental, SolverResult};
//!
//! // Sixteen switches, an odd number of them on, as few as can be.
//! let (mut cnf, mut vars) = (Cnf::new(), BasicVarManager::default());
//! let switches: Vec<_> = (0..16).map(|_| vars.new_lit()).collect();
//! let mut sink = RustSatSink::new(&mut cnf, &mut vars);
//! Parity::Cut(4).encode(&mut sink, &switches, true);
//! let count = Count::new(Cardinality::Totalizer, &mut sink, &switches, 16, Bounds::AtMost);
//! sink.finish()?;
//!
//! let mut solver = rustsat_batsat::BasicSolver::default();
//! solver.add_cnf(cnf)?;
//! let mut least = 16;
//! while let Some(fewer) = count.at_most(least - 1) {
//!     if solver.solve_assumps(&[fewer])? == SolverResult::Unsat {
//!         break;
//!     }
//!     least -= 1;
//! }
//! assert_eq!(least, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What there is
//!
//! | file | constraint | reference |
//! |---|---|---|
//! | `exactly_one` | exactly one, at most one: the choice by name | |
//! | `pairwise` | at most one, without new variables | folklore |
//! | `sequential` | … by a counter | Sinz, CP 2005 |
//! | `ladder` | … by order | Gent, Nightingale 2004; Ansótegui, Manyà 2004 |
//! | `bitwise` | … by bits | Prestwich 2007 |
//! | `product` | … by rows and columns | Chen 2010 |
//! | `commander` | … by groups with commanders | Klieber, Kwon 2007 |
//! | `bimander` | … by groups with bits | Nguyen, Mai 2015 |
//! | `cardinality` | at most k, at least k, incremental in k: the choice by name | |
//! | `totalizer` | … by a tree of unary additions | Bailleux, Boufkhad 2003 |
//! | `counter` | … by a sequential counter | Sinz, CP 2005 |
//! | `network` | … by odd-even merges | Asín et al. 2011 |
//! | `parity` | exclusive or: the choice by name | |
//! | `direct`, `cut`, `tree` | … written out, in a chain, in a tree | Gwynne, Kullmann 2014 |
//! | `lex` | one row is not greater than another | Knuth, TAOCP 7.2.2.2 |
//! | `catalogue` | all of them with sizes and properties | |
//! | `adapter` | to and from RustSAT's collectors | |
//!
//! `ladder`, `bitwise`, `product` and `bimander` are RustSAT's, through the adapter.

#[doc = include_str!("../ADDING.md")]
pub mod adding {}

mod adapter;
mod bimander;
mod bitwise;
mod cardinality;
mod catalogue;
mod commander;
mod counter;
mod cut;
mod direct;
mod exactly_one;
mod ladder;
mod lex;
mod network;
mod pairwise;
mod parity;
mod product;
mod sequential;
mod sink;
mod totalizer;
mod tree;

pub use adapter::{RustSatSink, UpperBound};
pub use cardinality::{Bounds, Cardinality, Count};
pub use catalogue::{Constraint, Entry, ModelCount, catalogue};
pub use exactly_one::AtMostOne;
pub use lex::{lex_at_most, lex_size};
pub use parity::Parity;
pub use rustsat::types::{Lit, Var};
pub use sink::{Cnf, Sink, SoftSink, Tally, TallyRow};
