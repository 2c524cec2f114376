//! valgrind, where the processor does not count.

use super::counter::FILES;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The program, and a folder for what it writes.
pub(super) struct Valgrind {
    program: PathBuf,
    folder: PathBuf,
}

impl Valgrind {
    pub(super) fn find(why: &str) -> Result<Valgrind, String> {
        let folders = std::env::var_os("PATH").unwrap_or_default();
        let programs = std::env::split_paths(&folders).map(|folder| folder.join("valgrind"));
        let program = programs.into_iter().find(|program| program.is_file());
        let Some(program) = program.filter(|_| fathom_sys::valgrind::is_supported()) else {
            return Err(format!(
                "cannot count instructions. The processor's counter: {why}. Install valgrind (`apt-get install valgrind`, \
                 `dnf install valgrind`), or use a machine whose processor counts"
            ));
        };
        let folder = std::env::temp_dir().join(format!("fathom-counts-{}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|error| {
            format!("cannot make the folder {}: {error}; set TMPDIR to another", folder.display())
        })?;
        Ok(Valgrind { program, folder })
    }

    pub(super) fn command(&self, program: &Path) -> Command {
        let files = self.folder.join("counts");
        let mut command = Command::new(&self.program);
        command
            .args(["--tool=callgrind", "--instr-atstart=no", "--dump-line=no", "--quiet"])
            .arg(format!("--callgrind-out-file={}", files.display()))
            .arg(format!("--log-file={}", self.folder.join("log").display()))
            .arg("--")
            .arg(program)
            .env(FILES, &files);
        command
    }
}

impl Drop for Valgrind {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
