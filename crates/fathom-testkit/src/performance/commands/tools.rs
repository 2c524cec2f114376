//! The tools that are compared: Fathom as it is in the checkout, and peers by `cargo install`.

use super::super::building::{cargo, fathom, target};
use super::super::reading::output_of;
use super::Say;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A tool that compares two commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tool {
    /// `fathom compare`.
    Fathom,
    /// hyperfine.
    Hyperfine,
    /// cbdr.
    Cbdr,
}

impl Tool {
    const PEERS: [Tool; 2] = [Tool::Hyperfine, Tool::Cbdr];

    /// The name of its program and crate.
    pub(super) fn name(self) -> &'static str {
        match self {
            Tool::Fathom => "fathom",
            Tool::Hyperfine => "hyperfine",
            Tool::Cbdr => "cbdr",
        }
    }

    /// The version that is installed: one that today's compiler builds, and that does not change
    /// from study to study.
    fn version(self) -> &'static str {
        match self {
            Tool::Fathom => env!("CARGO_PKG_VERSION"),
            Tool::Hyperfine => "1.20.0",
            Tool::Cbdr => "0.2.4",
        }
    }

    /// "hyperfine 1.20.0".
    pub(super) fn with_version(self) -> String {
        format!("{} {}", self.name(), self.version())
    }
}

/// Those of the tools that are there.
#[derive(Debug)]
pub(super) struct Tools {
    paths: Vec<(Tool, PathBuf)>,
    /// Those that could not be installed.
    pub(super) missing: Vec<Tool>,
}

impl Tools {
    /// Builds Fathom and installs the peers. One that does not install is left out.
    pub(super) fn get(say: Say<'_>) -> Result<Tools, String> {
        let target = target()?;
        let mut paths = vec![(Tool::Fathom, fathom(say)?)];
        let mut missing = Vec::new();
        for tool in Tool::PEERS {
            match installed(tool, &target.join("peers"), say) {
                Ok(path) => paths.push((tool, path)),
                Err(error) => {
                    say(&format!("{} is left out: {error}", tool.with_version()));
                    missing.push(tool);
                }
            }
        }
        Ok(Tools { paths, missing })
    }

    /// The tools that are there.
    pub(super) fn kinds(&self) -> Vec<Tool> {
        self.paths.iter().map(|(tool, _)| *tool).collect()
    }

    /// Where a tool is.
    pub(super) fn path(&self, tool: Tool) -> Result<&Path, String> {
        let found = self.paths.iter().find(|(known, _)| *known == tool);
        found.map(|(_, path)| &**path).ok_or_else(|| format!("{} is not there", tool.name()))
    }
}

fn installed(tool: Tool, root: &Path, say: Say<'_>) -> Result<PathBuf, String> {
    let path = root.join("bin").join(tool.name());
    let is_there = || {
        let version = output_of(Command::new(&path).arg("--version"));
        version.is_ok_and(|printed| printed.text.trim() == tool.with_version())
    };
    if !is_there() {
        say(&format!("installing {} (some minutes)", tool.with_version()));
        let mut command = cargo();
        command.args(["install", "--quiet", "--version", tool.version(), "--root"]).arg(root);
        // cbdr's own list of versions is too old for today's compiler.
        if tool == Tool::Hyperfine {
            command.arg("--locked");
        }
        output_of(command.arg(tool.name()))?;
    }
    if is_there() { Ok(path) } else { Err(format!("{} does not run", path.display())) }
}
