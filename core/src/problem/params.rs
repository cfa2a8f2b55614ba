//! Numeric parameters of families and questions, each within its range.

use crate::board::Size;
use crate::errors::ParamsError;
use crate::rules;
use crate::spec::{nearest, suggestion};

/// A parameter that sets the sides of a board: `WxH`, or `N` for `NxN`. It is accepted wherever `n` is a parameter. The
/// sides may differ only if `w` and `h` are parameters, too.
pub const SIZE: &str = "size";
/// The parameters that [`SIZE`] sets.
const SIDES: [&str; 3] = ["n", "w", "h"];

/// A parameter of a family or a question: a number or a word.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// Its key.
    pub key: &'static str,
    /// The default number, or the index of the default word.
    default: f64,
    min: f64,
    max: f64,
    /// The words; empty for a number.
    words: &'static [&'static str],
}

impl Param {
    /// A number from `min` to `max`. If the default is a whole number, all values must be whole numbers.
    pub const fn number(key: &'static str, default: f64, min: f64, max: f64) -> Self {
        Param { key, default, min, max, words: &[] }
    }

    /// One of these words; the first one is the default.
    pub const fn word(key: &'static str, words: &'static [&'static str]) -> Self {
        Param { key, default: 0.0, min: 0.0, max: words.len() as f64 - 1.0, words }
    }

    /// The default as text.
    pub fn default_text(&self) -> String {
        self.words.first().map_or_else(|| self.default.to_string(), |word| (*word).to_owned())
    }

    /// The words that are allowed; empty for a number.
    pub const fn words(&self) -> &'static [&'static str] {
        self.words
    }

    /// The value that `text` stands for.
    fn parse(&self, text: &str) -> Result<f64, ParamsError> {
        let Param { key, default, min, max, words } = *self;
        if !words.is_empty() {
            return words.iter().position(|word| *word == text).map(|i| i as f64).ok_or_else(|| {
                let names: Vec<_> = words.iter().map(|word| (*word).to_owned()).collect();
                let hint = suggestion(nearest(text, words.iter().copied()), &names);
                format!("parameter {key} has no value '{text}'; {hint}").into()
            });
        }
        let is_whole = |v: f64| v.fract() == 0.0;
        let value = text.parse().ok().filter(|v| (min..=max).contains(v));
        let value = value.filter(|&v| is_whole(v) || !is_whole(default));
        value.ok_or_else(|| {
            let number = if is_whole(default) { "a whole number" } else { "a number" };
            format!("parameter {key} has no value '{text}'; it takes {number} from {min} to {max}").into()
        })
    }
}

/// The parameters of one instance or question, each within its range.
#[derive(Clone, Debug)]
pub struct Params {
    values: Vec<(Param, f64)>,
    /// The parameters whose values were given.
    given: Vec<&'static str>,
}

impl Params {
    /// The values in `given`, and the defaults of all other parameters.
    ///
    /// # Errors
    /// Returns an error if a key is unknown, was given twice or would be ignored, if a value is not allowed, or if both
    /// the size and a side were given.
    pub fn new(params: &[Param], given: &[(String, String)]) -> Result<Params, ParamsError> {
        let mut values: Vec<_> = params.iter().map(|p| (*p, p.default)).collect();
        for (i, (key, text)) in given.iter().enumerate() {
            if given[..i].iter().any(|(before, _)| before == key) {
                return Err(format!("parameter {key} is given twice").into());
            }
            if key == SIZE && takes_size(params.iter().map(|p| p.key)) {
                if let Some(side) = SIDES.iter().find(|side| given.iter().any(|(key, _)| key == *side)) {
                    return Err(
                        format!("size and {side} both set the size of the board; give one of them").into()
                    );
                }
                for (side, length) in sides(params, text)? {
                    let slot = values.iter_mut().find(|(param, _)| param.key == side);
                    slot.into_iter().for_each(|(_, value)| *value = f64::from(length));
                }
                continue;
            }
            let slot = params.iter().position(|p| p.key == key).ok_or_else(|| {
                let names: Vec<_> = params.iter().map(|p| p.key.to_owned()).collect();
                let near = nearest(key, params.iter().map(|p| p.key));
                format!("no parameter is called '{key}'; {}", suggestion(near, &names))
            })?;
            values[slot].1 = params[slot].parse(text)?;
        }
        let is_given = |key: &&str| given.iter().any(|(k, _)| k == key);
        let given = params.iter().map(|p| p.key).chain([SIZE]).filter(is_given).collect();
        let params = Params { values, given };
        if ["n", "w", "h"].iter().all(|key| params.is_given(key) && params.whole(key) > 0) {
            return Err("n is the default of w and h, but both are given; leave n out".into());
        }
        Ok(params)
    }

    /// The value of a declared parameter; 0 for any other key. For a word, its index.
    pub fn real(&self, key: &str) -> f64 {
        self.values.iter().find(|(param, _)| param.key == key).map_or(0.0, |(_, v)| *v)
    }

    /// The value of a parameter whose values are words; empty for any other key.
    pub fn word(&self, key: &str) -> &'static str {
        let found = self.values.iter().find(|(param, _)| param.key == key);
        found.and_then(|(param, index)| param.words.get(*index as usize)).copied().unwrap_or("")
    }

    /// The value of a parameter whose values are whole numbers.
    pub fn whole(&self, key: &str) -> u32 {
        self.real(key).round() as u32
    }

    /// Whether a value was given, even if it is the default. If `size` was given, the sides do not count as given.
    pub fn is_given(&self, key: &str) -> bool {
        self.given.contains(&key)
    }

    /// The size `w`×`h`; a side that is 0 is replaced by `n`.
    pub fn size(&self) -> Size {
        let side = |key| if self.whole(key) == 0 { self.whole("n") } else { self.whole(key) };
        Size::new(side("w"), side("h"))
    }
}

/// Whether [`SIZE`] is accepted as well if the parameters have these keys.
pub fn takes_size<'a>(mut keys: impl Iterator<Item = &'a str>) -> bool {
    keys.any(|key| key == SIDES[0])
}

/// The sides that a size sets: `n` for a square board, otherwise `w` and `h`.
fn sides(params: &[Param], text: &str) -> Result<Vec<(&'static str, u32)>, ParamsError> {
    let param = |side| params.iter().find(|p| p.key == side);
    let is_oblong = param("w").is_some() && param("h").is_some();
    let fits = |side, length: u32| param(side).is_some_and(|p| (p.min..=p.max).contains(&f64::from(length)));
    let found = rules::size(text).or_else(|| rules::size(&format!("{text}x{text}")));
    let set = match found {
        Some(Size { width, height }) if width == height => vec![("n", width)],
        Some(Size { width, height }) if is_oblong => vec![("w", width), ("h", height)],
        Some(Size { width, height }) => {
            let n = width.min(height);
            return Err(
                format!("{text} is not square, and only square boards work here; use size={n}x{n}").into()
            );
        }
        None => Vec::new(),
    };
    if set.is_empty() || !set.iter().all(|&(side, length)| fits(side, length)) {
        let form = if is_oblong { "WxH, or N for NxN" } else { "NxN, or N" };
        let range = param("n").map_or(String::new(), |n| format!(", each side from {} to {}", n.min, n.max));
        return Err(format!("parameter size has no value '{text}'; it takes {form}{range}").into());
    }
    Ok(set)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_is_a_number_or_a_word() {
        let known = [Param::word("amo", &["pairwise", "ladder"]), Param::number("n", 4.0, 1.0, 9.0)];
        assert_eq!(known.map(|param| param.default_text()), ["pairwise", "4"]);
        let params = |key: &str, value: &str| Params::new(&known, &[(key.to_owned(), value.to_owned())]);
        assert_eq!(Params::new(&known, &[]).unwrap().word("amo"), "pairwise");
        assert_eq!(params("amo", "ladder").unwrap().word("amo"), "ladder");
        assert_eq!(params("n", "7").unwrap().whole("n"), 7);
        let message = |key, value| params(key, value).unwrap_err().to_string();
        assert_eq!(message("amo", "laddr"), "parameter amo has no value 'laddr'; did you mean 'ladder'?");
        assert_eq!(message("amo", "1"), "parameter amo has no value '1'; there are pairwise, ladder");
        assert_eq!(message("n", "10"), "parameter n has no value '10'; it takes a whole number from 1 to 9");
        assert_eq!(message("n", "x"), "parameter n has no value 'x'; it takes a whole number from 1 to 9");
        assert_eq!(message("m", "1"), "no parameter is called 'm'; there are amo, n");
    }
}
