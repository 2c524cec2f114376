//! Real repositories and real builds of a package without dependencies.

mod building;
mod of_packages;
mod revisions;
mod sharing;
mod trees;

use super::cargo::BuiltBench;
use super::revision::Revision;
use super::{Builds, CargoArguments, Request, build};
use crate::EngineError;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A repository in a folder of its own, with a space in its name.
struct Repository {
    /// Of its packages: in a target folder that several share, cargo would take packages of the
    /// same name and version for the same.
    version: String,
    scratch: PathBuf,
    top: PathBuf,
}

impl Repository {
    fn new() -> Repository {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("fathom builds {} {number}", std::process::id());
        let scratch = std::env::temp_dir().canonicalize().unwrap().join(name);
        let version = format!("0.{}.{number}", std::process::id());
        let repository = Repository { version, top: scratch.join("a tool"), scratch };
        std::fs::create_dir_all(&repository.top).unwrap();
        repository.git(&["init", "--quiet", "--initial-branch", "main"]);
        repository
    }

    /// One whose package prints a word, committed.
    fn with_package(word: &str) -> Repository {
        let repository = Repository::new();
        repository.write("Cargo.toml", &repository.manifest("tiny", &["speed"]));
        repository.write(".gitignore", "/target\nCargo.lock\n");
        repository.write("src/lib.rs", &library(word));
        repository.write("benches/speed.rs", BENCH);
        repository.commit(word);
        repository
    }

    fn manifest(&self, name: &str, benches: &[&str]) -> String {
        let version = &self.version;
        let mut text =
            format!("[package]\nname = \"{name}\"\nversion = \"{version}\"\nedition = \"2021\"\n");
        for bench in benches {
            text.push_str(&format!("[[bench]]\nname = \"{bench}\"\nharness = false\n"));
        }
        text
    }

    fn write(&self, file: &str, text: &str) {
        let path = self.top.join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn git(&self, words: &[&str]) -> String {
        self.git_in(&self.top, words)
    }

    fn git_in(&self, folder: &Path, words: &[&str]) -> String {
        let output = Command::new("git")
            .args(["-c", "user.name=me", "-c", "user.email=me@example.org"])
            .args(words)
            .current_dir(folder)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{words:?}: {text}{errors}");
        text
    }

    fn commit(&self, message: &str) -> String {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", message]);
        self.git(&["rev-parse", "HEAD"]).trim().to_string()
    }

    fn place(&self) -> PathBuf {
        self.scratch.join(format!("place {}", self.version))
    }

    fn resolve(&self, name: &str) -> Result<Revision, EngineError> {
        Revision::resolve(&self.top, name)
    }

    fn build(&self, revision: &str) -> Result<Builds, EngineError> {
        self.build_in(&self.top, revision, "")
    }

    fn build_in(&self, folder: &Path, revision: &str, words: &str) -> Result<Builds, EngineError> {
        build(
            &Request {
                folder,
                revision,
                arguments: &CargoArguments::read(words).unwrap(),
                place: Some(&self.place()),
                is_quiet: true,
                in_layouts: false,
            },
            &mut |_| {},
        )
    }

    /// All that a comparison must leave as it is.
    fn state(&self) -> [String; 7] {
        [
            self.git(&["status", "--porcelain", "--ignored=no"]),
            self.git(&["worktree", "list", "--porcelain"]),
            self.git(&["for-each-ref"]),
            self.git(&["stash", "list"]),
            self.git(&["diff"]),
            self.git(&["diff", "--cached"]),
            std::fs::read_to_string(self.top.join(".git/config")).unwrap_or_default(),
        ]
    }
}

impl Drop for Repository {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.scratch);
    }
}

fn library(word: &str) -> String {
    format!("pub fn word() -> &'static str {{ \"{word}\" }}\n")
}

const BENCH: &str = "fn main() { print!(\"{}\", tiny::word()); }\n";

/// What a bench prints, where it is to run.
fn printed(bench: &BuiltBench) -> String {
    let output = Command::new(&bench.executable).current_dir(&bench.folder).output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

/// What the first pair prints.
fn both(builds: &Builds) -> (String, String) {
    (printed(&builds.pairs[0].old), printed(&builds.pairs[0].new))
}

fn input_error<T: std::fmt::Debug>(result: Result<T, EngineError>) -> String {
    let error = result.unwrap_err();
    assert_eq!(error.kind(), crate::ErrorKind::Usage, "{error}");
    error.to_string()
}
