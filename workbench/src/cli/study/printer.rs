//! Prints the findings of a study: a table and notes, or JSON lines; files in a folder; progress on standard error.

use super::super::args::Study;
use super::super::exit::Failure;
use super::super::progress::{self, Progress};
use super::super::staging::replace;
use super::super::table::table;
use super::super::{print, read};
use crate::study::{Row, StudyOutput};
use serde_json::Value;
use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The interval between updates on a terminal.
const SHOW_EVERY: Duration = Duration::from_millis(100);
/// The interval between lines of progress if standard error is not a terminal.
const LINE_EVERY: Duration = Duration::from_secs(30);

/// The column of game numbers. It is omitted if there is only one game.
const GAME: &str = "game";

/// Prints what a study reports.
pub(super) struct Printer<'a> {
    out: &'a mut dyn Write,
    json: bool,
    question: String,
    save: Option<PathBuf>,
    /// The number of saved files.
    saved: usize,
    /// The reason why no file is saved, if the study gave one.
    unsaved: Option<String>,
    /// The current game; `None` if the study is not about games.
    game: Option<usize>,
    rows: Vec<Row>,
    notes: Vec<Note>,
    /// The first error while writing.
    failed: Option<Failure>,
    /// The progress on a terminal.
    shown: Option<Progress>,
    /// When progress was last printed. Without a terminal, the initial value is the start of the study, so the first line
    /// appears after [`LINE_EVERY`].
    last_progress: Option<Instant>,
}

/// A note about a game, or about all games.
struct Note {
    game: Option<usize>,
    text: String,
}

impl<'a> Printer<'a> {
    pub(super) fn new(args: &Study, out: &'a mut dyn Write) -> Self {
        let shown = Progress::new();
        let last_progress = shown.is_none().then(Instant::now);
        Printer {
            out,
            json: args.json,
            question: args.question.clone(),
            save: args.save.clone(),
            saved: 0,
            unsaved: None,
            game: None,
            rows: Vec::new(),
            notes: Vec::new(),
            failed: None,
            shown,
            last_progress,
        }
    }

    /// Sets the game that all following findings are about.
    pub(super) fn set_game(&mut self, game: usize) {
        self.game = Some(game);
    }

    /// Reports findings about all games together.
    pub(super) fn for_all_games(&mut self, sum_up: impl FnOnce(&[Row], &mut dyn StudyOutput)) {
        let rows = std::mem::take(&mut self.rows);
        let game = self.game.take();
        sum_up(&rows, self);
        (self.rows, self.game) = (rows, game);
    }

    /// Prints the table and the notes.
    ///
    /// # Errors
    /// The first error while writing, now or before.
    pub(super) fn finish(self) -> Result<(), Failure> {
        drop(self.shown);
        if let Some(failed) = self.failed {
            return Err(failed);
        }
        if let (Some(folder), 0) = (&self.save, self.saved) {
            let why = self
                .unsaved
                .unwrap_or_else(|| format!("{} writes no file for these findings", self.question));
            print::warn(&format!("nothing was saved in {}: {why}", folder.display()));
        }
        let one_game = self.game == Some(1);
        if let (Some(first), false) = (self.rows.first(), self.json) {
            let nests = |key: &str| self.rows.iter().filter_map(|row| row.get(key)).any(nests);
            let is_shown = |key: &&String| !(nests(key) || one_game && *key == GAME);
            let shown: Vec<&String> = first.keys().filter(is_shown).collect();
            let heads: Vec<String> = shown.iter().map(|&key| head(key, &self.rows)).collect();
            let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
            let cell = |row: &Row, key: &String| row.get(key).map_or_else(String::new, plain);
            let rows =
                self.rows.iter().map(|row| shown.iter().map(|&key| cell(row, key)).collect()).collect();
            writeln!(self.out, "{}", table(&heads, rows))?;
        }
        for Note { game, text } in &self.notes {
            let game = game.filter(|_| !one_game).map_or_else(String::new, |game| format!("Game {game}\n"));
            writeln!(self.out, "\n{game}{}", text.trim_end())?;
        }
        Ok(())
    }

    /// Adds the number of the current game, if there is one.
    fn numbered(&self, row: Row) -> Row {
        let game = self.game.map(|game| (GAME.to_owned(), game.into()));
        game.into_iter().chain(row).collect()
    }

    fn line(&mut self, row: &Row) {
        if self.failed.is_some() {
            return;
        }
        let written = progress::suspended(|| json_line(self.out, row));
        self.record_failure(written.map_err(Failure::from));
    }

    /// Whether the last progress was shown long enough ago. Most calls return early, because a study may report progress
    /// in a loop.
    fn is_due(&mut self) -> bool {
        let every = if self.shown.is_some() { SHOW_EVERY } else { LINE_EVERY };
        let is_due = self.last_progress.is_none_or(|last| last.elapsed() >= every);
        if is_due {
            self.last_progress = Some(Instant::now());
        }
        is_due
    }

    fn record_failure(&mut self, written: Result<(), Failure>) {
        if let (Err(failure), None) = (written, &self.failed) {
            self.failed = Some(failure);
        }
    }
}

impl StudyOutput for Printer<'_> {
    fn row(&mut self, row: Row) {
        let mut row = self.numbered(row);
        if self.json {
            self.line(&row);
            // Nested values have been written already, and `sum_up` does not need them.
            row.retain(|_, value| !nests(value));
        }
        self.rows.push(row);
    }

    fn summary(&mut self, text: &str, object: Row) {
        if self.json {
            let object = self.numbered(object);
            self.line(&object);
        } else {
            self.note(text);
        }
    }

    fn note(&mut self, text: &str) {
        if !self.json {
            self.notes.push(Note { game: self.game, text: text.to_owned() });
        }
    }

    fn file(&mut self, name: &str, contents: &dyn Fn() -> Vec<u8>) {
        let Some(folder) = &self.save else { return };
        let path = folder.join(name);
        self.saved += 1;
        let written = fs::create_dir_all(folder).and_then(|()| replace(&path, contents()));
        let written = read::named(&path, written);
        self.record_failure(written);
    }

    fn no_file(&mut self, why: &str) {
        self.unsaved = Some(why.to_owned());
    }

    fn progress(&mut self, text: fmt::Arguments<'_>) {
        if self.is_due() {
            match &self.shown {
                Some(shown) => shown.show(text.to_string()),
                None => print::warn(&text.to_string()),
            }
        }
    }

    fn steps(&mut self, (done, all): (u64, u64), what: fmt::Arguments<'_>) {
        if self.is_due() {
            match &self.shown {
                Some(shown) => shown.show_steps((done, all), what.to_string()),
                None => print::warn(&format!("{what}: {done} of {all}")),
            }
        }
    }
}

/// The head of a column; columns of numbers are aligned to the right.
fn head(key: &str, rows: &[Row]) -> String {
    let mut values = rows.iter().filter_map(|row| row.get(key)).filter(|value| !value.is_null());
    if values.all(Value::is_number) { format!(">{key}") } else { key.to_owned() }
}

fn nests(value: &Value) -> bool {
    value.is_array() || value.is_object()
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "–".to_owned(),
        other => other.to_string(),
    }
}

/// Writes a row as a JSON object. Blanks in the names of columns become underscores.
fn json_line(out: &mut dyn Write, row: &Row) -> io::Result<()> {
    let row: Row = row.iter().map(|(key, value)| (key.replace(' ', "_"), value.clone())).collect();
    serde_json::to_writer(&mut *out, &row)?;
    writeln!(out)?;
    out.flush()
}
