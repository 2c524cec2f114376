//! The folders of executions: `{dir}`.

use super::{FleetError, Recipe, Ticket};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Where executions have their folders, and whether these stay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scratch {
    folder: PathBuf,
    is_kept: bool,
}

impl Scratch {
    /// Folders in here, each removed as soon as it was read.
    #[must_use]
    pub fn temporary(folder: impl Into<PathBuf>) -> Scratch {
        Scratch { folder: folder.into(), is_kept: false }
    }

    /// Folders in here that stay: `run-000012` for the execution whose `{run}` is 12, next to it
    /// `run-000012.out` with what it printed and `run-000012.err` with the end of its complaints.
    /// With several systems the name of the system follows: `run-000012-base`. What is there under
    /// these names is replaced, as a resumed check needs it; see [`check_empty`](Self::check_empty).
    #[must_use]
    pub fn kept(folder: impl Into<PathBuf>) -> Scratch {
        Scratch { folder: folder.into(), is_kept: true }
    }

    /// Where the folders are.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether they stay.
    #[must_use]
    pub fn is_kept(&self) -> bool {
        self.is_kept
    }

    /// Refuses a folder with something in it: for a new check, which would replace what an earlier
    /// one left there.
    ///
    /// # Errors
    /// Something is in it, or it cannot be looked into.
    pub fn check_empty(&self) -> Result<(), FleetError> {
        let folder = self.folder.display();
        let first = match fs::read_dir(&self.folder) {
            Ok(mut entries) => entries.next(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => {
                return Err(FleetError::Broken(format!("cannot use {folder}: {error}")));
            }
        };
        match first {
            None => Ok(()),
            Some(_) => Err(FleetError::Broken(format!(
                "{folder} is not empty, so files of different executions would get mixed up. Use \
                 a folder that is empty or does not exist yet."
            ))),
        }
    }

    /// A fresh folder for an execution.
    pub(super) fn open(&self, recipe: &Recipe, ticket: Ticket) -> Result<RunFolder, FleetError> {
        let folder = std::path::absolute(&self.folder).unwrap_or_else(|_| self.folder.clone());
        let path = folder.join(folder_name(recipe, ticket));
        let refused = |what: &str, error: io::Error| {
            FleetError::Broken(format!(
                "the folder {} of an execution cannot be {what}: {error}. {}.",
                path.display(),
                what_to_do(&error, self.is_kept)
            ))
        };
        if path.symlink_metadata().is_ok() {
            // What a crash left behind: it may be half of something.
            remove(&path).map_err(|error| refused("emptied", error))?;
        }
        fs::create_dir_all(&path).map_err(|error| refused("created", error))?;
        let Some(text) = path.to_str().map(str::to_string) else {
            let _ = fs::remove_dir(&path);
            return Err(FleetError::Broken(format!(
                "{} is not UTF-8, so it cannot replace {{dir}} in a command. Use a folder with a \
                 UTF-8 name.",
                path.display()
            )));
        };
        Ok(RunFolder { path, text, is_kept: self.is_kept, is_done: false })
    }
}

/// An execution's folder while it runs. Dropped before it was done, the folder is removed.
#[derive(Debug)]
pub(super) struct RunFolder {
    path: PathBuf,
    text: String,
    is_kept: bool,
    is_done: bool,
}

impl RunFolder {
    /// The text that replaces `{dir}`.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Where its output is kept, if it is.
    pub(super) fn output_file(&self) -> Option<PathBuf> {
        self.is_kept.then(|| PathBuf::from(format!("{}.out", self.text)))
    }

    /// Saves what the execution printed, or removes its folder.
    pub(super) fn close(mut self, stdout: Option<&[u8]>, stderr: &[u8]) -> Result<(), FleetError> {
        self.is_done = true;
        let refused = |what: &str, error: io::Error| {
            FleetError::Broken(format!(
                "cannot save {what}: {error}. {}.",
                what_to_do(&error, true)
            ))
        };
        if let Some(output) = self.output_file() {
            if let Some(stdout) = stdout {
                fs::write(&output, stdout)
                    .map_err(|error| refused(&output.display().to_string(), error))?;
            }
            let errors = format!("{}.err", self.text);
            return fs::write(&errors, stderr).map_err(|error| refused(&errors, error));
        }
        remove(&self.path).map_err(|error| {
            FleetError::Broken(format!(
                "cannot remove the folder {} of an execution: {error}. Check whether something \
                 still runs in it.",
                self.path.display()
            ))
        })
    }
}

impl Drop for RunFolder {
    fn drop(&mut self) {
        if !self.is_done {
            let _ = remove(&self.path);
        }
    }
}

pub(super) fn folder_name(recipe: &Recipe, ticket: Ticket) -> String {
    let plain = |name: &str| -> String {
        let is_plain = |c: &char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
        name.chars().map(|c| if is_plain(&c) { c } else { '_' }).take(60).collect()
    };
    let number = format!("run-{:06}", ticket.number.saturating_add(1));
    let Some(system) = recipe.systems.get(ticket.system).filter(|_| recipe.systems.len() > 1)
    else {
        return number;
    };
    let name = plain(&system.name);
    let is_shared = recipe.systems.iter().filter(|other| plain(&other.name) == name).count() > 1;
    match is_shared || name.is_empty() {
        true => format!("{number}-{}", ticket.system + 1),
        false => format!("{number}-{name}"),
    }
}

fn what_to_do(error: &io::Error, is_kept: bool) -> &'static str {
    let is_full = matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge
    );
    match (is_full, is_kept) {
        (true, _) => "Free some space there and continue",
        (false, true) => "Choose another folder with --keep-files",
        (false, false) => "Set TMPDIR to a writable folder",
    }
}

/// Removes a folder with all in it, or a file.
fn remove(path: &Path) -> io::Result<()> {
    let is_folder = path.symlink_metadata()?.is_dir();
    if !is_folder {
        return fs::remove_file(path);
    }
    match fs::remove_dir_all(path) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(_) => {
            // Some programs protect what they write. Others are still dying, and write a last file.
            make_writable(path);
            fs::remove_dir_all(path)
        }
    }
}

fn make_writable(folder: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o700));
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            make_writable(&entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::System;

    fn recipe(names: &[&str]) -> Recipe {
        let system = |name: &&str| System { name: name.to_string(), ..System::default() };
        Recipe { systems: names.iter().map(system).collect(), ..Recipe::default() }
    }

    fn ticket(number: u64, system: usize) -> Ticket {
        Ticket { number, system, seed: 1 }
    }

    #[test]
    fn folders_are_called_by_run_and_system() {
        assert_eq!(folder_name(&recipe(&["a"]), ticket(11, 0)), "run-000012");
        assert_eq!(folder_name(&recipe(&["a", "b/../c"]), ticket(11, 1)), "run-000012-b_.._c");
        assert_eq!(folder_name(&recipe(&["a/", "a "]), ticket(0, 1)), "run-000001-2");
        assert_eq!(folder_name(&recipe(&["", "b"]), ticket(9_999_999, 0)), "run-10000000-1");
        assert_eq!(folder_name(&recipe(&[]), ticket(u64::MAX, 7)), format!("run-{}", u64::MAX));
    }

    #[test]
    fn a_folder_is_fresh_and_goes_unless_it_is_kept() {
        let base = tempfile::tempdir().unwrap();
        let recipe = recipe(&["a"]);
        let scratch = Scratch::temporary(base.path().join("deep/er"));
        assert_eq!(scratch.check_empty(), Ok(()));
        let open = || scratch.open(&recipe, ticket(0, 0)).unwrap();
        let folder = open();
        let path = PathBuf::from(folder.text());
        fs::create_dir(path.join("closed")).unwrap();
        fs::write(path.join("closed/file"), "x").unwrap();
        let permissions = std::os::unix::fs::PermissionsExt::from_mode(0o500);
        fs::set_permissions(path.join("closed"), permissions).unwrap();
        std::mem::forget(folder);
        assert!(scratch.check_empty().unwrap_err().to_string().contains("is not empty"));
        let folder = open();
        assert_eq!(fs::read_dir(&path).unwrap().count(), 0, "of an earlier execution");
        assert_eq!(folder.output_file(), None);
        folder.close(Some(b"out"), b"err").unwrap();
        assert!(!path.exists());
        drop(open());
        assert!(!path.exists());
        assert_eq!(scratch.check_empty(), Ok(()));

        let kept = Scratch::kept(base.path().join("kept"));
        let folder = kept.open(&recipe, ticket(0, 0)).unwrap();
        folder.close(Some(b"out"), b"err").unwrap();
        let at = |name: &str| base.path().join("kept").join(name);
        assert!(at("run-000001").is_dir());
        assert_eq!(fs::read(at("run-000001.out")).unwrap(), b"out");
        assert_eq!(fs::read(at("run-000001.err")).unwrap(), b"err");
        // One that did not come to its end is not one.
        drop(kept.open(&recipe, ticket(1, 0)).unwrap());
        assert!(!at("run-000002").exists());
    }

    #[test]
    fn what_cannot_be_made_is_told() {
        let base = tempfile::tempdir().unwrap();
        let file = base.path().join("file");
        fs::write(&file, "x").unwrap();
        let error = Scratch::temporary(&file).open(&recipe(&["a"]), ticket(0, 0)).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("file/run-000001 of an execution cannot be created"), "{text}");
        assert!(text.ends_with("Set TMPDIR to a writable folder."), "{text}");
        assert!(Scratch::kept(&file).check_empty().is_err());
    }
}
