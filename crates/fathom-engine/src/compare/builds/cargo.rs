//! Benches, built by cargo.

use super::cargo_arguments::CargoArguments;
use super::package_list::PackageList;
use crate::EngineError;
use serde_json::Value;
use std::fmt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// An executable that measures.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct BuiltBench {
    pub(crate) package: String,
    pub(crate) target: String,
    pub(crate) executable: PathBuf,
    /// The package's folder, where cargo runs benches.
    pub(crate) folder: PathBuf,
}

impl fmt::Display for BuiltBench {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.target, self.package)
    }
}

/// What a build gave.
#[derive(Debug)]
pub(super) struct Built {
    pub(super) benches: Vec<BuiltBench>,
    /// Lines of JSON, one for every package that was compiled now or before.
    pub(super) messages: Vec<u8>,
}

/// Cargo, working on one revision.
#[derive(Debug, Clone)]
pub(super) struct Cargo<'a> {
    /// Where it starts.
    pub(super) folder: &'a Path,
    /// What it builds, for messages: `main (1a2b3c4)`.
    pub(super) what: &'a str,
    pub(super) arguments: &'a CargoArguments,
    pub(super) is_quiet: bool,
}

impl Cargo<'_> {
    /// What there is to build.
    pub(super) fn packages(&self) -> Result<PackageList, EngineError> {
        let mut command = self.command();
        command.args(["metadata", "--format-version", "1", "--no-deps"]);
        let output = run(&mut command)?;
        if !output.status.success() {
            return Err(EngineError::usage(format!(
                "cargo cannot read the packages of {}; it says:\n{}",
                self.what,
                said(&output)
            )));
        }
        PackageList::read(&output.stdout).ok_or_else(|| {
            EngineError::usage(format!("`cargo metadata` gave no packages of {}", self.what))
        })
    }

    /// Builds the benches, in cargo's usual target folder or in another.
    pub(super) fn build(
        &self,
        packages: &PackageList,
        target_folder: Option<&Path>,
    ) -> Result<Built, EngineError> {
        if !packages.has_benches {
            return Err(EngineError::usage(format!(
                "{} has no benches: none of its packages has a bench target",
                self.what
            )));
        }
        let mut command = self.command();
        command.args(["bench", "--no-run", "--message-format=json-render-diagnostics"]);
        if let Some(folder) = target_folder {
            command.arg("--target-dir").arg(folder);
            // A folder that the user configured for all builds would mix up the two trees.
            command.env("CARGO_BUILD_BUILD_DIR", folder);
        }
        let words = self.arguments.words();
        if !self.is_quiet {
            command.stderr(Stdio::inherit());
        } else if !words.iter().any(|word| ["--quiet", "-q"].contains(word)) {
            // Cargo refuses it twice.
            command.arg("--quiet");
        }
        command.args(words);
        let output = run(&mut command)?;
        if !output.status.success() {
            const INTERRUPT: i32 = 2;
            if output.status.signal() == Some(INTERRUPT) {
                return Err(EngineError::interrupted());
            }
            let said = if self.is_quiet { said(&output) } else { "see above".to_string() };
            return Err(EngineError::usage(format!(
                "the benches of {} cannot be built: cargo ended with {}; {said}",
                self.what, output.status
            )));
        }
        let mut benches: Vec<BuiltBench> = output
            .stdout
            .split(|byte| *byte == b'\n')
            .filter_map(|line| bench(line, packages))
            .collect();
        if benches.is_empty() {
            return Err(EngineError::usage(format!(
                "cargo built no bench of {}; they may need --features, or another choice in \
                 --cargo-args",
                self.what
            )));
        }
        benches.sort();
        benches.dedup();
        Ok(Built { benches, messages: output.stdout })
    }

    fn command(&self) -> Command {
        let mut command = Command::new("cargo");
        command.args(&self.arguments.toolchain).current_dir(self.folder).stdin(Stdio::null());
        command
    }
}

fn run(command: &mut Command) -> Result<Output, EngineError> {
    command.output().map_err(|error| {
        if error.kind() == std::io::ErrorKind::NotFound {
            return EngineError::usage(
                "Fathom builds with cargo, and there is none in PATH; install Rust",
            );
        }
        EngineError::usage(format!("cargo cannot be started: {error}"))
    })
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).trim_end().to_string()
}

/// The bench that a line of cargo's messages names.
fn bench(line: &[u8], packages: &PackageList) -> Option<BuiltBench> {
    let message: Value = serde_json::from_slice(line).ok()?;
    let kinds = message["target"]["kind"].as_array()?;
    let is_bench = message["reason"] == "compiler-artifact" && kinds.iter().any(|k| k == "bench");
    if !is_bench {
        return None;
    }
    let id = message["package_id"].as_str()?;
    Some(BuiltBench {
        package: packages.names.get(id).cloned().unwrap_or_else(|| id.to_string()),
        target: message["target"]["name"].as_str()?.to_string(),
        executable: PathBuf::from(message["executable"].as_str()?),
        folder: Path::new(message["manifest_path"].as_str()?).parent()?.to_path_buf(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_benches_that_were_built_are_benches() {
        let metadata = json!({
            "workspace_root": "/w",
            "target_directory": "/w/target",
            "packages": [{ "id": "path+file:///w#speed@0.1.0", "name": "speed", "dependencies": [],
                "targets": [{ "kind": ["bench"] }] }],
        });
        let packages = PackageList::read(metadata.to_string().as_bytes()).unwrap();
        let line = |reason: &str, kind: &str, id: &str| {
            let message = json!({
                "reason": reason,
                "package_id": id,
                "target": { "kind": [kind], "name": "parse" },
                "executable": "/w/target/release/deps/parse-0123",
                "manifest_path": "/w/Cargo.toml",
            });
            bench(message.to_string().as_bytes(), &packages)
        };
        let found = line("compiler-artifact", "bench", "path+file:///w#speed@0.1.0").unwrap();
        assert_eq!(found.to_string(), "parse of speed");
        assert_eq!(found.executable, Path::new("/w/target/release/deps/parse-0123"));
        assert_eq!(found.folder, Path::new("/w"));
        assert_eq!(line("compiler-artifact", "bench", "other").unwrap().package, "other");
        assert_eq!(line("compiler-artifact", "lib", "other"), None);
        assert_eq!(line("build-finished", "bench", "other"), None);
        assert_eq!(bench(b"Compiling speed", &packages), None);
    }
}
