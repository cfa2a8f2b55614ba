//! Writes the playground as an HTML file.

use super::board::problems;
use crate::{Module, lesson};
use counterpoint_core::registry::Registry;
use serde_json::json;
use std::io;

/// The page without styles, scripts and data.
const TEMPLATE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/style.css");
/// The script of the workers in which the module runs.
const WORKER: &str = include_str!("page/js/worker.js");
/// The scripts of the page, in the order of `order.txt`.
const SCRIPTS: &[&str] = &[
    include_str!("../lesson/page/js/dom.js"),
    include_str!("page/js/library.js"),
    include_str!("page/js/squares.js"),
    include_str!("page/js/form.js"),
    include_str!("page/js/result.js"),
    include_str!("page/js/side.js"),
    include_str!("page/js/board.js"),
    include_str!("page/js/main.js"),
];

/// Why there is no playground.
#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    /// No problem can be shown.
    #[error("there is no problem whose boards are texts")]
    NoProblem,
    /// The module could not be compressed.
    #[error("cannot compress the module: {0}")]
    Compression(#[from] io::Error),
}

/// Generates the HTML file of a playground for the problems of a registry. The module must have been built for the same
/// problems.
///
/// # Errors
/// Returns an error if all problems read files, or if the module cannot be compressed.
pub fn page(registry: &Registry, module: Module<'_>) -> Result<String, SiteError> {
    let about = problems(registry);
    if about["problems"].as_array().is_none_or(Vec::is_empty) {
        return Err(SiteError::NoProblem);
    }
    let data = json!({
        "about": about,
        "module": module.packed()?,
        "worker": WORKER,
        "lesson": lesson::template(),
    });
    // A '<' in the data could end the script element.
    let data = data.to_string().replace('<', "\\u003c");
    let page = TEMPLATE.replacen("/*STYLE*/", STYLE, 1).replacen("/*SCRIPTS*/", &SCRIPTS.join("\n"), 1);
    Ok(module.credited(page.replacen("/*DATA*/", &data, 1)))
}

#[cfg(test)]
mod tests {
    use super::SCRIPTS;
    use std::fs;
    use std::path::Path;

    #[test]
    fn the_scripts_are_those_of_order_txt() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/playground/page/js");
        let order = fs::read_to_string(folder.join("order.txt")).unwrap();
        let listed: Vec<_> =
            order.split_whitespace().map(|name| fs::read_to_string(folder.join(name)).unwrap()).collect();
        assert_eq!(listed, SCRIPTS);
    }
}
