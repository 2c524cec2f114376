//! What ARCHITECTURE.md says about dependencies is true: their number, and that each has a reason.

use super::publishing::published;
use fathom_testkit::repository;
use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

/// The rows of the tables in the section "Weight": the names in the first cell, and the second cell.
fn rows(page: &str) -> Vec<(Vec<String>, String)> {
    let section = page.split("\n## Weight\n").nth(1).expect("no section \"Weight\"");
    let section = section.split("\n## ").next().unwrap();
    let cells = section.lines().filter_map(|line| {
        let mut cells = line.strip_prefix("| `")?.split(" | ");
        let names = cells.next()?.split(['`', ',', ' ']).filter(|name| !name.is_empty());
        let names = names.map(str::to_string).collect();
        Some((names, cells.next()?.trim_end_matches(" |").to_string()))
    });
    cells.collect()
}

fn architecture() -> String {
    fs::read_to_string(repository::top().join("ARCHITECTURE.md")).unwrap()
}

/// How many crates of others a crate of ours links.
fn links(name: &str) -> usize {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--locked", "-p", name, "-e", "normal", "--prefix", "none"])
        .args(["--target", "x86_64-unknown-linux-gnu"])
        .current_dir(repository::top())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    // "serde v1.0.229 (*)": two versions of a crate are two.
    let crates: BTreeSet<Vec<&str>> = text
        .lines()
        .filter(|line| !line.starts_with("fathom-") && !line.is_empty())
        .map(|line| line.split(' ').take(2).collect())
        .collect();
    crates.len()
}

#[test]
fn the_numbers_of_crates_are_true() {
    let mut counted = 0;
    for (names, second) in rows(&architecture()) {
        if let Ok(written) = second.parse::<usize>() {
            let now = links(&names[0]);
            assert_eq!(written, now, "ARCHITECTURE.md, Weight: {} links {now} crates", names[0]);
            counted += 1;
        }
    }
    assert!(counted >= 5, "{counted} numbers: the table has changed, and this test with it");
}

#[test]
fn every_direct_dependency_has_its_reason() {
    let mut used = BTreeSet::new();
    for package in published() {
        for dependency in package["dependencies"].as_array().unwrap() {
            let name = dependency["name"].as_str().unwrap();
            if dependency["kind"] != "dev" && !name.starts_with("fathom-") {
                used.insert(name.to_string());
            }
        }
    }
    let reasons =
        rows(&architecture()).into_iter().filter(|(_, why)| why.parse::<usize>().is_err());
    let explained: BTreeSet<String> = reasons.flat_map(|(names, _)| names).collect();
    let unexplained: Vec<&String> = used.difference(&explained).collect();
    assert!(unexplained.is_empty(), "add a row to ARCHITECTURE.md, Weight: {unexplained:?}");
    let unused: Vec<&String> = explained.difference(&used).collect();
    assert!(unused.is_empty(), "remove from ARCHITECTURE.md, Weight: {unused:?}");
}

#[test]
fn rows_are_told_from_the_rest() {
    let page = "# A\n\n| `x` | y |\n\n## Weight\n\n| crate | n |\n| --- | --- |\n| `a`, `b-c` | 3 |\n\n## B\n| `d` | e |\n";
    assert_eq!(rows(page), [(vec!["a".to_string(), "b-c".to_string()], "3".to_string())]);
}
