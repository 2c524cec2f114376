//! What the user wants to tell cargo besides.

use crate::EngineError;

/// Words for `cargo bench`, the same for both builds.
#[derive(Debug, Clone, Default)]
pub(crate) struct CargoArguments {
    /// As in `cargo +nightly bench`.
    pub(super) toolchain: Option<String>,
    words: Vec<String>,
}

/// Options that Fathom sets itself, and why the user's would not do.
const TAKEN: &[(&str, &str)] = &[
    ("--target-dir", "each build has a target folder of its own; set CARGO_TARGET_DIR instead"),
    ("--manifest-path", "it would be the same file for both builds; start in its folder instead"),
    ("--message-format", "Fathom reads what cargo has built"),
    ("--no-run", "Fathom runs the benches itself, and gives it already"),
];

/// Options that select what to build; without one it is every bench.
const TARGETS: &[&str] = &[
    "--bench",
    "--benches",
    "--all-targets",
    "--lib",
    "--bin",
    "--bins",
    "--example",
    "--examples",
    "--test",
    "--tests",
];

impl CargoArguments {
    /// Splits a text into words as a shell does.
    pub(crate) fn read(text: &str) -> Result<CargoArguments, EngineError> {
        let words = shlex::split(text).ok_or_else(|| {
            EngineError::usage(format!("--cargo-args: a quotation mark is not closed in {text}"))
        })?;
        CargoArguments::of(words)
    }

    /// Takes words, unless they would not do what they say.
    pub(crate) fn of(mut words: Vec<String>) -> Result<CargoArguments, EngineError> {
        let toolchain = words.first().filter(|word| word.starts_with('+')).cloned();
        if toolchain.is_some() {
            words.remove(0);
        }
        for (place, word) in words.iter().enumerate() {
            let refused =
                |why: &str| EngineError::usage(format!("--cargo-args: without {word}: {why}"));
            let option = word.split_once('=').map_or(word.as_str(), |(option, _)| option);
            if option == "--" {
                return Err(refused("what is for the benches goes to Fathom"));
            }
            if let Some((_, why)) = TAKEN.iter().find(|(name, _)| *name == option) {
                return Err(refused(why));
            }
            // Options may have a value of their own, which is not seen here; only at the beginning
            // is a word surely one that cargo bench would take for a filter.
            if place == 0 && !word.starts_with('-') {
                return Err(refused("an option of cargo bench is expected, such as --features x"));
            }
        }
        Ok(CargoArguments { toolchain, words })
    }

    /// The words that follow `cargo bench --no-run`.
    pub(super) fn words(&self) -> Vec<&str> {
        let mut words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        let says_what = |word: &&str| {
            let option = word.split_once('=').map_or(*word, |(option, _)| option);
            TARGETS.contains(&option)
        };
        if !words.iter().any(says_what) {
            // A bare `cargo bench` would also build the library and programs as benches.
            words.extend(["--bench", "*"]);
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_and_the_benches_added() {
        let arguments = CargoArguments::read("+nightly -p one --features 'a b'").unwrap();
        assert_eq!(arguments.toolchain.as_deref(), Some("+nightly"));
        assert_eq!(arguments.words(), ["-p", "one", "--features", "a b", "--bench", "*"]);
        assert_eq!(CargoArguments::default().words(), ["--bench", "*"]);
        assert_eq!(CargoArguments::read("").unwrap().words(), ["--bench", "*"]);
        for own in ["--bench one", "--bench=one", "--benches --locked", "--all-targets"] {
            let words = CargoArguments::read(own).unwrap();
            assert_eq!(words.words().join(" "), own);
        }
    }

    #[test]
    fn what_would_not_do_is_refused_with_the_reason() {
        for (text, reason) in [
            ("--target-dir x", "CARGO_TARGET_DIR"),
            ("--target-dir=x", "CARGO_TARGET_DIR"),
            ("--locked --manifest-path a/Cargo.toml", "start in its folder"),
            ("--message-format json", "reads"),
            ("--no-run", "already"),
            ("--locked -- --exact", "goes to Fathom"),
            ("name", "an option of cargo bench"),
            ("--features 'a", "not closed"),
        ] {
            let failure = CargoArguments::read(text).unwrap_err();
            assert!(failure.to_string().contains(reason), "{text}: {failure}");
            assert!(failure.kind() == crate::ErrorKind::Usage);
        }
    }
}
