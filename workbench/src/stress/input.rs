//! An input consists of games with the reference's answers, and of one text in the judge's format.

use crate::certify;
use crate::engine::{Budget, Stop};
use crate::erased::{DynAnswer, DynInstance, DynProblem, DynSession, Trials};
use crate::errors::{GenerateError, UnknownName};
use crate::problem::{Effort, Promise};
use crate::rules::Settings;
use crate::spec::EngineSpec;
use chacha20::{ChaCha8Rng, rand_core::Rng, rand_core::SeedableRng};
use std::fmt;
use std::sync::Arc;

/// The reference's work limit for a game. A game that needs more work is not used.
const MAX_REFERENCE_WORK: u64 = 20_000_000;

/// Successive inputs of a trial have these numbers of games, in turn. The problem sets a maximum.
const GAMES: [usize; 5] = [1, 2, 5, 20, usize::MAX];

/// A problem with its rules and its reference engine.
pub struct Bench<'a> {
    /// The problem.
    pub problem: &'a dyn DynProblem,
    /// Its stress tests: sources of games, mutants and so on.
    pub trials: Arc<dyn Trials>,
    /// The rules.
    pub settings: Settings,
    /// The reference engine.
    pub engine: EngineSpec,
    /// Stops everything, for example on Ctrl-C.
    pub stop: Stop,
}

/// A session of the reference engine.
pub struct Reference<'a> {
    bench: &'a Bench<'a>,
    session: Box<dyn DynSession>,
}

/// A game with its answer.
#[derive(Clone)]
pub struct Game {
    /// The game.
    pub instance: Arc<dyn DynInstance>,
    /// The reference's answer.
    pub answer: Arc<dyn DynAnswer>,
    /// Why the problem statement does not define the right answer; `None` if it does.
    pub silent: Option<&'static str>,
}

/// An input with its right output.
#[derive(Clone)]
pub struct Input {
    /// Its games. Empty if no game could be generated.
    pub games: Vec<Game>,
    /// Where it comes from.
    pub origin: Origin,
    /// The text that a program reads.
    pub text: String,
    /// The output that a program should print.
    pub expected: Vec<u8>,
    /// Whether other outputs can be right, too.
    pub has_other_outputs: bool,
}

/// The maximum number of further draws for an input that still has no game.
const MAX_REDRAWN: usize = 10;

/// Where an input comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It was generated: its number in the plan, from 1, and the name of its trial.
    Generated(u64, &'static str),
    /// It was read from a file.
    File(String),
    /// It was made from another input by shrinking.
    Shrunk,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Generated(number, trial) => write!(f, "input {number} ({trial})"),
            Origin::File(name) => f.write_str(name),
            Origin::Shrunk => f.write_str("a smaller input"),
        }
    }
}

impl Input {
    /// Whether the problem statement defines the right answer to every game.
    pub fn is_promised(&self) -> bool {
        self.games.iter().all(|game| game.silent.is_none())
    }

    /// The right output for each game.
    pub fn pieces(&self) -> impl Iterator<Item = Vec<u8>> {
        self.games.iter().zip(1..).map(|(game, index)| game.answer.judge_text(index))
    }
}

impl Bench<'_> {
    /// Starts a session of the reference engine.
    ///
    /// # Errors
    /// If the problem does not have this engine.
    pub fn reference(&self) -> Result<Reference<'_>, UnknownName> {
        Ok(Reference { bench: self, session: self.problem.start(&self.engine)? })
    }

    /// Combines games into one input.
    pub fn input(&self, games: Vec<Game>, origin: Origin) -> Input {
        let end = self.problem.info().separators.end;
        let texts = games.iter().map(|game| {
            let text = self.trials.input(&*game.instance);
            text.strip_suffix(end).unwrap_or(&text).to_owned()
        });
        let text = texts.collect::<Vec<_>>().join(self.problem.info().separators.between) + end;
        let mut input =
            Input { games, origin, text, expected: Vec::new(), has_other_outputs: self.trials.has_judge() };
        input.expected = input.pieces().flatten().collect();
        input
    }
}

/// Whether all claims of an answer can be closed, if necessary by proofs.
fn is_checked(answer: &dyn DynAnswer, budget: &mut Budget) -> bool {
    let Ok(obligations) = answer.obligations_within(budget) else { return false };
    let proofs = certify::proofs(certify::certify(&obligations, budget));
    answer.check(&proofs, budget).iter().all(|claim| claim.status.is_closed())
}

impl<'a> Reference<'a> {
    /// The problem with its rules.
    pub fn bench(&self) -> &'a Bench<'a> {
        self.bench
    }

    /// Answers a game. Returns `None` if the reference does not decide it, usually because that takes too
    /// much work. Also returns `None` if outputs are judged by means of the answer and one of its claims
    /// cannot be closed.
    pub fn answer(&mut self, instance: Box<dyn DynInstance>) -> Option<Game> {
        let instance: Arc<dyn DynInstance> = Arc::from(instance);
        let mut budget = Budget::new(Some(MAX_REFERENCE_WORK), Arc::clone(&self.bench.stop));
        let crate::engine::Outcome::Decided(answer) = self.session.solve(&*instance, &mut budget) else {
            return None;
        };
        if self.bench.trials.has_judge() && !is_checked(&*answer, &mut budget) {
            return None;
        }
        let silent = self.bench.trials.silent(&*answer);
        Some(Game { instance, answer: Arc::from(answer), silent })
    }
}

/// The number of rounds with only the quick trials, before the heavy trials join in: one round for each entry of
/// [`GAMES`].
const QUICK_ROUNDS: u64 = GAMES.len() as u64;

/// Which inputs are generated.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The numbers of the trials, from 0. Inputs of the first quick trial come first. Then the trials take turns in
    /// rounds. The first rounds have only the quick trials. The later rounds have all trials, the quick ones first.
    pub trials: Vec<usize>,
    /// The seed of everything random.
    pub seed: u64,
}

impl Plan {
    /// Tests that some trial can make a game under these rules.
    ///
    /// # Errors
    /// If no trial can. The message says why the last one cannot.
    pub fn check_supported(&self, bench: &Bench<'_>) -> Result<(), GenerateError> {
        let mut last = Ok(());
        for &trial in &self.trials {
            match bench.trials.make(&bench.settings, trial, 0, self.seed) {
                Ok(_) => return Ok(()),
                Err(why) => last = Err(why),
            }
        }
        last
    }

    /// The trial of input number `number`, from 1, and how many inputs of that trial precede it.
    fn turn(&self, number: u64, trials: &dyn Trials) -> (usize, u64) {
        let infos = trials.trials();
        let is_heavy = |trial: &usize| infos.get(*trial).is_some_and(|info| info.effort == Effort::Heavy);
        let (heavy, quick): (Vec<usize>, Vec<usize>) = self.trials.iter().partition(|trial| is_heavy(trial));
        let (quick_turns, all) = (quick.len() as u64, [quick, heavy].concat());
        let n = all.len() as u64;
        let lead = if n > 1 { trials.first_inputs() } else { 0 };
        let alone = if quick_turns == n { 0 } else { QUICK_ROUNDS * quick_turns };
        let (turn, round) = match (number - 1).checked_sub(lead) {
            None => (0, number - 1),
            Some(later) => {
                let (turn, round) = match later.checked_sub(alone) {
                    None => (later % quick_turns, later / quick_turns),
                    Some(later) if later % n < quick_turns && alone > 0 => {
                        (later % n, later / n + QUICK_ROUNDS)
                    }
                    Some(later) => (later % n, later / n),
                };
                (turn, if turn == 0 { round + lead } else { round })
            }
        };
        (all.get(turn as usize).copied().unwrap_or(usize::MAX), round)
    }

    /// Input number `number`, from 1. It depends only on the plan and this number.
    pub fn input(&self, number: u64, reference: &mut Reference<'_>) -> Input {
        let bench = reference.bench();
        let infos = bench.trials.trials();
        let (trial, round) = self.turn(number, &*bench.trials);
        let promise = infos.get(trial).map_or(Promise::Beyond, |info| info.promise);
        let games = match promise {
            // A game that the problem statement does not cover is the only game of its input.
            Promise::Beyond => 1,
            Promise::Promised => GAMES[(round % GAMES.len() as u64) as usize].min(bench.trials.games()),
        };
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(number);
        // A draw gives no game if the trial cannot make one under these rules, or if the game cannot be used. If none
        // of the draws gives a game, at most [`MAX_REDRAWN`] further draws are made, until one does.
        let mut found = Vec::new();
        for draw in 0..games + MAX_REDRAWN {
            if draw >= games && !found.is_empty() {
                break;
            }
            let made = bench.trials.make(&bench.settings, trial, round, rng.next_u64());
            let game = made.ok().and_then(|instance| reference.answer(instance));
            found.extend(game.filter(|game| promise == Promise::Beyond || game.silent.is_none()));
        }
        let name = infos.get(trial).map_or("", |info| info.name);
        bench.input(found, Origin::Generated(number, name))
    }
}
