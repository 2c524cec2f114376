//! What names mean, and the errors for names that mean nothing.

use super::{Repository, input_error};
use crate::compare::builds::revision::Revision;

#[test]
fn unknown_revisions_have_a_hint() {
    let repository = Repository::with_package("a");
    repository.git(&["tag", "v1.0"]);
    for (name, expected) in [
        ("mian", "there is no revision \"mian\"; did you mean main?"),
        ("v1.1", "there is no revision \"v1.1\"; did you mean v1.0?"),
        ("elsewhere", "there is no revision \"elsewhere\"; there are main, v1.0"),
        ("src/lib.rs", "; it is a file, and --rev takes a branch, tag or commit"),
        ("src", "; it is a folder, and --rev takes"),
        ("v1.0..main", "\"v1.0..main\" is a range; give the one revision"),
        ("", "the revision is empty; --rev takes a branch"),
        ("--all", "\"--all\" is no revision; --rev takes"),
        ("HEAD:src", "\"HEAD:src\" is a tree and not a commit"),
        ("HEAD~7", "there is no revision \"HEAD~7\""),
        ("zeile\nzwei", "there is no revision"),
    ] {
        let message = input_error(repository.resolve(name));
        assert!(message.contains(expected), "{name}: {message}");
    }
    let many: Vec<String> = (0..9).map(|n| format!("branch-{n}")).collect();
    many.iter().for_each(|name| drop(repository.git(&["branch", name])));
    let message = input_error(repository.resolve("elsewhere"));
    assert!(message.ends_with(" and 6 more"), "{message}");
    let fresh = Repository::new();
    let message = input_error(fresh.resolve("HEAD"));
    assert!(message.contains("no commit yet"), "{message}");
    let message = input_error(Revision::resolve(&fresh.scratch, "main"));
    assert!(message.contains("work tree of a git repository"), "{message}");
    assert!(message.contains("git says:\n"), "{message}");
}

#[test]
fn a_shallow_clone_says_how_to_get_the_rest() {
    let repository = Repository::with_package("a");
    let first = repository.git(&["rev-parse", "HEAD"]).trim().to_string();
    repository.write("more", "");
    repository.commit("more");
    let clone = repository.scratch.join("clone");
    let url = format!("file://{}", repository.top.display());
    let path = clone.to_str().unwrap();
    repository.git(&["clone", "--quiet", "--depth", "1", &url, path]);
    let message = input_error(Revision::resolve(&clone, &first));
    assert!(message.contains("git fetch --unshallow"), "{message}");
}
