//! Both are built as they should be, as little as can be, or it is said why not.

use super::{BENCH, Repository, both, input_error, library};
use crate::compare::builds::{Builds, CargoArguments, Request, build};
use std::path::Path;

#[test]
fn the_work_tree_is_compared_as_it_is_and_stays_so() {
    let repository = Repository::with_package("committed");
    repository.git(&["branch", "topic"]);
    repository.write("src/lib.rs", &library("stashed"));
    repository.git(&["stash"]);
    repository.write("notes", "staged\n");
    repository.git(&["add", "notes"]);
    repository.write("src/lib.rs", &library("uncommitted"));
    repository.write("untracked", "\n");
    let before = repository.state();
    let builds = repository.build("main").unwrap();
    assert_eq!(both(&builds), ("committed".into(), "uncommitted".into()));
    assert!(builds.warnings.is_empty(), "{:?}", builds.warnings);
    assert_eq!(builds.labels, ["main", "work tree"]);
    let revision = repository.resolve("main").unwrap();
    assert_eq!(revision.to_string(), format!("main ({})", revision.short));
    assert!(revision.commit.starts_with(&revision.short));
    let [pair] = &builds.pairs[..] else { panic!("{:?}", builds.pairs) };
    assert_eq!((&*pair.old.package, &*pair.old.target), ("tiny", "speed"));
    assert_eq!(pair.new.folder, repository.top);
    assert!(pair.old.folder.starts_with(repository.place()) && pair.old.folder.is_dir());
    let during = repository.state();
    assert_ne!(during[1], before[1], "the tree is registered while it is in use");
    drop(builds);
    assert_eq!(repository.state(), before);
    assert!(!repository.place().join("tree").exists());
}

#[test]
fn a_second_build_builds_only_what_differs() {
    let repository = Repository::with_package("first");
    let first = repository.git(&["rev-parse", "HEAD"]).trim().to_string();
    repository.write("src/lib.rs", &library("second"));
    repository.commit("second");
    let time = |builds: &Builds| {
        let executable = &builds.pairs[0].old.executable;
        std::fs::metadata(executable).unwrap().modified().unwrap()
    };
    let builds = repository.build(&first).unwrap();
    assert_eq!(both(&builds), ("first".into(), "second".into()));
    let revision = repository.resolve(&first).unwrap();
    assert_eq!(revision.to_string(), revision.short);
    let built = time(&builds);
    drop(builds);
    // The same again, though every file was checked out again.
    let builds = repository.build(&first).unwrap();
    assert_eq!(time(&builds), built);
    drop(builds);
    // Another revision, with other content, and back.
    for (revision, word) in [("main", "second"), (first.as_str(), "first"), ("HEAD", "second")] {
        let builds = repository.build(revision).unwrap();
        assert_eq!(both(&builds), (word.into(), "second".into()));
        assert_ne!(time(&builds), built);
    }
    // Another revision with the same sources.
    let built = time(&repository.build("main").unwrap());
    repository.write("README.md", "text\n");
    repository.commit("read me");
    assert_eq!(time(&repository.build("main").unwrap()), built);
}

#[test]
fn other_features_do_not_take_what_was_built_from_another_revision() {
    let repository = Repository::with_package("first");
    let manifest = repository.manifest("tiny", &["speed"]) + "[features]\nloud = []\n";
    repository.write("Cargo.toml", &manifest);
    let first = repository.commit("features");
    repository.write("src/lib.rs", &library("second"));
    repository.commit("second");
    for (revision, words, word) in [
        (first.as_str(), "--features loud", "first"),
        ("main", "", "second"),
        ("main", "--features loud", "second"),
        (first.as_str(), "--features loud", "first"),
        (first.as_str(), "", "first"),
    ] {
        let builds = repository.build_in(&repository.top, revision, words).unwrap();
        assert_eq!(both(&builds).0, word, "{revision} {words}");
    }
}

#[test]
fn what_does_not_build_is_named_and_leaves_nothing() {
    let repository = Repository::with_package("a");
    repository.write("src/lib.rs", "pub fn word() -> &'static str { broken }\n");
    let broken = repository.commit("broken");
    repository.write("src/lib.rs", &library("a"));
    repository.commit("mended");
    let before = repository.state();
    let message = input_error(repository.build(&broken));
    let short = repository.resolve(&broken).unwrap().short;
    assert!(message.starts_with(&format!("the benches of {short} cannot be built")), "{message}");
    assert!(message.contains("cannot find value `broken`"), "{message}");
    assert_eq!(repository.state(), before);
    assert!(!repository.place().join("tree").exists());
    repository.write("src/lib.rs", "neither is this\n");
    let message = input_error(repository.build("main"));
    assert!(message.starts_with("the benches of the work tree cannot be built"), "{message}");
}

#[test]
fn benches_of_one_side_are_named() {
    let repository = Repository::with_package("a");
    repository.write("Cargo.toml", &repository.manifest("tiny", &["speed", "added"]));
    repository.write("benches/added.rs", BENCH);
    repository.commit("another");
    let builds = repository.build("HEAD~1").unwrap();
    assert_eq!(builds.pairs.len(), 1);
    assert_eq!(builds.warnings, ["only the work tree has added of tiny"]);
    drop(builds);
    repository.write("Cargo.toml", &repository.manifest("tiny", &["added"]));
    std::fs::remove_file(repository.top.join("benches/speed.rs")).unwrap();
    let builds = repository.build("main").unwrap();
    let old = repository.resolve("main").unwrap();
    assert_eq!(builds.warnings, [format!("only {old} has speed of tiny")]);
    drop(builds);
    let message = input_error(repository.build("main~1"));
    assert!(message.contains("have no bench in common"), "{message}");
    assert!(message.contains("has speed of tiny; the work tree has added of tiny"), "{message}");
    // And none at all.
    repository.write("Cargo.toml", &repository.manifest("tiny", &[]));
    std::fs::remove_dir_all(repository.top.join("benches")).unwrap();
    let message = input_error(repository.build("main"));
    assert!(message.starts_with("the work tree has no benches"), "{message}");
    repository.commit("none");
    repository.git(&["checkout", "--quiet", "--detach", "main~1"]);
    let message = input_error(repository.build("main"));
    assert!(message.starts_with("main (") && message.contains("has no benches"), "{message}");
}

#[test]
fn both_are_built_with_the_same_dependencies_and_their_own_settings() {
    let repository = Repository::with_package("a");
    // The work tree's settings are not the other revision's.
    repository.write(".cargo/config.toml", "[build]\nrustflags = [\"--cfg\", \"fast\"]\n");
    let bench = "fn main() { print!(\"{}\", cfg!(fast)); }\n";
    repository.write("benches/speed.rs", bench);
    repository.git(&["add", "benches"]);
    repository.git(&["commit", "--quiet", "--message", "prints its settings"]);
    // One that cargo would not make today.
    let package = format!("name = \"tiny\"\nversion = \"{}\"", repository.version);
    let head = "# This file is automatically @generated by Cargo.\n\
                # It is not intended for manual editing.";
    let text = format!("{head}\nversion = 3\n\n[[package]]\n{package}\n");
    repository.write("Cargo.lock", &text);
    let builds = repository.build("main").unwrap();
    // Flags from the environment, if there are any, come before those of files.
    if std::env::var_os("RUSTFLAGS").is_none()
        && std::env::var_os("CARGO_ENCODED_RUSTFLAGS").is_none()
    {
        assert_eq!(both(&builds), ("false".into(), "true".into()));
    }
    let lock = |folder: &Path| std::fs::read_to_string(folder.join("Cargo.lock")).unwrap();
    assert_eq!(lock(&builds.pairs[0].old.folder), lock(&repository.top));
    assert!(lock(&repository.top).contains("version = 3"));
    drop(builds);
    // Settings above the repository hold for it alone, and that is said.
    std::fs::create_dir_all(repository.scratch.join(".cargo")).unwrap();
    let above = repository.scratch.join(".cargo/config.toml");
    std::fs::write(&above, "").unwrap();
    assert!(repository.build("main").unwrap().warnings.is_empty());
    let elsewhere = Repository::new();
    let arguments = CargoArguments::default();
    let request = Request {
        folder: &repository.top,
        revision: "main",
        arguments: &arguments,
        place: Some(&elsewhere.top),
        is_quiet: true,
        in_layouts: false,
    };
    let mut said = Vec::new();
    let builds = build(&request, &mut |line| said.push(line.to_string())).unwrap();
    let [warning] = &builds.warnings[..] else { panic!("{:?}", builds.warnings) };
    assert!(warning.starts_with(&*above.to_string_lossy()), "{warning}");
    assert_eq!(
        said,
        [
            "building the work tree".to_string(),
            format!("building {}", repository.resolve("main").unwrap())
        ]
    );
}

#[test]
fn a_package_outside_of_the_repository_is_given_as_the_reason() {
    let repository = Repository::with_package("a");
    let beside = repository.scratch.join("beside");
    std::fs::create_dir_all(beside.join("src")).unwrap();
    std::fs::write(beside.join("Cargo.toml"), repository.manifest("beside", &[])).unwrap();
    std::fs::write(beside.join("src/lib.rs"), "").unwrap();
    let text = repository.manifest("tiny", &["speed"])
        + "[dependencies]\nbeside = { path = \"../beside\" }\n";
    repository.write("Cargo.toml", &text);
    repository.commit("beside");
    let message = input_error(repository.build("main"));
    assert!(message.contains("beside, which is not in the repository"), "{message}");
    let folder = repository.scratch.join("nothing");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::remove_file(repository.top.join("Cargo.toml")).unwrap();
    let message = input_error(repository.build("main"));
    assert!(message.starts_with("cargo cannot read the packages of the work tree"), "{message}");
    assert!(message.contains("could not find `Cargo.toml`"), "{message}");
}
