//! SVG to PDF: texts stay texts, in a subset of the font that is embedded.

use super::font::{FAMILIES, Font};
use std::sync::Arc;
use svg2pdf::usvg::{self, fontdb};

/// The PDF of an SVG of ours; the same bytes for the same SVG.
///
/// # Errors
/// What the converter says.
pub(super) fn pdf(svg: &str) -> Result<Vec<u8>, String> {
    let mut fonts = fontdb::Database::new();
    fonts.load_font_data(Font::bytes().to_vec());
    // Database and converter know families by one name each, not by a list.
    let family = fonts.faces().next().and_then(|face| Some(face.families.first()?.0.clone()));
    let family = family.unwrap_or_else(|| FAMILIES.to_owned());
    fonts.set_sans_serif_family(family.clone());
    let options =
        usvg::Options { dpi: 72.0, fontdb: Arc::new(fonts), font_family: family, ..usvg::Options::default() };
    let tree =
        usvg::Tree::from_str(svg, &options).map_err(|error| format!("the picture is no SVG: {error}"))?;
    let page = svg2pdf::PageOptions { dpi: 72.0 };
    svg2pdf::to_pdf(&tree, svg2pdf::ConversionOptions::default(), page)
        .map_err(|error| format!("the picture did not become a PDF: {error}"))
}
