//! Times have types: nothing named after nanoseconds is a bare integer. A moment is a `Timestamp`, a
//! length a `Span`. Files and protocols keep their names through `#[serde(rename = "...")]`.

use fathom_testkit::repository;
use std::fs;
use std::path::{Path, PathBuf};

/// Declarations that must be bare integers, and why: the end of the file's path, the name, the
/// reason. Structures whose layout the kernel or another program defines belong here.
const ALLOWED: &[(&str, &str, &str)] = &[];

const INTEGERS: [&str; 12] =
    ["i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize"];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        // Only tests are in these.
        if path.file_stem().is_some_and(|name| name == "tests") {
            continue;
        }
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn is_named_after_nanoseconds(name: &str) -> bool {
    name == "ns" || name.ends_with("_ns") || name.starts_with("ns_")
}

fn is_in_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Whether a type holds whole numbers: `u64`, `Option<[u64; 3]>`, `Vec<(i64, i64)>`. In a value,
/// such as `u64::MAX`, it is only the path to something.
fn has_integers(text: &str) -> bool {
    let mut rest = text;
    while let Some(start) = rest.find(is_in_name) {
        let word = &rest[start..];
        let end = word.find(|c| !is_in_name(c)).unwrap_or(word.len());
        let (word, after) = word.split_at(end);
        if INTEGERS.contains(&word) && !after.starts_with("::") {
            return true;
        }
        rest = after;
    }
    false
}

/// The fields and parameters of a line that hold nanoseconds as bare integers.
fn untyped(line: &str) -> Vec<&str> {
    let code = line.split("//").next().unwrap_or_default();
    let mut found = Vec::new();
    for (colon, _) in code.match_indices(": ") {
        let name = code[..colon].rsplit(|c| !is_in_name(c)).next().unwrap_or_default();
        let after = &code[colon + 2..];
        // A type ends before the next name; commas within brackets belong to it.
        let mut depth = 0_i32;
        let end = after.find(|c| {
            depth += i32::from("<([".contains(c)) - i32::from(">)]".contains(c));
            depth < 0 || (depth == 0 && ",={|".contains(c))
        });
        let kind = &after[..end.unwrap_or(after.len())];
        if is_named_after_nanoseconds(name) && has_integers(kind) {
            found.push(name);
        }
    }
    found
}

#[test]
fn nanoseconds_are_timestamps_and_spans() {
    let crates = repository::top().join("crates");
    let mut wrong = Vec::new();
    let mut needless: Vec<_> = ALLOWED.to_vec();
    let mut lines = 0;
    for entry in fs::read_dir(&crates).unwrap() {
        for path in sources(&entry.unwrap().path().join("src")) {
            let text = fs::read_to_string(&path).unwrap();
            let product = text.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default();
            for (number, line) in product.lines().enumerate() {
                lines += 1;
                for name in untyped(line) {
                    let is_it = |(file, known, _): &(&str, &str, &str)| {
                        path.ends_with(file) && *known == name
                    };
                    if ALLOWED.iter().any(is_it) {
                        needless.retain(|one| !is_it(one));
                        continue;
                    }
                    let place = path.strip_prefix(repository::top()).unwrap().display();
                    wrong.push(format!("{place}:{}: {name}", number + 1));
                }
            }
        }
    }
    assert!(lines > 50_000, "only {lines} lines: the crates are not where they were");
    assert!(
        wrong.is_empty(),
        "use fathom_record::Timestamp for moments and Span for lengths of time:\n{}",
        wrong.join("\n")
    );
    assert!(needless.is_empty(), "no longer there, take them off the list: {needless:?}");
}

#[test]
fn declarations_are_recognized() {
    for line in [
        "    pub wall_ns: u64,",
        "    ns: i64,",
        "    pub(crate) lateness_ns: Option<[u64; 3]>,",
        "    windows_ns: Vec<(i64, i64)>,",
        "    pub start_ns: Arc<[i64]>,",
        "    pub ns_per_sample: u64,",
        "fn push(&mut self, start_ns: i64) {",
        "let late = |ns: u64| ns / 2;",
        "        end_ns: i64",
    ] {
        assert_eq!(untyped(line).len(), 1, "{line}");
    }
    assert_eq!(untyped("fn rows(start_ns: &[i64], end_ns: &[i64]) -> Rows {").len(), 2);
    for line in [
        "    pub wall: Span,",
        "    pub cpu_ns: f64,",
        "    /// `wall_ns: u64`",
        "    columns: u64,",
        "    let entry = Entry { wall_ns: 5, rows: 3 };",
        "    interval_ns: u64::MAX,",
        "    fn returns(ns: f64) -> u64 {",
        "    ns: Span, count: u64,",
    ] {
        assert!(untyped(line).is_empty(), "{line}");
    }
}
