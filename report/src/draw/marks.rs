//! Markers: eight shapes that can be distinguished without colour, and markers for limits and wrong answers.

use super::paint::Paint;
use super::scene::{Path, Stroke, Trace};
use crate::chart::{Rim, Variant};
use std::f64::consts::TAU;

/// Half the width of a marker.
pub(super) const RADIUS: f64 = 1.9;

const SHAPES: usize = 8;

/// The markers of an engine at some positions, as one path.
pub(super) fn markers(style: usize, variant: Variant, places: &[(f64, f64)], radius: f64) -> Path {
    let mut trace = Trace::default();
    // From the ninth style on, the colours repeat with other shapes.
    let shape = (style + style / SHAPES) % SHAPES;
    for &place in places {
        one(&mut trace, shape, place, radius);
    }
    let paint = Paint::Style(style);
    // Crosses have no inside that could be filled.
    if shape == 5 || shape == 6 {
        let width = if variant == Variant::First { 1.1 } else { 0.6 };
        return trace.stroked(paint, width, &[]);
    }
    match variant {
        Variant::First => trace.filled(paint),
        Variant::Second => hollow(trace, paint),
    }
}

fn one(trace: &mut Trace, shape: usize, (x, y): (f64, f64), r: f64) {
    let around = |corners: usize, size: f64, turn: f64| {
        (0..corners).map(move |i| {
            let angle = TAU * (i as f64 / corners as f64 + turn);
            (x + size * angle.sin(), y - size * angle.cos())
        })
    };
    match shape {
        0 => trace.circle((x, y), r),
        1 => trace.polygon(around(4, 1.3 * r, 0.125)),
        2 => trace.polygon(around(4, 1.35 * r, 0.0)),
        3 => trace.polygon(around(3, 1.4 * r, 0.5)),
        4 => trace.polygon(around(5, 1.2 * r, 0.0)),
        5 => trace.line([(x - r, y - r), (x + r, y + r)]).line([(x - r, y + r), (x + r, y - r)]),
        6 => trace.line([(x - 1.2 * r, y), (x + 1.2 * r, y)]).line([(x, y - 1.2 * r), (x, y + 1.2 * r)]),
        _ => {
            let star = around(5, 1.5 * r, 0.0).zip(around(5, 0.65 * r, 0.1));
            trace.polygon(star.flat_map(|(tip, notch)| [tip, notch]))
        }
    };
}

fn hollow(trace: Trace, paint: Paint) -> Path {
    let stroke = Some(Stroke { paint, width: 0.8, dash: &[] });
    Path { stroke, ..trace.filled(Paint::Paper) }
}

/// An open triangle that points to where the value lies: up, right or both.
pub(super) fn limit((x, y): (f64, f64), rim: Option<Rim>, paint: Paint) -> Path {
    let turn = match rim {
        None | Some(Rim::Y) => 0.0,
        Some(Rim::Xy) => 0.125,
        Some(Rim::X) => 0.25,
    };
    let corner = |i: i32| {
        let angle = TAU * (f64::from(i) / 3.0 + turn);
        (x + 2.7 * angle.sin(), y - 2.7 * angle.cos())
    };
    let mut trace = Trace::default();
    trace.polygon((0..3).map(corner));
    hollow(trace, paint)
}

/// A cross over a wrong answer.
pub(super) fn wrong((x, y): (f64, f64)) -> Path {
    let (mut trace, r) = (Trace::default(), 2.6);
    trace.line([(x - r, y - r), (x + r, y + r)]).line([(x - r, y + r), (x + r, y - r)]);
    trace.stroked(Paint::Bad, 1.3, &[])
}
