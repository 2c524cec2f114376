//! The one core that everything is measured on, and the programs in C that the studies need.

use super::reading::{in_file, output_of};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Everything that is measured runs here, and so does the neighbour.
pub(super) const CORE: usize = 1;

/// A program that is confined to the core, with all it starts.
pub(super) fn on_core(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new("taskset");
    command.args(["-c", &CORE.to_string()]).arg(program);
    command
}

/// Whether a program can be confined to the core, and leaves another to the rest of the machine.
pub(super) fn check() -> Result<(), String> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if cores <= CORE {
        return Err("the study keeps a core to itself, and needs at least two".to_string());
    }
    output_of(&mut on_core("true")).map_err(|error| {
        format!("{error}\nThe study needs taskset (of util-linux), and core {CORE}.")
    })?;
    Ok(())
}

/// Makes a folder of the target folder.
pub(super) fn folder(target: &Path, name: &str) -> Result<PathBuf, String> {
    let folder = target.join(name);
    std::fs::create_dir_all(&folder).map_err(|error| in_file(&folder, &error))?;
    Ok(folder)
}

/// Compiles a program in C to a file of this name.
pub(super) fn compile(folder: &Path, name: &str, source: &str) -> Result<(), String> {
    let path = folder.join(format!("{name}.c"));
    std::fs::write(&path, source).map_err(|error| in_file(&path, &error))?;
    let mut compiler = Command::new("cc");
    compiler.args(["-O2", "-o", name]).arg(&path).current_dir(folder);
    output_of(&mut compiler)
        .map_err(|error| format!("{error}\nThe study needs a C compiler named cc."))?;
    Ok(())
}
