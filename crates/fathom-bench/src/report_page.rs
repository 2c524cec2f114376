//! A page of the results, which the program `fathom` makes: a bench is built often, and stays light.

use crate::benching::BenchExecutable;
use crate::results::LATEST;
use crate::terminal::Terminal;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The program.
const FATHOM: &str = "fathom";
/// An older one does not show everything that this bench writes.
const OLDEST: &str = env!("CARGO_PKG_VERSION");

/// Where the page is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ReportPlace {
    /// Next to the results.
    Target,
    /// Where the user says.
    File(PathBuf),
}

/// Makes the page of the last results, says where it is, and opens it where somebody can see it.
pub(crate) fn make(
    place: &ReportPlace,
    bench: &BenchExecutable,
    terminal: &Terminal,
) -> Result<(), String> {
    let results = bench.kept()?;
    let file = match place {
        ReportPlace::Target => results.folder().join(&bench.suite).join("report.html"),
        ReportPlace::File(file) => file.clone(),
    };
    let address = format!("{}@{LATEST}", bench.suite);
    let kept = results.file(&bench.suite, LATEST);
    let problem = |why: String| {
        format!(
            "{why}; then run `{FATHOM} report {address} -o {}`. The results are kept in {}.",
            file.display(),
            kept.display()
        )
    };
    check_program().map_err(problem)?;
    let mut command = Command::new(FATHOM);
    command.arg("report").arg(&address).arg("-o").arg(&file).env("NO_COLOR", "1");
    // It looks for results where this bench has put them.
    if let Some(target) = results.folder().parent() {
        command.env("CARGO_TARGET_DIR", target);
    }
    let done = command.stdin(Stdio::null()).output();
    let done = done.map_err(|error| problem(format!("cannot start {FATHOM}: {error}")))?;
    let said = String::from_utf8_lossy(&done.stderr);
    if !done.status.success() {
        let why = said.trim().trim_start_matches("error: ").trim_end_matches('.');
        return Err(problem(format!("`{FATHOM} report` failed: {why}")));
    }
    for line in said.lines().filter(|line| !line.starts_with("wrote ")) {
        terminal.note(line);
    }
    let is_opened = can_be_seen() && open(&file).is_ok();
    let opened = if is_opened { ", opened in the browser" } else { "" };
    terminal.note(&format!("report: {}{opened}", file.display()));
    Ok(())
}

/// Whether the program is there and new enough; if not, what to do.
fn check_program() -> Result<(), String> {
    let install = format!("install it with `cargo install --locked fathom-cli --version {OLDEST}`");
    let version = match Command::new(FATHOM).arg("--version").stdin(Stdio::null()).output() {
        Ok(done) => String::from_utf8_lossy(&done.stdout).trim().to_string(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(format!(
                "--report needs the program {FATHOM}, which is not in PATH; {install}"
            ));
        }
        Err(error) => return Err(format!("cannot start {FATHOM}: {error}; {install}")),
    };
    let number = version.strip_prefix("fathom ").and_then(numbers);
    match number {
        Some(found) if Some(found) >= numbers(OLDEST) => Ok(()),
        Some(_) => Err(format!(
            "--report needs {FATHOM} {OLDEST} or later, and {version} is installed; {install}"
        )),
        None => Err(format!("the program {FATHOM} in PATH is not Fathom; {install}")),
    }
}

/// "1.2.3" and "1.2.3-rc.1" as numbers that compare.
fn numbers(version: &str) -> Option<[u64; 3]> {
    let version = version.split(['-', '+', ' ']).next()?;
    let mut parts = version.split('.').map(|part| part.parse().ok());
    Some([parts.next()??, parts.next()??, parts.next()??])
}

/// Whether somebody sits in front of a screen: not in CI, not over a connection without one.
fn can_be_seen() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let has_screen = cfg!(target_os = "macos") || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
    has_screen && !is_set("CI") && io::stderr().is_terminal()
}

/// What opens it may be the browser itself, so nobody waits for it.
fn open(file: &Path) -> io::Result<()> {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let mut command = Command::new(opener);
    command.arg(file).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_compare_as_numbers() {
        assert!(numbers("0.10.0") > numbers("0.9.3"));
        assert_eq!(numbers("1.2.3-rc.1"), Some([1, 2, 3]));
        assert_eq!(numbers("1.2"), None);
        assert!(numbers(OLDEST).is_some());
    }
}
