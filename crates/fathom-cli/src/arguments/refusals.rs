//! Options that are refused together, because one of them leaves the others without effect.
//!
//! Which these are follows from what is read. An option that nobody thought of is refused, and not
//! passed over in silence.

use clap::{Arg, Args, Command, Id};

/// The options of a group.
pub(super) fn options_of<Group: Args>() -> Vec<Id> {
    let command = Group::augment_args(Command::new("group"));
    command.get_arguments().map(|option| option.get_id().clone()).collect()
}

/// Refuses an option together with any of `choosers`, unless it is read with them.
pub(super) fn refused_unless_read(
    read: Vec<Id>,
    choosers: &'static [&'static str],
) -> impl Fn(Arg) -> Arg {
    move |option| match read.contains(option.get_id()) {
        true => option,
        false => option.conflicts_with_all(choosers),
    }
}

/// Refuses the options of a group together with another option.
pub(super) fn refused_with<Group: Args>(chooser: &'static str) -> impl Fn(Arg) -> Arg {
    let refused = options_of::<Group>();
    move |option| match refused.contains(option.get_id()) {
        true => option.conflicts_with(chooser),
        false => option,
    }
}
