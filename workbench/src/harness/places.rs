//! Looks up where a record was made: the build of the program (the first digits of its hash), the node, its processor and
//! the pilot. A record names its environment, and the file of that environment contains these facts.

use super::environment::{Environment, FILE_PREFIX};
use super::folder::small_file;
use counterpoint_base::keyed::KeyedMap;
use itertools::Itertools;
use std::path::Path;

/// Where records were made, by the name of their environment. `None` if the environment has no readable file.
#[derive(Default)]
pub(super) struct Places(KeyedMap<String, Option<Place>>);

/// Where a record was made.
#[derive(Clone)]
pub(super) struct Place {
    pub(super) build: String,
    pub(super) node: String,
    pub(super) cpu_model: String,
    /// The name of the pilot; `None` outside Slurm jobs.
    pub(super) pilot: Option<String>,
}

impl Places {
    /// The place that an environment describes. The file of the environment is in `folder`, the folder of a set. `None`
    /// if that environment has no readable file.
    pub(super) fn of(&mut self, folder: &Path, environment: &str) -> Option<&Place> {
        if !self.0.contains_key(environment) {
            self.0.insert(environment.to_owned(), read(folder, environment));
        }
        self.0.get(environment).and_then(Option::as_ref)
    }

    /// The place of an environment that was looked up before.
    pub(super) fn known(&self, environment: &str) -> Option<&Place> {
        self.0.get(environment).and_then(Option::as_ref)
    }

    /// Whether there are several nodes among the places that were looked up.
    pub(super) fn are_several_nodes(&self) -> bool {
        !self.0.values().flatten().map(|place| &place.node).all_equal()
    }
}

fn read(folder: &Path, environment: &str) -> Option<Place> {
    // The name comes from a record, which may contain anything. The name must not lead out of the folder.
    let is_name = environment.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if !is_name {
        return None;
    }
    let text = small_file(&folder.join(format!("{FILE_PREFIX}{environment}.json"))).ok()?;
    let found: Environment = serde_json::from_slice(&text).ok()?;
    Some(Place {
        build: found.build().to_owned(),
        pilot: found.slurm.map(|job| job.name()),
        node: found.node,
        cpu_model: found.cpu_model,
    })
}
