//! What the page shows before anything is solved: the problems, and a board as text and as squares.

use super::request::{Board, Empty, Touch, Wanted};
use super::{Answer, Playground, Refusal};
use counterpoint_core::board::{Mark, Panel};
use counterpoint_core::erased::{DynInstance, DynProblem, Listed};
use counterpoint_core::input::{InputError, Source, Warnings};
use counterpoint_core::problem::Param;
use counterpoint_core::registry::Registry;
use counterpoint_core::rules::{Rule, Settings, Values};
use counterpoint_core::solver::{SolverFactory, SolverRegistry};
use counterpoint_core::spec::EngineSpec;
use serde_json::{Value, json};

/// The longest text of a board, in bytes.
const MAX_TEXT: usize = 1 << 20;

/// The maximum number of games that are read from a text.
const MAX_GAMES: usize = 1000;

impl Playground {
    /// A problem that the page offers.
    pub(super) fn problem(&self, name: &str) -> Result<&dyn DynProblem, Refusal> {
        let problem = self.registry.find(name).map_err(|error| Refusal::of(&error))?;
        if problem.info().has_files {
            let why = format!(
                "this page has no boards of '{name}', whose instances are files; the program itself reads them"
            );
            return Err(why.into());
        }
        Ok(problem)
    }

    /// The chosen game of a board's text.
    pub(super) fn instance(&self, board: &Board) -> Result<Box<dyn DynInstance>, Refusal> {
        let mut games = self.games(board)?;
        let count = games.len();
        if board.game == 0 || board.game > count {
            return Err(format!("the text has no game {}; it has {}", board.game, games_text(count)).into());
        }
        Ok(games.swap_remove(board.game - 1))
    }

    fn games(&self, board: &Board) -> Result<Vec<Box<dyn DynInstance>>, Refusal> {
        let problem = self.problem(&board.problem)?;
        if board.text.len() > MAX_TEXT {
            let why = format!(
                "the text has {} bytes, too many for a page; the maximum is {MAX_TEXT}. The program itself reads it",
                board.text.len()
            );
            return Err(why.into());
        }
        let settings = settings(problem, &board.rules)?;
        read(problem, &settings, &board.text).map_err(|error| self.explained(error, board))
    }

    /// The error of a reader. If the text is a board of another problem, the message says so.
    fn explained(&self, error: ReadError, board: &Board) -> Refusal {
        let is_read = |other: &&dyn DynProblem| {
            if other.name() == board.problem || other.info().has_files {
                return false;
            }
            let defaults = settings(*other, &[]);
            defaults.is_ok_and(|settings| {
                read(*other, &settings, &board.text).is_ok_and(|games| !games.is_empty())
            })
        };
        let hint = self
            .registry
            .iter()
            .find(is_read)
            .map_or(String::new(), |other| format!("; this looks like {}", other.name()));
        match error {
            ReadError::Input(InputError { line, column, message, .. }) => {
                Refusal::At { line, column, message: message + &hint }
            }
            ReadError::Other(message) => Refusal::Message(message + &hint),
        }
    }

    /// All games of a text, and what is known about the chosen one. `boards` has the squares that can be clicked.
    pub(super) fn read(&self, board: &Board) -> Answer {
        let problem = self.problem(&board.problem)?;
        let games = self.games(board)?;
        if games.is_empty() {
            return Err("the text has no game".into());
        }
        let Some(instance) = games.get(board.game.saturating_sub(1)).or_else(|| games.first()) else {
            return Err("the text has no game".into());
        };
        let engines = problem.engines().iter().map(|info| {
            let engine = EngineSpec::default_of(info);
            let why = instance.supports(&engine).err().map(|why| why.to_string());
            json!({ "id": engine.to_string(), "unsupported": why })
        });
        Ok(json!({
            "games": games.len(),
            "text": instance.text(),
            "boards": instance.edited_boards().iter().map(panel).collect::<Vec<_>>(),
            "engines": engines.collect::<Vec<_>>(),
        }))
    }

    /// The whole text after a click on a board of the chosen game, with the number of that game.
    pub(super) fn touch(&self, board: &Board, touch: Touch) -> Answer {
        let problem = self.problem(&board.problem)?;
        let games = self.games(board)?;
        let chosen = board.game.saturating_sub(1);
        let edited = games.get(chosen).and_then(|game| game.touched(touch.into()));
        let edited = edited.ok_or("there is no such square")?;
        let separators = problem.info().separators;
        let mut text = String::new();
        for (i, game) in games.iter().enumerate() {
            let game = if i == chosen { edited.clone() } else { game.text() };
            if i > 0 {
                text.push_str(separators.between);
            }
            text.push_str(game.strip_suffix(separators.end).unwrap_or(&game));
        }
        text.push_str(separators.end);
        Ok(json!({ "text": text }))
    }

    /// A generated board as text.
    pub(super) fn generate(&self, wanted: &Wanted) -> Answer {
        let problem = self.problem(&wanted.problem)?;
        let settings = settings(problem, &wanted.rules)?;
        let made = problem.generate(&settings, &wanted.family, &wanted.params, wanted.seed);
        let text = made.map_err(|error| Refusal::of(&error))?.text();
        if text.len() > MAX_TEXT {
            return Err("this board is too large for a page; the program itself generates it".into());
        }
        Ok(json!({ "text": text }))
    }
}

impl Playground {
    /// An empty board as text. Before the board is made, its size is compared with what the page can draw.
    pub(super) fn empty(&self, wanted: &Empty) -> Answer {
        let problem = self.problem(&wanted.problem)?;
        let settings = settings(problem, &wanted.rules)?;
        let made = problem.empty(&settings, &wanted.params).map_err(|error| Refusal::of(&error))?;
        Ok(json!({ "text": made.text() }))
    }
}

/// All problems whose instances are not files.
pub(super) fn problems(registry: &Registry) -> Value {
    let program = registry.program();
    let problems = registry.iter().filter(|problem| !problem.info().has_files).map(about);
    json!({
        "program": format!("{} {}", program.name, program.version),
        "solvers": SolverRegistry::built_in().iter().map(SolverFactory::name).collect::<Vec<_>>(),
        "problems": problems.collect::<Vec<_>>(),
    })
}

enum ReadError {
    Input(InputError),
    Other(String),
}

fn read(
    problem: &dyn DynProblem,
    settings: &Settings,
    text: &str,
) -> Result<Vec<Box<dyn DynInstance>>, ReadError> {
    let warnings = Warnings::default();
    let source = Source::from_text("board", text);
    let games =
        problem.open(settings, source, &warnings).map_err(|error| ReadError::Other(error.to_string()))?;
    games.take(MAX_GAMES).collect::<Result<_, _>>().map_err(ReadError::Input)
}

/// The rules with these values. The value of a rule that takes a file is the contents of that file.
pub(super) fn settings(problem: &dyn DynProblem, given: &[(String, String)]) -> Result<Settings, Refusal> {
    Settings::new(problem.rules(), given, &|contents| Ok(contents.to_owned()))
        .map_err(|error| Refusal::of(&error))
}

fn games_text(count: usize) -> String {
    if count == 1 { "1 game".to_owned() } else { format!("{count} games") }
}

fn about(problem: &dyn DynProblem) -> Value {
    let info = problem.info();
    let param = |p: &Param| json!({ "key": p.key, "default": p.default_text(), "words": p.words() });
    let listed = |listed: &Listed| {
        let params = listed.params.iter().map(param);
        json!({ "name": listed.name, "about": listed.about, "params": params.collect::<Vec<_>>() })
    };
    let engines = info.engines.iter().map(|engine| {
        let axes = engine
            .axes
            .iter()
            .map(|axis| json!({ "name": axis.name, "values": axis.values, "about": axis.about }));
        json!({
            "id": EngineSpec::default_of(engine).to_string(),
            "side": engine.side.to_string(),
            "about": engine.about,
            "axes": axes.collect::<Vec<_>>(),
        })
    });
    json!({
        "name": info.name,
        "about": info.about,
        "sample": info.sample,
        "rules": info.rules.iter().map(rule).collect::<Vec<_>>(),
        "engines": engines.collect::<Vec<_>>(),
        "default": info.default_engine,
        "families": info.families.iter().map(listed).collect::<Vec<_>>(),
        "lesson": info.lesson,
        "edit": info.edit,
        "empty": info.empty.iter().map(param).collect::<Vec<_>>(),
    })
}

fn rule(rule: &Rule) -> Value {
    let (kind, words) = match rule.values {
        Values::OneOf(words) => ("word", words),
        Values::Number { or, .. } => ("number", or),
        Values::Size { or, .. } => ("size", or),
        Values::File { or } => ("text", or),
    };
    json!({
        "key": rule.key,
        "about": rule.about,
        "default": rule.default,
        "kind": kind,
        "words": words,
        "values": rule.values_text(),
    })
}

/// A board as JSON: its caption, and a list of squares for each row.
pub(super) fn panel(panel: &Panel) -> Value {
    let tiles = panel.tiles.iter().map(|tile| {
        json!({
            "fill": tile.fill,
            "disc": tile.disc,
            "text": tile.text,
            "letters": tile.letters,
            "ink": tile.ink,
            "framed": tile.mark == Mark::Frame,
        })
    });
    json!({
        "caption": panel.caption,
        "rows": panel.size.height,
        "columns": panel.size.width,
        "tiles": tiles.collect::<Vec<_>>(),
    })
}
