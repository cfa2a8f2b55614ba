//! Colours by their purpose, in a light and a dark theme, and dash patterns that distinguish engines without colour.

/// A colour, by its purpose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Paint {
    /// Text, frames.
    Ink,
    /// Less prominent things: guides, rims.
    Soft,
    /// Lines of the grid.
    Grid,
    /// The background.
    Paper,
    /// Wrong answers.
    Bad,
    /// An engine, by its style.
    Style(usize),
    /// A cell, from fast (0) to slow (1).
    Heat(f64),
}

/// The colours of engines on light and on dark paper: those of Okabe and Ito, with yellow replaced and light colours
/// darkened so that thin lines are visible.
const STYLES: [(&str, &str); 8] = [
    ("#0067a5", "#58a6ff"),
    ("#d1500a", "#ff8a4c"),
    ("#00875f", "#3ecf9b"),
    ("#b8558f", "#f08cc4"),
    ("#6a4fb3", "#b39dff"),
    ("#c68a00", "#f2c14e"),
    ("#3a9fd6", "#8fd3ff"),
    ("#4d4d4d", "#b8bec6"),
];

/// Dash patterns of lines. From the ninth engine on, the colours repeat with another pattern.
const DASHES: [&[f64]; 5] = [&[], &[4.5, 1.5], &[1.2, 1.2], &[5.0, 1.2, 1.2, 1.2], &[2.5, 1.2]];

/// The dash pattern of the second series of an engine.
pub(super) const SECOND: &[f64] = &[2.2, 1.6];

/// The dash pattern of guides and rims.
pub(super) const THIN: &[f64] = &[1.0, 1.6];

/// ColorBrewer's YlGnBu without its lightest colour, which is hard to see on paper. Its lightness decreases throughout,
/// so it can be printed in grey.
const HEAT: [[f64; 3]; 8] = [
    [237.0, 248.0, 177.0],
    [199.0, 233.0, 180.0],
    [127.0, 205.0, 187.0],
    [65.0, 182.0, 196.0],
    [29.0, 145.0, 192.0],
    [34.0, 94.0, 168.0],
    [37.0, 52.0, 148.0],
    [8.0, 29.0, 88.0],
];

/// The dash of an engine's line.
pub(super) fn dash(style: usize) -> &'static [f64] {
    DASHES[style / STYLES.len() % DASHES.len()]
}

impl Paint {
    /// The colour on light paper.
    pub(super) fn light(self) -> String {
        self.named(|(light, _)| light)
    }

    /// The colour on light paper, as red, green and blue from 0 to 1.
    pub(super) fn light_rgb(self) -> [f32; 3] {
        let hex = self.light();
        let part = |i: usize| u8::from_str_radix(hex.get(i..i + 2).unwrap_or_default(), 16).unwrap_or(0);
        [1, 3, 5].map(|i| f32::from(part(i)) / 255.0)
    }

    /// The colour on dark paper. Cells have the same colours on both.
    pub(super) fn dark(self) -> String {
        self.named(|(_, dark)| dark)
    }

    fn named(self, theme: impl Fn((&'static str, &'static str)) -> &'static str) -> String {
        theme(match self {
            Paint::Ink => ("#1f2328", "#e6edf3"),
            Paint::Soft => ("#6b717a", "#9aa3ae"),
            Paint::Grid => ("#e4e4e4", "#30363d"),
            Paint::Paper => ("#ffffff", "#0d1117"),
            Paint::Bad => ("#c1121f", "#ff6b6b"),
            Paint::Style(style) => STYLES[style % STYLES.len()],
            Paint::Heat(part) => return heat(part),
        })
        .to_owned()
    }

    /// Its class in a style sheet; cells have none.
    pub(super) fn class(self) -> Option<String> {
        Some(match self {
            Paint::Ink => "i".to_owned(),
            Paint::Soft => "o".to_owned(),
            Paint::Grid => "g".to_owned(),
            Paint::Paper => "p".to_owned(),
            Paint::Bad => "b".to_owned(),
            Paint::Style(style) => format!("e{}", style % STYLES.len()),
            Paint::Heat(_) => return None,
        })
    }

    /// All colours that change with the theme.
    pub(super) fn themed() -> impl Iterator<Item = Paint> {
        let others = [Paint::Ink, Paint::Soft, Paint::Grid, Paint::Paper, Paint::Bad];
        others.into_iter().chain((0..STYLES.len()).map(Paint::Style))
    }
}

fn heat(part: f64) -> String {
    let place = part.clamp(0.0, 1.0) * (HEAT.len() - 1) as f64;
    let (below, above) = (HEAT[place.floor() as usize], HEAT[place.ceil() as usize]);
    let mixed = |i: usize| (below[i] + place.fract() * (above[i] - below[i])).round() as u8;
    format!("#{:02x}{:02x}{:02x}", mixed(0), mixed(1), mixed(2))
}
