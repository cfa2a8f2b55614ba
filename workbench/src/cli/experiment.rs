//! Finds an experiment by name, reads its plan, and locates its records.

use super::context::Context;
use super::exit::Failure;
use super::plan_file::PlanFile;
use super::settings::MAX_RULE_BYTES;
use super::{config, print, read};
use crate::declared::Declaration;
use crate::document::Document;
use crate::harness::cubes::Groups;
use crate::harness::plan::PlannedRun;
use crate::harness::plan::{self, Expanded, Plan, ReadContext};
use crate::harness::{Planned, Rejected, Set, matching, tally};
use crate::record::{Row, Run, Tally, Verdict};
use crate::solver::external::Program;
use indexmap::IndexMap;
use itertools::Itertools;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The maximum length of a file of instances that a plan names, in bytes.
const MAX_INSTANCE_BYTES: u64 = 1 << 30;

/// The maximum number of rejected records that are listed.
const MAX_LISTED: usize = 20;

/// An experiment whose plan was read.
pub(super) struct Experiment {
    /// The name of its folder.
    pub(super) name: String,
    /// The folder with its plan and records.
    pub(super) folder: PathBuf,
    /// The text of the plan.
    pub(super) text: String,
    pub(super) plan: Plan,
    /// The runs of the plan.
    pub(super) expanded: Expanded,
    /// The values that the records of these runs must have.
    pub(super) planned: Arc<Planned>,
}

impl Experiment {
    /// Opens the experiment that EXP names, as for [`PlanFile::open`].
    pub(super) fn open(context: &Context, exp: &str) -> Result<Self, Failure> {
        Experiment::of(context, PlanFile::open(exp)?, exp)
    }

    /// The experiment of a plan that EXP names.
    pub(super) fn of(context: &Context, plan: PlanFile, exp: &str) -> Result<Self, Failure> {
        let PlanFile { folder, file, text } = plan;
        let whole = fs::canonicalize(&folder).unwrap_or_else(|_| folder.clone());
        let name = whole.file_name().map_or(exp.to_owned(), |name| name.to_string_lossy().into_owned());
        let load = |name: &str, max_bytes: u64| {
            let path = folder.join(name).display().to_string();
            read::regular(&path).and_then(|file| read::text(&path, file, max_bytes))
        };
        let known = config::beside_plan(context, &folder)?;
        let plan = plan::read(
            &Document::new(&file, &text),
            &ReadContext {
                registry: &context.registry,
                load_rule: &|name| match load(name, MAX_RULE_BYTES) {
                    Ok(text) => Ok(text.trim_start_matches('\u{feff}').to_owned()),
                    Err(failure) => Err(failure.message.into()),
                },
                load_games: &|name| load(name, MAX_INSTANCE_BYTES).map_err(|failure| failure.message.into()),
                find_files: &|pattern| matching(&folder, pattern),
                read_programs: &|document, value| known.with_programs(document, value),
                solvers: &|programs| config::registry(context, programs).configured(&known.origin),
                read_declared: &|document, table| known.with_declared(document, &context.registry, table),
                engines: &|problem, declared| config::engines(context, problem, declared),
            },
        )?;
        let plan = Plan { slurm: plan.slurm.or(known.slurm), ..plan };
        let problem = context.registry.find(&plan.problem)?;
        let expanded = plan::expand(&plan, problem)?;
        expanded.warnings.iter().for_each(|warning| print::warn(&format!("warning: {warning}")));
        let planned = Arc::new(Planned::new(&plan, &expanded, problem));
        Ok(Experiment { name, folder, text, plan, expanded, planned })
    }

    /// The records in the folder of a set.
    pub(super) fn records(&self, folder: &Path) -> Result<Set, Failure> {
        read::named(folder, Set::of(folder, Arc::clone(&self.planned)))
    }

    /// The folder of a set.
    pub(super) fn set(&self, name: &str) -> Result<PathBuf, Failure> {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_' || c == '.';
        if name.is_empty() || name.starts_with('.') || !name.chars().all(plain) {
            return Err(Failure::usage(format!(
                "'{name}' is not a valid name of a set; use letters, digits, '-', '_' and '.'"
            )));
        }
        Ok(self.folder.join("results").join(name))
    }

    /// The default values of its problem's rules.
    pub(super) fn default_rules(
        &self,
        context: &Context,
    ) -> Result<Vec<(&'static str, &'static str)>, Failure> {
        let rules = context.registry.find(&self.plan.problem)?.rules();
        Ok(rules.iter().map(|rule| (rule.key, rule.default)).collect())
    }

    /// The ids of its engines, in the order of the plan.
    pub(super) fn engines(&self) -> Vec<String> {
        let engines = self.plan.families.iter().flat_map(|family| &family.engines);
        engines.map(ToString::to_string).unique().collect()
    }

    /// The external solvers that its engines use.
    pub(super) fn solvers(&self) -> impl Iterator<Item = &Program> {
        let engines = || self.plan.families.iter().flat_map(|family| &family.engines);
        let named = move |name: &str| engines().any(|engine| engine.solver_name() == Some(name));
        self.plan.programs.iter().filter(move |program| named(&program.name))
    }

    /// The declared engines that it uses.
    pub(super) fn declared(&self) -> impl Iterator<Item = &Declaration> {
        let engines = || self.plan.families.iter().flat_map(|family| &family.engines);
        let is_used = move |declared: &Declaration| {
            let mut used = engines().filter_map(|engine| engine.declared());
            used.any(|engine| (engine.prints, &engine.name) == (declared.prints, &declared.name))
        };
        self.plan.declared.iter().filter(move |declared| is_used(declared))
    }

    /// The counts of runs by engine, in the order of the plan.
    pub(super) fn tally(&self, set: &Set) -> IndexMap<String, Tally> {
        let engines = self.plan.families.iter().flat_map(|family| &family.engines).map(ToString::to_string);
        tally(engines, self.whole_runs(), set)
    }

    /// The runs of the plan without those of cubes, which are not statistics of an engine.
    pub(super) fn whole_runs(&self) -> impl Iterator<Item = PlannedRun<'_>> {
        self.expanded.runs.iter().filter(|run| !run.is_cube())
    }

    /// The records of failed runs of the plan.
    pub(super) fn failed<'a>(&'a self, set: &'a Set) -> impl Iterator<Item = Row<'a>> {
        let records = self.expanded.runs.iter().filter_map(|run| set.record_of(run));
        let is_half =
            |record: &Row<'_>| record.split_of().is_some_and(|key| self.expanded.runs.find(key).is_some());
        records.chain(set.cubes().filter(is_half)).filter(|record| record.verdict() == Some(Verdict::Failed))
    }

    /// The halves of the plan's cubes that have no record in a set and must be made.
    pub(super) fn missing_halves(&self, set: &Set) -> Vec<Run> {
        Groups::new(&self.expanded.runs, set).missing_halves(&self.expanded.runs, &|key| set.get(key))
    }

    /// The runs of the plan without a record in a set, except cubes that are no longer needed.
    pub(super) fn missing<'a>(&'a self, set: &'a Set) -> impl Iterator<Item = PlannedRun<'a>> {
        let groups = Groups::new(&self.expanded.runs, set);
        let is_missing =
            move |run: &PlannedRun<'_>| set.record_of(*run).is_none() && !groups.is_needless_planned(*run);
        self.expanded.runs.iter().filter(is_missing)
    }
}

/// Warns about lines and files of a set that are not counted as records.
pub(super) fn warn_rejected(set: &Set) {
    for Rejected { place, reason } in set.rejected().iter().take(MAX_LISTED) {
        print::warn(&format!("warning: {place}: {reason}; not counted"));
    }
    if set.rejected_count() > MAX_LISTED {
        print::warn(&format!("warning: {} more lines are not counted", set.rejected_count() - MAX_LISTED));
    }
}
