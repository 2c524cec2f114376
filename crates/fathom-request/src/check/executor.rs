//! Where executions run.

use crate::command_line::CommandLine;
use crate::value::{Named, as_texts, as_texts_or_none};
use fathom_measure::slurm::{MemorySize, SbatchOption, SlurmName, SlurmOptions, TimeLimit};
use serde::{Deserialize, Serialize};

/// Where executions run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Executor {
    /// On this machine.
    Local {
        /// This many at once.
        jobs: u16,
    },
    /// On a cluster, as job arrays.
    Slurm(SlurmSettings),
}

impl Default for Executor {
    fn default() -> Executor {
        Executor::Local { jobs: 1 }
    }
}

/// A place where executions run, by its name alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ExecutorName {
    /// This machine.
    #[default]
    Local,
    /// A cluster.
    Slurm,
}

impl Named for ExecutorName {
    const ALL: &'static [ExecutorName] = &[ExecutorName::Local, ExecutorName::Slurm];

    fn name(self) -> &'static str {
        match self {
            ExecutorName::Local => "local",
            ExecutorName::Slurm => "slurm",
        }
    }

    fn summary(self) -> Option<&'static str> {
        Some(match self {
            ExecutorName::Local => "On this machine",
            ExecutorName::Slurm => "On a Slurm cluster, as job arrays",
        })
    }
}

/// Slurm's settings for jobs.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct SlurmSettings {
    /// Where jobs run.
    #[serde(with = "as_texts_or_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub partition: Option<SlurmName>,
    /// How long one execution may take.
    #[serde(with = "as_texts_or_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub time: Option<TimeLimit>,
    /// The memory of one execution.
    #[serde(with = "as_texts_or_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub memory: Option<MemorySize>,
    /// The account to charge.
    #[serde(with = "as_texts_or_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub account: Option<SlurmName>,
    /// Any other options of sbatch.
    #[serde(with = "as_texts")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub options: Vec<SbatchOption>,
    /// At most this many executions at once; 64 if it is not set.
    pub width: Option<u16>,
}

impl SlurmSettings {
    /// As the executor takes them.
    #[must_use]
    pub fn slurm_options(&self) -> SlurmOptions {
        SlurmOptions {
            partition: self.partition.clone(),
            time: self.time.clone(),
            memory: self.memory.clone(),
            account: self.account.clone(),
            extra: self.options.clone(),
            width: self.width.map_or(SlurmOptions::default().width, usize::from),
        }
    }
}

impl Executor {
    /// Which place it is.
    #[must_use]
    pub fn name(&self) -> ExecutorName {
        match self {
            Executor::Local { .. } => ExecutorName::Local,
            Executor::Slurm(_) => ExecutorName::Slurm,
        }
    }

    pub(super) fn write(&self, line: &mut CommandLine) {
        line.value("--executor", &self.name(), &ExecutorName::default());
        match self {
            Executor::Local { jobs } => line.value("--jobs", jobs, &1),
            Executor::Slurm(settings) => {
                let SlurmSettings { partition, time, memory, account, options, width } = settings;
                line.optional("--slurm-partition", partition.as_ref());
                line.optional("--slurm-time", time.as_ref());
                line.optional("--slurm-memory", memory.as_ref());
                line.optional("--slurm-account", account.as_ref());
                line.repeated("--slurm-option", options);
                line.optional("--slurm-width", width.as_ref());
            }
        }
    }
}
