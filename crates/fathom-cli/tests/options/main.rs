//! Every option of every command changes a result or a message. The cases are in `cases.rs`; a test
//! next to the definitions of the options (`src/arguments`) fails for an option without a case.
//! FATHOM_OPTION=NAME tries only the cases of that option or command.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "made-up numbers")]

mod cases;
mod folder;
#[path = "../harness/mod.rs"]
mod harness;
mod outcome;
#[path = "../../../fathom-fetch/tests/server/mod.rs"]
mod server;

use cases::{CASES, Case};
use folder::Template;
use outcome::Outcome;
use std::collections::BTreeMap;

#[test]
fn every_option_changes_a_result_or_a_message() {
    let template = Template::new();
    let _store = server::Server::at(cases::STORE_PORT, |asked, _| server::shop(asked));
    let mut by_command: BTreeMap<&str, Vec<&Case>> = BTreeMap::new();
    for case in CASES {
        by_command.entry(case.command).or_default().push(case);
    }
    // Each command has a folder of its own, so that they can be tried at the same time.
    let failures: Vec<String> = std::thread::scope(|scope| {
        let started: Vec<_> = by_command
            .into_iter()
            .map(|(command, cases)| {
                let template = &template;
                scope.spawn(move || failures_of(command, &cases, template))
            })
            .collect();
        started.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert!(failures.is_empty(), "{} failed:\n{}", failures.len(), failures.join("\n"));
}

/// The words of a case, with the option or without; options go before the `--` of a command.
fn words(case: &Case, with_option: bool) -> Vec<String> {
    let split = |text: &str| shlex::split(text).unwrap();
    let mut words = split(case.base);
    if with_option {
        let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
        words.splice(end..end, split(case.added));
    }
    words
}

/// What is wrong with cases of a command.
fn failures_of(command: &str, cases: &[&Case], template: &Template) -> Vec<String> {
    let only = std::env::var("FATHOM_OPTION").ok();
    let mut failures = Vec::new();
    for case in cases {
        if only.as_deref().is_some_and(|name| name != case.option && name != command) {
            continue;
        }
        let outcome = |words: &[String]| {
            let folder = template.copied_for(command);
            Outcome::of(command, words, &folder)
        };
        let (without, with) = (outcome(&words(case, false)), outcome(&words(case, true)));
        // A browser's page needs Node at build time.
        if without.needs_page() || with.needs_page() {
            continue;
        }
        let trouble = if case.shows.is_empty() {
            // A difference says something only if there is none without the option.
            match outcome(&words(case, false)).steady() == without.steady() {
                false => Some("it differs from run to run; say what the option shows"),
                true if without.steady() == with.steady() => Some("nothing differs"),
                true => None,
            }
        } else {
            let (text, there, not_there) = match case.shows.strip_prefix('!') {
                Some(text) => (text, &without, &with),
                None => (case.shows, &with, &without),
            };
            match (there.text.contains(text), not_there.text.contains(text)) {
                (true, false) => None,
                (true, true) => Some("the text is in both"),
                (false, _) => Some("the text is missing"),
            }
        };
        failures.extend(trouble.map(|trouble| {
            format!(
                "fathom {command} {} [{}]: {trouble}\n--- without\n{}\n--- with\n{}",
                case.base, case.added, without.text, with.text
            )
        }));
    }
    failures
}
