//! `scripts/test` runs what it is asked to run, and says what it could not.

use fathom_testkit::repository;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn script() -> Command {
    let mut command = Command::new(repository::top().join("scripts/test"));
    command.env_remove("CI").env_remove("FATHOM_NO_INSTALL");
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A `PATH` with what the script itself is made of, and programs that leave a file if they are called.
struct Bare {
    folder: PathBuf,
}

impl Bare {
    fn new(name: &str) -> Bare {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        for tool in ["bash", "dirname", "realpath", "sed", "id"] {
            let found = std::env::split_paths(&std::env::var_os("PATH").unwrap())
                .map(|place| place.join(tool))
                .find(|path| path.is_file());
            symlink(found.unwrap(), folder.join(tool)).unwrap();
        }
        symlink("/bin/true", folder.join("cargo")).unwrap();
        let bare = Bare { folder };
        for installer in ["apt-get", "sudo", "pip"] {
            let called = bare.called().display().to_string();
            let path = bare.folder.join(installer);
            fs::write(&path, format!("#!/bin/bash\n: >'{called}'\nexit 1\n")).unwrap();
            let mut permissions = fs::metadata(&path).unwrap().permissions();
            std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o755);
            fs::set_permissions(&path, permissions).unwrap();
        }
        bare
    }

    /// The file that shows that something would have been installed.
    fn called(&self) -> PathBuf {
        self.folder.join("called")
    }

    fn run(&self, words: &[&str], ci: &str) -> Output {
        script().args(words).env("PATH", &self.folder).env("CI", ci).output().unwrap()
    }
}

#[test]
fn the_list_names_every_suite_once() {
    let output = script().arg("--list").output().unwrap();
    assert!(output.status.success());
    let listed = text(&output.stdout);
    let names: Vec<&str> = listed.lines().collect();
    let different: BTreeSet<&str> = names.iter().copied().collect();
    assert_eq!(names.len(), different.len(), "{listed}");
    assert!(names.contains(&"format") && names.len() > 10, "{listed}");
}

#[test]
fn a_name_that_no_suite_has_is_an_error_that_lists_them() {
    let output = script().args(["format", "moon"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stdout).is_empty(), "it ran something");
    let error = text(&output.stderr);
    assert!(error.contains("\"moon\"") && error.contains("  clippy\n"), "{error}");
    assert_eq!(script().arg("--moon").output().unwrap().status.code(), Some(2));
}

#[test]
fn help_names_every_option() {
    let output = script().arg("--help").output().unwrap();
    assert!(output.status.success());
    let help = text(&output.stdout);
    for option in ["NAME", "--list", "--no-install", "--help"] {
        assert!(help.contains(option), "{option}: {help}");
    }
}

#[test]
fn only_what_is_named_runs_whatever_its_case() {
    let output = Bare::new("named").run(&["FORMAT"], "");
    let said = text(&output.stdout);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("-- format: passed") && said.contains("all passed"), "{said}");
    assert!(!said.contains("clippy"), "{said}");
}

#[test]
fn without_installing_a_suite_is_skipped_by_name_and_a_failure_in_ci() {
    let bare = Bare::new("no-install");
    let output = bare.run(&["--no-install", "logic"], "");
    let said = text(&output.stdout);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("skipped: the page's types and logic"), "{said}");
    let output = bare.run(&["--no-install", "logic"], "true");
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("FAILED: the page's types and logic"), "{said}");
    assert!(!bare.called().exists(), "it tried to install something");
    // Without the option it does: the programs above are the ones it would call.
    bare.run(&["logic"], "");
    assert!(bare.called().exists(), "it did not try to install anything");
}
