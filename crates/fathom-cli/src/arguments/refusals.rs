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

#[cfg(test)]
mod tests {
    use crate::arguments::option_cases::CASES;
    use crate::arguments::{Cli, Command, CompareArguments};
    use clap::error::ErrorKind;
    use clap::{CommandFactory, Parser};

    fn parsed(words: &str) -> Result<Box<CompareArguments>, ErrorKind> {
        let words = shlex::split(words).unwrap();
        match Cli::try_parse_from(words).map_err(|error| error.kind())?.command {
            Command::Compare(arguments) => Ok(arguments),
            other => panic!("{other:?}"),
        }
    }

    /// What a comparison depends on: the question, where it is saved, how it is written.
    fn read(arguments: &CompareArguments) -> String {
        let CompareArguments { measuring, output, .. } = arguments;
        format!("{:?} {:?} {output:?}", arguments.request(), measuring.session.saving())
    }

    /// Nothing that is typed is passed over in silence, whatever is added to `compare`.
    #[test]
    fn every_option_is_read_or_refused() {
        let root = Cli::command();
        let compare = root.find_subcommand("compare").unwrap();
        let (mut was_read, mut was_refused) = (0, 0);
        for chosen in ["--bench old new", "--rev main", "--files old new"] {
            let without = parsed(&format!("fathom compare {chosen}")).unwrap();
            for option in compare.get_arguments().filter_map(clap::Arg::get_long) {
                // These are what chooses functions or results.
                if ["bench", "rev", "files"].contains(&option) {
                    continue;
                }
                let case =
                    CASES.iter().find(|case| (case.command, case.option) == ("compare", option));
                let added = case.unwrap_or_else(|| panic!("--{option} has no case")).added;
                match parsed(&format!("fathom compare {chosen} {added}")) {
                    Ok(with) => {
                        assert_ne!(
                            read(&with),
                            read(&without),
                            "{chosen} {added}: it has no effect"
                        );
                        was_read += 1;
                    }
                    Err(ErrorKind::ArgumentConflict | ErrorKind::MissingRequiredArgument) => {
                        was_refused += 1;
                    }
                    Err(other) => panic!("{chosen} {added}: {other}"),
                }
            }
        }
        assert!(was_read > 50 && was_refused > 100, "{was_read} read, {was_refused} refused");
    }
}
