//! Folders that are there whole or not at all.
//!
//! As [`whole_file`](crate::whole_file), for several files that belong together: they are written into a
//! folder under a temporary name beside the one that is meant, which takes its place when all are written.

use crate::whole_file::{folder_of, temporary_beside, unfinished};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Why a folder did not take the other's place whole.
#[derive(Debug)]
pub enum Incomplete {
    /// It cannot be renamed: it is the root of a file system, say. The old one is as it was.
    NotRenamed(io::Error),
    /// It has its name, but what was to stay is still in the old folder, which is here now.
    LeftBehind(PathBuf, io::Error),
}

/// A folder that is being written. Unless it is completed, nothing remains of it.
#[derive(Debug)]
pub struct NewFolder {
    path: PathBuf,
    /// `None` once it has its name.
    temporary: Option<PathBuf>,
}

impl NewFolder {
    /// Begins it, and the folders that it is in. It gets the permissions of the folder that it replaces.
    ///
    /// # Errors
    /// No folder can be made beside it.
    pub fn create(path: &Path) -> io::Result<NewFolder> {
        // A link to a folder stays, and leads to the new one.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        fs::create_dir_all(folder_of(&path))?;
        let temporary = temporary_beside(&path);
        let mut paths = unfinished();
        fs::create_dir(&temporary)?;
        paths.push(temporary.clone());
        drop(paths);
        if let Ok(old) = fs::metadata(&path) {
            // Those of a new folder will do.
            let _ = fs::set_permissions(&temporary, old.permissions());
        }
        Ok(NewFolder { path, temporary: Some(temporary) })
    }

    /// Where to write what will be in it.
    #[must_use]
    pub fn place(&self) -> &Path {
        self.temporary.as_deref().unwrap_or(&self.path)
    }

    /// Gives it its name. Of a folder that has it already, what `is_replaced` is deleted; the rest moves
    /// into the new one.
    ///
    /// # Errors
    /// It has not its name, or not all of what it should hold.
    pub fn complete(mut self, is_replaced: impl Fn(&OsStr) -> bool) -> Result<(), Incomplete> {
        let Some(temporary) = &self.temporary else { return Ok(()) };
        // Who ends this process waits for this lock, so that neither folder is between names.
        let mut paths = unfinished();
        let old = take_place(temporary, &self.path).map_err(Incomplete::NotRenamed)?;
        paths.retain(|path| path != temporary);
        drop(paths);
        self.temporary = None;
        let Some(old) = old else { return Ok(()) };
        move_rest(&old, &self.path, is_replaced)
            .and_then(|()| fs::remove_dir_all(&old))
            .map_err(|error| Incomplete::LeftBehind(old, error))
    }
}

impl Drop for NewFolder {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            let mut paths = unfinished();
            paths.retain(|path| path != temporary);
            // A leftover that cannot be deleted is ignored by readers.
            let _ = fs::remove_dir_all(temporary);
        }
    }
}

/// Renames a folder to a path; where the folder is now that was there, if it was not empty.
fn take_place(new: &Path, path: &Path) -> io::Result<Option<PathBuf>> {
    match fs::rename(new, path) {
        Ok(()) => return Ok(None),
        Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => {}
        Err(error) => return Err(error),
    }
    let old = temporary_beside(path);
    fs::rename(path, &old)?;
    fs::rename(new, path).inspect_err(|_| _ = fs::rename(&old, path))?;
    Ok(Some(old))
}

/// Moves what is not replaced from the old folder into the new one.
fn move_rest(old: &Path, new: &Path, is_replaced: impl Fn(&OsStr) -> bool) -> io::Result<()> {
    for entry in fs::read_dir(old)? {
        let entry = entry?;
        if !is_replaced(&entry.file_name()) {
            fs::rename(entry.path(), new.join(entry.file_name()))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::whole_file::tests::names;

    #[test]
    fn a_folder_appears_when_it_is_complete() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("a/b");
        let new = NewFolder::create(&path).unwrap();
        fs::write(new.place().join("file"), "new").unwrap();
        assert!(!path.exists());
        new.complete(|_| false).unwrap();
        assert_eq!(names(&path), ["file"]);
        assert_eq!(names(&scratch.path().join("a")), ["b"]);
    }

    #[test]
    fn what_is_replaced_goes_and_the_rest_stays() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("folder");
        fs::create_dir(&path).unwrap();
        for name in ["old", "other"] {
            fs::write(path.join(name), name).unwrap();
        }
        let begun = NewFolder::create(&path).unwrap();
        fs::write(begun.place().join("new"), "new").unwrap();
        drop(begun);
        assert_eq!(names(&path), ["old", "other"]);
        let new = NewFolder::create(&path).unwrap();
        fs::write(new.place().join("new"), "new").unwrap();
        new.complete(|name| name == "old").unwrap();
        assert_eq!(names(&path), ["new", "other"]);
        assert_eq!(names(scratch.path()), ["folder"]);
    }

    #[test]
    fn a_link_leads_to_the_new_folder() {
        let scratch = tempfile::tempdir().unwrap();
        let (path, link) = (scratch.path().join("folder"), scratch.path().join("link"));
        fs::create_dir(&path).unwrap();
        fs::write(path.join("old"), "old").unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        let new = NewFolder::create(&link).unwrap();
        fs::write(new.place().join("new"), "new").unwrap();
        new.complete(|_| true).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(names(&link), ["new"]);
        assert_eq!(names(scratch.path()), ["folder", "link"]);
    }

    /// A folder in the new one's way cannot be replaced by a file: nothing of others may be lost.
    #[test]
    fn what_cannot_be_moved_is_named() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("folder");
        fs::create_dir(&path).unwrap();
        fs::write(path.join("name"), "other").unwrap();
        let new = NewFolder::create(&path).unwrap();
        fs::create_dir(new.place().join("name")).unwrap();
        let Err(Incomplete::LeftBehind(old, _)) = new.complete(|_| false) else {
            panic!("it was moved");
        };
        assert_eq!(fs::read_to_string(old.join("name")).unwrap(), "other");
        assert!(path.join("name").is_dir());
    }
}
