//! Files that are there whole or not at all.
//!
//! Results are written under a temporary name in the same folder and renamed when they are complete,
//! so that an old result stays until the new one can take its place. A symbolic link at the path is
//! replaced and never followed: what it leads to is not touched. Devices and pipes cannot be replaced;
//! they are written to directly.

#[cfg_attr(all(unix, not(fathom_portable)), path = "whole_file/unix.rs")]
#[cfg_attr(any(not(unix), fathom_portable), path = "whole_file/other_systems.rs")]
mod system;

use std::fmt;
use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The temporary files and folders of this process. Hold the lock to make, rename or delete one.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

pub(crate) fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Deletes every file and folder that is not complete. From then on none begins and none is completed:
/// for a process that is about to end.
pub fn abandon_all() {
    let paths = unfinished();
    for path in paths.iter() {
        // A leftover that cannot be deleted is ignored by readers.
        let _ = fs::remove_file(path).or_else(|_| fs::remove_dir_all(path));
    }
    std::mem::forget(paths);
}

/// Why a file cannot be written, and what to do. Its text follows "FILE cannot be written: ".
#[derive(Debug)]
pub enum Obstacle {
    /// Its folder is not there.
    NoFolder(PathBuf),
    /// What should be its folder is something else.
    NotAFolder(PathBuf),
    /// The path is empty.
    NoName,
    /// It is itself a folder.
    IsFolder,
    /// It is a link to something that does not exist.
    Dangling,
    /// It is a socket.
    Socket,
    /// The system refuses.
    Refused(io::Error),
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Obstacle::NoFolder(folder) => write!(
                f,
                "the folder {} does not exist. Create it, or choose another file.",
                folder.display()
            ),
            Obstacle::NotAFolder(folder) => {
                write!(f, "{} is not a folder. Choose another file.", folder.display())
            }
            Obstacle::NoName => f.write_str("the file name is empty"),
            Obstacle::IsFolder => f.write_str("it is a folder. Name a file in it."),
            Obstacle::Dangling => {
                f.write_str("it is a dangling link. Remove the link, or choose another file.")
            }
            Obstacle::Socket => f.write_str("it is a socket. Choose another file."),
            Obstacle::Refused(error) => write!(f, "{error}. Choose another file."),
        }
    }
}

impl From<Obstacle> for io::Error {
    fn from(obstacle: Obstacle) -> io::Error {
        match obstacle {
            Obstacle::Refused(error) => error,
            Obstacle::NoFolder(_) => io::Error::new(io::ErrorKind::NotFound, obstacle.to_string()),
            other => io::Error::other(other.to_string()),
        }
    }
}

/// Whether the path means standard output: it is printed to then, because the file that standard
/// output was redirected to must not be replaced.
#[must_use]
pub fn is_standard_output(path: &Path) -> bool {
    ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].iter().any(|name| path == Path::new(name))
}

/// Whether the file can be written, as far as can be known before: for work that takes long. A
/// file that is there is left as it is.
pub fn check(path: &Path) -> Result<(), Obstacle> {
    match Way::to(path)? {
        Way::Direct => Ok(()),
        Way::Beside { old } => {
            if old.is_some() {
                // Replacing a file needs no permission to write it, but a protected file is
                // respected.
                OpenOptions::new().write(true).open(path).map_err(Obstacle::Refused)?;
            }
            // The folder alone knows whether it takes a new file.
            let (_, temporary) = create_beside(path, None).map_err(Obstacle::Refused)?;
            remove(&temporary).map_err(Obstacle::Refused)
        }
    }
}

/// Writes the whole file at once; it is on the disk when this returns.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut new = NewFile::create(path)?;
    new.write_all(bytes)?;
    new.complete(true)
}

/// A file under a temporary name, which gets its own when it is complete; until then it goes when
/// this does.
#[derive(Debug)]
pub struct NewFile {
    file: File,
    path: PathBuf,
    /// `None` once it has its name, and for what is written directly.
    temporary: Option<PathBuf>,
}

impl NewFile {
    /// Begins it.
    pub fn create(path: &Path) -> io::Result<NewFile> {
        let (file, temporary) = match Way::to(path)? {
            // Never truncated: what standard error was redirected to has other text already.
            Way::Direct => (OpenOptions::new().append(true).open(path)?, None),
            Way::Beside { old } => {
                let (file, temporary) = create_beside(path, old)?;
                (file, Some(temporary))
            }
        };
        Ok(NewFile { file, path: path.to_path_buf(), temporary })
    }

    /// What is written to, for its permissions.
    #[must_use]
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Gives it its name, after it is on the disk if `durably`: a kill cannot harm what the kernel
    /// has, but a loss of power can, and waiting for the disk disturbs what is measured.
    pub fn complete(mut self, durably: bool) -> io::Result<()> {
        let Some(temporary) = &self.temporary else { return Ok(()) };
        if durably {
            self.file.sync_all()?;
        }
        let mut paths = unfinished();
        fs::rename(temporary, &self.path)?;
        paths.retain(|path| path != temporary);
        drop(paths);
        self.temporary = None;
        if durably && let Ok(folder) = File::open(folder_of(&self.path)) {
            // Not every file system can; the file itself is safe.
            let _ = folder.sync_all();
        }
        Ok(())
    }

    /// As [`complete`](NewFile::complete), but refuses if there is something of that name by now.
    pub fn complete_new(self, durably: bool) -> io::Result<()> {
        let Some(temporary) = &self.temporary else { return Ok(()) };
        if durably {
            self.file.sync_all()?;
        }
        match fs::hard_link(temporary, &self.path) {
            // The other name goes when this does.
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
            // Not every file system has links.
            Err(_) if fs::symlink_metadata(&self.path).is_ok() => {
                Err(io::ErrorKind::AlreadyExists.into())
            }
            Err(_) => self.complete(false),
        }
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
        if let Some(temporary) = &self.temporary {
            // A leftover that cannot be deleted is ignored by readers.
            let _ = remove(temporary);
        }
    }
}

/// Deletes a temporary file.
fn remove(temporary: &Path) -> io::Result<()> {
    let mut paths = unfinished();
    paths.retain(|path| path != temporary);
    fs::remove_file(temporary)
}

/// What temporary names end with. They begin with a dot.
const TEMPORARY: &str = ".tmp";

/// Whether it is the name of a file that was never completed.
#[must_use]
pub fn is_temporary(name: &str) -> bool {
    name.starts_with('.') && name.ends_with(TEMPORARY)
}

/// How a file is written.
enum Way {
    /// Under a temporary name; `old` has the permissions of the file that is replaced.
    Beside { old: Option<Permissions> },
    /// As it is: a device or a pipe.
    Direct,
}

impl Way {
    fn to(path: &Path) -> Result<Way, Obstacle> {
        let found = match fs::symlink_metadata(path) {
            Ok(found) => found,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return of_new(path).map(|()| Way::Beside { old: None });
            }
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                return Err(Obstacle::NotAFolder(folder_of(path).to_path_buf()));
            }
            Err(error) => return Err(Obstacle::Refused(error)),
        };
        if !found.is_symlink() {
            return Way::to_existing(&found, false);
        }
        match fs::metadata(path) {
            Ok(end) if end.is_file() && is_open_file(path) => Ok(Way::Direct),
            Ok(end) => Way::to_existing(&end, true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(Obstacle::Dangling),
            Err(error) => Err(Obstacle::Refused(error)),
        }
    }

    fn to_existing(found: &Metadata, is_linked: bool) -> Result<Way, Obstacle> {
        let kind = found.file_type();
        if kind.is_dir() {
            return Err(Obstacle::IsFolder);
        }
        if system::is_socket(kind) {
            return Err(Obstacle::Socket);
        }
        if !kind.is_file() {
            return Ok(Way::Direct);
        }
        // What a private result is replaced by is private too; a link has no permissions.
        Ok(Way::Beside { old: (!is_linked).then(|| found.permissions()) })
    }
}

/// A name that nothing has yet: its folder must be there.
fn of_new(path: &Path) -> Result<(), Obstacle> {
    if path.as_os_str().is_empty() {
        return Err(Obstacle::NoName);
    }
    let folder = folder_of(path);
    match fs::metadata(folder) {
        Ok(found) if found.is_dir() => Ok(()),
        Ok(_) => Err(Obstacle::NotAFolder(folder.to_path_buf())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(Obstacle::NoFolder(folder.to_path_buf()))
        }
        Err(error) => Err(Obstacle::Refused(error)),
    }
}

/// Whether a link is the system's name of a file that is open here, such as /dev/stderr. It cannot be
/// replaced.
fn is_open_file(link: &Path) -> bool {
    fs::canonicalize(folder_of(link))
        .is_ok_and(|folder| folder == Path::new("/dev") || folder.starts_with("/proc"))
}

pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// A name in the same folder that cannot be predicted. Not of the file's own name, which may be as long as
/// names can be.
pub(crate) fn temporary_beside(path: &Path) -> PathBuf {
    let random = RandomState::new().build_hasher().finish();
    folder_of(path).join(format!(".fathom-{random:016x}{TEMPORARY}"))
}

/// A new file in the same folder, under a temporary name.
fn create_beside(path: &Path, old: Option<Permissions>) -> io::Result<(File, PathBuf)> {
    const TRIES: u32 = 16;
    let mut tried = 0;
    loop {
        let temporary = temporary_beside(path);
        let mut paths = unfinished();
        match system::create(&temporary, old.as_ref()) {
            Ok(file) => {
                paths.push(temporary.clone());
                drop(paths);
                if let Some(old) = &old {
                    system::set_permissions(&file, old).inspect_err(|_| _ = remove(&temporary))?;
                }
                return Ok((file, temporary));
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && tried < TRIES => {
                tried += 1;
            }
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
    use std::os::unix::net::UnixListener;

    /// What is in a folder, in order.
    pub(crate) fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn refused(path: &Path) -> String {
        let why = check(path).unwrap_err().to_string();
        assert!(write(path, b"new").is_err(), "{}", path.display());
        why
    }

    #[test]
    fn a_file_is_written_whole_and_nothing_stays_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a".repeat(255));
        check(&path).unwrap();
        assert!(names(folder.path()).is_empty(), "a check leaves nothing");
        write(&path, b"one").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        check(&path).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one", "a check changes nothing");
        write(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(names(folder.path()).len(), 1);
    }

    #[test]
    fn what_is_not_completed_leaves_the_old_file_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("result.json");
        write(&path, b"old").unwrap();
        let mut new = NewFile::create(&path).unwrap();
        new.write_all(b"half").unwrap();
        let beside = names(folder.path());
        assert!(beside.iter().any(|name| is_temporary(name)), "{beside:?}");
        drop(new);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(folder.path()), ["result.json"]);
        let new = NewFile::create(&path).unwrap();
        assert!(new.complete_new(false).is_err());
        assert_eq!(fs::read(&path).unwrap(), b"old");
    }

    #[test]
    fn a_link_is_replaced_and_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let precious = folder.path().join("precious");
        fs::write(&precious, "precious").unwrap();
        let link = folder.path().join("link");
        symlink(&precious, &link).unwrap();
        check(&link).unwrap();
        write(&link, b"new").unwrap();
        assert_eq!(fs::read(&precious).unwrap(), b"precious");
        assert!(!fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&link).unwrap(), b"new");
    }

    #[test]
    fn what_cannot_be_written_is_known_before() {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path();
        fs::write(top.join("file"), "").unwrap();
        symlink(top.join("nothing"), top.join("dangling")).unwrap();
        symlink(top, top.join("to a folder")).unwrap();
        let _listener = UnixListener::bind(top.join("socket")).unwrap();
        assert!(refused(&top.join("none/x")).contains("does not exist. Create it"));
        assert!(refused(&top.join("file/x")).contains("is not a folder"));
        assert!(refused(top).contains("it is a folder"));
        assert!(refused(&top.join("to a folder")).contains("it is a folder"));
        assert!(refused(&top.join("dangling")).contains("dangling link"));
        assert!(refused(&top.join("socket")).contains("a socket"));
        assert!(refused(Path::new("")).contains("the file name is empty"));
        assert!(refused(&top.join("a".repeat(256))).contains("Choose another file"));
    }

    #[test]
    fn devices_are_written_to_directly() {
        for device in ["/dev/null", "/dev/full"] {
            check(Path::new(device)).unwrap();
        }
        write(Path::new("/dev/null"), b"x").unwrap();
        assert!(write(Path::new("/dev/full"), b"x").is_err());
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    }

    #[test]
    fn the_name_of_an_open_file_is_not_replaced() {
        use std::os::fd::AsRawFd;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let mut log = OpenOptions::new().append(true).create(true).open(&path).unwrap();
        log.write_all(b"before\n").unwrap();
        write(Path::new(&format!("/proc/self/fd/{}", log.as_raw_fd())), b"result\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "before\nresult\n");
        assert_eq!(names(folder.path()), ["log"]);
    }
}
