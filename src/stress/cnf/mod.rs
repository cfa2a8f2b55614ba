//! Is somebody's encoding right? A program reads a board and prints a formula; its models on the cells are held
//! against those of ours, on all tiny boards and on random ones.
//!
//! The first board with a difference is made smaller. Boards count by number, so threads change nothing.

mod blame;
mod compare;
mod dimacs;
mod formula;

pub use compare::Difference;
pub use dimacs::BadFormula;

use super::crew::{self, Crew, Step};
use super::program::{Program, Written};
use super::verdict::Verdict;
use super::{Bench, Stage};
use crate::engine::{Budget, Unfinished};
use crate::erased::DynInstance;
use crate::problem::NamedCell;
use crate::spec::nearest;
use compare::{Asked, Comparison, compare};
use formula::Formula;
use rand_chacha::{ChaCha8Rng, rand_core::Rng, rand_core::SeedableRng};
use std::fmt;
use std::sync::Arc;

/// The most bytes of a formula.
const MAX_OUTPUT: u64 = 64 << 20;

/// The most conflicts of a comparison, and of the search for the clauses behind a difference.
const MAX_CONFLICTS: u64 = 100_000;

/// The most boards that are tried to make one smaller.
const MAX_SMALLER: usize = 500;

/// Who is tested, and how.
pub struct Setup<'a> {
    /// The problem; the engine is the model whose formula is ours.
    pub bench: Bench<'a>,
    /// The program.
    pub program: Program<'a>,
    /// Boards at a time.
    pub threads: usize,
    /// Whether no further board shall be begun at this stage.
    pub over: &'a (dyn Fn(Stage) -> bool + Sync),
    /// Of all chance.
    pub seed: u64,
}

/// A board.
#[derive(Clone)]
pub struct Board {
    /// It.
    pub instance: Arc<dyn DynInstance>,
    /// Where it comes from.
    pub origin: Origin,
}

/// Where a board comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A file.
    File(String),
    /// Its number among the tiny ones, from 1.
    Tiny(u64),
    /// Its number among the random ones, from 1.
    Random(u64),
    /// Another board, made smaller.
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

/// A board, and what came of it.
#[derive(Clone)]
pub struct Trial {
    /// The board.
    pub board: Board,
    /// What the program wrote.
    pub output: Vec<u8>,
    /// What came of it.
    pub told: Told,
}

/// What came of a board.
#[derive(Clone)]
pub enum Told {
    /// No difference in so many models; false where there are more of them.
    Alike(usize, bool),
    /// The solver came to no end.
    Open,
    /// Something is wrong.
    Wrong(Fault),
}

/// What is wrong with a program or its formula.
#[derive(Clone, Debug)]
pub enum Fault {
    /// The program failed; behind it the first line of its standard error.
    Program(Verdict, String),
    /// It printed no formula.
    Formula(BadFormula),
    /// No variable has the name of this cell, on which models differ; behind it the nearest name that there is.
    Unnamed(String, Option<String>),
    /// The models are not the same.
    Models(Difference),
}

/// What is true of a whole series.
#[derive(Default)]
pub struct Outcome {
    /// Boards that were run, up to the first fault: those of files, tiny ones and random ones.
    pub boards: [usize; 3],
    /// How many tiny boards there are.
    pub tiny: usize,
    /// Models that were compared.
    pub models: usize,
    /// Boards with more models than were listed.
    pub partial: usize,
    /// Boards on which the solver came to no end.
    pub open: usize,
    /// The first fault.
    pub wrong: Option<Finding>,
}

/// A fault, and the smallest board that has it.
pub struct Finding {
    /// The board on which it was found.
    pub first: Board,
    /// The smallest one.
    pub least: Trial,
    /// Boards that were tried on the way.
    pub tried: usize,
    /// Clauses of theirs that forbid the missing model.
    pub against_missing: Vec<String>,
    /// Clauses of ours that forbid the model too many.
    pub against_extra: Vec<String>,
}

/// Runs the program on given boards, on all tiny ones, and on so many random ones.
///
/// # Errors
/// Why the program cannot be run, or our formula not be written.
pub fn audit(setup: &Setup<'_>, given: &[Board], random: u64) -> Result<Outcome, String> {
    let bench = &setup.bench;
    let tiny: Vec<Arc<dyn DynInstance>> = bench.trials.tiny(&bench.settings)?.map(Arc::from).collect();
    // Rules that our formulas do not serve are told before anything is run.
    tiny.first().map_or(Ok(()), |instance| setup.ours(&**instance).map(drop))?;
    let (files, tinies) = (given.len() as u64, tiny.len() as u64);
    let board = |number: u64| -> Option<Board> {
        if let Some(board) = given.get(number as usize) {
            return Some(board.clone());
        }
        let number = number - files;
        if let Some(instance) = tiny.get(number as usize) {
            return Some(Board { instance: Arc::clone(instance), origin: Origin::Tiny(number + 1) });
        }
        let number = number - tinies;
        let mut rng = ChaCha8Rng::seed_from_u64(setup.seed);
        rng.set_stream(number);
        // What the rules have no board for is left out.
        let instance = bench.trials.small(&bench.settings, number, rng.next_u64()).ok()?;
        Some(Board { instance: Arc::from(instance), origin: Origin::Random(number + 1) })
    };
    let trials = setup.run(Stage::Hunt, 0..files + tinies + random, &board, &Trial::is_wrong)?;
    Ok(Outcome { tiny: tiny.len(), ..setup.outcome(trials)? })
}

/// Runs the program on given boards only.
///
/// # Errors
/// As for [`audit`].
pub fn given(setup: &Setup<'_>, given: &[Board]) -> Result<Outcome, String> {
    let board = |number: u64| given.get(number as usize).cloned();
    let trials = setup.run(Stage::Hunt, 0..given.len() as u64, &board, &Trial::is_wrong)?;
    setup.outcome(trials)
}

impl Trial {
    fn is_wrong(&self) -> bool {
        matches!(self.told, Told::Wrong(_))
    }

    /// Whether both are wrong in the same way.
    fn is_like(&self, other: &Trial) -> bool {
        match (&self.told, &other.told) {
            (Told::Wrong(Fault::Program(a, _)), Told::Wrong(Fault::Program(b, _))) => a.is_like(b),
            (Told::Wrong(a), Told::Wrong(b)) => std::mem::discriminant(a) == std::mem::discriminant(b),
            _ => false,
        }
    }
}

impl Setup<'_> {
    fn outcome(&self, trials: Vec<Trial>) -> Result<Outcome, String> {
        let mut outcome = Outcome::default();
        for trial in trials {
            outcome.boards[match trial.board.origin {
                Origin::File(_) | Origin::Smaller => 0,
                Origin::Tiny(_) => 1,
                Origin::Random(_) => 2,
            }] += 1;
            match trial.told {
                Told::Alike(models, all) => {
                    outcome.models += models;
                    outcome.partial += usize::from(!all);
                }
                Told::Open => outcome.open += 1,
                Told::Wrong(_) => {
                    outcome.wrong = Some(self.finding(trial)?);
                    break;
                }
            }
        }
        Ok(outcome)
    }

    /// Runs the program on boards by number.
    fn run(
        &self,
        stage: Stage,
        numbers: std::ops::Range<u64>,
        board: &(dyn Fn(u64) -> Option<Board> + Sync),
        ends: &(dyn Fn(&Trial) -> bool + Sync),
    ) -> Result<Vec<Trial>, String> {
        let step = |(): &mut (), number| {
            let Some(board) = board(number) else { return Ok(Step::Nothing) };
            Ok(self.trial(board)?.map_or(Step::Stop, Step::Done))
        };
        let over = || (self.over)(stage);
        let crew = Crew { threads: self.threads, over: &over, start: &|| Ok(()), step: &step, ends };
        Ok(crew::work(&crew, numbers)?.into_iter().map(|(_, trial)| trial).collect())
    }

    /// One board; `None` if somebody asked to stop.
    fn trial(&self, board: Board) -> Result<Option<Trial>, String> {
        let text = self.bench.trials.input(&*board.instance);
        let Some(written) = self.program.answer(&text, MAX_OUTPUT)? else { return Ok(None) };
        let Written { output, fault, quote, .. } = written;
        let told = match (fault, dimacs::parse(&output)) {
            (Some(verdict), _) => Told::Wrong(Fault::Program(verdict, quote)),
            (None, Err(bad)) => Told::Wrong(Fault::Formula(bad)),
            (None, Ok(theirs)) => match self.compare(&*board.instance, &theirs)? {
                Some(told) => told,
                None => return Ok(None),
            },
        };
        Ok(Some(Trial { board, output, told }))
    }

    fn budget(&self) -> Budget {
        Budget::new(Some(MAX_CONFLICTS), Arc::clone(&self.bench.stop))
    }

    fn ours(&self, instance: &dyn DynInstance) -> Result<Formula, String> {
        let mut ours = Formula::default();
        instance.formula(&self.bench.engine, &mut ours)?;
        Ok(ours)
    }

    /// `None` if somebody asked to stop.
    fn compare(&self, instance: &dyn DynInstance, theirs: &Formula) -> Result<Option<Told>, String> {
        let (ours, cells) = (self.ours(instance)?, self.bench.trials.cells(instance));
        let fresh = || self.bench.engine.solver();
        let [ours, asked] = [&ours, theirs].map(|formula| Asked { formula, fresh: &fresh });
        Ok(Some(match compare(&cells, (&ours, &asked), &mut self.budget()) {
            Ok(Comparison::Alike { models, all }) => Told::Alike(models, all),
            Ok(Comparison::Unnamed(i)) => {
                let name = cells[i].name.clone();
                let is_cell = |other: &str| cells.iter().any(|cell| cell.name == other);
                let others =
                    theirs.names().iter().map(|(_, name)| name.as_str()).filter(|name| !is_cell(name));
                let near = nearest(&name, others).map(str::to_owned);
                Told::Wrong(Fault::Unnamed(name, near))
            }
            Ok(Comparison::Differ(difference)) => Told::Wrong(Fault::Models(difference)),
            Err(Unfinished::Limit(_)) if (self.bench.stop)().is_some() => return Ok(None),
            Err(Unfinished::Failed(reason)) => return Err(reason),
            Err(_) => Told::Open,
        }))
    }

    /// Makes the board of a fault smaller, as long as it has the same fault.
    fn finding(&self, first: Trial) -> Result<Finding, String> {
        let mut least = first.clone();
        let mut tried = 0;
        loop {
            let smaller = self.bench.trials.simpler(&*least.board.instance);
            let instances: Vec<Arc<dyn DynInstance>> =
                smaller.into_iter().take(MAX_SMALLER - tried).map(Arc::from).collect();
            let board = |number: u64| {
                let instance = Arc::clone(instances.get(number as usize)?);
                Some(Board { instance, origin: Origin::Smaller })
            };
            let ends = |trial: &Trial| trial.is_like(&least);
            let found = self.run(Stage::Shrink, 0..instances.len() as u64, &board, &ends)?;
            tried += found.len();
            match found.into_iter().next_back().filter(|trial| trial.is_like(&least)) {
                Some(trial) => least = trial,
                None => break,
            }
        }
        let mut finding = Finding {
            first: first.board,
            tried,
            against_missing: Vec::new(),
            against_extra: Vec::new(),
            least,
        };
        self.blame(&mut finding)?;
        Ok(finding)
    }

    fn blame(&self, finding: &mut Finding) -> Result<(), String> {
        let Told::Wrong(Fault::Models(difference)) = &finding.least.told else { return Ok(()) };
        let instance = &*finding.least.board.instance;
        let (ours, cells) = (self.ours(instance)?, self.bench.trials.cells(instance));
        let fresh = || self.bench.engine.solver();
        let clauses = |formula: &Formula, values: &[Option<bool>]| {
            blame::clauses(&Asked { formula, fresh: &fresh }, &cells, values, &mut self.budget())
        };
        if let (Some(values), Ok(theirs)) = (&difference.missing, dimacs::parse(&finding.least.output)) {
            finding.against_missing = clauses(&theirs, values);
        }
        if let Some(values) = &difference.extra {
            finding.against_extra = board_against(&cells, values).unwrap_or_else(|| clauses(&ours, values));
        }
        Ok(())
    }
}

/// That the board itself shows other values.
fn board_against(cells: &[NamedCell], values: &[Option<bool>]) -> Option<Vec<String>> {
    let wrong =
        cells.iter().zip(values).filter(|(cell, value)| cell.shown.is_some() && cell.shown != **value);
    let told = wrong.map(|(cell, _)| {
        let not = if cell.shown == Some(true) { "" } else { "not " };
        format!("the board: {not}{}", cell.name)
    });
    Some(told.collect::<Vec<_>>()).filter(|told| !told.is_empty())
}
