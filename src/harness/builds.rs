//! Which build of this program made a record: the first digits of its program's hash, which stands in the surroundings that
//! the record names.

use super::set::SURROUNDINGS;
use super::surroundings::Surroundings;
use rustc_hash::FxHashMap;
use std::fs;
use std::path::Path;

/// Builds by the surroundings that name them, as far as anybody asked.
#[derive(Default)]
pub(super) struct Builds(FxHashMap<String, Option<String>>);

impl Builds {
    /// The build of the surroundings of a set; nothing where they are not there.
    pub(super) fn of(&mut self, folder: &Path, surroundings: &str) -> Option<String> {
        if let Some(known) = self.0.get(surroundings) {
            return known.clone();
        }
        // A record may hold anything, but a name is no path.
        let is_name = surroundings.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let path = folder.join(format!("{SURROUNDINGS}{surroundings}.json"));
        let found = fs::read(path).ok().filter(|_| is_name);
        let found = found.and_then(|text| serde_json::from_slice::<Surroundings>(&text).ok());
        let build = found.map(|surroundings| surroundings.build().to_owned());
        self.0.insert(surroundings.to_owned(), build.clone());
        build
    }
}
