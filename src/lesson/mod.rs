//! Lessons: a single HTML file with a board, its clauses in words, and a solver. It needs no server.
//!
//! The page's scripts, which are written to be read, step through unit propagation and conflicts. To solve, the page
//! uses varisat, which is built from this library for WebAssembly (`examples/wasm`). Lessons are for small boards.

mod formula;
mod scene;

use crate::problem::Scene;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use counterpoint_encodings::{Sink, Var};
use flate2::Compression;
use flate2::write::DeflateEncoder;
use formula::PageFormula;
use include_dir::{Dir, include_dir};
use itertools::Itertools;
use serde_json::{Value, json};
use std::io::{self, Write};

/// The template, styles, scripts and the solver.
static PARTS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/src/lesson/page");

/// The version of the data format. The scripts check that it is theirs.
const FORMAT: u64 = 1;

/// The maximum number of clauses of a lesson.
const MAX_CLAUSES: usize = 4000;

/// The maximum number of squares that a lesson draws.
const MAX_SQUARES: usize = 1000;

/// What a lesson shows besides the formula and its boards.
#[derive(Clone, Debug)]
pub struct Material {
    /// The problem's name.
    pub problem: String,
    /// A description of the problem, one line long.
    pub about: String,
    /// The id of the engine that wrote the formula.
    pub engine: String,
    /// The instance as a complete input.
    pub instance: String,
    /// The answer.
    pub answer: AnswerText,
}

/// An answer and its explanation in words.
#[derive(Clone, Debug)]
pub struct AnswerText {
    /// The id of the engine that answered.
    pub by: String,
    /// The outcome in a word or two.
    pub outcome: String,
    /// The explanation.
    pub words: String,
    /// Whether the formula is satisfiable, if the answer implies it.
    pub satisfiable: Option<bool>,
}

/// Why there is no lesson.
#[derive(Debug, thiserror::Error)]
pub enum LessonError {
    /// There is no formula, or it is too large for a page.
    #[error("{0}")]
    Unsupported(String),
    /// The solver's bytes could not be compressed.
    #[error("cannot compress the solver: {0}")]
    Compression(#[from] io::Error),
}

/// Generates the HTML file. `write` writes the formula into a sink and says which squares show which literals.
///
/// # Errors
/// If the instance has no single formula, more than 4000 clauses, or more than 1000 squares.
pub fn page(
    material: &Material,
    write: impl FnOnce(&mut dyn Sink) -> Result<Scene, String>,
) -> Result<String, LessonError> {
    let mut formula = PageFormula::default();
    let scene = write(&mut formula).map_err(LessonError::Unsupported)?;
    let boards = scene.strips.iter().flat_map(|strip| &strip.boards);
    let squares: usize = boards.map(|board| board.squares.len()).sum();
    if squares > MAX_SQUARES {
        return Err(too_large(squares, "squares to draw", MAX_SQUARES));
    }
    if formula.n_clauses() > MAX_CLAUSES {
        return Err(too_large(formula.n_clauses(), "clauses", MAX_CLAUSES));
    }
    // A '<' in the data could end the script element.
    let data = data(material, formula, &scene)?.to_string().replace('<', "\\u003c");
    let mut page = part("page.html").to_owned();
    for (mark, text) in
        [("/*STYLE*/", part("style/lesson.css").to_owned()), ("/*SCRIPTS*/", scripts()), ("/*DATA*/", data)]
    {
        page = page.replacen(mark, &text, 1);
    }
    Ok(page)
}

fn too_large(n: usize, of: &str, max: usize) -> LessonError {
    LessonError::Unsupported(format!("a lesson with {n} {of} is too large for a page; the maximum is {max}"))
}

fn part(name: &str) -> &'static str {
    PARTS.get_file(name).and_then(|file| file.contents_utf8()).unwrap_or_default()
}

/// The scripts, in the order of `order.txt`.
fn scripts() -> String {
    part("js/order.txt").split_whitespace().map(|name| part(&format!("js/{name}"))).join("\n")
}

/// The solver's bytes, deflated and in base64.
fn solver() -> io::Result<String> {
    let bytes = PARTS.get_file("solver.wasm").map(|file| file.contents()).unwrap_or_default();
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(BASE64_STANDARD.encode(encoder.finish()?))
}

fn data(material: &Material, formula: PageFormula, scene: &Scene) -> io::Result<Value> {
    let Material { problem, about, engine, instance, answer } = material;
    let number = |var: &Var| var.idx() + 1;
    let shown = formula.shown.as_ref().map(|vars| vars.iter().map(number).collect::<Vec<_>>());
    let mut data = json!({
        "format": FORMAT,
        "program": format!("counterpoint {}", env!("CARGO_PKG_VERSION")),
        "problem": problem,
        "about": about,
        "engine": engine,
        "question": scene.question,
        "instance": instance,
        "answer": {
            "by": answer.by,
            "outcome": answer.outcome,
            "words": answer.words,
            "satisfiable": answer.satisfiable,
        },
        "shown": shown,
        "scene": scene::strips(scene),
        "solver": solver()?,
    });
    if let Value::Object(map) = &mut data {
        map.extend(formula.into_json());
    }
    Ok(data)
}
