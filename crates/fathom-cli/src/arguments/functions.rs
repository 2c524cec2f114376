//! The options of `fathom compare` that compare functions of two builds.

use clap::Args;
use std::path::PathBuf;

/// Options about commands, which have no meaning for functions.
const OF_COMMANDS: [&str; 36] = [
    "names",
    "scans",
    "steps",
    "lists",
    "reference",
    "files",
    "baseline",
    "max_pairs",
    "min_pairs",
    "pairs",
    "warmup",
    "setup",
    "prepare",
    "conclude",
    "cleanup",
    "between",
    "shell",
    "no_shell",
    "ignore_failure",
    "timeout",
    "output_to",
    "show_output",
    "input",
    "cpu",
    "env_offset",
    "counters",
    "metrics",
    "on",
    "assume_independent",
    "steady_state",
    "outliers",
    "outlier_method",
    "outlier_grid",
    "correlogram",
    "session_dir",
    "style",
];

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Functions")]
pub(crate) struct FunctionArguments {
    /// Compare two bench executables built with fathom-bench, function by function; regular
    /// expressions after it choose functions
    #[arg(
        long,
        num_args = 2,
        value_names = ["OLD", "NEW"],
        conflicts_with = "rev",
        conflicts_with_all = OF_COMMANDS
    )]
    pub(crate) bench: Vec<PathBuf>,

    /// Compare the benches of the work tree with those of a git revision, built in a worktree of
    /// its own; regular expressions after it choose functions
    #[arg(long, value_name = "REV", conflicts_with_all = OF_COMMANDS)]
    pub(crate) rev: Option<String>,

    /// Pass these arguments to cargo when it builds: '-p parser --features simd'
    #[arg(long, value_name = "WORDS", requires = "rev", allow_hyphen_values = true)]
    pub(crate) cargo_args: Option<String>,

    /// Match function names exactly, not as regular expressions
    #[arg(long)]
    pub(crate) exact: bool,

    /// Skip functions that match this (repeatable)
    #[arg(long, value_name = "FILTER")]
    pub(crate) skip: Vec<String>,
}

impl FunctionArguments {
    /// Whether functions are compared, not commands.
    pub(crate) fn are_given(&self) -> bool {
        !self.bench.is_empty() || self.rev.is_some()
    }
}
