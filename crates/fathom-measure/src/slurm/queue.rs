//! The queue as squeue shows it.

use super::tool::{RunningTool, ToolError};
use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;

/// Separated by bars, the reason last: it is free text.
const FORMAT: &str = "%F|%K|%T|%N|%j|%r";

/// One task of one job array.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct TaskId {
    /// The job's number.
    pub(super) job: u64,
    /// Which of its tasks.
    pub(super) index: usize,
}

/// A task as squeue shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct QueuedTask {
    /// Which.
    pub(super) id: TaskId,
    /// How it stands.
    pub(super) state: TaskState,
    /// Where it runs or ran; empty before.
    pub(super) node: String,
    /// The job's name.
    pub(super) name: String,
    /// Why it waits, or why it ended.
    pub(super) reason: String,
}

/// How a task stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TaskState {
    /// It waits for its turn.
    Waiting,
    /// It waits, and Slurm will never start it on its own: starting it failed before.
    Stuck,
    /// It runs.
    Running,
    /// It ended and its node is being cleaned; how it ended is said afterwards.
    Ending,
    /// It ended so: COMPLETED, FAILED, NODE_FAIL and others.
    Ended(String),
}

impl TaskState {
    /// Reads it as squeue and scontrol write it.
    pub(super) fn parse(state: &str, reason: &str) -> TaskState {
        let reason = reason.replace('_', " ");
        match state {
            "PENDING"
                if reason.contains("launch failed requeued held")
                    || reason.contains("requeued in held state") =>
            {
                TaskState::Stuck
            }
            "REQUEUE_HOLD" | "SPECIAL_EXIT" => TaskState::Stuck,
            "PENDING" | "REQUEUED" | "REQUEUE_FED" | "RESV_DEL_HOLD" | "CONFIGURING" => {
                TaskState::Waiting
            }
            "RUNNING" | "SUSPENDED" | "STOPPED" | "RESIZING" | "SIGNALING" => TaskState::Running,
            "COMPLETING" | "STAGE_OUT" => TaskState::Ending,
            _ => TaskState::Ended(state.to_string()),
        }
    }
}

/// Asks for all tasks of this user that the controller knows, ended ones too. Never for single
/// jobs: squeue takes one that was forgotten for an error.
pub(super) fn ask_queue() -> Result<RunningTool, ToolError> {
    let mut arguments = vec!["--noheader", "--array", "--states=all"];
    // Only our own: the controller then need not send the jobs of everybody.
    let user = std::fs::metadata("/proc/self").map(|own| format!("--user={}", own.uid()));
    arguments.extend(user.as_deref().ok());
    let format = format!("--format={FORMAT}");
    arguments.push(&format);
    RunningTool::begin("squeue", arguments)
}

/// The tasks of jobs whose names begin so.
pub(super) fn parse_queue(text: &str, name_start: &str) -> BTreeMap<TaskId, QueuedTask> {
    let ours = |task: &QueuedTask| task.name.starts_with(name_start);
    text.lines().filter_map(parse_line).filter(ours).map(|task| (task.id, task)).collect()
}

fn parse_line(line: &str) -> Option<QueuedTask> {
    let mut fields = line.trim().splitn(6, '|');
    let job = fields.next()?.parse().ok()?;
    let index = match fields.next()? {
        // A job that is not an array.
        "N/A" => 0,
        index => index.parse().ok()?,
    };
    let state = fields.next()?;
    let node = fields.next()?.to_string();
    let name = fields.next()?.to_string();
    let reason = fields.next()?.to_string();
    let state = TaskState::parse(state, &reason);
    Some(QueuedTask { id: TaskId { job, index }, state, node, name, reason })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As Slurm 22.05 wrote it.
    const SEEN: &str = "\
13|0|PENDING||fathom-a1-1|BeginTime
13|1|RUNNING|node2|fathom-a1-1|None
14|0|PENDING||fathom-a1-2|Resources
7|0|FAILED|node1|wrap|JobLaunchFailure
10|N/A|FAILED||s.sh|BadConstraints
1|5|FAILED|node1|fathom-a1-3|NonZeroExitCode
1|0|COMPLETED|node1|fathom-a1-3|None
15|2|PENDING||fathom-a1-4|launch failed requeued held
16|2|COMPLETING|node1|fathom-a10-4|None
";

    #[test]
    fn only_our_tasks_and_how_they_stand() {
        let queue = parse_queue(SEEN, "fathom-a1-");
        let state = |job, index| queue.get(&TaskId { job, index }).map(|task| task.state.clone());
        assert_eq!(queue.len(), 6);
        assert_eq!(state(13, 0), Some(TaskState::Waiting));
        assert_eq!(state(13, 1), Some(TaskState::Running));
        assert_eq!(state(1, 5), Some(TaskState::Ended("FAILED".to_string())));
        assert_eq!(state(1, 0), Some(TaskState::Ended("COMPLETED".to_string())));
        assert_eq!(state(15, 2), Some(TaskState::Stuck));
        assert_eq!(state(7, 0), None);
        assert_eq!(queue[&TaskId { job: 13, index: 1 }].node, "node2");
        assert_eq!(queue[&TaskId { job: 14, index: 0 }].reason, "Resources");
    }

    #[test]
    fn a_job_that_is_no_array_has_task_0_and_other_lines_are_passed_over() {
        let queue = parse_queue("CLUSTER: fathom\n\n10|N/A|RUNNING|n1|f|None\n|||\nx|y\n", "f");
        assert_eq!(queue.keys().copied().collect::<Vec<_>>(), [TaskId { job: 10, index: 0 }]);
    }
}
