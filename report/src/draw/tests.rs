//! Tests the geometry of the figures of all committed experiments: texts do not overlap and stay within the picture.
//! Files are well-formed and reproducible, and contain their font.

use super::font::Font;
use super::scene::{Frame, Item, Picture, Text};
use super::{Look, layout, pdf, points, svg, thumbnail};
use crate::chart::{Chart, all, chart, overview};
use crate::dataset::Dataset;
use crate::record::{Record, Records};
use crate::spec::{COLUMN_MM, Figure, Kind};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

/// Widths of a column and of a page.
const WIDTHS_MM: [f64; 2] = [COLUMN_MM, 174.0];

/// The columns of which a panel for each value is drawn. By default only the first is tested, with `COUNTERPOINT_SAMPLES` all.
const FACETS: [&str; 4] = ["family", "params_n", "solver", "encoding"];

/// The records of an experiment, with the name of its folder; searches come first.
fn experiments() -> Vec<(String, Records)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../experiments");
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let Ok(files) = fs::read_dir(entry.path().join("results/main")) else { continue };
        let files = files.map(|file| file.unwrap().path());
        let texts = files.filter(|path| path.extension().is_some_and(|e| e == "jsonl"));
        let texts: Vec<String> = texts.map(|path| fs::read_to_string(path).unwrap()).collect();
        let lines = texts.iter().flat_map(|text| text.lines());
        let mut records: Vec<Record> = lines.map(|line| serde_json::from_str(line).unwrap()).collect();
        records.sort_by_key(|record| (record.side == "sat", record.engine.clone()));
        found.push((entry.file_name().into_string().unwrap(), Records::from_iter(&records)));
    }
    found.sort_by(|(a, _), (b, _)| a.cmp(b));
    found
}

/// All figures of all experiments with their names: as they are, and with a panel for each value of some columns.
static CHARTS: LazyLock<Vec<(String, Chart)>> = LazyLock::new(charts);

fn charts() -> Vec<(String, Chart)> {
    let (mut charts, is_thorough) = (Vec::new(), std::env::var_os("COUNTERPOINT_SAMPLES").is_some());
    for (name, records) in experiments() {
        let dataset = Dataset::new(records.iter(), &[]);
        for kind in all(&dataset).into_iter().map(|(figure, _)| figure.kind).chain([Kind::Overview]) {
            let mut add = |what: &str, figure: &Figure| {
                charts.extend(
                    chart(&dataset, figure)
                        .ok()
                        .map(|chart| (format!("{name} {} {what}", kind.name()), chart)),
                );
            };
            add("", &Figure::of(kind));
            for facet in FACETS.iter().take(if is_thorough { 4 } else { 1 }) {
                add(facet, &Figure { facet: Some((*facet).to_owned()), ..Figure::of(kind) });
            }
        }
    }
    charts
}

fn texts(picture: &Picture) -> impl Iterator<Item = &Text> {
    picture.items.iter().filter_map(|item| if let Item::Text(text) = item { Some(text) } else { None })
}

/// Errors in the positions of texts.
fn faults(picture: &Picture, font: &Font) -> Vec<String> {
    let placed: Vec<(&Text, Frame)> = texts(picture).map(|text| (text, text.frame(font))).collect();
    let mut faults = Vec::new();
    for (i, (text, frame)) in placed.iter().enumerate() {
        let hair = 0.01;
        let inside = frame.left >= -hair && frame.top >= -hair;
        if !inside || frame.right > picture.width + hair || frame.bottom > picture.height + hair {
            faults.push(format!("'{}' leaves the picture: {frame:?}", text.text));
        }
        for (other, theirs) in &placed[..i] {
            let apart = frame.right <= theirs.left
                || theirs.right <= frame.left
                || frame.bottom <= theirs.top
                || theirs.bottom <= frame.top;
            if !apart {
                faults.push(format!("'{}' and '{}' overlap", text.text, other.text));
            }
        }
    }
    faults
}

#[test]
fn no_text_overlaps_another_or_leaves_the_picture() {
    let (font, mut all) = (Font::get(), Vec::new());
    assert!(CHARTS.len() > 100, "{} figures", CHARTS.len());
    for (name, chart) in &*CHARTS {
        for width in WIDTHS_MM {
            let picture = layout::picture(chart, points(width));
            assert!(texts(&picture).all(|text| text.size >= 6.5), "{name}");
            all.extend(faults(&picture, font).into_iter().map(|fault| format!("{name} {width} mm: {fault}")));
        }
        let picture = layout::thumbnail(chart, super::THUMBNAIL);
        all.extend(faults(&picture, font).into_iter().map(|fault| format!("{name} small: {fault}")));
    }
    assert!(all.is_empty(), "{} faults\n{}", all.len(), all.join("\n"));
}

#[test]
fn an_overview_of_all_experiments_fits() {
    let experiments = experiments();
    let datasets: Vec<(String, Dataset<'_>)> = experiments
        .iter()
        .map(|(name, records)| (name.clone(), Dataset::new(records.iter(), &[])))
        .filter(|(_, dataset)| dataset.sizes().is_some() && dataset.engines.len() < 5)
        .collect();
    let named: Vec<(String, &Dataset<'_>)> = datasets.iter().map(|(name, set)| (name.clone(), set)).collect();
    assert!(named.len() > 2);
    let chart = overview::of(&named, &Figure::of(Kind::Overview)).unwrap();
    for width in WIDTHS_MM {
        let faults = faults(&layout::picture(&chart, points(width)), Font::get());
        assert!(faults.is_empty(), "{faults:#?}");
    }
}

#[test]
fn files_are_well_formed_and_reproducible() {
    for (name, chart) in CHARTS.iter().filter(|(name, _)| name.ends_with(' ')) {
        let paper = svg(chart, COLUMN_MM, Look::Paper);
        for text in [&paper, &svg(chart, COLUMN_MM, Look::Repository), &thumbnail(chart)] {
            let document = roxmltree::Document::parse(text).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(document.root_element().tag_name().name(), "svg");
            assert!(!text.contains("NaN") && !text.contains("inf"), "{name}");
        }
        assert_eq!(paper, svg(chart, COLUMN_MM, Look::Paper));
    }
}

#[test]
fn the_pdf_embeds_its_font_and_is_reproducible() {
    let (_, chart) = CHARTS.iter().find(|(name, _)| name.contains("quantile")).unwrap();
    let bytes = pdf(chart, COLUMN_MM).unwrap();
    let holds = |wanted: &str| bytes.windows(wanted.len()).any(|part| part == wanted.as_bytes());
    assert!(bytes.starts_with(b"%PDF-") && holds("/FontFile2"));
    assert!(holds("DejaVuSansCondensed"));
    assert!(!holds("/CreationDate") && !holds("/ModDate"));
    // 84 mm in points.
    assert!(holds("/MediaBox [0 0 238.11"), "the page has another width than requested");
    assert_eq!(bytes, pdf(chart, COLUMN_MM).unwrap());
}

#[test]
fn only_repositories_have_a_dark_theme() {
    let (_, chart) = &CHARTS[0];
    assert!(svg(chart, COLUMN_MM, Look::Repository).contains("prefers-color-scheme: dark"));
    assert!(!svg(chart, COLUMN_MM, Look::Paper).contains("<style"));
}
