//! The tools that are compared: executables that `scripts/peers-inprocess` builds.

use crate::repository;
use std::path::{Path, PathBuf};

/// Where their versions are, seen from the top of the checkout.
const LOCK: &str = "peers/inprocess/Cargo.lock";
/// The program that measures without a tool.
const REFERENCE: &str = "reference";

/// A tool that compares two functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tool {
    /// fathom-bench.
    Fathom,
    /// criterion.
    Criterion,
    /// divan.
    Divan,
    /// tango-bench.
    Tango,
    /// bench_diff.
    BenchDiff,
}

impl Tool {
    pub(super) const ALL: [Tool; 5] =
        [Tool::Fathom, Tool::Criterion, Tool::Divan, Tool::Tango, Tool::BenchDiff];

    /// The name of its crate.
    pub(super) fn name(self) -> &'static str {
        match self {
            Tool::Fathom => "fathom-bench",
            Tool::Criterion => "criterion",
            Tool::Divan => "divan",
            Tool::Tango => "tango-bench",
            Tool::BenchDiff => "bench_diff",
        }
    }

    /// The tool of this name.
    pub(super) fn named(name: &str) -> Result<Tool, String> {
        Tool::ALL.into_iter().find(|tool| tool.name() == name).ok_or_else(|| {
            let known = Tool::ALL.map(Tool::name).join(", ");
            format!("there is no tool {name:?}; there are {known}")
        })
    }

    /// The name of its program, the one that compares.
    fn program(self) -> &'static str {
        match self {
            Tool::Fathom => "with-fathom",
            Tool::Criterion => "with-criterion",
            Tool::Divan => "with-divan",
            Tool::Tango => "tango-second",
            Tool::BenchDiff => "with-bench-diff",
        }
    }
}

/// Where the programs are.
#[derive(Debug, Clone)]
pub(super) struct Programs {
    folder: PathBuf,
}

impl Programs {
    /// Those in this folder, all that are needed.
    pub(super) fn find(folder: &Path, tools: &[Tool]) -> Result<Programs, String> {
        let folder = folder.canonicalize().map_err(|error| {
            format!("{}: {error}\nscripts/peers-inprocess builds the programs.", folder.display())
        })?;
        let programs = Programs { folder };
        let mut needed: Vec<PathBuf> = tools.iter().map(|tool| programs.of(*tool)).collect();
        needed.push(programs.reference());
        if tools.contains(&Tool::Tango) {
            needed.push(programs.first_of_tango());
        }
        match needed.iter().find(|path| !path.is_file()) {
            Some(path) => Err(format!(
                "there is no {}; scripts/peers-inprocess builds the programs",
                path.display()
            )),
            None => Ok(programs),
        }
    }

    /// The program of a tool.
    pub(super) fn of(&self, tool: Tool) -> PathBuf {
        self.folder.join(tool.program())
    }

    /// tango compares two programs: this is the baseline.
    pub(super) fn first_of_tango(&self) -> PathBuf {
        self.folder.join("tango-first")
    }

    /// The program that measures without a tool.
    pub(super) fn reference(&self) -> PathBuf {
        self.folder.join(REFERENCE)
    }
}

/// "criterion 0.8.2" of each tool, by what the peers were built from.
pub(super) fn versions(tools: &[Tool]) -> Result<Vec<String>, String> {
    let path = repository::top().join(LOCK);
    let lock = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let version = |tool: &Tool| {
        let version = version(&lock, tool.name());
        let version = version.ok_or_else(|| format!("{LOCK} has no {}", tool.name()))?;
        Ok(format!("{} {version}", tool.name()))
    };
    tools.iter().map(version).collect()
}

fn version<'a>(lock: &'a str, name: &str) -> Option<&'a str> {
    let after = lock.split_once(&format!("\nname = \"{name}\"\n"))?.1;
    after.lines().next()?.strip_prefix("version = \"")?.strip_suffix('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_those_of_the_lock_file() {
        let lock = "version = 4\n\n[[package]]\nname = \"divan-macros\"\nversion = \"0.1.20\"\n\n\
                    [[package]]\nname = \"divan\"\nversion = \"0.1.21\"\ndependencies = []\n";
        assert_eq!(version(lock, "divan"), Some("0.1.21"));
        assert_eq!(version(lock, "criterion"), None);
    }

    #[test]
    fn tools_have_names() {
        assert!(Tool::ALL.into_iter().all(|tool| Tool::named(tool.name()) == Ok(tool)));
        assert!(Tool::named("hyperfine").unwrap_err().contains("divan, tango-bench"));
    }

    #[test]
    fn a_program_that_is_missing_is_named() {
        let error = Programs::find(&repository::top(), &[Tool::Divan]).unwrap_err();
        assert!(
            error.contains("with-divan") && error.contains("scripts/peers-inprocess"),
            "{error}"
        );
    }
}
