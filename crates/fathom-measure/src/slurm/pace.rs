//! How often Slurm and its files are looked at, and how long is waited for them.

use std::time::Duration;

/// How often Slurm and its files are looked at, and how long is waited for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// Between two looks for results.
    pub results: Duration,
    /// Between the first looks at the queue. While nothing changes they become rarer, because one
    /// controller answers everybody on the cluster.
    pub queue_first: Duration,
    /// Between two looks at the queue at most.
    pub queue_longest: Duration,
    /// How long after the end of a task its result may take to be seen here.
    pub grace: Duration,
    /// How long Slurm may give no answer before that is an error. Controllers do restart.
    pub patience: Duration,
    /// How long cancelled tasks are waited for.
    pub farewell: Duration,
    /// How often an execution that was lost with its node is tried again.
    pub retries: u32,
}

impl Default for Pace {
    fn default() -> Pace {
        Pace {
            results: Duration::from_millis(200),
            queue_first: Duration::from_secs(2),
            queue_longest: Duration::from_secs(15),
            grace: Duration::from_secs(10),
            patience: Duration::from_secs(300),
            farewell: Duration::from_secs(20),
            retries: 3,
        }
    }
}
