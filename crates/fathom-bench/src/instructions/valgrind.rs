//! valgrind, where the processor does not count.

use super::counter::FILES;
use std::io::ErrorKind;
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
        Ok(Valgrind { program, folder: new_folder()? })
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

/// A folder that nobody else has made: in a folder for everybody, another user could have.
fn new_folder() -> Result<PathBuf, String> {
    const TRIES: u32 = 1000;
    let process = std::process::id();
    for number in 0..TRIES {
        let folder = std::env::temp_dir().join(format!("fathom-counts-{process}-{number}"));
        match std::fs::create_dir(&folder) {
            Ok(()) => return Ok(folder),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => (),
            Err(error) => {
                let folder = folder.display();
                return Err(format!(
                    "cannot make the folder {folder}: {error}; set TMPDIR to another"
                ));
            }
        }
    }
    Err(format!("{} is full of folders of this name; clean it up", std::env::temp_dir().display()))
}

impl Drop for Valgrind {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
