//! The layout of a chart: panels in rows, their axes and titles, and the legend below.

use super::axes::{self, Labels, Ticks};
use super::font::{ASCENT, Font};
use super::legend::{Bands, Legend};
use super::margins::{self, OVERHANG};
use super::names::{Names, short_names};
use super::scene::{Anchor, Frame, Picture, Text, Turn};
use super::ticks::Domain;
use super::view::{View, ends, is_square, shared_domains};
use super::{LABEL, cells, guides, series};
use crate::chart::{Axis, Chart, Panel, Scale};
use itertools::Itertools;

/// The height of a line for names of axes and panels.
const LINE: f64 = 9.0;

/// The minimum width of a panel if there are several, and the maximum number of panels in a row.
const MIN_WIDTH: f64 = 105.0;
const MAX_COLUMNS: usize = 4;

/// The minimum and the maximum height of a frame, and the maximum side of a square frame.
const HEIGHTS: (f64, f64) = (92.0, 190.0);
const MAX_SIDE: f64 = 250.0;

/// For heat maps: the preferred height of a frame, and the minimum height, maximum height and maximum width of a cell.
const HEAT_HEIGHT: f64 = 250.0;
const CELL_HEIGHTS: (f64, f64) = (1.4, 9.0);
const WIDEST_CELL: f64 = 46.0;

/// The margin of the picture.
const RIM: f64 = 1.5;

/// The distance between parts.
const GAP: f64 = 5.0;

/// Measurements that all panels share.
struct Sheet<'c> {
    chart: &'c Chart,
    font: &'static Font,
    names: Names,
    domains: Vec<(Domain, Domain)>,
    width: f64,
    columns: usize,
    /// The space to the left of the first frame in a row, and the space to the left of each other frame.
    left: (f64, f64),
    right: f64,
    above: f64,
    size: (f64, f64),
    upright: Vec<Ticks>,
    /// The lines of the name of the vertical axis, which is written once for all panels.
    y_title: Vec<String>,
}

/// Lays out a chart for a width in points.
pub(super) fn picture(chart: &Chart, width: f64) -> Picture {
    let sheet = Sheet::new(chart, width);
    let mut picture = empty(chart, width);
    let (mut top, mut bands) = (RIM, Bands::InLegend);
    for row in (0..chart.panels.len()).collect_vec().chunks(sheet.columns) {
        let mut bottom = top;
        for (column, &i) in row.iter().enumerate() {
            let (below, way) = sheet.panel(&mut picture, i, column, top);
            bottom = f64::max(bottom, below);
            bands = way;
        }
        top = bottom + GAP;
    }
    sheet.y_title(&mut picture, top - GAP);
    if chart.panels.iter().any(|panel| panel.value.is_some()) {
        cells::bar(&mut picture, sheet.font, chart, top + 1.0);
        top += cells::HEIGHT;
    }
    let starts: Vec<f64> = (0..sheet.columns).map(|column| sheet.start(column)).collect();
    let legend = Legend::new(chart, &sheet.names, bands, sheet.font, (width, &starts));
    legend.draw(&mut picture, top);
    picture.height = top + legend.height() + RIM;
    picture
}

/// Lays out the first panel without a legend and without names of axes.
pub(super) fn thumbnail(chart: &Chart, (width, height): (f64, f64)) -> Picture {
    let mut picture = empty(chart, width);
    picture.height = height;
    let (Some(panel), font) = (chart.panels.first(), Font::get()) else { return picture };
    let (x, y) = super::view::domains(panel);
    let upright = if panel.y.scale == Scale::Band {
        Ticks::default()
    } else {
        margins::upright(font, &panel.y, &y, height - 18.0, width)
    };
    let left = axes::beside(font, &upright) + RIM;
    let frame = Frame { left, top: 4.0, right: width - OVERHANG - RIM, bottom: height - 14.0 };
    let view = view(chart, panel, &(x.clone(), y), frame);
    let level = match panel.x.scale {
        Scale::Band => Ticks::default(),
        _ => margins::level(font, &panel.x, &short_names(&[]), &x, &view.x).0,
    };
    axes::grid(&mut picture, &view, &level, &upright);
    guides::lines(&mut picture, &view);
    series::draw(&mut picture, &view);
    axes::frame(&mut picture, &view, &level, &upright);
    axes::labels_beside(&mut picture, &view, &upright);
    axes::labels_below(&mut picture, &view, &level, Labels::Level);
    picture
}

/// The view of a panel within a frame.
fn view<'c>(chart: &Chart, panel: &'c Panel, (x, y): &(Domain, Domain), frame: Frame) -> View<'c> {
    let (x, y) = (x.ruler(frame.left, frame.right), y.ruler(frame.bottom, frame.top));
    View { panel, x, y, frame, ends: ends(chart) }
}

fn empty(chart: &Chart, width: f64) -> Picture {
    let (title, notes) = (chart.title.clone(), chart.notes.clone());
    Picture { width, height: 0.0, items: Vec::new(), title, notes }
}

impl<'c> Sheet<'c> {
    fn new(chart: &'c Chart, width: f64) -> Self {
        let (font, domains) = (Font::get(), shared_domains(chart));
        let names = names(chart);
        let n = chart.panels.len().max(1);
        let most = ((width / MIN_WIDTH) as usize).clamp(1, MAX_COLUMNS.min(n));
        let columns = n.div_ceil(n.div_ceil(most));
        let heat = chart.panels.iter().any(|panel| panel.value.is_some());
        let height = if heat {
            let rows = chart.panels.iter().map(|panel| panel.y.bands.len()).max().unwrap_or(1).max(1) as f64;
            rows * (HEAT_HEIGHT / rows).clamp(CELL_HEIGHTS.0, CELL_HEIGHTS.1)
        } else {
            let part = if columns == 1 { 0.6 } else { 0.78 };
            (part * width / columns as f64).clamp(HEIGHTS.0, HEIGHTS.1)
        };
        let pairs = || chart.panels.iter().zip(&domains);
        let upright: Vec<Ticks> =
            pairs().map(|(panel, (_, y))| margins::upright(font, &panel.y, y, height, width)).collect();
        let ticks = upright.iter().map(|ticks| axes::beside(font, ticks)).fold(0.0, f64::max);
        let y_title = chart.panels.first().map_or(Vec::new(), |p| margins::title(font, &p.y, &names, height));
        let title = y_title.len() as f64 * LINE + 1.5;
        let alike = domains.iter().map(|(_, y)| y).all_equal() && y_alike(chart);
        let left = RIM + title + ticks;
        let left = (left, if alike { OVERHANG + 0.5 } else { ticks + GAP });
        let beside = chart.panels.iter().map(|panel| guides::room_beside(font, panel)).fold(0.0, f64::max);
        let right = f64::max(OVERHANG + 1.0, beside + 4.0);
        let titled = chart.panels.iter().any(|panel| !panel.title.is_empty());
        let others = (columns - 1) as f64;
        let free = width - RIM - left.0 - others * left.1 - columns as f64 * right;
        let mut size = ((free / columns as f64).max(40.0), height);
        if let Some(bands) = chart.panels.iter().map(|panel| panel.x.bands.len()).max().filter(|_| heat) {
            size.0 = size.0.min(bands as f64 * WIDEST_CELL);
        }
        if chart.panels.iter().any(is_square) {
            let side = size.0.min(MAX_SIDE);
            size = (side, side);
        }
        let frame = Frame { left: 0.0, top: 0.0, right: size.0, bottom: size.1 };
        let marks =
            pairs().map(|(panel, domains)| guides::lines_above(font, &view(chart, panel, domains, frame)));
        let title_line = if titled { LINE } else { 0.0 };
        let above = 2.0 + title_line + marks.max().unwrap_or(0) as f64 * guides::LINE;
        Sheet { chart, font, names, domains, width, columns, left, right, above, size, upright, y_title }
    }

    /// The left end of the frame in a column. Narrow rows are centred.
    fn start(&self, column: usize) -> f64 {
        let ((width, _), c) = (self.size, self.columns as f64);
        let all = self.left.0 + (c - 1.0) * self.left.1 + c * (width + self.right) + RIM;
        let aside = ((self.width - all) / 2.0).max(0.0);
        aside + self.left.0 + column as f64 * (width + self.right + self.left.1)
    }

    /// Draws a panel. Returns its lower end, and whether the legend must name the engines.
    fn panel(&self, picture: &mut Picture, i: usize, column: usize, top: f64) -> (f64, Bands) {
        let (panel, (x, _)) = (&self.chart.panels[i], &self.domains[i]);
        let (left, top) = (self.start(column), top + self.above);
        let frame = Frame { left, top, right: left + self.size.0, bottom: top + self.size.1 };
        let view = view(self.chart, panel, &self.domains[i], frame);
        let (level, labels) = margins::level(self.font, &panel.x, &self.names, x, &view.x);
        let upright = &self.upright[i];
        axes::grid(picture, &view, &level, upright);
        guides::lines(picture, &view);
        series::draw(picture, &view);
        axes::frame(picture, &view, &level, upright);
        guides::labels(picture, self.font, &view);
        axes::labels_below(picture, &view, &level, labels);
        if column == 0 || self.left.1 > OVERHANG + 1.0 {
            axes::labels_beside(picture, &view, upright);
        }
        self.title(picture, panel, frame);
        let mut bottom = frame.bottom + axes::below(self.font, &level, labels) + 1.5;
        for line in margins::title(self.font, &panel.x, &self.names, self.size.0 + self.right) {
            let (centre, _) = frame.centre();
            picture.text(Text::new(centre, bottom + ASCENT * LABEL, LABEL, Anchor::Middle, line));
            bottom += LINE;
        }
        let numbered = panel.x.bands.is_empty()
            || margins::needs_numbers(&panel.x, view.x.band()) && level_numbers(&level);
        (bottom, if numbered { Bands::InLegend } else { Bands::AtAxis })
    }

    fn title(&self, picture: &mut Picture, panel: &Panel, frame: Frame) {
        let (centre, _) = frame.centre();
        let title = self.font.cut(&panel.title, LABEL, self.size.0 + self.right);
        let y = frame.top - self.above + ASCENT * LABEL + 0.5;
        picture.text(Text::new(centre, y, LABEL, Anchor::Middle, title));
    }

    /// Writes the name of the vertical axis, once for all panels.
    fn y_title(&self, picture: &mut Picture, bottom: f64) {
        let one_row = self.chart.panels.len() <= self.columns;
        let middle =
            if one_row { RIM + self.above + self.size.1 / 2.0 } else { (RIM + self.above + bottom) / 2.0 };
        let right =
            self.start(0) - self.upright.iter().map(|t| axes::beside(self.font, t)).fold(0.0, f64::max);
        let first = right - 1.5 - self.y_title.len() as f64 * LINE;
        for (i, line) in self.y_title.iter().enumerate() {
            let x = first + i as f64 * LINE + ASCENT * LABEL;
            let text = Text::new(x, middle, LABEL, Anchor::Middle, line.clone());
            picture.text(Text { turn: Turn::Up, ..text });
        }
    }
}

fn level_numbers(ticks: &Ticks) -> bool {
    ticks.major.iter().all(|tick| tick.label.parse::<usize>().is_ok())
}

fn y_alike(chart: &Chart) -> bool {
    let key = |axis: &Axis| (axis.label.clone(), axis.scale, axis.bands.clone());
    chart.panels.iter().map(|panel| key(&panel.y)).all_equal()
}

/// Short names of all engines that a chart names.
fn names(chart: &Chart) -> Names {
    let series = chart.panels.iter().flat_map(|panel| &panel.series).map(|series| &series.name);
    let bands = chart.panels.iter().flat_map(|panel| panel.x.bands.iter().chain(&panel.y.bands));
    let is_engine = |name: &&String| name.contains(':') && !name.contains(' ');
    let engines: Vec<String> = series.chain(bands).filter(is_engine).unique().cloned().collect();
    short_names(&engines)
}
