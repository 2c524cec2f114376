//! The executable of this process, to be started again.

use std::path::{Path, PathBuf};

/// The program that this process runs, even if its file was replaced or deleted since: where the
/// system has a name for that, else its path.
pub(crate) fn own_program() -> Result<PathBuf, String> {
    const RUNNING: &str = "/proc/self/exe";
    if cfg!(target_os = "linux") && Path::new(RUNNING).exists() {
        return Ok(PathBuf::from(RUNNING));
    }
    std::env::current_exe()
        .map_err(|error| format!("cannot find the path of this program: {error}"))
}
