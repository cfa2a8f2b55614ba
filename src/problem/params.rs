//! Numeric parameters of families and questions, each within its range.

use crate::board::Size;
use crate::choice::{nearest, suggestion};

/// A numeric parameter of a family or a question.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// Its key.
    pub key: &'static str,
    /// Value if none is given. If it is a whole number, so must be any other.
    pub default: f64,
    /// Least value.
    pub min: f64,
    /// Greatest value.
    pub max: f64,
}

/// The parameters of one instance or question, each within its range.
#[derive(Clone, Debug)]
pub struct Params {
    values: Vec<(&'static str, f64)>,
    /// Those that are not left at their defaults by silence.
    given: Vec<&'static str>,
}

impl Params {
    /// The defaults of `params` with `given` on top.
    ///
    /// # Errors
    /// An unknown key, one that is given twice or passed over, or a value out of range.
    pub fn new(params: &[Param], given: &[(String, String)]) -> Result<Params, String> {
        let mut values: Vec<_> = params.iter().map(|p| (p.key, p.default)).collect();
        for (i, (key, text)) in given.iter().enumerate() {
            if given[..i].iter().any(|(before, _)| before == key) {
                return Err(format!("parameter {key} is given twice"));
            }
            let slot = params.iter().position(|p| p.key == key).ok_or_else(|| {
                let names: Vec<_> = params.iter().map(|p| p.key.to_owned()).collect();
                let near = nearest(key, params.iter().map(|p| p.key));
                format!("no parameter is called '{key}'; {}", suggestion(near, &names))
            })?;
            let Param { key, default, min, max } = params[slot];
            let is_whole = |v: f64| v.fract() == 0.0;
            let value = text.parse().ok().filter(|v| (min..=max).contains(v));
            let value = value.filter(|&v| is_whole(v) || !is_whole(default));
            values[slot].1 = value.ok_or_else(|| {
                let number = if is_whole(default) { "a whole number" } else { "a number" };
                format!("parameter {key} has no value '{text}'; it takes {number} from {min} to {max}")
            })?;
        }
        let is_given = |key: &&str| given.iter().any(|(k, _)| k == key);
        let given = params.iter().map(|p| p.key).filter(is_given).collect();
        let params = Params { values, given };
        if ["n", "w", "h"].iter().all(|key| params.is_given(key) && params.whole(key) > 0) {
            return Err("n is for w or h where they are not given; here both are".to_owned());
        }
        Ok(params)
    }

    /// The value of a parameter that was declared; 0 for any other.
    pub fn real(&self, key: &str) -> f64 {
        self.values.iter().find(|(k, _)| *k == key).map_or(0.0, |(_, v)| *v)
    }

    /// The value of a parameter of whole numbers.
    pub fn whole(&self, key: &str) -> u32 {
        self.real(key).round() as u32
    }

    /// Whether a value was given, the default or another.
    pub fn is_given(&self, key: &str) -> bool {
        self.given.contains(&key)
    }

    /// The size that `w` and `h` say, where one is 0 `n` in its place.
    pub fn size(&self) -> Size {
        let side = |key| if self.whole(key) == 0 { self.whole("n") } else { self.whole(key) };
        Size::new(side("w"), side("h"))
    }
}
