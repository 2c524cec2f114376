//! Options that were renamed. The old name still works, hidden, and a note tells the new one.

use super::Cli;
use clap::{Arg, CommandFactory};
use std::ffi::OsString;

/// An option of a command that has a new name.
struct Renamed {
    command: &'static str,
    old: &'static str,
    new: &'static str,
}

const fn renamed(command: &'static str, old: &'static str, new: &'static str) -> Renamed {
    Renamed { command, old, new }
}

/// Every renamed option. The definitions of the options carry the old names as hidden aliases; a
/// test below holds both together.
const RENAMED: [Renamed; 17] = [
    renamed("check", "interval", "estimate"),
    renamed("check", "on", "executor"),
    renamed("record", "interval", "every"),
    renamed("record", "into", "output"),
    renamed("import", "into", "output"),
    renamed("export", "into", "output"),
    renamed("explain", "baseline", "against"),
    renamed("explain", "metric", "filter"),
    renamed("explain", "normalise", "normalize"),
    renamed("ui", "baseline", "against"),
    renamed("ui", "metric", "filter"),
    renamed("ui", "normalise", "normalize"),
    renamed("report", "baseline", "against"),
    renamed("report", "metric", "filter"),
    renamed("report", "normalise", "normalize"),
    renamed("show", "metric", "filter"),
    renamed("analyze", "proportion", "probability"),
];

/// A line for each old name in `words`, the command line without the program's name; none with
/// --quiet.
///
/// clap accepts an alias without telling which name was typed, so the words are read once more.
pub(crate) fn notes(words: &[OsString]) -> Vec<String> {
    let words: Vec<&str> = words.iter().map(|word| word.to_str().unwrap_or_default()).collect();
    // The definitions are built only if there may be something to say.
    let may_be_old = |word: &&str| {
        word.strip_prefix("--")
            .map(name_in)
            .is_some_and(|name| RENAMED.iter().any(|row| row.old == name))
    };
    if !words.iter().any(may_be_old) {
        return Vec::new();
    }
    let mut root = Cli::command();
    root.build();
    typed_old_names(&root, &words)
        .iter()
        .map(|row| format!("note: --{} is now --{}", row.old, row.new))
        .collect()
}

/// The old names among the options of a command line, each once. Values of options and what follows
/// `--` are not options, whatever they look like.
fn typed_old_names(root: &clap::Command, words: &[&str]) -> Vec<&'static Renamed> {
    let mut command = root;
    let mut found: Vec<&'static Renamed> = Vec::new();
    let mut at = 0;
    while let Some(&word) = words.get(at).filter(|word| **word != "--") {
        at += 1;
        let option = if let Some(long) = word.strip_prefix("--") {
            let name = name_in(long);
            let row =
                RENAMED.iter().find(|row| row.command == command.get_name() && row.old == name);
            if let Some(row) = row
                && !found.iter().any(|other| std::ptr::eq(*other, row))
            {
                found.push(row);
            }
            let option = command.get_arguments().find(|option| is_called(option, name));
            option.map(|option| (option, long.contains('=')))
        } else if let Some(letters) = word.strip_prefix('-') {
            last_of(command, letters)
        } else {
            if std::ptr::eq(command, root) {
                command = root.find_subcommand(word).unwrap_or(root);
            }
            None
        };
        if let Some((option, has_value)) = option {
            if option.get_id() == "quiet" {
                return Vec::new();
            }
            if !has_value {
                at += values_of(option, &words[at..]);
            }
        }
    }
    found
}

/// The name in `name` or `name=value`.
fn name_in(long: &str) -> &str {
    long.split_once('=').map_or(long, |(name, _)| name)
}

fn is_called(option: &Arg, name: &str) -> bool {
    option.get_long() == Some(name)
        || option.get_all_aliases().is_some_and(|aliases| aliases.contains(&name))
}

/// The option that ends a group of short ones, such as `-qr5`, and whether its value is in there.
fn last_of<'a>(command: &'a clap::Command, letters: &str) -> Option<(&'a Arg, bool)> {
    let mut last = None;
    for (at, letter) in letters.char_indices() {
        let option = command.get_arguments().find(|option| option.get_short() == Some(letter))?;
        let rest = &letters[at + letter.len_utf8()..];
        last = Some((option, !rest.is_empty()));
        // --quiet silences the notes, wherever it is in the group.
        if option.get_action().takes_values() || option.get_id() == "quiet" {
            break;
        }
    }
    last
}

/// How many of the following words are values of the option.
fn values_of(option: &Arg, following: &[&str]) -> usize {
    if option.is_require_equals_set() {
        return 0;
    }
    let most = option.get_num_args().map_or(0, |range| range.max_values());
    let may_have_hyphen = option.is_allow_hyphen_values_set();
    let is_value = |word: &&&str| may_have_hyphen || !word.starts_with('-') || **word == "-";
    following.iter().take(most).take_while(is_value).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noted(line: &str) -> Vec<String> {
        let words = shlex::split(line).unwrap();
        notes(&words.into_iter().map(OsString::from).collect::<Vec<_>>())
    }

    /// Every hidden name is in the table or is hyperfine's, and the other way round.
    #[test]
    fn the_table_and_the_hidden_names_agree() {
        const OF_HYPERFINE: [(&str, &str, &str); 3] = [
            ("compare", "max-runs", "max-pairs"),
            ("compare", "min-runs", "min-pairs"),
            ("compare", "runs", "pairs"),
        ];
        let root = Cli::command();
        let mut hidden: Vec<(&str, &str, &str)> = Vec::new();
        for command in root.get_subcommands() {
            for option in command.get_arguments() {
                let visible = option.get_visible_aliases().unwrap_or_default();
                let all = option.get_all_aliases().unwrap_or_default();
                let of_option = all.into_iter().filter(|alias| !visible.contains(alias));
                let new = option.get_long().unwrap_or_default();
                hidden.extend(of_option.map(|old| (command.get_name(), old, new)));
            }
        }
        let rows = RENAMED.iter().map(|row| (row.command, row.old, row.new));
        let mut expected: Vec<_> = rows.chain(OF_HYPERFINE).collect();
        hidden.sort_unstable();
        expected.sort_unstable();
        assert_eq!(hidden, expected);
    }

    #[test]
    fn each_old_name_is_noted_once() {
        assert_eq!(noted("record --interval 1ms -- ./sim"), ["note: --interval is now --every"]);
        assert_eq!(noted("record --interval=1ms -- ./sim"), ["note: --interval is now --every"]);
        assert_eq!(noted("check --interval x -- ./sim"), ["note: --interval is now --estimate"]);
        assert_eq!(
            noted("--color never explain t --metric a --metric=b --normalise"),
            ["note: --metric is now --filter", "note: --normalise is now --normalize"]
        );
        assert_eq!(noted("analyse x.csv --proportion 0.9").len(), 1);
    }

    #[test]
    fn new_names_and_other_commands_are_not_noted() {
        for line in [
            "record --every 1ms -- ./sim",
            "run --metric x=last-number --on metric:x ./a",
            "compare --baseline main ./a",
            "run --output pipe ./a",
            "unknown --interval 3",
            "",
        ] {
            assert_eq!(noted(line), [""; 0], "{line}");
        }
    }

    #[test]
    fn values_and_the_command_are_not_options() {
        for line in [
            "record -- ./sim --interval 3",
            "record -- --interval",
            "check --slurm-option --on 'x < 1' -- ./sim",
            "check --slurm-option=--on -- ./sim",
        ] {
            assert_eq!(noted(line), [""; 0], "{line}");
        }
        // What follows a value is an option again.
        for line in [
            "check --data a.csv b.csv --interval x",
            "check --slurm-option --wait --interval x",
            "check -S sh --interval x -- ./sim",
            "check -Ssh --interval x -- ./sim",
            "check -i --interval x -- ./sim",
        ] {
            assert_eq!(noted(line).len(), 1, "{line}");
        }
    }

    #[test]
    fn quiet_is_quiet() {
        assert_eq!(noted("record --interval 1ms --quiet -- ./sim"), [""; 0]);
        assert_eq!(noted("record -q --interval 1ms -- ./sim"), [""; 0]);
        // The command's own -q is not Fathom's, and `-o q` is a folder.
        assert_eq!(noted("record --interval 1ms -- ./sim -q").len(), 1);
        assert_eq!(noted("record -oq --interval 1ms -- ./sim").len(), 1);
    }
}
