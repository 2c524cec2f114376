//! One name, one thing: no two crates define a public type of the same name, and no type is named by a
//! metaphor. The glossary in `ARCHITECTURE.md` says what the words mean.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use fathom_testkit::repository;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// Names that several crates may have, and why.
const SHARED: &[(&str, &str)] = &[
    (
        "Method",
        "how an estimate, a decision or an outlier rule is made; reads well with its module",
    ),
    ("Executor", "of `--executor` in requests; of futures in benches, which is async Rust's word"),
    (
        "Throughput",
        "of benches; once more in `fathom_bench::criterion`, where names are criterion's",
    ),
];

/// Words that say what something is like instead of what it is.
const METAPHORS: &[&str] = &[
    "Arena", "Board", "Books", "Bout", "Crowd", "Door", "SaidRows", "Seat", "Sheet", "Sheets",
    "Shelf", "Wish", "Wishes",
];

/// A type where it is defined.
struct Definition {
    name: String,
    is_public: bool,
    /// The folder of the crate below `crates`.
    of_crate: String,
    /// "crates/fathom-record/src/run.rs:7"
    place: String,
}

/// The types that a line of code defines: "pub(crate) struct Run {" is `Run`. Associated types are
/// indented and belong to their trait.
fn defined(line: &str) -> Option<(&str, bool)> {
    let code = line.trim_start();
    let is_indented = code.len() < line.len();
    let (is_public, code) = match code.strip_prefix("pub") {
        Some(rest) if rest.starts_with(' ') => (true, rest),
        Some(rest) if rest.starts_with('(') => (false, rest.split_once(')')?.1),
        _ => (false, code),
    };
    let code = code.trim_start();
    let code = code.strip_prefix("unsafe ").unwrap_or(code);
    let (keyword, rest) = code.split_once(' ')?;
    if !matches!(keyword, "struct" | "enum" | "trait" | "type" | "union") {
        return None;
    }
    if keyword == "type" && is_indented {
        return None;
    }
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    let name = &rest[..end];
    name.starts_with(char::is_uppercase).then_some((name, is_public))
}

/// All types of all crates. Those that only tests have are left out unless they are in `src`.
fn definitions() -> Vec<Definition> {
    let mut all = Vec::new();
    for (of_crate, folder) in repository::crates().unwrap() {
        for path in repository::rust_files(&folder.join("src")).unwrap() {
            let place = path.strip_prefix(repository::top()).unwrap().display().to_string();
            let text = fs::read_to_string(&path).unwrap();
            all.extend(text.lines().enumerate().filter_map(|(number, line)| {
                let (name, is_public) = defined(line)?;
                let (name, of_crate) = (name.to_string(), of_crate.clone());
                let place = format!("{place}:{}", number + 1);
                Some(Definition { name, is_public, of_crate, place })
            }));
        }
    }
    assert!(all.len() > 1000, "only {} types: the crates are not where they were", all.len());
    all
}

/// The names that public types of several crates have, and where.
fn shared(definitions: &[Definition]) -> BTreeMap<&str, Vec<&Definition>> {
    let mut by_name: BTreeMap<&str, Vec<&Definition>> = BTreeMap::new();
    for definition in definitions.iter().filter(|definition| definition.is_public) {
        by_name.entry(&definition.name).or_default().push(definition);
    }
    by_name.retain(|_, all| all.iter().map(|one| &one.of_crate).collect::<BTreeSet<_>>().len() > 1);
    by_name
}

#[test]
fn no_two_crates_have_a_public_type_of_the_same_name() {
    let definitions = definitions();
    let mut wrong = Vec::new();
    let found = shared(&definitions);
    for (name, all) in &found {
        if !SHARED.iter().any(|(allowed, _)| allowed == name) {
            let places: Vec<&str> = all.iter().map(|one| one.place.as_str()).collect();
            wrong.push(format!("{name}: {}", places.join(", ")));
        }
    }
    assert!(
        wrong.is_empty(),
        "one name for several things; give all but one of them a more precise name:\n{}",
        wrong.join("\n")
    );
    let needless: Vec<&str> =
        SHARED.iter().map(|(name, _)| *name).filter(|name| !found.contains_key(name)).collect();
    assert!(needless.is_empty(), "no longer shared, take them off the list: {needless:?}");
}

#[test]
fn no_type_is_named_by_a_metaphor() {
    let wrong: Vec<String> = definitions()
        .iter()
        .filter(|one| METAPHORS.contains(&one.name.as_str()))
        .map(|one| format!("{}: {}", one.place, one.name))
        .collect();
    assert!(wrong.is_empty(), "name the thing, not what it is like:\n{}", wrong.join("\n"));
}

#[test]
fn definitions_are_recognized() {
    assert_eq!(defined("pub struct Run {"), Some(("Run", true)));
    assert_eq!(defined("pub(crate) enum Door<'a> {"), Some(("Door", false)));
    assert_eq!(defined("pub(in crate::report) struct Axis;"), Some(("Axis", false)));
    assert_eq!(defined("    struct Inner(u8);"), Some(("Inner", false)));
    assert_eq!(defined("pub type Watch<'w> = &'w ();"), Some(("Watch", true)));
    assert_eq!(defined("    type Error = String;"), None);
    assert_eq!(defined("// struct Run {"), None);
    assert_eq!(defined("pub fn run() {"), None);
}
