//! Trees come and go, and nothing of the user's changes.

use super::{BENCH, Repository, both, input_error, library};
use crate::compare::builds::worktree::Worktree;
use std::path::Path;
use std::process::Command;

#[test]
fn a_member_of_a_workspace_is_built_alone_and_hooks_do_not_run() {
    let repository = Repository::new();
    repository.write("Cargo.toml", "[workspace]\nmembers = [\"crates/*\"]\nresolver = \"2\"\n");
    repository.write(".gitignore", "/target\n");
    for name in ["tiny", "other"] {
        repository
            .write(&format!("crates/{name}/Cargo.toml"), &repository.manifest(name, &["speed"]));
        repository.write(&format!("crates/{name}/src/lib.rs"), &library(name));
        let bench = BENCH.replace("tiny", name);
        repository.write(&format!("crates/{name}/benches/speed.rs"), &bench);
    }
    let lock = Command::new("cargo").arg("generate-lockfile").current_dir(&repository.top).output();
    assert!(lock.unwrap().status.success());
    repository.commit("members");
    let before = repository.state();
    let hook = "#!/bin/sh\ntouch \"$0.ran\"\nexit 1\n";
    repository.write(".git/hooks/post-checkout", hook);
    use std::os::unix::fs::PermissionsExt;
    let executable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(repository.top.join(".git/hooks/post-checkout"), executable).unwrap();
    let member = repository.top.join("crates/tiny");
    let builds = repository.build_in(&member, "main", "").unwrap();
    assert_eq!(both(&builds), ("tiny".into(), "tiny".into()));
    assert_eq!(builds.pairs.len(), 1);
    assert!(builds.pairs[0].old.folder.ends_with("tree/crates/tiny"));
    drop(builds);
    assert!(!repository.top.join(".git/hooks/post-checkout.ran").exists());
    let builds = repository.build("main").unwrap();
    let names: Vec<String> = builds.pairs.iter().map(|pair| pair.old.to_string()).collect();
    assert_eq!(names, ["speed of other", "speed of tiny"]);
    drop(builds);
    let builds = repository.build_in(&repository.top, "main", "-p other").unwrap();
    assert_eq!(builds.pairs.len(), 1);
    drop(builds);
    assert_eq!(repository.state(), before);
    // A folder that the revision does not have.
    repository.write("crates/late/Cargo.toml", &repository.manifest("late", &["speed"]));
    repository.write("crates/late/src/lib.rs", &library("late"));
    repository.write("crates/late/benches/speed.rs", &BENCH.replace("tiny", "late"));
    let late = repository.top.join("crates/late");
    let message = input_error(repository.build_in(&late, "main", ""));
    assert!(message.contains("has no folder crates/late"), "{message}");
}

#[test]
fn what_a_killed_session_left_is_removed_and_one_under_way_is_not() {
    let repository = Repository::with_package("a");
    let before = repository.state();
    let revision = repository.resolve("main").unwrap();
    let worktree = Worktree::at(&revision, &repository.place()).unwrap();
    let message = input_error(Worktree::at(&revision, &repository.place()));
    assert!(message.contains("is under way; wait"), "{message}");
    assert!(worktree.folder().join("src/lib.rs").exists());
    drop(worktree);
    assert_eq!(repository.state(), before);
    let tree = repository.place().join("tree");
    let path = tree.to_str().unwrap();
    // Killed: all is there; also with changes, a lock, or without the folder or git's memory of it.
    type Change = fn(&Repository, &Path);
    let changes: [Change; 5] = [
        |_, _| {},
        |_, tree| std::fs::write(tree.join("src/lib.rs"), "changed").unwrap(),
        |repository, tree| {
            drop(repository.git(&["worktree", "lock", tree.to_str().unwrap()]));
        },
        |_, tree| std::fs::remove_dir_all(tree).unwrap(),
        |repository, _| {
            std::fs::remove_dir_all(repository.top.join(".git/worktrees")).unwrap();
        },
    ];
    for (number, change) in changes.into_iter().enumerate() {
        repository.git(&["worktree", "add", "--quiet", "--detach", path]);
        change(&repository, &tree);
        let worktree = Worktree::at(&revision, &repository.place())
            .unwrap_or_else(|failure| panic!("{number}: {failure}"));
        let text = std::fs::read_to_string(worktree.folder().join("src/lib.rs")).unwrap();
        assert_eq!(text, library("a"), "{number}");
        drop(worktree);
        assert_eq!(repository.state(), before, "{number}");
        assert!(!tree.exists(), "{number}");
    }
    // It was broken while it was in use.
    let worktree = Worktree::at(&revision, &repository.place()).unwrap();
    std::fs::write(tree.join(".git"), "gitdir: /nowhere\n").unwrap();
    drop(worktree);
    assert_eq!(repository.state(), before);
    // The user's own trees are not forgotten, not even one that is out of reach.
    let own = repository.scratch.join("own tree");
    repository.git(&["worktree", "add", "--quiet", "--detach", own.to_str().unwrap()]);
    std::fs::remove_dir_all(&own).unwrap();
    let before = repository.state();
    drop(Worktree::at(&revision, &repository.place()).unwrap());
    assert_eq!(repository.state(), before);
}

#[test]
fn a_linked_work_tree_of_a_bare_repository_will_do() {
    let repository = Repository::with_package("committed");
    let bare = repository.scratch.join("bare.git");
    let linked = repository.scratch.join("linked tree");
    repository.git(&["clone", "--quiet", "--bare", ".", bare.to_str().unwrap()]);
    let path = linked.to_str().unwrap();
    repository.git_in(&bare, &["worktree", "add", "--quiet", "-b", "topic", path]);
    std::fs::write(linked.join("src/lib.rs"), library("linked")).unwrap();
    let before = repository.git_in(&bare, &["worktree", "list"]);
    let builds = repository.build_in(&linked, "main", "").unwrap();
    assert_eq!(both(&builds), ("committed".into(), "linked".into()));
    drop(builds);
    assert_eq!(repository.git_in(&bare, &["worktree", "list"]), before);
}

#[test]
fn submodules_that_cannot_be_fetched_are_a_warning() {
    let repository = Repository::with_package("a");
    let gone = repository.scratch.join("gone").display().to_string();
    repository
        .write(".gitmodules", &format!("[submodule \"part\"]\n\tpath = part\n\turl = {gone}\n"));
    let commit = repository.git(&["rev-parse", "HEAD"]).trim().to_string();
    repository.git(&["add", ".gitmodules"]);
    let entry = format!("160000,{commit},part");
    repository.git(&["update-index", "--add", "--cacheinfo", &entry]);
    repository.git(&["commit", "--quiet", "--message", "a part"]);
    let before = repository.state();
    let revision = repository.resolve("main").unwrap();
    let worktree = Worktree::at(&revision, &repository.place()).unwrap();
    let [warning] = &worktree.warnings[..] else { panic!("{:?}", worktree.warnings) };
    assert!(warning.starts_with("submodules of main ("), "{warning}");
    assert!(warning.contains("could not be fetched; git says:\n"), "{warning}");
    drop(worktree);
    assert_eq!(repository.state(), before);
}

#[test]
fn submodules_are_fetched_and_not_noted_in_the_users_configuration() {
    // Git forbids submodules in folders unless told otherwise, which only the environment can tell
    // it from here; and a process's own environment is not to be changed while threads run.
    const KEY: &str = "GIT_CONFIG_KEY_0";
    if std::env::var(KEY).is_err() {
        let name = "submodules_are_fetched_and_not_noted_in_the_users_configuration";
        let output = Command::new(std::env::current_exe().unwrap())
            .arg(name)
            .env("GIT_CONFIG_COUNT", "1")
            .env(KEY, "protocol.file.allow")
            .env("GIT_CONFIG_VALUE_0", "always")
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("1 passed"), "{text}");
        return;
    }
    let part = Repository::with_package("part");
    let repository = Repository::with_package("a");
    let url = part.top.to_str().unwrap();
    repository.git(&["submodule", "--quiet", "add", url, "a part"]);
    repository.commit("a part");
    // As in a clone whose user has no need of it.
    repository.git(&["submodule", "--quiet", "deinit", "--all"]);
    let before = repository.state();
    assert!(!before[6].contains("submodule"), "{}", before[6]);
    let revision = repository.resolve("main").unwrap();
    let worktree = Worktree::at(&revision, &repository.place()).unwrap();
    assert!(worktree.warnings.is_empty(), "{:?}", worktree.warnings);
    let text = std::fs::read_to_string(worktree.folder().join("a part/src/lib.rs")).unwrap();
    assert_eq!(text, library("part"));
    drop(worktree);
    assert_eq!(repository.state(), before);
    assert!(!repository.place().join("tree").exists());
}
