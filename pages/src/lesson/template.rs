//! Writes lessons as HTML files.

use super::Material;
use crate::Module;
use counterpoint_core::erased::DynInstance;
use counterpoint_core::errors::Unsupported;
use counterpoint_core::spec::EngineSpec;
use std::io;

/// The page without styles, scripts and data.
const TEMPLATE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/style/lesson.css");
/// The scripts, in the order of `order.txt`.
const SCRIPTS: &[&str] = &[
    include_str!("page/js/logic.js"),
    include_str!("page/js/counts.js"),
    include_str!("page/js/method.js"),
    include_str!("page/js/walk.js"),
    include_str!("page/js/words.js"),
    include_str!("page/js/solver.js"),
    include_str!("page/js/scene.js"),
    include_str!("page/js/bound.js"),
    include_str!("page/js/watch.js"),
    include_str!("page/js/tree.js"),
    include_str!("page/js/graph.js"),
    include_str!("page/js/dom.js"),
    include_str!("page/js/board.js"),
    include_str!("page/js/clauses.js"),
    include_str!("page/js/story.js"),
    include_str!("page/js/picture.js"),
    include_str!("page/js/handout.js"),
    include_str!("page/js/controls.js"),
    include_str!("page/js/lesson.js"),
    include_str!("page/js/main.js"),
];

/// The mark that the data of a lesson replaces.
const DATA: &str = "/*DATA*/";

/// Why there is no lesson.
#[derive(Debug, thiserror::Error)]
pub enum LessonError {
    /// There is no formula, or it is too large for a page.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// The module could not be compressed.
    #[error("cannot compress the module: {0}")]
    Compression(#[from] io::Error),
}

/// Generates the HTML file of a lesson. The engine writes the formula; the module contains the solver.
///
/// # Errors
/// Returns the errors of [`data`](super::data), and an error if the module cannot be compressed.
pub fn page(
    material: &Material,
    (instance, engine): (&dyn DynInstance, &EngineSpec),
    module: Module<'_>,
) -> Result<String, LessonError> {
    let mut data = super::data(material, instance, engine)?;
    data["solver"] = module.packed()?.into();
    // A '<' in the data could end the script element.
    let page = template().replacen(DATA, &data.to_string().replace('<', "\\u003c"), 1);
    Ok(module.credited(page))
}

/// The page of a lesson, with the mark `/*DATA*/` in place of the data.
pub fn template() -> String {
    TEMPLATE.replacen("/*STYLE*/", STYLE, 1).replacen("/*SCRIPTS*/", &SCRIPTS.join("\n"), 1)
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
