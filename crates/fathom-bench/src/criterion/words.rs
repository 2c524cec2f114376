//! The command line: criterion's options in Fathom's words, and what Fathom says to itself.

use crate::command_line::WORKER;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::time::Duration;

/// Makes the program write the names of its functions, for another process of the same program.
pub(super) const NAMES: &str = "--fathom-names";
/// The order with which a worker goes on that had to start again.
pub(super) const RESUME: &str = "--fathom-resume";

/// What was typed, as far as this module understands it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct ShimWords {
    /// In Fathom's words.
    pub(super) words: Vec<OsString>,
    pub(super) wants_names: bool,
    pub(super) resume: Option<String>,
    pub(super) profile_time: Option<Duration>,
    /// Options that were accepted and change nothing, for `-v`.
    pub(super) without_effect: BTreeSet<&'static str>,
}

/// What becomes of an option of criterion.
enum Meaning {
    /// Another name for an option of ours.
    Is(&'static str),
    /// With a value in seconds.
    Time(&'static str),
    /// Accepted without effect.
    Nothing { option: &'static str, has_value: bool },
    /// Refused, and why.
    Refused(&'static str),
}

fn meaning(name: &str) -> Option<Meaning> {
    use Meaning::{Is, Nothing, Refused, Time};
    let without_value = |option| Some(Nothing { option, has_value: false });
    let with_value = |option| Some(Nothing { option, has_value: true });
    match name {
        "--save-baseline" | "-s" => Some(Is("--save")),
        "--baseline-lenient" | "-b" => Some(Is("--baseline")),
        "--discard-baseline" => Some(Is("--no-results")),
        "--measurement-time" => Some(Time("--max-time")),
        "--noise-threshold" => Some(Is("--margin")),
        "--confidence-level" => Some(Is("--confidence")),
        "--colour" | "-c" => Some(Is("--color")),
        "--noplot" | "-n" => without_value("--noplot"),
        "--quick" => without_value("--quick"),
        "--sample-size" => with_value("--sample-size"),
        "--warm-up-time" => with_value("--warm-up-time"),
        "--nresamples" => with_value("--nresamples"),
        "--significance-level" => with_value("--significance-level"),
        "--plotting-backend" => with_value("--plotting-backend"),
        "--load-baseline" => Some(Refused(
            "a baseline is a program that is measured again; compare saved numbers with `fathom \
             compare --files SUITE@old SUITE@new`",
        )),
        _ => None,
    }
}

impl ShimWords {
    /// Whether another process of Fathom has written them.
    pub(super) fn are_of_fathom(words: &[OsString]) -> bool {
        words.iter().any(|word| word == WORKER || word == NAMES)
    }

    pub(super) fn read(typed: Vec<OsString>) -> Result<ShimWords, String> {
        let mut read = ShimWords::default();
        let mut typed = typed.into_iter();
        while let Some(word) = typed.next() {
            let Some(text) = word.to_str() else {
                read.words.push(word);
                continue;
            };
            if text == "--" {
                read.words.push(word);
                read.words.extend(typed.by_ref());
                continue;
            }
            let (name, given) = match text.split_once('=') {
                Some((name, value)) if name.starts_with("--") => (name, Some(value.to_string())),
                _ => (text, None),
            };
            let mut value = || match given.clone() {
                Some(value) => Ok(value),
                None => typed
                    .next()
                    .map(|value| value.to_string_lossy().into_owned())
                    .ok_or_else(|| format!("{name} needs a value")),
            };
            match name {
                NAMES => read.wants_names = true,
                RESUME => read.resume = Some(value()?),
                "--output-format" => read.words.extend(output_format(name, &value()?)?),
                "--profile-time" => read.profile_time = Some(seconds(name, &value()?)?),
                _ => match meaning(name) {
                    None => read.words.push(word),
                    Some(Meaning::Is(ours)) => {
                        read.words.push(ours.into());
                        read.words.extend(given.map(OsString::from));
                    }
                    Some(Meaning::Time(ours)) => {
                        let time = seconds(name, &value()?)?;
                        let time = format!("{}s", time.as_secs_f64());
                        read.words.extend([ours.into(), time.into()]);
                    }
                    Some(Meaning::Nothing { option, has_value }) => {
                        if has_value {
                            value()?;
                        }
                        read.without_effect.insert(option);
                    }
                    Some(Meaning::Refused(why)) => return Err(format!("{name}: {why}")),
                },
            }
        }
        Ok(read)
    }
}

/// criterion's two formats: its own, and the lines of Rust's own benches, which it calls "bencher".
fn output_format(name: &str, format: &str) -> Result<[OsString; 2], String> {
    let ours = match format {
        "criterion" => "human",
        "bencher" => "libtest",
        _ => return Err(format!("{name} {format}: use criterion or bencher")),
    };
    Ok(["--format".into(), ours.into()])
}

fn seconds(name: &str, text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().unwrap_or(f64::NAN);
    let time = Duration::try_from_secs_f64(number).ok().filter(|time| !time.is_zero());
    time.ok_or_else(|| format!("{name} {text}: use a number of seconds above 0, such as 5"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(typed: &str) -> Result<ShimWords, String> {
        ShimWords::read(typed.split_whitespace().map(OsString::from).collect())
    }

    fn in_our_words(typed: &str) -> String {
        let words = read(typed).unwrap().words;
        words.iter().map(|word| word.to_str().unwrap()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn options_of_criterion_become_ours() {
        for (typed, ours) in [
            ("--bench parse --exact", "--bench parse --exact"),
            ("--save-baseline main", "--save main"),
            ("--save-baseline=main --bench", "--save main --bench"),
            ("-s main -c never", "--save main --color never"),
            ("-b main", "--baseline main"),
            ("--baseline main", "--baseline main"),
            ("--discard-baseline", "--no-results"),
            ("--measurement-time 2.5", "--max-time 2.5s"),
            ("--noise-threshold 0.02 x", "--margin 0.02 x"),
            ("--sample-size 10 --noplot --quick x", "x"),
            ("--output-format bencher x", "--format libtest x"),
            ("--output-format=criterion", "--format human"),
            ("-- --noplot", "-- --noplot"),
        ] {
            assert_eq!(in_our_words(typed), ours, "{typed}");
        }
    }

    #[test]
    fn what_has_no_effect_is_named_and_what_cannot_be_done_is_refused() {
        let words = read("--sample-size=10 --warm-up-time 1 -n").unwrap();
        assert_eq!(
            Vec::from_iter(words.without_effect),
            ["--noplot", "--sample-size", "--warm-up-time"]
        );
        for option in ["--nresamples", "--significance-level", "--plotting-backend"] {
            let words = read(&format!("{option} 0.1 x")).unwrap();
            assert_eq!(Vec::from_iter(words.without_effect), [option]);
            assert_eq!(words.words, ["x"]);
        }
        assert!(read("--load-baseline x").unwrap_err().starts_with("--load-baseline: a baseline"));
        assert!(read("--output-format x").unwrap_err().contains("criterion or bencher"));
        for time in ["0", "-1", "x", "inf"] {
            assert!(read(&format!("--measurement-time {time}")).is_err(), "{time}");
        }
        assert_eq!(read("--sample-size").unwrap_err(), "--sample-size needs a value");
    }

    #[test]
    fn words_between_processes_are_taken_out() {
        let words = read("--fathom-worker --fathom-resume=batch_1 --profile-time 2").unwrap();
        assert_eq!(words.words, ["--fathom-worker"]);
        assert_eq!(words.resume.as_deref(), Some("batch_1"));
        assert_eq!(words.profile_time, Some(Duration::from_secs(2)));
        assert!(ShimWords::are_of_fathom(&["--fathom-names".into()]));
        assert!(!ShimWords::are_of_fathom(&["--bench".into()]));
    }
}
