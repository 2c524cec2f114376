//! Every path that a Markdown file names exists.
//!
//! Two kinds of text are paths. Where a link leads, unless that is another site; and in code every word
//! that begins with a folder of this repository, such as `docs/` or `crates/`. A crate's name before a
//! slash is its folder in `crates/`, and `web/` is the page's. Paths are from the top of the repository
//! or from the folder of the file that names them. `{a,b}` means both; from `<name>`, NAME, `*` or an
//! ellipsis on anything may follow. What only tools make need not be there.

use fathom_testkit::markdown::pages::{MarkdownPage, pages};
use fathom_testkit::repository;
use std::path::Path;

/// The folders at the top that a word in code may begin with.
const FOLDERS: &[&str] = &[
    "crates/",
    "docs/",
    "calibration/",
    "scripts/",
    "testdata/",
    "examples/",
    "peers/",
    "fuzz/",
    ".github/",
    ".ci/",
];

/// Folders that a command makes and that git ignores.
const MADE: &[&str] = &["fuzz/corpus/", "fuzz/artifacts/"];

/// The path from the top of the repository that a word in code means, if it looks like one.
fn named(word: &str) -> Option<String> {
    let word = word.trim_matches(|c: char| "`'\"()[],;:!?".contains(c)).trim_end_matches('.');
    let word = word.strip_prefix("./").unwrap_or(word);
    // "src/lib.rs:17" is a line of a file.
    let word = match word.rsplit_once(':') {
        Some((path, line)) if line.parse::<u32>().is_ok() => path,
        _ => word,
    };
    if FOLDERS.iter().any(|folder| word.starts_with(folder)) {
        return Some(word.to_string());
    }
    if let Some(rest) = word.strip_prefix("web/") {
        return Some(format!("crates/fathom-ui/web/{rest}"));
    }
    let (first, _) = word.split_once('/')?;
    let is_crate = first.starts_with("fathom-")
        && repository::top().join("crates").join(first).join("Cargo.toml").exists();
    is_crate.then(|| format!("crates/{word}"))
}

/// `a/{b,c}` is `a/b` and `a/c`.
fn expanded(path: &str) -> Vec<String> {
    let braces = path.split_once('{').and_then(|(before, rest)| {
        let (choices, after) = rest.split_once('}')?;
        choices.contains(',').then_some((before, choices, after))
    });
    match braces {
        Some((before, choices, after)) => choices
            .split(',')
            .flat_map(|choice| expanded(&format!("{before}{choice}{after}")))
            .collect(),
        None => vec![path.to_string()],
    }
}

/// The part of a path before any placeholder.
fn certain(path: &str) -> &str {
    let is_any = |part: &str| {
        part.contains(['<', '*', '…', '{', '$'])
            || part.contains("...")
            || (part.len() > 1 && part.chars().all(|c| c.is_ascii_uppercase()))
    };
    let mut end = 0;
    for part in path.split_inclusive('/') {
        if is_any(part.trim_end_matches('/')) {
            return &path[..end];
        }
        end += part.len();
    }
    path
}

fn exists(page: &MarkdownPage, path: &str) -> bool {
    let top = repository::top();
    if MADE.iter().any(|folder| format!("{path}/").starts_with(folder)) {
        return true;
    }
    top.join(path).exists() || top.join(page.folder()).join(path).exists()
}

fn missing_links(page: &MarkdownPage) -> Vec<String> {
    let links = page.links().into_iter().filter(|link| {
        let path = link.text.split('#').next().unwrap_or_default();
        let is_elsewhere = ["://", "mailto:"].iter().any(|mark| link.text.contains(mark));
        // rustdoc's, in Markdown that is a crate's documentation: `[Display](std::fmt::Display)`.
        let is_item = link.text.contains("::");
        !is_elsewhere
            && !is_item
            && !path.is_empty()
            && !repository::top().join(page.folder()).join(Path::new(path)).exists()
    });
    links.map(|link| format!("{}: link to {}", page.place(link.line), link.text)).collect()
}

fn missing_in_code(page: &MarkdownPage) -> Vec<String> {
    let mut missing = Vec::new();
    for piece in page.code() {
        for word in piece.text.split_whitespace() {
            for path in named(word).iter().flat_map(|path| expanded(path)) {
                if !exists(page, certain(&path)) {
                    missing.push(format!("{}: {path}", page.place(piece.line)));
                }
            }
        }
    }
    missing
}

#[test]
fn every_link_leads_somewhere() {
    let missing: Vec<String> = pages().unwrap().iter().flat_map(missing_links).collect();
    assert!(missing.is_empty(), "these do not exist:\n{}", missing.join("\n"));
}

#[test]
fn every_path_in_code_exists() {
    let missing: Vec<String> = pages().unwrap().iter().flat_map(missing_in_code).collect();
    assert!(missing.is_empty(), "these do not exist:\n{}", missing.join("\n"));
}

#[test]
fn paths_are_told_from_other_words() {
    assert_eq!(named("docs/json.md,").as_deref(), Some("docs/json.md"));
    assert_eq!(named("(crates/x.rs:17)").as_deref(), Some("crates/x.rs"));
    assert_eq!(named("fathom-ui/src").as_deref(), Some("crates/fathom-ui/src"));
    assert_eq!(named("fathom-execution/1"), None);
    assert_eq!(named("target/docs/json.md"), None);
    assert_eq!(expanded("a/{b,c}/d"), ["a/b/d", "a/c/d"]);
    assert_eq!(certain("testdata/<tool>/x"), "testdata/");
    assert_eq!(certain("testdata/runs*.json"), "testdata/");
    assert_eq!(certain("docs/NAME"), "docs/");
    assert_eq!(certain("docs/README.md"), "docs/README.md");
}
