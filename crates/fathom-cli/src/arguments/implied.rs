//! Command lines without a subcommand, as hyperfine has them: `fathom 'sleep 1'` times the command, and
//! `fathom ./old ./new` compares the two.
//!
//! A single word such as `rnu` or `ls` never starts a program: it may be a subcommand that was mistyped. Only
//! what has a space or a slash in it cannot be one.

use super::{Cli, Command};
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser};
use std::ffi::{OsStr, OsString};

/// The command line in these words after `fathom`.
///
/// # Errors
/// What is wrong with it; help and version are such errors too.
pub(crate) fn parse(words: &[OsString]) -> Result<Cli, clap::Error> {
    let error = match parse_words([], words) {
        Ok(cli) => return Ok(cli),
        Err(error) => error,
    };
    match error.kind() {
        ErrorKind::InvalidSubcommand | ErrorKind::UnknownArgument if may_imply(words) => {
            implied(words, error)
        }
        ErrorKind::InvalidSubcommand => Err(with_program(error)),
        ErrorKind::ArgumentConflict => Err(with_one_statistic(error)),
        _ => Err(error),
    }
}

/// The error about an option that is given twice; where that is what `compare` compares, it says how to
/// compare many things at once.
fn with_one_statistic(mut error: clap::Error) -> clap::Error {
    let is_statistic = |kind: ContextKind| matches!(error.get(kind), Some(ContextValue::String(name)) if name.starts_with("--statistic"));
    if is_statistic(ContextKind::InvalidArg) && is_statistic(ContextKind::PriorArg) {
        let tip =
            "a comparison has one statistic; '--statistic quantiles' compares p5 to p99.9 at once";
        let tips = ContextValue::StyledStrs(vec![StyledStr::from(tip)]);
        error.insert(ContextKind::Suggested, tips);
    }
    error
}

fn parse_words<const N: usize>(before: [&str; N], words: &[OsString]) -> Result<Cli, clap::Error> {
    let before = ["fathom"].into_iter().chain(before).map(OsString::from);
    Cli::try_parse_from(before.chain(words.iter().cloned()))
}

/// Whether the words begin with an option or with a command in quotes, and not with a subcommand.
fn may_imply(words: &[OsString]) -> bool {
    let mut words = words.iter().filter_map(|word| word.to_str());
    // The only option that may precede a subcommand.
    let first = match words.next() {
        Some("--color") => words.nth(1),
        Some(word) if word.starts_with("--color=") => words.next(),
        first => first,
    };
    first.is_some_and(|word| word.starts_with('-') || is_command(word))
}

/// Whether a word can only be a command to run.
fn is_command(word: &str) -> bool {
    word.trim().contains(|c: char| c.is_whitespace() || c == '/')
}

/// Reads words that imply `run` or `compare`. `error` says why they are nothing else.
fn implied(words: &[OsString], error: clap::Error) -> Result<Cli, clap::Error> {
    let as_run = parse_words(["run"], words);
    let as_compare = || parse_words(["compare"], words);
    let (parsed, is_one) = match as_run {
        Ok(cli) => {
            let is_one = commands(&cli).len() == 1;
            (Ok(cli), is_one)
        }
        // Options that only `compare` has: `fathom --baseline main ./work`.
        Err(of_run) => match as_compare() {
            Err(of_compare) => {
                let is_of_run = of_run.kind() != ErrorKind::UnknownArgument
                    || of_compare.kind() == ErrorKind::UnknownArgument;
                return Err(if is_of_run { of_run } else { of_compare });
            }
            compare => (compare, true),
        },
    };
    let parsed = parsed?;
    let Some(first) = commands(&parsed).first().cloned() else { return Err(error) };
    refuse_subcommands(&first)?;
    if is_one { Ok(parsed) } else { as_compare() }
}

/// What would run.
fn commands(cli: &Cli) -> &[String] {
    match &cli.command {
        Command::Run(run) => &run.subjects.commands,
        Command::Compare(compare) => &compare.subjects.commands,
        _ => &[],
    }
}

/// Refuses a first command that may be a subcommand: one behind options, with a mistake, or in quotes
/// together with what belongs to it.
fn refuse_subcommands(first: &str) -> Result<(), clap::Error> {
    let mut root = Cli::command();
    let is_subcommand = |word: &str| Cli::command().find_subcommand(word).is_some();
    let refused = |root: &mut clap::Command, message: String| {
        Err(root.error(ErrorKind::InvalidSubcommand, message))
    };
    if is_subcommand(first) {
        let message = format!("options follow the command: fathom {first} [OPTIONS]");
        return refused(&mut root, message);
    }
    if !is_command(first) {
        return match parse_words([], &[OsString::from(first)]) {
            Err(error) => Err(with_program(error)),
            // Nothing but a subcommand can be read.
            Ok(_) => refused(&mut root, format!("use: fathom run {first}")),
        };
    }
    match first.split_whitespace().next().filter(|word| is_subcommand(word)) {
        Some(word) => refused(
            &mut root,
            format!(
                "'{first}' begins with a command of fathom. Leave out the quotes; to time a program \
                 called {word}, use 'fathom run' before it"
            ),
        ),
        None => Ok(()),
    }
}

/// The error about an unknown subcommand, with the subcommand that may be meant; where there is a program
/// of that name, it says how to time it.
fn with_program(mut error: clap::Error) -> clap::Error {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else {
        return error;
    };
    let word = word.clone();
    if error.get(ContextKind::SuggestedSubcommand).is_none_or(is_empty) {
        // The parser's own measure knows no swapped letters: "rnu".
        let near = one_slip_from(&word);
        if !near.is_empty() {
            error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(near));
        }
    }
    if is_program(&word) {
        let tip = format!("to time the program '{word}', use 'fathom run {word}'");
        let tips = ContextValue::StyledStrs(vec![StyledStr::from(tip)]);
        error.insert(ContextKind::Suggested, tips);
    }
    error
}

fn is_empty(value: &ContextValue) -> bool {
    matches!(value, ContextValue::None)
        || matches!(value, ContextValue::Strings(all) if all.is_empty())
}

/// The subcommands that differ from a word by one letter, or by two neighbours that changed places.
fn one_slip_from(word: &str) -> Vec<String> {
    let root = Cli::command();
    let shown = root.get_subcommands().filter(|command| !command.is_hide_set());
    let names = shown.map(clap::Command::get_name).filter(|name| is_one_slip(word, name));
    names.map(String::from).collect()
}

fn is_one_slip(one: &str, other: &str) -> bool {
    let (mut one, mut other): (Vec<char>, Vec<char>) =
        (one.chars().collect(), other.chars().collect());
    // What is the same at both ends does not matter.
    let same = one.iter().zip(&other).take_while(|(a, b)| a == b).count();
    (one, other) = (one.split_off(same), other.split_off(same));
    while one.last().is_some_and(|last| other.last() == Some(last)) {
        one.pop();
        other.pop();
    }
    match (one.as_slice(), other.as_slice()) {
        ([a, b], [c, d]) => (a, b) == (d, c),
        (one, other) => one.len().max(other.len()) == 1,
    }
}

/// Whether a program of this name is on the PATH.
fn is_program(name: &str) -> bool {
    let is_name = !name.is_empty() && !is_command(name);
    let path = std::env::var_os("PATH").unwrap_or_default();
    is_name && std::env::split_paths(&path).any(|folder| folder.join(OsStr::new(name)).is_file())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parsed(line: &str) -> Result<Cli, clap::Error> {
        let words: Vec<OsString> =
            shlex::split(line).unwrap().into_iter().map(OsString::from).collect();
        parse(&words)
    }

    /// The subcommand, and what it runs.
    fn read(line: &str) -> (&'static str, Vec<String>) {
        let cli = parsed(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        let name = match cli.command {
            Command::Run(_) => "run",
            Command::Compare(_) => "compare",
            _ => "another",
        };
        (name, commands(&cli).to_vec())
    }

    #[test]
    fn one_command_is_timed_and_several_are_compared() {
        for (line, name, count) in [
            ("'sleep 0.1'", "run", 1),
            ("./work", "run", 1),
            ("./a 'b c' d", "compare", 3),
            ("-w 3 -r 10 'sleep 0.1'", "run", 1),
            ("'sleep 0.1' --runs 3 --export-json out.json", "run", 1),
            ("-L n -a,-b './work {n}'", "run", 1),
            ("-n old -n new ./a ./b", "compare", 2),
            ("--margin 2% ./a ./b", "compare", 2),
            ("--baseline main ./a", "compare", 1),
            ("--color never './a b'", "run", 1),
            ("--color=never -q './a b'", "run", 1),
            ("-- './a b'", "run", 1),
        ] {
            let (found, commands) = read(line);
            assert_eq!((found, commands.len()), (name, count), "{line}");
        }
        // What has a subcommand is read as ever.
        assert_eq!(read("--color never run ls"), ("run", vec!["ls".to_string()]));
        assert_eq!(read("list").0, "another");
    }

    #[test]
    fn what_may_be_a_mistake_never_runs() {
        for (line, part) in [
            ("rnu ./x", "'run'"),
            ("lisst", "'list'"),
            ("ls", "fathom run ls"),
            ("ls -l", "fathom run ls"),
            ("-q rnu ./x", "'run'"),
            ("-r 3 ls", "fathom run ls"),
            ("-q run ./x", "fathom run [OPTIONS]"),
            ("'run ./x'", "Leave out the quotes"),
            ("'compare a b' ./x", "Leave out the quotes"),
            ("' ls '", "unrecognized subcommand"),
            ("''", "unrecognized subcommand"),
            ("-r 3", "unexpected argument '-r'"),
            ("--moon ./x", "unexpected argument '--moon'"),
            ("--precision 1% ./a ./b", "unexpected argument '--precision'"),
            ("--margin x ./a ./b", "invalid value 'x'"),
            ("-r x ./a", "invalid value 'x'"),
        ] {
            let error = parsed(line).unwrap_err();
            assert!(error.use_stderr() && error.exit_code() == 2, "{line}");
            let text = error.to_string();
            assert!(text.contains(part), "{line}: {text}");
        }
    }

    #[test]
    fn a_slip_is_one_letter_or_two_neighbours() {
        for (one, other) in [("rnu", "run"), ("rn", "run"), ("runn", "run"), ("ran", "run")] {
            assert!(is_one_slip(one, other) && is_one_slip(other, one), "{one} {other}");
        }
        for (one, other) in [("run", "run"), ("nur", "run"), ("ls", "list"), ("", "run")] {
            assert!(!is_one_slip(one, other), "{one} {other}");
        }
    }

    #[test]
    fn help_is_help() {
        for line in ["--help", "-h", "help", "--version", "run --help", "--help './a b'"] {
            assert!(!parsed(line).unwrap_err().use_stderr(), "{line}");
        }
    }

    proptest! {
        #[test]
        fn a_bare_word_runs_nothing(word in "[a-zA-Z0-9_.,:=+-]{0,8}", more in "[a-z ./-]{0,8}") {
            if let Ok(cli) = parse(&[OsString::from(&word), OsString::from(&more)]) {
                let is_named = Cli::command().find_subcommand(&word).is_some();
                prop_assert!(is_named || word.starts_with('-'), "{word} {more}: {:?}", commands(&cli));
            }
        }
    }
}
