//! Two packages that the user names.

use super::{BENCH, Repository, both, input_error, library};
use crate::EngineError;
use crate::compare::builds::{Builds, CargoArguments, PackagesRequest, build_packages};
use std::path::Path;

fn build(old: &Path, new: &Path, words: &str) -> Result<Builds, EngineError> {
    let request = PackagesRequest {
        folders: [old, new],
        arguments: &CargoArguments::read(words).unwrap(),
        is_quiet: true,
        in_layouts: false,
    };
    build_packages(&request, &mut |_| {})
}

#[test]
fn two_checkouts_are_built_where_they_are() {
    let [old, new] = ["old", "new"].map(Repository::with_package);
    let before = [old.state(), new.state()];
    let builds = build(&old.top, &new.top, "").unwrap();
    assert_eq!(both(&builds), ("old".into(), "new".into()));
    assert_eq!(builds.labels, ["old", "new"]);
    assert_eq!(builds.pairs[0].old.folder, old.top);
    assert!(builds.warnings.is_empty(), "{:?}", builds.warnings);
    assert_eq!([old.state(), new.state()], before);
    // A folder may be compared with itself.
    let builds = build(&new.top, &new.top, "").unwrap();
    assert_eq!(both(&builds), ("new".into(), "new".into()));
    assert_ne!(builds.pairs[0].old.executable, builds.pairs[0].new.executable);
}

#[test]
fn checkouts_that_share_a_target_folder_do_not_replace_each_other() {
    let [old, new] = ["old", "new"].map(Repository::with_package);
    let target = new.scratch.join("common");
    for repository in [&old, &new] {
        // The same name and version in the same place of its workspace.
        repository.write("Cargo.toml", &new.manifest("tiny", &["speed"]));
        let folder = target.to_str().unwrap();
        repository.write(".cargo/config.toml", &format!("[build]\ntarget-dir = {folder:?}\n"));
    }
    // Where it is said for all builds, the test would say nothing.
    if std::env::var_os("CARGO_TARGET_DIR").is_none() {
        let builds = build(&old.top, &new.top, "").unwrap();
        assert!(builds.pairs[0].old.executable.starts_with(target.join("fathom/packages")));
    }
    let builds = build(&old.top, &new.top, "").unwrap();
    assert_eq!(both(&builds), ("old".into(), "new".into()));
}

#[test]
fn packages_of_other_names_share_a_bench_of_one_name() {
    let [old, new] = ["old", "new"].map(Repository::with_package);
    old.write("Cargo.toml", &old.manifest("small", &["speed"]));
    old.write("benches/speed.rs", &BENCH.replace("tiny", "small"));
    let builds = build(&old.top, &new.top, "").unwrap();
    assert_eq!(both(&builds), ("old".into(), "new".into()));
    new.write("Cargo.toml", &new.manifest("tiny", &["speed", "added"]));
    new.write("benches/added.rs", BENCH);
    let builds = build(&old.top, &new.top, "").unwrap();
    assert_eq!(builds.warnings, [format!("only {} has added of tiny", new.top.display())]);
    let message = input_error(build(&old.top, &new.top, "--bench added"));
    assert!(message.contains(old.top.to_str().unwrap()), "{message}");
    old.write("src/lib.rs", &library("broken\"; neither is this"));
    let message = input_error(build(&old.top, &new.top, ""));
    let expected = format!("the benches of {} cannot be built", old.top.display());
    assert!(message.starts_with(&expected), "{message}");
}
