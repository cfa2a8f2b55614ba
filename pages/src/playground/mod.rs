//! The playground: a page on which a board is typed or drawn, solved by two engines, and explained.
//!
//! The page's scripts send requests as JSON, and [`Playground::answer`] answers them with JSON. The same function runs
//! natively and as WebAssembly, so tests can compare the two byte by byte. Nothing here reads a clock: the page measures
//! times, and ends a computation by ending the worker in which the module runs.

pub mod address;
mod board;
mod request;
#[cfg(feature = "write")]
mod site;
mod sizes;
mod solve;

#[cfg(feature = "write")]
pub use site::{SiteError, page};

use counterpoint_core::registry::Registry;
use request::Request;
use serde_json::{Value, json};

/// The longest request, in bytes. A longer one would occupy the page for too long.
pub const MAX_REQUEST: usize = 4 << 20;

/// The library behind a playground.
pub struct Playground {
    registry: Registry,
}

/// Why a request has no answer.
#[derive(Debug)]
enum Refusal {
    /// A message.
    Message(String),
    /// A message about a place in the board's text.
    At {
        /// The line, counted from 1.
        line: usize,
        /// The column in bytes, counted from 1.
        column: usize,
        /// What was found and what was expected.
        message: String,
    },
}

/// The members of an answer.
type Answer = Result<Value, Refusal>;

impl<T: Into<String>> From<T> for Refusal {
    fn from(message: T) -> Self {
        Refusal::Message(message.into())
    }
}

impl Refusal {
    fn of(error: &dyn std::fmt::Display) -> Self {
        Refusal::Message(error.to_string())
    }
}

impl Playground {
    /// A playground for the problems of a registry.
    pub fn new(registry: Registry) -> Self {
        Playground { registry }
    }

    /// Answers a request. If there is no answer, the result has the member `error`, and also `line` and `column` if the
    /// error is at a place of the board's text. Lines and columns are counted from 1, columns in bytes.
    pub fn answer(&self, request: &str) -> String {
        let answer = if request.len() > MAX_REQUEST {
            Err(Refusal::from(format!(
                "the board and its rules are too long for a page; together they may have {MAX_REQUEST} bytes"
            )))
        } else {
            serde_json::from_str(request)
                .map_err(|error| Refusal::of(&error))
                .and_then(|request| self.of(request))
        };
        let answer = answer.unwrap_or_else(|refusal| match refusal {
            Refusal::Message(message) => json!({ "error": message }),
            Refusal::At { line, column, message } => {
                json!({ "error": message, "line": line, "column": column })
            }
        });
        answer.to_string()
    }

    fn of(&self, request: Request) -> Answer {
        match request {
            Request::Problems => Ok(board::problems(&self.registry)),
            Request::Read(board) => self.read(&board),
            Request::Touch { board, touch } => self.touch(&board, touch),
            Request::Generate(wanted) => self.generate(&wanted),
            Request::Empty(wanted) => self.empty(&wanted),
            Request::Solve { board, engine, work } => self.solve(&board, &engine, work),
            Request::Explain { answer } => self.explain(&answer),
            Request::Size { board, engine } => self.size(&board, &engine),
            Request::Lesson { board, engine, answer } => self.lesson(&board, &engine, &answer),
            Request::Share(state) => Ok(json!({ "address": address::write(&state) })),
            Request::Open { address } => {
                let state = address::read(&address).map_err(|error| Refusal::of(&error))?;
                self.problem(&state.problem)?;
                Ok(json!(state))
            }
        }
    }
}
