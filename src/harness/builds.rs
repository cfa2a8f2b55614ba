//! Which build of this program made a record: the first digits of its program's hash, which stands in the surroundings that
//! the record names.

use super::environment::Environment;
use super::set::ENVIRONMENT;
use rustc_hash::FxHashMap;
use std::fs;
use std::path::Path;

/// Builds by the surroundings that name them, as far as anybody asked.
#[derive(Default)]
pub(super) struct Builds(FxHashMap<String, Option<String>>);

impl Builds {
    /// The build of the surroundings of a set; nothing where they are not there.
    pub(super) fn of(&mut self, folder: &Path, environment: &str) -> Option<String> {
        if let Some(known) = self.0.get(environment) {
            return known.clone();
        }
        // A record may hold anything, but a name is no path.
        let is_name = environment.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let path = folder.join(format!("{ENVIRONMENT}{environment}.json"));
        let found = fs::read(path).ok().filter(|_| is_name);
        let found = found.and_then(|text| serde_json::from_slice::<Environment>(&text).ok());
        let build = found.map(|environment| environment.build().to_owned());
        self.0.insert(environment.to_owned(), build.clone());
        build
    }
}
