//! Numbers with units, for readers.

use counterpoint_statistics::Bounds;

/// What a number measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Seconds.
    Seconds,
    /// A number of things.
    Count,
    /// Bytes.
    Bytes,
    /// One number divided by another, or another number without a unit.
    Ratio,
    /// A part of a whole.
    Share,
    /// A p-value.
    Probability,
}

impl Measure {
    /// What the numbers of a column measure.
    pub(crate) fn of(column: &str) -> Self {
        match column {
            _ if column.ends_with("_s") => Measure::Seconds,
            _ if column.ends_with("_bytes") => Measure::Bytes,
            "load" | "pressure_percent" => Measure::Ratio,
            _ => Measure::Count,
        }
    }
}

/// A number with its unit, to about three digits; whole counts in full.
pub(crate) fn shown(number: f64, measure: Measure) -> String {
    match measure {
        Measure::Seconds if number < 0.0 => format!("−{}", shown(-number, measure)),
        Measure::Probability if number < 1e-4 => "< 0.0001".to_owned(),
        Measure::Probability => format!("{number:.4}"),
        Measure::Seconds if number < 9.995e-4 => format!("{} µs", digits(number * 1e6)),
        Measure::Seconds if number < 0.9995 => format!("{} ms", digits(number * 1e3)),
        Measure::Seconds => format!("{} s", digits(number)),
        Measure::Bytes if number < 1024.0 => format!("{number:.0} B"),
        Measure::Bytes if number < 1_048_576.0 => format!("{} KiB", digits(number / 1024.0)),
        Measure::Bytes => format!("{} MiB", digits(number / 1_048_576.0)),
        Measure::Count if number.fract() == 0.0 => grouped(number),
        Measure::Count | Measure::Ratio => digits(number),
        Measure::Share => format!("{} %", digits(number * 100.0)),
    }
}

/// A number of which bounds are known, or an interval; `None` if it can be any number that is not negative. A lower
/// bound of zero is left out, because nothing measured is negative.
pub(crate) fn bounds(bounds: Bounds, measure: Measure) -> Option<String> {
    let end = |number: f64| if number.is_infinite() { "∞".to_owned() } else { shown(number, measure) };
    match bounds {
        one if one.is_exact() => Some(end(one.low)),
        Bounds { low: 0.0, high } if high.is_infinite() => None,
        Bounds { low, high } if high.is_infinite() => Some(format!("at least {}", end(low))),
        Bounds { low: 0.0, high } => Some(format!("at most {}", end(high))),
        // The bounds may differ only by rounding.
        Bounds { low, high } if end(low) == end(high) => Some(end(low)),
        Bounds { low, high } => Some(format!("{} to {}", end(low), end(high))),
    }
}

/// Three significant digits, or all digits before the decimal point; halves are rounded away from zero. The page of a
/// report rounds in the same way (`format.js`).
fn digits(number: f64) -> String {
    if number == 0.0 {
        return "0".to_owned();
    }
    let scientific = format!("{number:.2e}");
    let exponent = scientific.split_once('e').and_then(|(_, exponent)| exponent.parse::<i32>().ok());
    match usize::try_from(2 - exponent.unwrap_or_default()) {
        Ok(places) if places > 0 => format!("{:.places$}", away_from_zero(number, places as i32)),
        _ => grouped(number.round()),
    }
}

/// The number; if it lies in the middle between two numbers with so many decimal places, the one farther from zero, since
/// `format!` would choose the one whose last digit is even.
fn away_from_zero(number: f64, places: i32) -> f64 {
    let scale = 10_f64.powi(places);
    let scaled = number * scale;
    // Only if the product is exact, the number lies exactly in the middle.
    let is_middle = scaled.fract().abs() == 0.5 && number.mul_add(scale, -scaled) == 0.0;
    if is_middle { scaled.round() / scale } else { number }
}

/// A whole number with commas between thousands.
fn grouped(number: f64) -> String {
    let text = format!("{:.0}", number.abs());
    let mut out = String::new();
    for (i, digit) in text.chars().enumerate() {
        if i > 0 && (text.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    if number < 0.0 { format!("-{out}") } else { out }
}

#[cfg(test)]
mod tests {
    use super::{Measure, shown};

    #[test]
    fn numbers_are_short_and_have_units() {
        let time = |s: f64| shown(s, Measure::Seconds);
        assert_eq!(
            [4.2e-5, 0.00099996, 0.0012, 0.2196, 0.99996, 3.27, 41.0, 130.0].map(time),
            ["42.0 µs", "1.00 ms", "1.20 ms", "220 ms", "1.00 s", "3.27 s", "41.0 s", "130 s"]
        );
        let count = |n: f64| shown(n, Measure::Count);
        assert_eq!(
            [0.0, 7.0, 1000.0, 77_108.0, 1e9, 2.5].map(count),
            ["0", "7", "1,000", "77,108", "1,000,000,000", "2.50"]
        );
        assert_eq!(shown(2048.0, Measure::Bytes), "2.00 KiB");
        assert_eq!(shown(0.975, Measure::Share), "97.5 %");
        let ratios = [0.034, 0.001_234, 1.096, 9.995, 61.25, -61.25, 99.95, 1234.5, 1e-9];
        let shown_ratios =
            ["0.0340", "0.00123", "1.10", "9.99", "61.3", "-61.3", "100", "1,235", "0.00000000100"];
        assert_eq!(ratios.map(|n| shown(n, Measure::Ratio)), shown_ratios);
    }
}
