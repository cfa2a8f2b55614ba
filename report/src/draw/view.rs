//! A panel on paper: the positions of its values.

use super::scene::Frame;
use super::ticks::{Domain, Ruler};
use crate::chart::{Chart, End, Line, Panel, Point, Rim, Scale, Shape};
use itertools::Itertools;

/// A panel, with the position of every value.
pub(super) struct View<'c> {
    pub(super) panel: &'c Panel,
    pub(super) x: Ruler,
    pub(super) y: Ruler,
    pub(super) frame: Frame,
    pub(super) ends: Ends,
}

/// The positions of points that reached a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ends {
    /// At the limit, not joined to others.
    Rim,
    /// At the mean to which the limit contributes, joined to the others.
    Joined,
}

impl View<'_> {
    /// The position of a point.
    pub(super) fn place(&self, point: &Point) -> (f64, f64) {
        (self.x.at(point.x), self.y.at(point.y))
    }
}

/// The domains of a panel: horizontal, vertical.
pub(super) fn domains(panel: &Panel) -> (Domain, Domain) {
    let points = || {
        panel.series.iter().flat_map(|series| series.points.iter().map(move |point| (series.shape, point)))
    };
    let guides = || panel.guides.iter().map(|guide| guide.line);
    // Vertical guides are not included: they lie between sizes and have no ticks.
    let x = points().map(|(_, point)| point.x);
    let ends = |(shape, point): (Shape, &Point)| match shape {
        Shape::Line | Shape::Boxes => [Some(point.y), point.low, point.high],
        _ => [Some(point.y), None, None],
    };
    let y = points().flat_map(ends).flatten();
    let y = y.chain(guides().filter_map(|line| if let Line::Level(at) = line { Some(at) } else { None }));
    let x = Domain::of(panel.x.scale, panel.x.unit, panel.x.bands.len(), x);
    let y = Domain::of(panel.y.scale, panel.y.unit, panel.y.bands.len(), y);
    if is_square(panel) {
        let both = x.with(&y);
        return (both.clone(), both);
    }
    (x, y)
}

/// Whether both axes must have the same domain and length.
pub(super) fn is_square(panel: &Panel) -> bool {
    panel.guides.iter().any(|guide| matches!(guide.line, Line::Diagonal(_)))
}

/// The limits that points of a panel reached, ascending: on the horizontal and on the vertical axis. If an axis has
/// more than three limits, its list is empty.
pub(super) fn rims(panel: &Panel, ends: Ends) -> (Vec<f64>, Vec<f64>) {
    let at = |wanted: fn(&Point) -> Option<f64>| -> Vec<f64> {
        let points =
            panel.series.iter().filter(|series| series.shape != Shape::Cells).flat_map(|s| &s.points);
        let limits = points.filter(|point| point.end == End::Limit && ends == Ends::Rim);
        let limits: Vec<f64> = limits.filter_map(wanted).sorted_by(f64::total_cmp).dedup().collect();
        if limits.len() > 3 { Vec::new() } else { limits }
    };
    let x = at(|point| Some(point.x).filter(|_| matches!(point.rim, Some(Rim::X | Rim::Xy))));
    let y = at(|point| Some(point.y).filter(|_| point.rim != Some(Rim::X)));
    (x, y)
}

/// The domains of all panels. Panels with equal axes share a domain, except for the horizontal axes of overviews and
/// those with bands.
pub(super) fn shared_domains(chart: &Chart) -> Vec<(Domain, Domain)> {
    let mut all: Vec<(Domain, Domain)> = chart.panels.iter().map(domains).collect();
    let alike = |axis: fn(&Panel) -> &crate::chart::Axis| {
        chart.panels.iter().map(axis).map(|axis| (&axis.label, axis.unit, axis.scale)).all_equal()
    };
    let banded = chart.panels.iter().any(|panel| panel.x.scale == Scale::Band);
    if alike(|panel| &panel.x) && ends(chart) == Ends::Rim && !banded && all.len() > 1 {
        let union = all.iter().map(|(x, _)| x.clone()).reduce(|a, b| a.with(&b));
        all.iter_mut().zip(union.iter().cycle()).for_each(|((x, _), union)| *x = union.clone());
    }
    if alike(|panel| &panel.y) && all.len() > 1 {
        let union = all.iter().map(|(_, y)| y.clone()).reduce(|a, b| a.with(&b));
        all.iter_mut().zip(union.iter().cycle()).for_each(|((_, y), union)| *y = union.clone());
    }
    all
}

/// The positions of a chart's points that reached a limit. Only an overview counts limits in means, so these points are
/// joined to the others only in an overview.
pub(super) fn ends(chart: &Chart) -> Ends {
    if chart.name == crate::spec::Kind::Overview.name() { Ends::Joined } else { Ends::Rim }
}
