//! Completion of the command line: the scripts of the shells call this program, which prints the candidates.
//!
//! `counterpoint complete zsh WORD…` and `counterpoint complete fish WORD…` complete the last word; the words before it
//! are those after the name of the program. `counterpoint complete bash LINE WORD` completes a line that ends at the
//! cursor. bash breaks words at `:` and `=`, so it passes the whole line and the part of the last word that it will
//! replace.
//!
//! Each line of the output has up to three fields, separated by tabs: a kind, a value, and a description. Unless the
//! kind says otherwise, the value is a candidate:
//!
//! | kind | meaning |
//! |---|---|
//! | `word` | a candidate, after which a blank follows |
//! | `part` | a candidate that is to be continued, such as `n=` |
//! | `files`, `folders` | the shell completes a path; the value is the part of the word before the path |
//! | `commands` | the shell completes the name of a program |
//!
//! clap_complete has an engine for this, too (`CompleteEnv`). We do not use it because its script for bash cannot
//! complete words that contain `:` or `=`, so neither engines nor parameters; because its completers do not see the
//! other words of the line, such as the problem; and because its interface may change in any version.

mod arguments;
mod cursor;
mod engines;
mod experiments;
mod keys;
mod line;
mod script;

pub(super) use script::script;

use super::context::Context;
use super::exit::{Failure, Status};
use super::{config, help};
use crate::process::Children;
use crate::registry::Registry;
use cursor::{Cursor, Place};
use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

/// The command that the scripts call. It is no command of the parser, whose start it would slow down.
const COMMAND: &str = "complete";

/// What a shell may offer for a word.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Candidate {
    /// A word with its description. The flag says whether the word is to be continued.
    Word { value: String, about: String, is_part: bool },
    /// The paths of files.
    Files,
    /// The paths of folders.
    Folders,
    /// The names of programs.
    Commands,
}

impl Candidate {
    fn word(value: impl Into<String>, about: impl Into<String>) -> Self {
        Candidate::Word { value: value.into(), about: about.into(), is_part: false }
    }

    fn part(value: impl Into<String>, about: impl Into<String>) -> Self {
        Candidate::Word { value: value.into(), about: about.into(), is_part: true }
    }
}

/// Whether a shell asks for candidates.
pub(super) fn is_wanted() -> bool {
    let mut args = std::env::args_os().skip(1);
    args.next().is_some_and(|arg| arg == COMMAND) && args.len() >= 2
}

/// Prints the candidates for the line in the arguments of this process.
pub(super) fn run(registry: Registry, out: &mut dyn Write) -> Result<Status, Failure> {
    let mut words = std::env::args_os().skip(2).map(|word: OsString| word.to_string_lossy().into_owned());
    let shell = words.next().unwrap_or_default();
    let mut words: Vec<String> = words.collect();
    let last = words.pop().unwrap_or_default();
    match shell.as_str() {
        "bash" => {
            let line = line::split(words.first().map_or("", String::as_str));
            let (before, whole) = (&line.words[..line.words.len() - 1], &line.words[line.words.len() - 1]);
            // bash replaces only the end of the word. After closing quotes, it replaces nothing, but passes the whole word.
            let is_closed = !line.is_quoted() && last.ends_with(['\'', '"']);
            let replaced = if is_closed { 0 } else { line::split(&last).words.concat().len() };
            let kept = whole.len().saturating_sub(replaced);
            let before = before.get(1..).unwrap_or_default();
            for candidate in candidates(registry, before, whole) {
                let shown = match candidate.0 {
                    Candidate::Word { value, about, is_part } => {
                        let value = value.get(kept..).unwrap_or_default();
                        let value = line.written(value);
                        (Candidate::Word { value, about, is_part }, candidate.1)
                    }
                    _ => candidate,
                };
                print(&shown, out)?;
            }
        }
        "zsh" => candidates(registry, &words, &last).iter().try_for_each(|shown| print(shown, out))?,
        "fish" => {
            let last = line::split(&last).words.concat();
            candidates(registry, &words, &last).iter().try_for_each(|shown| print(shown, out))?;
        }
        _ => return Err(Failure::usage(format!("unknown shell '{shell}'; expected bash, zsh or fish"))),
    }
    Ok(Status::Done)
}

/// Writes a candidate, which belongs to the part of the word that follows a prefix.
fn print((candidate, prefix): &(Candidate, String), out: &mut dyn Write) -> Result<(), Failure> {
    match candidate {
        // The shell reads one candidate from each line, and tabs end its fields.
        Candidate::Word { value, .. } if value.contains(char::is_control) => (),
        Candidate::Word { value, about, is_part } => {
            let kind = if *is_part { "part" } else { "word" };
            writeln!(out, "{kind}\t{value}\t{about}")?;
        }
        Candidate::Files => writeln!(out, "files\t{prefix}")?,
        Candidate::Folders => writeln!(out, "folders\t{prefix}")?,
        Candidate::Commands => writeln!(out, "commands\t{prefix}")?,
    }
    Ok(())
}

/// The candidates for `last`, the word at the cursor, each with the part of the word that precedes a path. Words
/// contain this part.
fn candidates(registry: Registry, before: &[String], last: &str) -> Vec<(Candidate, String)> {
    let mut command = help::plain(&registry);
    command.build();
    let cursor = Cursor::find(&command, before, last);
    let given = |id: &str| cursor.value(id).map(str::to_owned);
    let context = Context {
        config: given("config").map(PathBuf::from),
        plan: given("plan"),
        registry,
        children: Arc::new(Children::default()),
    };
    let found = match &cursor.place {
        Place::Options => arguments::options(&context, &cursor),
        Place::Value(argument) => arguments::values(&context, &cursor, argument),
        Place::Word(argument) => {
            let mut found = arguments::commands(&cursor);
            found.extend(argument.iter().flat_map(|argument| arguments::values(&context, &cursor, argument)));
            if found.is_empty() && argument.is_none() { arguments::options(&context, &cursor) } else { found }
        }
    };
    let fits = |candidate: &Candidate| match candidate {
        Candidate::Word { value, .. } => value.starts_with(&cursor.word),
        _ => true,
    };
    let prefix = &cursor.prefix;
    let placed = |candidate: Candidate| match candidate {
        Candidate::Word { value, about, is_part } => {
            let about = first_sentence(&about);
            (Candidate::Word { value: format!("{prefix}{value}"), about, is_part }, String::new())
        }
        // The path follows the key of a rule or parameter.
        _ if cursor.word.contains('=') => {
            let key = cursor.word.split_inclusive('=').next().unwrap_or_default();
            (candidate, format!("{prefix}{key}"))
        }
        _ => (candidate, prefix.clone()),
    };
    found.into_iter().filter(fits).map(placed).collect()
}

/// The first sentence of a description, on one line, without the full stop.
fn first_sentence(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_end = |at: &usize| !line[..*at].ends_with('.') && line[at + 2..].starts_with(char::is_uppercase);
    let end = line.match_indices(". ").map(|(at, _)| at).find(is_end).unwrap_or(line.len());
    line[..end].trim_end_matches('.').to_owned()
}
