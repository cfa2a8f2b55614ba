//! The experiments and records of one command, each read once: reports, overview and hypotheses share many of them, and
//! large plans take time to expand.

use super::super::context::Context;
use super::super::exit::Failure;
use super::super::experiment::Experiment;
use super::super::plan_file::PlanFile;
use super::Loaded;
use std::cell::RefCell;
use std::collections::HashMap;
use std::path::PathBuf;
use std::rc::Rc;

/// What was read so far.
pub(super) struct Cache<'c> {
    context: &'c Context,
    /// By the path of the plan.
    experiments: RefCell<HashMap<String, Rc<Experiment>>>,
    /// By the folder of the set.
    sets: RefCell<HashMap<PathBuf, Rc<Loaded>>>,
}

impl<'c> Cache<'c> {
    pub(super) fn new(context: &'c Context) -> Self {
        Cache { context, experiments: RefCell::default(), sets: RefCell::default() }
    }

    /// The experiment that EXP names, as for [`PlanFile::open`].
    pub(super) fn experiment(&self, exp: &str) -> Result<Rc<Experiment>, Failure> {
        let plan = PlanFile::open(exp)?;
        if let Some(known) = self.experiments.borrow().get(&plan.file) {
            return Ok(Rc::clone(known));
        }
        let file = plan.file.clone();
        let experiment = Rc::new(Experiment::of(self.context, plan, exp)?);
        self.experiments.borrow_mut().insert(file, Rc::clone(&experiment));
        Ok(experiment)
    }

    /// The records of a set of an experiment.
    pub(super) fn records(&self, experiment: &Experiment, set: &str) -> Result<Rc<Loaded>, Failure> {
        let folder = experiment.set(set)?;
        if let Some(known) = self.sets.borrow().get(&folder) {
            return Ok(Rc::clone(known));
        }
        let loaded = Rc::new(Loaded::new(self.context, experiment, set)?);
        self.sets.borrow_mut().insert(folder, Rc::clone(&loaded));
        Ok(loaded)
    }
}
