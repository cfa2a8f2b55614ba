//! Axes whose values stand for the variants of a type. One list both declares an axis and gives the variant of a value.

use super::EngineSpec;
use crate::engine::Axis;

/// An axis whose values each stand for a variant of `T`.
///
/// ```
/// use counterpoint_core::engine::{Axis, EngineInfo};
/// use counterpoint_core::spec::{EngineSpec, TypedAxis};
///
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// enum Order {
///     Up,
///     Down,
/// }
///
/// const ORDER: TypedAxis<Order, 2> = TypedAxis::new("order", [("up", Order::Up), ("down", Order::Down)]);
/// const AXES: &[Axis] = &[ORDER.axis()];
///
/// let engine = EngineInfo::sat("example", "an example", AXES);
/// assert_eq!(ORDER.of(&EngineSpec::default_of(&engine)), Order::Up);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TypedAxis<T: 'static, const N: usize> {
    name: &'static str,
    values: [&'static str; N],
    variants: [T; N],
    about: &'static str,
}

impl<T: Copy, const N: usize> TypedAxis<T, N> {
    /// An axis with these values, each with its variant; the first is the default.
    ///
    /// # Panics
    /// Panics if the list is empty.
    pub const fn new(name: &'static str, list: [(&'static str, T); N]) -> Self {
        let (mut values, mut variants) = ([list[0].0; N], [list[0].1; N]);
        let mut i = 1;
        while i < N {
            (values[i], variants[i]) = list[i];
            i += 1;
        }
        TypedAxis { name, values, variants, about: "" }
    }

    /// An axis whose values and variants are listed separately, in the same order; the first is the default.
    pub const fn of_lists(name: &'static str, values: [&'static str; N], variants: [T; N]) -> Self {
        TypedAxis { name, values, variants, about: "" }
    }

    /// The same axis with a line that says what it chooses and what each value means, for `list engines` and pages.
    #[must_use]
    pub const fn about(mut self, about: &'static str) -> Self {
        self.about = about;
        self
    }

    /// The same axis with another default. The other values keep their order.
    ///
    /// # Panics
    /// Panics if there is no such value. In a `const`, this is a compile error.
    #[must_use]
    pub const fn with_default(mut self, value: &str) -> Self {
        let mut i = 0;
        while !is_equal(self.values[i], value) {
            i += 1;
        }
        let default = (self.values[i], self.variants[i]);
        while i > 0 {
            (self.values[i], self.variants[i]) = (self.values[i - 1], self.variants[i - 1]);
            i -= 1;
        }
        (self.values[0], self.variants[0]) = default;
        self
    }

    /// The declaration for [`EngineInfo`](crate::engine::EngineInfo).
    pub const fn axis(&'static self) -> Axis {
        Axis { name: self.name, values: &self.values, about: self.about }
    }

    /// The variant of the default.
    pub const fn default(&self) -> T {
        self.variants[0]
    }

    /// The variant for the value that an engine has on this axis.
    ///
    /// # Panics
    /// Panics if the engine does not declare this axis. If it does, its value is always in the list, because
    /// [`resolve`](super::resolve) accepts no others.
    pub fn of(&self, spec: &EngineSpec) -> T {
        let value = spec.axis(self.name);
        match self.values.iter().position(|name| Some(*name) == value) {
            Some(i) => self.variants[i],
            None => unreachable!("{spec} has no axis '{}'", self.name),
        }
    }
}

/// `a == b` in a `const`.
const fn is_equal(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::EngineInfo;

    const LETTER: TypedAxis<char, 3> = TypedAxis::new("letter", [("a", 'A'), ("bb", 'B'), ("b", 'C')]);
    const OTHER: TypedAxis<char, 3> = LETTER.with_default("b");
    const AXES: &[Axis] = &[OTHER.axis()];

    #[test]
    fn another_default_comes_first_and_the_others_keep_their_order() {
        assert_eq!(AXES[0].values, ["b", "a", "bb"]);
        let spec = EngineSpec::default_of(&EngineInfo::sat("cells", "", AXES));
        assert_eq!((OTHER.of(&spec), LETTER.of(&spec)), ('C', 'C'));
    }

    #[test]
    #[should_panic(expected = "search:plain has no axis 'letter'")]
    fn an_undeclared_axis_panics() {
        LETTER.of(&EngineSpec::default_of(&EngineInfo::search("plain", "")));
    }
}
