//! The book has every page of the guides.

use fathom_testkit::markdown::pages::pages;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// "docs/../calibration/compare.md" is "calibration/compare.md".
fn normal(path: &Path) -> PathBuf {
    let mut parts = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                parts.pop();
            }
            other => parts.push(other),
        }
    }
    parts
}

#[test]
fn the_summary_names_every_page_once() {
    let pages = pages().unwrap();
    let summary = pages.iter().find(|page| page.path == Path::new("docs/SUMMARY.md")).unwrap();
    let mut named: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for link in summary.links() {
        *named.entry(normal(&summary.folder().join(&link.text))).or_default() += 1;
    }
    for page in &pages {
        let is_ours = ["docs", "calibration"].iter().any(|folder| page.path.starts_with(folder));
        if is_ours && page.path != summary.path {
            let times = named.get(&page.path).copied().unwrap_or(0);
            assert_eq!(times, 1, "docs/SUMMARY.md names {} {times} times", page.path.display());
        }
    }
}
