//! Writes lessons. A lesson is a single HTML file with boards, a formula in words, and a solver. It needs no server.
//!
//! The scripts of the page step through unit propagation and conflicts. Users are meant to read their source. The
//! solver is varisat, which `examples/wasm` compiles to WebAssembly. Lessons are for small boards.

mod formula;
mod scene;

use crate::errors::Unsupported;
use crate::problem::Scene;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use counterpoint_encodings::{Sink, Var};
use flate2::Compression;
use flate2::write::DeflateEncoder;
use formula::PageFormula;
use serde_json::{Value, json};
use std::io::{self, Write};

/// The page without styles, scripts and data.
const TEMPLATE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/style/lesson.css");
/// The scripts, in the order of `order.txt`.
const SCRIPTS: &[&str] = &[
    include_str!("page/js/logic.js"),
    include_str!("page/js/walk.js"),
    include_str!("page/js/words.js"),
    include_str!("page/js/solver.js"),
    include_str!("page/js/scene.js"),
    include_str!("page/js/dom.js"),
    include_str!("page/js/board.js"),
    include_str!("page/js/clauses.js"),
    include_str!("page/js/story.js"),
    include_str!("page/js/lesson.js"),
    include_str!("page/js/main.js"),
];
/// The solver, compiled to WebAssembly.
const SOLVER: &[u8] = include_bytes!("page/solver.wasm");

/// The version of the data format. The scripts read no other version.
const FORMAT: u64 = 1;

/// The maximum number of clauses of a lesson.
const MAX_CLAUSES: usize = 4000;

/// The maximum number of squares on all boards of a lesson.
const MAX_SQUARES: usize = 1000;

/// What a lesson shows besides the formula and its boards.
#[derive(Clone, Debug)]
pub struct Material {
    /// The problem's name.
    pub problem: String,
    /// A description of the problem in one line.
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
    /// Whether the formula is satisfiable; `None` if the answer does not determine this.
    pub satisfiable: Option<bool>,
}

/// Why there is no lesson.
#[derive(Debug, thiserror::Error)]
pub enum LessonError {
    /// There is no formula, or it is too large for a page.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// The solver's bytes could not be compressed.
    #[error("cannot compress the solver: {0}")]
    Compression(#[from] io::Error),
}

/// Generates the HTML file. `write` writes the formula into a sink and returns the boards, which say which squares show
/// which literals.
///
/// # Errors
/// If no single formula represents the instance, if the formula has more than 4000 clauses, or if the boards have more
/// than 1000 squares in all.
pub fn page(
    material: &Material,
    write: impl FnOnce(&mut dyn Sink) -> Result<Scene, Unsupported>,
) -> Result<String, LessonError> {
    let mut formula = PageFormula::default();
    let scene = write(&mut formula)?;
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
    let mut page = TEMPLATE.to_owned();
    for (mark, text) in [("/*STYLE*/", STYLE), ("/*SCRIPTS*/", &SCRIPTS.join("\n")), ("/*DATA*/", &data)] {
        page = page.replacen(mark, text, 1);
    }
    Ok(page)
}

fn too_large(n: usize, of: &str, max: usize) -> LessonError {
    let why = format!("a lesson with {n} {of} is too large for a page; the maximum is {max}");
    Unsupported::from(why).into()
}

/// The solver's bytes, deflated and in base64.
fn solver() -> io::Result<String> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(SOLVER)?;
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

#[cfg(test)]
mod tests {
    use super::SCRIPTS;
    use std::fs;
    use std::path::Path;

    #[test]
    fn the_scripts_are_those_of_order_txt() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lesson/page/js");
        let order = fs::read_to_string(folder.join("order.txt")).unwrap();
        let listed: Vec<_> =
            order.split_whitespace().map(|name| fs::read_to_string(folder.join(name)).unwrap()).collect();
        assert_eq!(listed, SCRIPTS);
    }
}
