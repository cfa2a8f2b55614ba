//! Experiments on a Slurm cluster. Slurm places, starts, limits and restarts jobs; the queue on the shared folder
//! distributes the runs.
//!
//! A *pilot* is a task of a job array that runs this program on the folder of the experiment. It claims batches of runs
//! until none is left or its time is up. There is no server: pilots, local runners and the user's own commands meet
//! only in the set's folder. The folder `slurm/` of the set holds the program under its hash, the job script, the list
//! of submitted jobs and the output of the pilots.
//!
//! ```text
//! run --on slurm ─► queue/todo, slurm/program-HASH, slurm/pilot.sh ─► sbatch ─► slurm/jobs
//!                                                                       └─► pilots ─► segments of the set
//! ```
//!
//! Slurm's memory is short: it forgets a finished job after minutes. So the files of the set are always read first, and
//! a job that Slurm does not know counts as ended.

mod cluster;
mod lately;
mod log;
mod probe;
mod script;
mod settings;
mod size;
mod spool;
mod state;

pub use cluster::{Cluster, ClusterError, Job, Partition, time_of_option};
pub use lately::Lately;
pub use log::{killed_for_memory, last_line, last_lines};
pub use probe::{Facts, Lock, Probe, Report, TOKENS};
pub use script::{HIDDEN, PathError, Pilots, READ_ONLY, script};
pub use settings::{Settings, reserved};
pub use size::{MARGIN, Size, SizeError, longest};
pub use spool::{Spool, Submitted, altered_program};
pub use state::{JobState, OUT_OF_MEMORY};

use crate::process::Identity;
use serde::{Deserialize, Serialize};

/// The beginning of the names of a process's attempts. The name of a process is unique. On a cluster, the
/// pilot's name is added, because the name of the process does not say which pilot it is.
pub(super) fn attempts_of(process: &Identity) -> String {
    InJob::this().map_or(process.name().to_owned(), |job| format!("{}.{}", process.name(), job.name()))
}

/// The job in which a process runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InJob {
    /// The id of the job or, for a task of an array, of the array.
    pub job: String,
    /// The index of the task; `None` if the job is not an array.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<u32>,
    /// How often Slurm has restarted the job.
    pub restarts: u32,
}

impl InJob {
    /// The job of this process, according to the variables that Slurm sets; `None` outside jobs.
    pub fn this() -> Option<Self> {
        let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
        let job = std::env::var("SLURM_ARRAY_JOB_ID").or_else(|_| std::env::var("SLURM_JOB_ID")).ok()?;
        // Slurm sets the count only after the first restart.
        let restarts = number("SLURM_RESTART_COUNT").unwrap_or(0);
        Some(InJob { job, task: number("SLURM_ARRAY_TASK_ID"), restarts })
    }

    /// A name that is different after each restart, such as `14_3r1` for task 3 of job 14 after its first restart.
    pub fn name(&self) -> String {
        let task = self.task.map_or(String::new(), |task| format!("_{task}"));
        format!("{}{task}r{}", self.job, self.restarts)
    }
}
