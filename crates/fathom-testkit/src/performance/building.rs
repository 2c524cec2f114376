//! Building what is studied.

use super::Say;
use super::reading::output_of;
use crate::repository;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The cargo that runs this program, or that of the path.
pub(super) fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// The target folder that this program was built in.
pub(super) fn target() -> Result<PathBuf, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let target = program.parent().and_then(Path::parent).map(Path::to_path_buf);
    target.ok_or_else(|| format!("{} is in no target folder", program.display()))
}

/// Fathom as it is in the checkout, built in this program's target folder.
pub(super) fn fathom(say: Say<'_>) -> Result<PathBuf, String> {
    let target = target()?;
    say("building fathom");
    output_of(
        cargo()
            .args(["build", "--quiet", "--release", "--locked", "--package", "fathom-cli"])
            .arg("--target-dir")
            .arg(&target)
            .current_dir(repository::top()),
    )?;
    Ok(target.join("release/fathom"))
}
