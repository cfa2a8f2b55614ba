//! Looks up the build of the program that made a record: the first digits of the program's hash. A record names its
//! environment, and the file of that environment contains the hash.

use super::environment::{Environment, FILE_PREFIX};
use rustc_hash::FxHashMap;
use std::fs;
use std::path::Path;

/// The builds that were looked up, by the name of the environment. `None` if the environment has no readable file.
#[derive(Default)]
pub(super) struct Builds(FxHashMap<String, Option<String>>);

impl Builds {
    /// The build of the program that an environment describes. The file of the environment is in `folder`, the folder
    /// of a set. `None` if that environment has no readable file.
    pub(super) fn of(&mut self, folder: &Path, environment: &str) -> Option<String> {
        if let Some(known) = self.0.get(environment) {
            return known.clone();
        }
        // The name comes from a record, which may contain anything; it must not lead out of the folder.
        let is_name = environment.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let path = folder.join(format!("{FILE_PREFIX}{environment}.json"));
        let found = fs::read(path).ok().filter(|_| is_name);
        let found = found.and_then(|text| serde_json::from_slice::<Environment>(&text).ok());
        let build = found.map(|environment| environment.build().to_owned());
        self.0.insert(environment.to_owned(), build.clone());
        build
    }
}
