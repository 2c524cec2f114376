//! A file that is there whole or not at all.

use super::TraceError;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file under a temporary name, which readers ignore. It gets its own when it is complete; until
/// then it goes when this does.
pub(super) struct NewFile {
    file: File,
    temporary: PathBuf,
    path: PathBuf,
    is_complete: bool,
}

/// What temporary names end with. They begin with a dot.
const TEMPORARY: &str = ".tmp";

impl NewFile {
    pub(super) fn create(path: &Path) -> Result<NewFile, TraceError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let temporary = path.with_file_name(format!(".{name}{TEMPORARY}"));
        let file = File::create(&temporary)
            .map_err(|error| TraceError::io("written", &temporary, error))?;
        Ok(NewFile { file, temporary, path: path.to_path_buf(), is_complete: false })
    }

    /// Gives it its name, after it is on the disk if `durably`: a kill cannot harm what the kernel
    /// has, but a loss of power can, and waiting for the disk disturbs what is measured.
    pub(super) fn complete(mut self, durably: bool) -> Result<(), TraceError> {
        let failed = |error| TraceError::io("written", &self.path, error);
        if durably {
            self.file.sync_all().map_err(failed)?;
        }
        fs::rename(&self.temporary, &self.path).map_err(failed)?;
        self.is_complete = true;
        Ok(())
    }

    /// The whole file at once.
    pub(super) fn write(path: &Path, bytes: &[u8], durably: bool) -> Result<(), TraceError> {
        let mut new = NewFile::create(path)?;
        new.write_all(bytes).map_err(|error| TraceError::io("written", path, error))?;
        new.complete(durably)
    }
}

impl Write for &NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        (&self.file).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        (&self.file).flush()
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if !self.is_complete {
            // A leftover that cannot be deleted is ignored by readers.
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

/// Whether it is the name of a file that was never completed.
pub(super) fn is_temporary(name: &str) -> bool {
    name.starts_with('.') && name.ends_with(TEMPORARY)
}
