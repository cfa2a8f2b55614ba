//! Tests encoders: programs that read a board and print a formula. The models of that formula, projected onto the cells
//! of the board, are compared with those of our formula. This is done on all tiny boards and on random boards.
//!
//! The first board with a difference is shrunk. Boards are numbered, so the result does not depend on the number of
//! threads.

mod compare;
mod order;
mod responsible;

pub use crate::named::BadFormula;
pub use compare::Difference;

use super::error::StressError;
use super::program::{Program, Written};
use super::threads::{self, Step, Tasks};
use super::verdict::Verdict;
use super::{Bench, Stage};
use crate::engine::{Budget, Unfinished};
use crate::erased::DynInstance;
use crate::named::{self, NamedFormula};
use crate::problem::NamedCell;
use crate::spec::nearest;
use chacha20::{ChaCha8Rng, rand_core::Rng, rand_core::SeedableRng};
use compare::{Comparison, Oracle, compare};
use order::{Turn, in_turn};
use std::fmt;
use std::sync::Arc;

/// The maximum size of a program's output in bytes.
const MAX_OUTPUT: u64 = 64 << 20;

/// The conflict limit of a comparison, and of the search for the clauses responsible for a difference.
const MAX_CONFLICTS: u64 = 100_000;

/// The maximum number of boards that are tried for shrinking.
const MAX_SMALLER: usize = 500;

/// The program under test, and how to test it.
pub struct Setup<'a> {
    /// The problem, with the SAT engine that writes our formula.
    pub bench: Bench<'a>,
    /// The program.
    pub program: Program<'a>,
    /// How many boards are tested at the same time.
    pub threads: usize,
    /// Whether to test no further board at this stage, for example because the stage's time is up.
    pub is_over: &'a (dyn Fn(Stage) -> bool + Sync),
    /// The seed of everything random.
    pub seed: u64,
}

/// A board.
#[derive(Clone)]
pub struct Board {
    /// The instance.
    pub instance: Arc<dyn DynInstance>,
    /// Where it comes from.
    pub origin: Origin,
}

/// Where a board comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It was read from a file.
    File(String),
    /// Its number among the tiny boards, from 1.
    Tiny(u64),
    /// Its number among the random boards, from 1.
    Random(u64),
    /// It was made from another board by shrinking.
    Smaller,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::File(name) => f.write_str(name),
            Origin::Tiny(number) => write!(f, "tiny board {number}"),
            Origin::Random(number) => write!(f, "random board {number}"),
            Origin::Smaller => f.write_str("a smaller board"),
        }
    }
}

/// A board that was tested.
#[derive(Clone)]
pub struct Trial {
    /// The board.
    pub board: Board,
    /// What the program wrote.
    pub output: Vec<u8>,
    /// The result.
    pub result: TrialResult,
}

/// The result of testing one board.
#[derive(Clone)]
pub enum TrialResult {
    /// No difference was found.
    Same {
        /// The number of our models that were compared.
        models: usize,
        /// Whether all models of both formulas were compared.
        complete: bool,
    },
    /// The solver reached its limit.
    Undecided,
    /// Something is wrong.
    Wrong(Fault),
}

/// What is wrong with a program or its formula.
#[derive(Clone, Debug)]
pub enum Fault {
    /// The program failed with this verdict. The text quotes the first line of its standard error.
    Program(Verdict, String),
    /// Its output is not a formula.
    Formula(BadFormula),
    /// No variable of the program's formula has the name of this cell, although the cell is true in some of our models
    /// and false in others. The second name is the most similar one that the program uses, if there is one.
    Unnamed(String, Option<String>),
    /// The models differ.
    Models(Difference),
}

/// The result of a series of boards.
#[derive(Default)]
pub struct Outcome {
    /// The number of boards that were tested, up to the first fault.
    pub boards: Boards,
    /// How many tiny boards there are.
    pub tiny: usize,
    /// The number of our models that were compared.
    pub models: usize,
    /// The number of boards with more models than were listed.
    pub partial: usize,
    /// The number of boards on which the solver reached its limit.
    pub undecided: usize,
    /// The first fault.
    pub wrong: Option<Finding>,
}

/// The number of boards by origin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Boards {
    /// Boards from files.
    pub given: usize,
    /// Tiny boards.
    pub tiny: usize,
    /// Random boards.
    pub random: usize,
}

/// A fault, and the smallest board that has it.
pub struct Finding {
    /// The board on which it was found.
    pub first: Board,
    /// The smallest board that was found.
    pub smallest: Trial,
    /// How many boards were tried for shrinking.
    pub tried: usize,
    /// The clauses of the program's formula that exclude the missing model, in words. Empty if no model is missing, or
    /// if the search for these clauses took too long.
    pub against_missing: Vec<String>,
    /// What excludes the extra model, in words: cells of the board with another value or, if there are none, clauses of
    /// our formula. Empty if there is no extra model, or if the search for the clauses took too long.
    pub against_extra: Vec<String>,
}

/// Tests the program on given boards, on all tiny boards, and on `random` random ones.
///
/// # Errors
/// If the program cannot be run, or our formula cannot be written.
pub fn audit(setup: &Setup<'_>, given: &[Board], random: u64) -> Result<Outcome, StressError> {
    let bench = &setup.bench;
    let tiny: Vec<Arc<dyn DynInstance>> = bench.trials.tiny(&bench.settings)?.map(Arc::from).collect();
    // Find out whether our engine supports these rules before any program is run.
    tiny.first().map_or(Ok(()), |instance| setup.ours(&**instance).map(drop))?;
    let (files, tinies) = (given.len() as u64, tiny.len() as u64);
    let board = |number: u64| -> Option<Board> {
        if let Some(board) = given.get(number as usize) {
            return Some(board.clone());
        }
        let number = match in_turn(number - files, tinies, random) {
            Turn::Tiny(number) => {
                let instance = Arc::clone(&tiny[number as usize]);
                return Some(Board { instance, origin: Origin::Tiny(number + 1) });
            }
            Turn::Random(number) => number,
        };
        let mut rng = ChaCha8Rng::seed_from_u64(setup.seed);
        rng.set_stream(number);
        // A number for which these rules have no board is skipped.
        let instance = bench.trials.small(&bench.settings, number, rng.next_u64()).ok()?;
        Some(Board { instance: Arc::from(instance), origin: Origin::Random(number + 1) })
    };
    let trials = setup.run(Stage::Search, 0..files + tinies + random, &board, &Trial::is_wrong)?;
    Ok(Outcome { tiny: tiny.len(), ..setup.outcome(trials)? })
}

/// Tests the program on given boards only.
///
/// # Errors
/// As for [`audit`].
pub fn given(setup: &Setup<'_>, given: &[Board]) -> Result<Outcome, StressError> {
    let board = |number: u64| given.get(number as usize).cloned();
    let trials = setup.run(Stage::Search, 0..given.len() as u64, &board, &Trial::is_wrong)?;
    setup.outcome(trials)
}

impl Trial {
    fn is_wrong(&self) -> bool {
        matches!(self.result, TrialResult::Wrong(_))
    }

    /// Whether both trials have the same kind of fault.
    fn is_like(&self, other: &Trial) -> bool {
        let (TrialResult::Wrong(a), TrialResult::Wrong(b)) = (&self.result, &other.result) else {
            return false;
        };
        match (a, b) {
            (Fault::Program(a, _), Fault::Program(b, _)) => a.is_like(b),
            (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
        }
    }
}

impl Setup<'_> {
    fn outcome(&self, trials: Vec<Trial>) -> Result<Outcome, StressError> {
        let mut outcome = Outcome::default();
        for trial in trials {
            *match trial.board.origin {
                Origin::File(_) | Origin::Smaller => &mut outcome.boards.given,
                Origin::Tiny(_) => &mut outcome.boards.tiny,
                Origin::Random(_) => &mut outcome.boards.random,
            } += 1;
            match trial.result {
                TrialResult::Same { models, complete } => {
                    outcome.models += models;
                    outcome.partial += usize::from(!complete);
                }
                TrialResult::Undecided => outcome.undecided += 1,
                TrialResult::Wrong(_) => {
                    outcome.wrong = Some(self.finding(trial)?);
                    break;
                }
            }
        }
        Ok(outcome)
    }

    /// Tests the program on numbered boards, in ascending order, until `is_last` accepts a trial.
    fn run(
        &self,
        stage: Stage,
        numbers: std::ops::Range<u64>,
        board: &(dyn Fn(u64) -> Option<Board> + Sync),
        is_last: &(dyn Fn(&Trial) -> bool + Sync),
    ) -> Result<Vec<Trial>, StressError> {
        let run = |(): &mut (), number| {
            let Some(board) = board(number) else { return Ok(Step::Skipped) };
            Ok(self.trial(board)?.map_or(Step::Stopped, Step::Done))
        };
        let is_over = || (self.is_over)(stage);
        let tasks = Tasks { threads: self.threads, is_over: &is_over, start: &|| Ok(()), run: &run, is_last };
        Ok(threads::run(&tasks, numbers)?.into_iter().map(|(_, trial)| trial).collect())
    }

    /// Tests one board; `None` if the user asked to stop.
    fn trial(&self, board: Board) -> Result<Option<Trial>, StressError> {
        let text = self.bench.trials.input(&*board.instance);
        let Some(written) = self.program.answer(&text, MAX_OUTPUT)? else { return Ok(None) };
        let Written { output, fault, quote, .. } = written;
        let result = match (fault, named::parse(&output)) {
            (Some(verdict), _) => TrialResult::Wrong(Fault::Program(verdict, quote)),
            (None, Err(bad)) => TrialResult::Wrong(Fault::Formula(bad)),
            (None, Ok(theirs)) => match self.compare(&*board.instance, &theirs)? {
                Some(result) => result,
                None => return Ok(None),
            },
        };
        Ok(Some(Trial { board, output, result }))
    }

    fn budget(&self) -> Budget {
        Budget::new(Some(MAX_CONFLICTS), Arc::clone(&self.bench.stop))
    }

    fn ours(&self, instance: &dyn DynInstance) -> Result<NamedFormula, StressError> {
        let mut ours = NamedFormula::default();
        instance.formula(&self.bench.engine, &mut ours)?;
        Ok(ours)
    }

    /// Compares the program's formula with ours; `None` if the user asked to stop.
    fn compare(
        &self,
        instance: &dyn DynInstance,
        theirs: &NamedFormula,
    ) -> Result<Option<TrialResult>, StressError> {
        let (ours, cells) = (self.ours(instance)?, self.bench.trials.cells(instance));
        let fresh = || self.bench.engine.solver();
        let [our_oracle, their_oracle] = [&ours, theirs].map(|formula| Oracle { formula, fresh: &fresh });
        Ok(Some(match compare(&cells, (&our_oracle, &their_oracle), &mut self.budget()) {
            Ok(Comparison::Same { models, complete }) => TrialResult::Same { models, complete },
            Ok(Comparison::Unnamed(i)) => {
                let name = cells[i].name.clone();
                let is_cell = |other: &str| cells.iter().any(|cell| cell.name == other);
                let others =
                    theirs.names().iter().map(|(_, name)| name.as_str()).filter(|name| !is_cell(name));
                let near = nearest(&name, others).map(str::to_owned);
                TrialResult::Wrong(Fault::Unnamed(name, near))
            }
            Ok(Comparison::Different(difference)) => TrialResult::Wrong(Fault::Models(difference)),
            Err(Unfinished::Limit(_)) if (self.bench.stop)().is_some() => return Ok(None),
            Err(Unfinished::Failed(reason)) => return Err(StressError::Solver(reason)),
            Err(_) => TrialResult::Undecided,
        }))
    }

    /// Shrinks the board of a fault. Each smaller board must have the same kind of fault.
    fn finding(&self, first: Trial) -> Result<Finding, StressError> {
        let mut smallest = first.clone();
        let mut tried = 0;
        loop {
            let smaller = self.bench.trials.simpler(&*smallest.board.instance);
            let instances: Vec<Arc<dyn DynInstance>> =
                smaller.into_iter().take(MAX_SMALLER - tried).map(Arc::from).collect();
            let board = |number: u64| {
                let instance = Arc::clone(instances.get(number as usize)?);
                Some(Board { instance, origin: Origin::Smaller })
            };
            let is_last = |trial: &Trial| trial.is_like(&smallest);
            let found = self.run(Stage::Shrink, 0..instances.len() as u64, &board, &is_last)?;
            tried += found.len();
            match found.into_iter().next_back().filter(|trial| trial.is_like(&smallest)) {
                Some(trial) => smallest = trial,
                None => break,
            }
        }
        let mut finding = Finding {
            first: first.board,
            tried,
            against_missing: Vec::new(),
            against_extra: Vec::new(),
            smallest,
        };
        self.find_responsible_clauses(&mut finding)?;
        Ok(finding)
    }

    fn find_responsible_clauses(&self, finding: &mut Finding) -> Result<(), StressError> {
        let TrialResult::Wrong(Fault::Models(difference)) = &finding.smallest.result else { return Ok(()) };
        let instance = &*finding.smallest.board.instance;
        let (ours, cells) = (self.ours(instance)?, self.bench.trials.cells(instance));
        let fresh = || self.bench.engine.solver();
        let clauses = |formula: &NamedFormula, values: &[Option<bool>]| {
            responsible::clauses(&Oracle { formula, fresh: &fresh }, &cells, values, &mut self.budget())
        };
        if let (Some(values), Ok(theirs)) = (&difference.missing, named::parse(&finding.smallest.output)) {
            finding.against_missing = clauses(&theirs, values);
        }
        if let Some(values) = &difference.extra {
            finding.against_extra =
                excluded_by_board(&cells, values).unwrap_or_else(|| clauses(&ours, values));
        }
        Ok(())
    }
}

/// The cells that have a different value on the board itself, in words; `None` if there are none.
fn excluded_by_board(cells: &[NamedCell], values: &[Option<bool>]) -> Option<Vec<String>> {
    let wrong =
        cells.iter().zip(values).filter(|(cell, value)| cell.shown.is_some() && cell.shown != **value);
    let in_words = wrong.map(|(cell, _)| {
        let not = if cell.shown == Some(true) { "" } else { "not " };
        format!("the board: {not}{}", cell.name)
    });
    Some(in_words.collect::<Vec<_>>()).filter(|reasons| !reasons.is_empty())
}
