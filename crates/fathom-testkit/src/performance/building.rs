//! Building what is studied.

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
