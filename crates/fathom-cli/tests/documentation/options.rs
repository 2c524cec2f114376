//! Options in code, also in tables and in the middle of a sentence: the command has them.

use std::collections::{BTreeMap, BTreeSet};

/// The options of each command, from its help.
pub(crate) struct KnownOptions(BTreeMap<String, BTreeSet<String>>);

impl KnownOptions {
    /// Those of these commands; `help` prints the help of one.
    pub(crate) fn of(commands: &[&str], help: impl Fn(&str) -> String) -> KnownOptions {
        let options = |command: &str| {
            let text = help(command);
            let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
            words.filter(|word| word.starts_with("--")).map(String::from).collect()
        };
        KnownOptions(commands.iter().map(|name| (name.to_string(), options(name))).collect())
    }

    /// The options in a line of code that their command does not have: "run --moon".
    pub(crate) fn unknown(&self, code: &str) -> Vec<String> {
        // A description may follow the command, in its own column.
        let code = code.trim().trim_start_matches("$ ").split("   ").next().unwrap_or_default();
        let words = shlex::split(code)
            .unwrap_or_else(|| code.split_whitespace().map(String::from).collect());
        let mut unknown = Vec::new();
        let mut command: Option<&str> = None;
        let mut is_after_fathom = false;
        for word in &words {
            if is_after_fathom {
                command = self.0.keys().map(String::as_str).find(|name| name == word);
            }
            is_after_fathom = word == "fathom";
            // The command that is measured, another command, or a comment.
            if ["--", "|", "&&", ";", "#"].contains(&word.as_str()) {
                command = None;
            }
            if let Some(command) = command
                && word.starts_with("--")
            {
                let end = |c: char| !c.is_ascii_alphanumeric() && c != '-';
                let option = word.split(end).next().unwrap_or_default();
                if !self.0.get(command).is_some_and(|known| known.contains(option)) {
                    unknown.push(format!("{command} {option}"));
                }
            }
            if word.ends_with(';') {
                command = None;
            }
        }
        unknown
    }
}

#[test]
fn unknown_options_are_noticed() {
    let known = KnownOptions::of(&["run", "check"], |command| {
        format!("  -r, --runs <N>  Run it\n      --{command}-only[=<X>]\n")
    });
    for right in [
        "fathom run --runs 5 'a --moon'",
        "$ fathom check --check-only=3 -- ./sim --moon",
        "fathom run -r 5 a; other --moon",
        "fathom moon --moon",
        "cargo bench -- --moon",
        "fathom run --runs 5 a    what --moon means",
    ] {
        assert_eq!(known.unknown(right), Vec::<String>::new(), "{right}");
    }
    assert_eq!(known.unknown("fathom run --moon"), ["run --moon"]);
    assert_eq!(known.unknown("fathom check --run-only 3 --runs=2"), ["check --run-only"]);
    assert_eq!(known.unknown("x && fathom run --it's"), ["run --it"]);
}
