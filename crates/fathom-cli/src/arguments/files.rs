//! What `fathom compare --files` refuses.

use super::cleaning::CleaningArguments;
use super::functions::FunctionArguments;
use super::output::OutputArguments;
use super::refusals::{options_of, refused_unless_read};
use super::requests::READ_FOR_FILES;
use clap::Arg;

/// Refuses the options that saved results leave without effect: all that a comparison of them does not
/// read.
pub(super) fn refused_for_files() -> impl Fn(Arg) -> Arg {
    let mut read = options_of::<CleaningArguments>();
    // Any report is written in any of these ways.
    read.extend(options_of::<OutputArguments>());
    // The engine says that these need builds.
    read.extend(options_of::<FunctionArguments>());
    read.extend(READ_FOR_FILES.map(clap::Id::from));
    refused_unless_read(read, &["files"])
}
