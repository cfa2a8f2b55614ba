//! The states of jobs, and why jobs wait, in plain words. Slurm's own word follows in parentheses, so that it can be
//! looked up.

use serde::{Deserialize, Serialize};

/// The state of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum JobState {
    /// It waits. The string is Slurm's word for the reason.
    Waiting(String),
    /// It runs, or is about to.
    Running,
    /// It has ended. The string is Slurm's word for how it ended.
    Ended(String),
}

/// A reason why a job waits.
struct Reason {
    /// Slurm's words for it.
    words: &'static [&'static str],
    text: &'static str,
    /// What the user can do about it; empty if there is nothing to do but wait.
    remedy: &'static str,
    /// Whether the job waits for ever unless the user does something.
    is_hopeless: bool,
}

const fn reason(words: &'static [&'static str], text: &'static str, remedy: &'static str) -> Reason {
    Reason { words, text, remedy, is_hopeless: false }
}

const fn hopeless(words: &'static [&'static str], text: &'static str, remedy: &'static str) -> Reason {
    Reason { words, text, remedy, is_hopeless: true }
}

const LESS: &str = "cancel, and ask for less: `cpus`, `memory` or `constraint` in [slurm], --nodes, --time";

const REASONS: &[Reason] = &[
    reason(
        &["Resources"],
        "waiting for free nodes",
        "fewer --nodes, a shorter --time, or `exclusive = false` in [slurm] start sooner",
    ),
    reason(
        &["Priority"],
        "waiting behind jobs of higher priority",
        "a shorter --time fits into gaps of the schedule",
    ),
    reason(
        &["BeginTime"],
        "waiting for its begin time; after the failure of a node, Slurm pauses for two minutes",
        "",
    ),
    reason(&["Dependency"], "waiting for another job", ""),
    hopeless(
        &["DependencyNeverSatisfied"],
        "waiting for ever, because another job failed",
        "cancel, and remove the dependency from `lines` in [slurm]",
    ),
    reason(&["JobArrayTaskLimit"], "waiting for other tasks of its array", ""),
    hopeless(
        &["PartitionConfig", "PartitionTimeLimit", "PartitionNodeLimit", "BadConstraints"],
        "waiting for ever: it asks for more than the partition has",
        LESS,
    ),
    reason(
        &[
            "ReqNodeNotAvail",
            "PartitionDown",
            "PartitionInactive",
            "NodeDown",
            "Nodes_required_for_job_are_DOWN",
        ],
        "waiting: the nodes are not available",
        "name another partition in [slurm]; `sinfo` shows which have nodes, and `sinfo -R` why nodes are down or drained",
    ),
    reason(
        &[
            "QOSMaxSubmitJobPerUserLimit",
            "AssocMaxSubmitJobLimit",
            "QOSMaxJobsPerUserLimit",
            "AssocMaxJobsLimit",
        ],
        "waiting: you have as many jobs as the site allows",
        "wait until others have ended, or use fewer --nodes",
    ),
    hopeless(
        &[
            "QOSMaxCpuPerJobLimit",
            "QOSMaxMemoryPerJob",
            "QOSMaxWallDurationPerJobLimit",
            "AssocMaxWallDurationPerJobLimit",
        ],
        "waiting for ever: it asks for more than the site allows for a job",
        LESS,
    ),
    hopeless(
        &[
            "JobHeldUser",
            "JobHeldAdmin",
            "JobHoldMaxRequeue",
            "launch_failed_requeued_held",
            "job_requeued_in_held_state",
        ],
        "held",
        "`scontrol release` lets your own jobs go; ask the administrators about theirs",
    ),
    hopeless(
        &["InvalidAccount", "InvalidQOS"],
        "waiting for ever: the account or quality of service is not valid",
        "cancel, and correct `account` or `lines` in [slurm]",
    ),
    reason(&["None", ""], "waiting to be scheduled", ""),
];

impl JobState {
    /// Reads Slurm's words for a state and its reason. An unknown state counts as an end.
    pub fn of(state: &str, reason: &str) -> Self {
        match state {
            "PENDING" | "REQUEUED" | "REQUEUE_HOLD" | "SPECIAL_EXIT" => JobState::Waiting(reason.to_owned()),
            "RUNNING" | "CONFIGURING" | "COMPLETING" | "SUSPENDED" | "STOPPED" | "SIGNALING"
            | "STAGE_OUT" | "RESIZING" => JobState::Running,
            ended => JobState::Ended(ended.to_owned()),
        }
    }

    /// Whether the job has not ended.
    pub fn is_live(&self) -> bool {
        !matches!(self, JobState::Ended(_))
    }

    /// Why the job waits, or how it ended, in words.
    pub fn explanation(&self) -> String {
        let (known, word) = match self {
            JobState::Running => return "running".to_owned(),
            JobState::Waiting(word) => (self.reason().map(|reason| reason.text), word),
            JobState::Ended(word) => (how_ended(word), word),
        };
        match known {
            Some(known) if ["", "None"].contains(&word.as_str()) => known.to_owned(),
            Some(known) => format!("{known} ({word})"),
            None => word.to_lowercase().replace('_', " "),
        }
    }

    /// What the user can do if the job waits, or if it was ended before it was done.
    pub fn remedy(&self) -> Option<&'static str> {
        let remedy = match self {
            JobState::Ended(word) if word.starts_with("OUT_OF_ME") => OUT_OF_MEMORY,
            _ => self.reason()?.remedy,
        };
        (!remedy.is_empty()).then_some(remedy)
    }

    /// Whether the job waits for ever unless the user does something.
    pub fn is_hopeless(&self) -> bool {
        self.reason().is_some_and(|reason| reason.is_hopeless)
    }

    /// Whether something other than the pilot itself or the user has ended it.
    pub fn was_ended(&self) -> bool {
        matches!(self, JobState::Ended(word) if how_ended(word).is_some())
    }

    fn reason(&self) -> Option<&'static Reason> {
        let JobState::Waiting(word) = self else { return None };
        // Slurm may add details after a comma, such as the nodes that are not available.
        // Some versions write words that consist of several words with spaces, others with underscores.
        let word = word.split(',').next().unwrap_or_default().trim().replace(' ', "_");
        REASONS.iter().find(|reason| reason.words.contains(&word.as_str()))
    }
}

/// What to do about pilots that were killed for memory.
pub const OUT_OF_MEMORY: &str =
    "their runs go back to the queue; give the plan a limit on memory, or raise `memory` in [slurm]";

/// The words for an end that neither the pilot nor the user has caused.
fn how_ended(word: &str) -> Option<&'static str> {
    Some(match word {
        "OUT_OF_MEMORY" | "OUT_OF_ME+" => "killed for memory",
        "TIMEOUT" => "ended by Slurm's time limit",
        "NODE_FAIL" => "lost with its node",
        "BOOT_FAIL" => "not started, because its node did not boot",
        "PREEMPTED" => "preempted by another job",
        "DEADLINE" => "ended at its deadline",
        "FAILED" => "failed",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waiting(word: &str) -> JobState {
        JobState::of("PENDING", word)
    }

    #[test]
    fn reasons_are_words_with_a_remedy() {
        assert_eq!(waiting("Resources").explanation(), "waiting for free nodes (Resources)");
        assert_eq!(waiting("").explanation(), "waiting to be scheduled");
        assert_eq!(waiting("None").explanation(), "waiting to be scheduled");
        assert_eq!(waiting("SomethingNew").explanation(), "somethingnew");
        assert!(waiting("PartitionConfig").is_hopeless() && !waiting("Priority").is_hopeless());
        assert_eq!(waiting("PartitionConfig").remedy(), Some(LESS));
        let down = waiting("ReqNodeNotAvail, UnavailableNodes:n2");
        assert_eq!(
            down.explanation(),
            "waiting: the nodes are not available (ReqNodeNotAvail, UnavailableNodes:n2)"
        );
        assert!(down.remedy().is_some());
        let drained =
            "Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions";
        for word in [drained.to_owned(), drained.replace(' ', "_")] {
            let state = waiting(&word);
            assert_eq!(state.explanation(), format!("waiting: the nodes are not available ({word})"));
            assert_eq!(state.remedy(), down.remedy());
        }
        assert!(waiting("launch failed requeued held").is_hopeless());
    }

    #[test]
    fn ends_that_others_caused_are_named() {
        let memory = JobState::of("OUT_OF_MEMORY", "None");
        assert_eq!(memory.explanation(), "killed for memory (OUT_OF_MEMORY)");
        assert!(memory.was_ended() && memory.remedy() == Some(OUT_OF_MEMORY));
        for word in ["COMPLETED", "CANCELLED"] {
            assert!(!JobState::of(word, "None").was_ended(), "{word}");
        }
        assert_eq!(JobState::of("RUNNING", "None").remedy(), None);
    }
}
