//! Lessons: one HTML file with a board, its clauses in words, and a solver, which opens from disk.
//!
//! The page steps through unit propagation and conflicts by its own scripts, which a reader can follow, and solves
//! with varisat, built from this library for WebAssembly (`examples/wasm`). Lessons are for small boards.

mod formula;
mod scene;

use crate::problem::Scene;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use counterpoint_encodings::{Sink, Var};
use flate2::Compression;
use flate2::write::DeflateEncoder;
use formula::Gathered;
use include_dir::{Dir, include_dir};
use itertools::Itertools;
use serde_json::{Value, json};
use std::io::{self, Write};

/// Template, styles, scripts and the solver.
static PARTS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/src/lesson/page");

/// Version of the data's shape, which the scripts hold against theirs.
const FORMAT: u64 = 1;

/// The most clauses and squares of a lesson.
const MAX_CLAUSES: usize = 4000;
const MAX_SQUARES: usize = 1000;

/// What a lesson tells besides a formula and its boards.
#[derive(Clone, Debug)]
pub struct Material {
    /// The problem's name.
    pub problem: String,
    /// One line about it.
    pub about: String,
    /// Id of the engine that wrote the formula.
    pub engine: String,
    /// The instance as an input of its own.
    pub instance: String,
    /// Who answered, what, and why, in words.
    pub answer: Told,
}

/// An answer in words.
#[derive(Clone, Debug)]
pub struct Told {
    /// Id of the engine.
    pub by: String,
    /// The outcome in a word or two.
    pub outcome: String,
    /// The answer as a person would tell it.
    pub words: String,
    /// Whether the formula has a model, if the answer tells.
    pub satisfiable: Option<bool>,
}

/// Why there is no lesson.
#[derive(Debug, thiserror::Error)]
pub enum LessonError {
    /// There is no formula, or it is too large for a page.
    #[error("{0}")]
    Refused(String),
    /// The solver's bytes could not be packed.
    #[error("cannot pack the solver: {0}")]
    Packing(#[from] io::Error),
}

/// The whole file. `write` puts the formula into a sink and says what its literals are about.
///
/// # Errors
/// Why there is no single formula; more than 4000 clauses or 1000 squares.
pub fn page(
    material: &Material,
    write: impl FnOnce(&mut dyn Sink) -> Result<Scene, String>,
) -> Result<String, LessonError> {
    let mut gathered = Gathered::default();
    let scene = write(&mut gathered).map_err(LessonError::Refused)?;
    let boards = scene.strips.iter().flat_map(|strip| &strip.boards);
    let squares: usize = boards.map(|board| board.squares.len()).sum();
    if squares > MAX_SQUARES {
        return Err(too_large(squares, "squares to draw", MAX_SQUARES));
    }
    if gathered.n_clauses() > MAX_CLAUSES {
        return Err(too_large(gathered.n_clauses(), "clauses", MAX_CLAUSES));
    }
    let data = data(material, gathered, &scene)?.to_string().replace('<', "\\u003c");
    let mut page = part("page.html").to_owned();
    for (mark, text) in
        [("/*STYLE*/", part("style/lesson.css").to_owned()), ("/*SCRIPTS*/", scripts()), ("/*DATA*/", data)]
    {
        page = page.replacen(mark, &text, 1);
    }
    Ok(page)
}

fn too_large(n: usize, of: &str, most: usize) -> LessonError {
    LessonError::Refused(format!("a lesson with {n} {of} is too large for a page; at most {most} are shown"))
}

fn part(name: &str) -> &'static str {
    PARTS.get_file(name).and_then(|file| file.contents_utf8()).unwrap_or_default()
}

/// The scripts in the order of their list.
fn scripts() -> String {
    part("js/order.txt").split_whitespace().map(|name| part(&format!("js/{name}"))).join("\n")
}

/// The solver, deflated, in base64.
fn solver() -> io::Result<String> {
    let bytes = PARTS.get_file("solver.wasm").map(|file| file.contents()).unwrap_or_default();
    let mut packer = DeflateEncoder::new(Vec::new(), Compression::best());
    packer.write_all(bytes)?;
    Ok(BASE64_STANDARD.encode(packer.finish()?))
}

fn data(material: &Material, gathered: Gathered, scene: &Scene) -> io::Result<Value> {
    let Material { problem, about, engine, instance, answer } = material;
    let number = |var: &Var| var.idx() + 1;
    let shown = gathered.shown.as_ref().map(|vars| vars.iter().map(number).collect::<Vec<_>>());
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
        map.extend(gathered.members());
    }
    Ok(data)
}
