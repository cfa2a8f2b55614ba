//! Labels of ticks.

use crate::chart::Unit;

/// The units of times, bytes and counts, with their sizes.
const SECONDS: [(f64, &str); 4] = [(1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")];
const BYTES: [(f64, &str); 4] = [(1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1.0, "B")];
const COUNTS: [(f64, &str); 3] = [(1e9, "G"), (1e6, "M"), (1e3, "k")];

/// A value with its unit: `20 ms`, `1 k`, `0.5`.
pub(super) fn label(value: f64, unit: Unit) -> String {
    // The last unit is for all smaller values. Ticks are computed, so a small tolerance is needed.
    let scaled = |units: &[(f64, &str)]| {
        let found = units.iter().find(|(one, _)| value.abs() >= one * (1.0 - 1e-9)).or(units.last());
        found.map_or_else(|| digits(value), |(one, name)| format!("{} {name}", digits(value / one)))
    };
    match unit {
        _ if value == 0.0 => "0".to_owned(),
        Unit::Seconds => scaled(&SECONDS),
        Unit::Bytes => scaled(&BYTES),
        Unit::Count if value.abs() >= 999.5 => scaled(&COUNTS),
        Unit::Count | Unit::Plain => digits(value),
    }
}

/// A number with four significant digits or all digits before the decimal point, without trailing zeros.
fn digits(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let whole = value.abs().log10().floor() as i32;
    let places = usize::try_from(3 - whole).unwrap_or(0).min(9);
    let text = format!("{value:.places$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::label;
    use crate::chart::Unit;

    #[test]
    fn units_follow_the_size() {
        let time = |value| label(value, Unit::Seconds);
        assert_eq!(
            [1e-5, 0.001, 0.02, 0.1_f64.powi(3) * 5.0, 1.0, 2.5, 1000.0].map(time),
            ["10 µs", "1 ms", "20 ms", "5 ms", "1 s", "2.5 s", "1000 s"]
        );
        let count = |value| label(value, Unit::Count);
        assert_eq!([0.0, 7.0, 250.0, 1e3, 2.5e4, 1e6].map(count), ["0", "7", "250", "1 k", "25 k", "1 M"]);
        assert_eq!(label(0.3, Unit::Plain), "0.3");
        assert_eq!(label(4096.0, Unit::Bytes), "4.096 kB");
    }
}
