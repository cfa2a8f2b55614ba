//! The labels and names around the panels of a chart, and the space that they need.

use super::axes::{self, Labels, Ticks};
use super::font::Font;
use super::names::Names;
use super::ticks::{Domain, Ruler, Tick};
use super::{LABEL, TICK};
use crate::chart::{Axis, Scale};
use itertools::Itertools;
use std::collections::HashSet;

/// The maximum fraction of the width for names beside a frame.
const BESIDE: f64 = 0.4;

/// The maximum length of a name below a frame, in points: of a name in one line, and of each line of a name in several
/// lines.
const BELOW: f64 = 150.0;
const BELOW_IN_LINES: f64 = 84.0;

/// How far labels below a frame may extend beyond it.
pub(super) const OVERHANG: f64 = 6.5;

/// The ticks beside a frame of the given height.
pub(super) fn upright(font: &Font, axis: &Axis, domain: &Domain, height: f64, width: f64) -> Ticks {
    if axis.scale != Scale::Band {
        let ruler = domain.ruler(height, 0.0);
        return Ticks { major: domain.major(axes::fits_upright(&ruler)), minor: domain.minor() };
    }
    let (names, _) = distinct_words(&axis.bands);
    let every = (1.15 * TICK * names.len() as f64 / height).ceil().max(1.0) as usize;
    let named = names.iter().enumerate().step_by(every);
    let label = |name: &str| font.cut(&name.replace("seed ", "#"), TICK, BESIDE * width);
    Ticks {
        major: named.map(|(i, name)| Tick { at: i as f64, label: label(name) }).collect(),
        minor: Vec::new(),
    }
}

/// The ticks below a frame, and the direction of their labels.
pub(super) fn level(
    font: &Font,
    axis: &Axis,
    names: &Names,
    domain: &Domain,
    ruler: &Ruler,
) -> (Ticks, Labels) {
    let (from, to) = (ruler.at(f64::MIN), ruler.at(f64::MAX));
    let room = (from - OVERHANG, to + OVERHANG);
    let fits = axes::fits(font, ruler, room);
    if axis.scale != Scale::Band {
        return (Ticks { major: domain.major(&fits), minor: domain.minor() }, Labels::Level);
    }
    let all = |label: &dyn Fn(usize, &str) -> String| -> Vec<Tick> {
        let bands = axis.bands.iter().enumerate();
        bands.map(|(i, name)| Tick { at: i as f64, label: label(i, name) }).collect()
    };
    let named = all(&|_, name| names.of(name).to_owned());
    if fits(&named) {
        return (Ticks { major: named, minor: Vec::new() }, Labels::Level);
    }
    if !needs_numbers(axis, ruler.band()) {
        let lines = (ruler.band() / axes::TURNED) as usize;
        let most = if lines > 1 { BELOW_IN_LINES } else { BELOW };
        let wrap = |name: &str| font.wrap(names.of(name), TICK, most);
        let most = if axis.bands.iter().all(|name| wrap(name).len() <= lines) { most } else { BELOW };
        let cut =
            all(&|_, name| font.wrap(names.of(name), TICK, most)[..].iter().take(lines.max(1)).join("\n"));
        return (Ticks { major: cut, minor: Vec::new() }, Labels::Up);
    }
    let numbers = all(&|i, _| (i + 1).to_string());
    let every = [1, 2, 5, 10, 20, 50].into_iter().map(|every| {
        let kept = |tick: &&Tick| (tick.at as usize + 1).is_multiple_of(every) || every > 1 && tick.at == 0.0;
        numbers.iter().filter(kept).cloned().collect_vec()
    });
    let major = every.into_iter().find(|ticks| fits(ticks)).unwrap_or_default();
    (Ticks { major, minor: Vec::new() }, Labels::Level)
}

/// Whether bands are too narrow for names, even upright ones.
pub(super) fn needs_numbers(axis: &Axis, band: f64) -> bool {
    !axis.bands.is_empty() && band < 1.05 * TICK
}

/// The lines of the name of an axis. If the axis has bands, the words that all names of bands share are added.
pub(super) fn title(font: &Font, axis: &Axis, names: &Names, most: f64) -> Vec<String> {
    let shared = if axis.bands.iter().any(|name| name.contains(':')) {
        String::new()
    } else {
        distinct_words(&axis.bands).1
    };
    let label = if shared.is_empty() { axis.label.clone() } else { format!("{} ({shared})", axis.label) };
    // A word of the label may be the id of an engine.
    let words = label.split(' ').map(|word| names.of(word)).join(" ");
    font.wrap(&words, LABEL, most)
}

/// Names without the words that all of them share, and these words.
fn distinct_words(names: &[String]) -> (Vec<String>, String) {
    let mut common: HashSet<&str> = names.first().into_iter().flat_map(|name| name.split(' ')).collect();
    for name in names {
        let words: HashSet<&str> = name.split(' ').collect();
        common.retain(|word| words.contains(word));
    }
    let shared = |word: &&str| names.len() > 1 && *word != "seed" && common.contains(word);
    let rest = |name: &String| name.split(' ').filter(|word| !shared(word)).join(" ");
    let first = names.first().map_or(String::new(), |name| name.split(' ').filter(shared).join(" "));
    (names.iter().map(rest).collect(), first)
}
