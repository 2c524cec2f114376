//! scontrol's output about jobs and the cluster.

use super::queue::TaskId;
use super::tool::{ToolError, ask};
use std::collections::BTreeMap;

/// How a task ended.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct TaskEnd {
    /// COMPLETED, FAILED, NODE_FAIL and others, or how it stands.
    pub(super) state: String,
    /// Its exit status.
    pub(super) status: i32,
    /// The signal that ended it, or 0.
    pub(super) signal: i32,
    /// The node on which it ran, where it ran.
    pub(super) node: Option<String>,
}

/// Asks how the tasks of a job ended; none if the controller has forgotten it.
pub(super) fn task_ends(
    job: u64,
    tick: &mut dyn FnMut(),
) -> Result<BTreeMap<TaskId, TaskEnd>, ToolError> {
    match ask("scontrol", ["--oneliner", "show", "job", &job.to_string()], tick) {
        Ok(text) => Ok(text.lines().filter_map(parse_job).collect()),
        Err(ToolError::Refused { said })
            if said.iter().any(|line| line.contains("Invalid job")) =>
        {
            Ok(BTreeMap::new())
        }
        Err(error) => Err(error),
    }
}

/// How many tasks a job array may have; 0 where there are no arrays.
pub(super) fn largest_array(tick: &mut dyn FnMut()) -> Result<usize, ToolError> {
    // Without the line, Slurm's own default.
    Ok(parse_largest_array(&ask("scontrol", ["show", "config"], tick)?).unwrap_or(1001))
}

pub(super) fn parse_job(line: &str) -> Option<(TaskId, TaskEnd)> {
    // The first of each name counts: comments and commands of users come later in the line.
    let value = |name: &str| {
        line.split_whitespace()
            .find_map(|field| field.strip_prefix(name)?.strip_prefix('='))
            .filter(|value| !value.is_empty() && *value != "(null)")
    };
    let own = value("JobId")?;
    let id = match (value("ArrayJobId"), value("ArrayTaskId")) {
        // Waiting tasks share one line, with a range for an index; they have not ended.
        (Some(job), Some(index)) => TaskId { job: job.parse().ok()?, index: index.parse().ok()? },
        _ => TaskId { job: own.parse().ok()?, index: 0 },
    };
    let (status, signal) = value("ExitCode").and_then(|code| code.split_once(':'))?;
    let end = TaskEnd {
        state: value("JobState")?.to_string(),
        status: status.parse().ok()?,
        signal: signal.parse().ok()?,
        node: value("BatchHost").or(value("NodeList")).map(str::to_string),
    };
    Some((id, end))
}

pub(super) fn parse_largest_array(config: &str) -> Option<usize> {
    let line = config.lines().find(|line| line.trim_start().starts_with("MaxArraySize"))?;
    line.split_once('=')?.1.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As Slurm 22.05 wrote it, without some fields.
    const FAILED: &str = "JobId=5 ArrayJobId=1 ArrayTaskId=3 JobName=fathom-x.1 UserId=root(0) \
        GroupId=root(0) Account=(null) QOS=(null) JobState=FAILED Reason=NonZeroExitCode \
        Dependency=(null) Requeue=1 Restarts=0 BatchFlag=1 Reboot=0 ExitCode=3:0 \
        RunTime=00:00:03 TimeLimit=01:00:00 NodeList=node2 BatchHost=node2 NumNodes=1 \
        Command=/a/JobState=x WorkDir=/a JobState=OTHER Power= ";

    #[test]
    fn how_a_task_ended() {
        let end = TaskEnd {
            state: "FAILED".to_string(),
            status: 3,
            signal: 0,
            node: Some("node2".to_string()),
        };
        assert_eq!(parse_job(FAILED), Some((TaskId { job: 1, index: 3 }, end)));
    }

    #[test]
    fn a_launch_that_failed_and_one_that_waits() {
        let line = "JobId=7 ArrayJobId=7 ArrayTaskId=0 JobName=wrap JobState=FAILED \
                    Reason=JobLaunchFailure ExitCode=0:53 NodeList=node1 BatchHost=node1";
        let (id, end) = parse_job(line).unwrap();
        assert_eq!((id.job, id.index, end.status, end.signal), (7, 0, 0, 53));
        let waiting = "JobId=14 ArrayJobId=14 ArrayTaskId=0-7%2 JobState=PENDING ExitCode=0:0";
        assert_eq!(parse_job(waiting), None);
        let single = "JobId=10 JobName=s.sh JobState=FAILED ExitCode=0:1 NodeList=(null)";
        let (id, end) = parse_job(single).unwrap();
        assert_eq!((id.job, id.index, end.node), (10, 0, None));
        assert_eq!(parse_job(""), None);
    }

    #[test]
    fn the_largest_array() {
        let seen =
            "MaxArrayTasks           = 3\nMaxArraySize            = 21\nMinJobAge = 300 sec\n";
        assert_eq!(parse_largest_array(seen), Some(21));
        assert_eq!(parse_largest_array("x"), None);
    }
}
