//! Reads the tags of a plan: `tags` in a family, and the table `[tags]`, which attaches words to engines.

use super::Family;
use super::reader::Reader;
use crate::document::{DocumentError, Placed};
use crate::record::{MAX_TAGS, validate_tag};
use crate::spec::{self, EngineSpec};
use itertools::Itertools;
use std::collections::BTreeMap;

impl Reader<'_> {
    /// The tags in a list, or a single one.
    pub(super) fn words(&self, value: &Placed<'_>) -> Result<Vec<String>, DocumentError> {
        let mut words: Vec<String> = Vec::new();
        for value in self.document.one_or_many(value) {
            let word = self.document.as_str(value)?;
            validate_tag(word).or_else(|why| self.document.error_at(value.span().start, &why.to_string()))?;
            if !words.iter().any(|known| known == word) {
                words.push(word.to_owned());
            }
        }
        if words.len() > MAX_TAGS {
            let why = format!("there are {} tags; expected at most {MAX_TAGS}", words.len());
            return self.document.error_at(value.span().start, &why);
        }
        Ok(words)
    }

    /// The tags of engines, by the engine's id. For each tag, the table contains the patterns of the engines that have
    /// the tag. In such a pattern, axes and solvers that are not named may have any value.
    pub(super) fn engine_tags(
        &self,
        value: Option<&Placed<'_>>,
        families: &[Family],
    ) -> Result<BTreeMap<String, Vec<String>>, DocumentError> {
        let mut tags: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let Some(value) = value else { return Ok(tags) };
        let engines: Vec<EngineSpec> =
            families.iter().flat_map(|family| &family.engines).unique().cloned().collect();
        let table = self.document.as_table(value)?;
        if table.len() > MAX_TAGS {
            let why = format!("there are {} tags; expected at most {MAX_TAGS}", table.len());
            return self.document.error_at(value.span().start, &why);
        }
        let written = table.iter().sorted_by_key(|(key, _)| key.span().start);
        for (key, value) in written {
            let word = key.get_ref();
            validate_tag(word).or_else(|why| self.document.error_at(key.span().start, &why.to_string()))?;
            for pattern in self.document.one_or_many(value) {
                let found = spec::select(&engines, self.document.as_str(pattern)?)
                    .or_else(|why| self.document.error_at(pattern.span().start, why.message()))?;
                for engine in found {
                    let own = tags.entry(engine.to_string()).or_default();
                    if !own.iter().any(|known| known == word) {
                        own.push(word.to_string());
                    }
                }
            }
        }
        Ok(tags)
    }
}
