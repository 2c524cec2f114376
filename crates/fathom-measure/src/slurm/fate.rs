//! What became of a task that ended without a result.

use super::job_details::TaskEnd;
use super::task::{EXIT_INTERRUPTED, EXIT_MISPLACED};

/// Slurm's mark for a job whose script could not even be started.
const LAUNCH_FAILED: i32 = 53;

/// What became of a task that ended without a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fate {
    /// It was lost for reasons of the cluster; the same ticket is worth another attempt.
    Lost(String),
    /// The node has no such program, or does not see the folder: all others will fail as well.
    Misplaced(String),
    /// It failed, and would fail again.
    Failed {
        /// How.
        how: String,
        /// What to do.
        hint: Option<String>,
    },
}

/// Judges by Slurm's record of the task's end; `None` if it has forgotten it. `has_log` is whether
/// anything arrived in the folder.
pub(super) fn fate(end: Option<&TaskEnd>, has_log: bool) -> Fate {
    let Some(end) = end else {
        return Fate::Lost("Slurm has no record of the task, and it left no result".to_string());
    };
    let node = end.node.as_deref().unwrap_or("a node");
    let failed = |how: String, hint: &str| Fate::Failed { how, hint: Some(hint.to_string()) };
    match end.state.as_str() {
        "TIMEOUT" => failed(
            format!("exceeded its job's time limit on {node}"),
            "Raise --slurm-time, or set --timeout to judge what was seen until then.",
        ),
        "DEADLINE" => failed(
            format!("did not finish before its job's deadline on {node}"),
            "Remove --slurm-option=--deadline, or set a later one.",
        ),
        "OUT_OF_MEMORY" => failed(
            format!("needed more memory than its job has on {node}"),
            "Raise --slurm-memory.",
        ),
        "CANCELLED" => failed(
            "was cancelled in Slurm, but not by Fathom".to_string(),
            "Find out who cancels jobs; `fathom resume` continues without it.",
        ),
        "FAILED" => failure(end, node, has_log),
        "COMPLETED" => Fate::Misplaced(format!(
            "a task succeeded on {node}, but its result is not visible here. Use a folder that \
             all nodes share."
        )),
        "NODE_FAIL" => Fate::Lost(format!("{node} failed")),
        "BOOT_FAIL" => Fate::Lost(format!("{node} did not start")),
        "PREEMPTED" => Fate::Lost(format!("higher-priority jobs preempted {node}")),
        other => Fate::Lost(format!("Slurm reports {other}")),
    }
}

fn failure(end: &TaskEnd, node: &str, has_log: bool) -> Fate {
    match (end.status, end.signal) {
        (126 | 127, _) => Fate::Misplaced(format!(
            "Fathom's executable cannot run on {node}. Install it under a path that is the same \
             on all nodes."
        )),
        (EXIT_MISPLACED, _) => Fate::Misplaced(format!(
            "{node} lacks something that Fathom needs. Use folders that all nodes share under the \
             same path."
        )),
        (0, LAUNCH_FAILED) if !has_log => Fate::Misplaced(format!(
            "a task could not start on {node}, which seems not to see the session folder. Use a \
             folder that all nodes share under the same path."
        )),
        (0, LAUNCH_FAILED) => Fate::Lost(format!("{node} could not start the task")),
        // Fathom's tasks never end with 1, but Slurm says so of starts that went wrong.
        (1, 0) => Fate::Lost(format!("{node} could not start the task")),
        // Fathom never ends tasks whose state is not CANCELLED, so the node goes down.
        (EXIT_INTERRUPTED, _) | (0, 15) => Fate::Lost(format!("{node} ended the task")),
        (0, 9) => Fate::Failed {
            how: format!("was killed by signal 9 on {node}, together with Fathom"),
            hint: Some("If it needs a lot of memory, raise --slurm-memory.".to_string()),
        },
        (0, signal) => Fate::Failed {
            how: format!("could not be executed: Fathom was killed by signal {signal} on {node}"),
            hint: None,
        },
        (status, _) => Fate::Failed {
            how: format!("could not be executed: Fathom exited with status {status} on {node}"),
            hint: None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(state: &str, status: i32, signal: i32) -> TaskEnd {
        let node = Some("node1".to_string());
        TaskEnd { state: state.to_string(), status, signal, node }
    }

    #[test]
    fn what_the_cluster_lost_is_tried_again() {
        for state in ["NODE_FAIL", "BOOT_FAIL", "PREEMPTED", "REVOKED", "SOMETHING_NEW"] {
            assert!(matches!(fate(Some(&end(state, 0, 0)), true), Fate::Lost(_)), "{state}");
        }
        assert!(matches!(fate(None, true), Fate::Lost(_)));
        assert!(matches!(fate(Some(&end("FAILED", EXIT_INTERRUPTED, 0)), true), Fate::Lost(_)));
        assert!(matches!(fate(Some(&end("FAILED", 0, 15)), true), Fate::Lost(_)));
        assert!(matches!(fate(Some(&end("FAILED", 1, 0)), true), Fate::Lost(_)));
        assert!(matches!(fate(Some(&end("FAILED", 0, 53)), true), Fate::Lost(_)));
    }

    #[test]
    fn limits_and_crashes_are_failures_that_say_what_to_do() {
        let hint = |state: &str| match fate(Some(&end(state, 0, 0)), true) {
            Fate::Failed { hint, .. } => hint.unwrap(),
            other => panic!("{state}: {other:?}"),
        };
        assert!(hint("TIMEOUT").contains("--slurm-time"));
        assert!(hint("OUT_OF_MEMORY").contains("--slurm-memory"));
        assert!(hint("CANCELLED").contains("resume"));
        assert!(hint("DEADLINE").contains("--deadline"));
        for (status, signal) in [(70, 0), (101, 0), (0, 9), (0, 11)] {
            let fate = fate(Some(&end("FAILED", status, signal)), true);
            assert!(matches!(fate, Fate::Failed { .. }), "{status}:{signal}");
        }
    }

    #[test]
    fn a_program_or_folder_that_a_node_does_not_see_is_no_failure_of_the_execution() {
        for (state, status, signal, has_log) in [
            ("FAILED", 127, 0, true),
            ("FAILED", 126, 0, true),
            ("FAILED", EXIT_MISPLACED, 0, true),
            ("FAILED", 0, 53, false),
            ("COMPLETED", 0, 0, true),
        ] {
            let fate = fate(Some(&end(state, status, signal)), has_log);
            assert!(matches!(fate, Fate::Misplaced(_)), "{state} {status}:{signal}");
        }
    }
}
