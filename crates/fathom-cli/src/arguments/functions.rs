//! The options of `fathom compare` that compare functions of two builds.

use super::output::OutputArguments;
use super::refusals::{options_of, refused_unless_read};
use super::requests::READ_FOR_FUNCTIONS;
use clap::{Arg, ArgGroup, Args};
use std::path::PathBuf;

#[derive(Debug, Clone, Args)]
#[command(
    next_help_heading = "Functions",
    group(ArgGroup::new("builds").args(["bench", "rev"]).multiple(true)),
)]
pub(crate) struct FunctionArguments {
    /// Compare two builds of a bench function by function: two folders of cargo packages, which are
    /// built and linked in many layouts, or two executables; regular expressions after it choose
    /// functions
    #[arg(long, num_args = 2, value_names = ["OLD", "NEW"], conflicts_with = "rev")]
    pub(crate) bench: Vec<PathBuf>,

    /// Compare the benches of the work tree with those of a git revision, built in a worktree of
    /// its own; regular expressions after it choose functions
    #[arg(long, value_name = "REV")]
    pub(crate) rev: Option<String>,

    /// Pass these arguments to cargo when it builds (--rev, or --bench with packages): '-p parser
    /// --features simd'
    #[arg(long, value_name = "WORDS", requires = "builds", allow_hyphen_values = true)]
    pub(crate) cargo_args: Option<String>,

    /// Link both builds N times, each time in another random order; 1 compares the executables as
    /// they are [default: as many as the time allows]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub(crate) layouts: Option<u64>,

    /// Let gates fail for functions whose machine code is unchanged, too
    #[arg(long)]
    pub(crate) gate_unchanged: bool,

    /// Match function names exactly, not as regular expressions
    #[arg(long)]
    pub(crate) exact: bool,

    /// Skip functions that match this (repeatable)
    #[arg(long, value_name = "FILTER")]
    pub(crate) skip: Vec<String>,
}

/// Refuses the options about commands, which have no meaning for functions: all that a comparison of
/// functions does not read.
pub(super) fn refused_for_functions() -> impl Fn(Arg) -> Arg {
    let mut read = options_of::<FunctionArguments>();
    // Any report is written in any of these ways.
    read.extend(options_of::<OutputArguments>());
    read.extend(READ_FOR_FUNCTIONS.map(clap::Id::from));
    refused_unless_read(read, &["bench", "rev"])
}
