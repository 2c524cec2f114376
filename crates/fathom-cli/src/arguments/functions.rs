//! What `fathom compare` takes to compare functions in two builds.

use clap::Args;
use std::path::PathBuf;

/// What is about commands has no meaning for functions.
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
    /// Compare two bench executables built with fathom-bench, function by function; what follows
    /// are regular expressions that choose functions
    #[arg(
        long,
        num_args = 2,
        value_names = ["OLD", "NEW"],
        conflicts_with = "rev",
        conflicts_with_all = OF_COMMANDS
    )]
    pub(crate) bench: Vec<PathBuf>,

    /// Compare the benches of the work tree with those of another git revision, which is built
    /// aside; what follows are regular expressions that choose functions
    #[arg(long, value_name = "REV", conflicts_with_all = OF_COMMANDS)]
    pub(crate) rev: Option<String>,

    /// Words for cargo when it builds: '-p parser --features simd'
    #[arg(long, value_name = "WORDS", requires = "rev", allow_hyphen_values = true)]
    pub(crate) cargo_args: Option<String>,

    /// Take the names of functions as they are, not as regular expressions
    #[arg(long)]
    pub(crate) exact: bool,

    /// Leave out functions that match this; may be repeated
    #[arg(long, value_name = "FILTER")]
    pub(crate) skip: Vec<String>,
}

impl FunctionArguments {
    /// Whether functions are to be compared.
    pub(crate) fn are_given(&self) -> bool {
        !self.bench.is_empty() || self.rev.is_some()
    }
}
