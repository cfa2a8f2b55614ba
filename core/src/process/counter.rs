//! Notes which counters were found in the outputs of programs.

use super::Children;

/// A counter that was looked for in the outputs of a program.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Counter {
    /// The program's name.
    pub program: String,
    /// The counter's name.
    pub name: String,
    /// Whether some output contained it.
    pub is_found: bool,
}

impl Children {
    /// Notes whether a counter was found in the output of a program.
    pub fn note_counter(&self, Counter { program, name, is_found }: Counter) {
        *self.live().counters.entry((program, name)).or_default() |= is_found;
    }

    /// The counters that were noted since the last call.
    pub fn take_counters(&self) -> Vec<Counter> {
        let counters = std::mem::take(&mut self.live().counters);
        counters.into_iter().map(|((program, name), is_found)| Counter { program, name, is_found }).collect()
    }
}
