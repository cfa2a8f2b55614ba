//! Lessons. A lesson is a single HTML file with boards, a formula in words, and a solver. It needs no server.
//!
//! The scripts of the page step through unit propagation and conflicts. Users are meant to read their source. The
//! solver is varisat, which `examples/wasm` compiles to WebAssembly. Lessons are for small boards.

mod formula;
mod scene;
#[cfg(feature = "write")]
mod template;

use counterpoint_core::erased::{DynAnswer, DynInstance};
use counterpoint_core::errors::Unsupported;
use counterpoint_core::problem::Scene;
use counterpoint_core::spec::EngineSpec;
use counterpoint_encodings::Var;
use formula::PageFormula;
use serde_json::{Value, json};
#[cfg(feature = "write")]
pub use template::{LessonError, page, template};

/// The version of the data format. The scripts read no other version.
const FORMAT: u64 = 1;

/// The maximum number of clauses of a lesson.
const MAX_CLAUSES: usize = 20_000;

/// The maximum number of squares on all boards of a lesson.
const MAX_SQUARES: usize = 1000;

/// What a lesson shows besides the formula and its boards.
#[derive(Clone, Debug)]
pub struct Material {
    /// The program and its version.
    pub program: String,
    /// The problem's name.
    pub problem: &'static str,
    /// A description of the problem in one line.
    pub about: &'static str,
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

impl AnswerText {
    /// The words about an answer to an instance, for a lesson that shows the formula of `engine`.
    pub fn new(
        (answer, by, words): (&dyn DynAnswer, &EngineSpec, &str),
        instance: &dyn DynInstance,
        engine: &EngineSpec,
    ) -> Self {
        AnswerText {
            by: by.to_string(),
            outcome: answer.outcome(),
            words: words.to_owned(),
            satisfiable: instance.satisfiable(engine, answer),
        }
    }
}

/// The data of a lesson without the module: what the scripts of the page read. The engine writes the formula.
///
/// # Errors
/// If no single formula represents the instance, if the formula has more than 20,000 clauses, or if the boards have
/// more than 1000 squares in all.
pub fn data(
    material: &Material,
    instance: &dyn DynInstance,
    engine: &EngineSpec,
) -> Result<Value, Unsupported> {
    let mut formula = PageFormula::default();
    let scene = match instance.scene(engine, &mut formula) {
        Some(scene) => scene?,
        None => {
            instance.formula(engine, &mut formula)?;
            plain()
        }
    };
    let boards = scene.strips.iter().flat_map(|strip| &strip.boards);
    let squares: usize = boards.map(|board| board.squares.len()).sum();
    if squares > MAX_SQUARES {
        return Err(too_large(squares, "squares to draw", MAX_SQUARES));
    }
    if formula.n_clauses() > MAX_CLAUSES {
        return Err(too_large(formula.n_clauses(), "clauses", MAX_CLAUSES));
    }
    Ok(to_json(material, (instance, engine), formula, &scene))
}

/// The scene of a problem without drawings: the page lists the variables by name.
fn plain() -> Scene {
    Scene { question: String::new(), strips: Vec::new(), groups: &[], minimised: None }
}

fn too_large(n: usize, of: &str, max: usize) -> Unsupported {
    format!("a lesson with {n} {of} is too large for a page; the maximum is {max}").into()
}

fn to_json(
    material: &Material,
    (instance, engine): (&dyn DynInstance, &EngineSpec),
    formula: PageFormula,
    scene: &Scene,
) -> Value {
    let Material { program, problem, about, answer } = material;
    let number = |var: &Var| var.idx() + 1;
    let shown = formula.shown.as_ref().map(|vars| vars.iter().map(number).collect::<Vec<_>>());
    let engine = engine.to_string();
    let mut data = json!({
        "format": FORMAT,
        "program": program,
        "problem": problem,
        "about": about,
        // The id is shown without the solver, because the formula does not depend on it.
        "engine": engine.split('@').next(),
        "question": scene.question,
        "instance": instance.text(),
        "answer": {
            "by": answer.by,
            "outcome": answer.outcome,
            "words": answer.words,
            "satisfiable": answer.satisfiable,
        },
        "shown": shown,
        "scene": scene::strips(scene),
    });
    if let Value::Object(map) = &mut data {
        map.extend(formula.into_json(scene));
    }
    data
}
