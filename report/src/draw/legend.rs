//! The legend: below the panels, in as many columns as fit.

use super::font::{ASCENT, Font};
use super::marks::{self, RADIUS};
use super::names::Names;
use super::paint::{Paint, SECOND, dash};
use super::scene::{Anchor, Frame, Picture, Text, Trace};
use super::{TICK, cells};
use crate::chart::{Chart, End, Panel, Series, Shape, Variant};
use indexmap::IndexMap;
use itertools::Itertools;

/// The height of a row.
const ROW: f64 = 9.0;

/// The width of a sample, including the distance to its text.
const SAMPLE: f64 = 19.0;

/// The distance between columns.
const APART: f64 = 10.0;

/// The entries of the legend, with their positions.
pub(super) struct Legend<'c> {
    /// For each column, its left end and its entries.
    columns: Vec<(f64, Vec<Entry<'c>>)>,
    rows: usize,
    /// Sentences below the entries, in lines.
    remarks: Vec<String>,
}

struct Entry<'c> {
    sample: Sample<'c>,
    text: String,
}

enum Sample<'c> {
    Series(&'c Series),
    Number(String),
    Limit,
    LimitCell,
    Wrong,
}

/// Whether the legend names the engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bands {
    /// The legend names them, because the horizontal axis has no bands, or shows numbers in place of the bands' names.
    InLegend,
    /// The axis names them, so the legend does not.
    AtAxis,
}

impl<'c> Legend<'c> {
    /// The legend of a chart within a width. If all panels are in one row and have no engine in common, each panel gets
    /// a column of entries below it; `starts` has the left ends of the frames in a row.
    pub(super) fn new(
        chart: &'c Chart,
        names: &Names,
        bands: Bands,
        font: &Font,
        (width, starts): (f64, &[f64]),
    ) -> Self {
        let said = !names.shared.is_empty() && (bands == Bands::AtAxis || chart_has_several(chart));
        let remark = format!("Names leave out {}", names.shared);
        let remarks = if said { font.wrap(&remark, TICK, width) } else { Vec::new() };
        let parted = parted(chart, names, bands, font, (width, starts));
        let columns = parted.unwrap_or_else(|| {
            let mut entries = match bands {
                Bands::InLegend => series(&chart.panels, names),
                Bands::AtAxis => Vec::new(),
            };
            entries.extend(ends(chart));
            entries.iter_mut().for_each(|entry| entry.text = font.cut(&entry.text, TICK, width - SAMPLE));
            centred(entries, font, width)
        });
        let rows = columns.iter().map(|(_, entries)| entries.len()).max().unwrap_or(0);
        Legend { columns, rows, remarks }
    }

    pub(super) fn height(&self) -> f64 {
        (self.rows + self.remarks.len()) as f64 * ROW
    }

    /// Draws the legend below `top`.
    pub(super) fn draw(&self, picture: &mut Picture, top: f64) {
        for (left, entries) in &self.columns {
            for (i, entry) in entries.iter().enumerate() {
                let middle = top + ROW * (i as f64 + 0.5);
                entry.sample.draw(picture, (*left, middle));
                let y = middle + (ASCENT - 0.2) / 2.0 * TICK;
                picture.text(Text::new(left + SAMPLE, y, TICK, Anchor::Start, entry.text.clone()));
            }
        }
        for (i, line) in self.remarks.iter().enumerate() {
            let y = top + ROW * ((self.rows + i) as f64 + 0.5) + (ASCENT - 0.2) / 2.0 * TICK;
            let text = Text::new(picture.width / 2.0, y, TICK, Anchor::Middle, line.clone());
            picture.text(Text { paint: Paint::Soft, ..text });
        }
    }
}

/// An entry for each name, in the order of styles. If the horizontal axis has bands, the entries explain the numbers of
/// the bands.
fn series<'c>(panels: &'c [Panel], names: &Names) -> Vec<Entry<'c>> {
    let bands = panels.first().map_or(&[][..], |panel| &panel.x.bands);
    if !bands.is_empty() {
        let entry = |(i, id): (usize, &String)| Entry {
            sample: Sample::Number((i + 1).to_string()),
            text: names.of(id).to_owned(),
        };
        return bands.iter().enumerate().map(entry).collect();
    }
    let mut found: IndexMap<&str, &Series> = IndexMap::new();
    for series in panels.iter().flat_map(|panel| &panel.series) {
        found.entry(&series.name).or_insert(series);
    }
    // A single series needs no entry, because the axes describe it.
    if found.len() < 2 {
        return Vec::new();
    }
    found.sort_by_key(|_, series| series.style);
    let entry = |(name, series): (&str, &'c Series)| Entry {
        sample: Sample::Series(series),
        text: names.of(name).to_owned(),
    };
    found.into_iter().map(entry).collect()
}

/// The entries for marks of limits and wrong answers.
fn ends(chart: &Chart) -> Vec<Entry<'_>> {
    let has = |wanted: &dyn Fn(&Series, End) -> bool| {
        let mut series = chart.panels.iter().flat_map(|panel| &panel.series);
        series.any(|series| series.points.iter().any(|point| wanted(series, point.end)))
    };
    let mut entries = Vec::new();
    let mut add = |sample: Sample<'static>, text: &str| entries.push(Entry { sample, text: text.to_owned() });
    if has(&|series, end| end == End::Limit && series.shape == Shape::Cells) {
        add(Sample::LimitCell, "limit reached");
    }
    if has(&|series, end| end == End::Limit && series.shape != Shape::Cells) {
        add(Sample::Limit, "limit reached");
    }
    if has(&|_, end| end == End::Wrong) {
        add(Sample::Wrong, "wrong");
    }
    entries
}

/// A column for each panel, at the panel's position. `None` if the panels are in several rows or share an engine, or if
/// a text does not fit.
fn parted<'c>(
    chart: &'c Chart,
    names: &Names,
    bands: Bands,
    font: &Font,
    (width, starts): (f64, &[f64]),
) -> Option<Vec<(f64, Vec<Entry<'c>>)>> {
    if bands != Bands::InLegend || starts.len() != chart.panels.len() || !are_disjoint(chart) {
        return None;
    }
    let mut columns: Vec<Vec<Entry<'c>>> =
        chart.panels.iter().map(|panel| series(std::slice::from_ref(panel), names)).collect();
    if columns.iter().any(Vec::is_empty) {
        return None;
    }
    // Marks that all panels share go into the column with the most space.
    columns.iter_mut().min_by_key(|column| column.len())?.extend(ends(chart));
    let room = starts.iter().zip(starts.iter().skip(1).chain([&width])).map(|(start, end)| end - start);
    let fits = |(column, room): (&Vec<Entry<'_>>, f64)| {
        column.iter().all(|entry| SAMPLE + font.width(&entry.text, TICK) < room - 2.0)
    };
    let all = columns.iter().zip(room).all(fits);
    all.then(|| starts.iter().copied().zip(columns).collect())
}

/// The entries in as few rows as possible, in columns that fit into the width, centred.
fn centred<'c>(entries: Vec<Entry<'c>>, font: &Font, width: f64) -> Vec<(f64, Vec<Entry<'c>>)> {
    let all: Vec<f64> = entries.iter().map(|entry| SAMPLE + font.width(&entry.text, TICK) + APART).collect();
    let widths = |rows: usize| -> Vec<f64> {
        all.chunks(rows).map(|column| column.iter().copied().fold(0.0, f64::max)).collect()
    };
    let fits = |rows: &usize| widths(*rows).iter().sum::<f64>() <= width + APART;
    let Some(rows) = (1..=entries.len()).find(fits) else {
        return if entries.is_empty() { Vec::new() } else { vec![(0.0, entries)] };
    };
    let widths = widths(rows);
    let mut left = ((width + APART - widths.iter().sum::<f64>()) / 2.0).max(0.0);
    let mut columns = Vec::new();
    let mut entries = entries.into_iter();
    for width in widths {
        columns.push((left, entries.by_ref().take(rows).collect()));
        left += width;
    }
    columns
}

/// Whether no two panels show the same engine.
fn are_disjoint(chart: &Chart) -> bool {
    let names =
        |panel: &'_ Panel| panel.series.iter().map(|series| series.name.clone()).unique().collect_vec();
    chart.panels.len() > 1 && chart.panels.iter().flat_map(names).all_unique()
}

/// Whether there is more than one series to be named.
fn chart_has_several(chart: &Chart) -> bool {
    chart.panels.iter().flat_map(|panel| &panel.series).map(|series| &series.name).unique().nth(1).is_some()
}

impl Sample<'_> {
    fn draw(&self, picture: &mut Picture, (left, y): (f64, f64)) {
        let centre = (left + 7.5, y);
        match self {
            Sample::Series(series) => {
                let mut line = Trace::default();
                if matches!(series.shape, Shape::Line | Shape::Step) {
                    line.line([(left, y), (left + 15.0, y)]);
                }
                let pattern = if series.variant == Variant::Second { SECOND } else { dash(series.style) };
                picture.path(line.stroked(Paint::Style(series.style), 1.0, pattern));
                picture.path(marks::markers(series.style, series.variant, &[centre], RADIUS));
            }
            Sample::Number(number) => {
                let y = y + (ASCENT - 0.2) / 2.0 * TICK;
                picture.text(Text::new(left + 15.0, y, TICK, Anchor::End, number.clone()));
            }
            Sample::Limit => picture.path(marks::limit(centre, None, Paint::Ink)),
            Sample::LimitCell => {
                let (x, y) = centre;
                cells::sample(
                    picture,
                    Frame { left: x - 5.0, right: x + 5.0, top: y - 3.0, bottom: y + 3.0 },
                );
            }
            Sample::Wrong => picture.path(marks::wrong(centre)),
        }
    }
}
