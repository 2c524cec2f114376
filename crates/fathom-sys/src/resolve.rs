//! Which file a command's name means.
#![allow(unsafe_code, reason = "std cannot ask whether this user may execute a file")]

use std::ffi::{CString, OsStr};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Where to look for programs if there is no PATH, as the C library does.
const DEFAULT_PATH: &str = "/bin:/usr/bin";

/// A name that is not one of a program.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ResolveError {
    /// There is no name.
    #[error("the command is empty. Enter the name of a program.")]
    Empty,
    /// No such file.
    #[error("there is no program {}. Check the spelling of its path.", program.display())]
    NoSuchFile {
        /// The file that was looked for.
        program: PathBuf,
    },
    /// In no folder of PATH.
    #[error(
        "there is no program \"{program}\" in PATH. {}.",
        if *is_here { format!("For the file in this folder, write `./{program}`") }
        else { "Check its spelling, or use its path".to_string() }
    )]
    NotInPath {
        /// The name that was looked for.
        program: String,
        /// Whether a file of this name is in the working folder.
        is_here: bool,
    },
    /// It is there, but may not be executed.
    #[error("{} is not executable. Run chmod +x on it.", program.display())]
    NotExecutable {
        /// The file.
        program: PathBuf,
    },
    /// It is a folder.
    #[error("{} is a folder. Use a program in it.", program.display())]
    Folder {
        /// The folder.
        program: PathBuf,
    },
}

/// The file that `program` means in `folder` with this PATH. A name with a slash in it is a path;
/// others are looked for in PATH.
pub fn resolve(
    program: &OsStr,
    path: Option<&OsStr>,
    folder: &Path,
) -> Result<PathBuf, ResolveError> {
    if program.is_empty() {
        return Err(ResolveError::Empty);
    }
    // The program starts in another folder, perhaps; a relative path would then mean another file.
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf());
    if program.as_bytes().contains(&b'/') {
        let file = folder.join(program);
        return match judge(&file) {
            PathKind::Program => Ok(file),
            PathKind::Nothing => Err(ResolveError::NoSuchFile { program: file }),
            PathKind::Folder => Err(ResolveError::Folder { program: file }),
            PathKind::NotExecutable => Err(ResolveError::NotExecutable { program: file }),
        };
    }
    let mut closed = None;
    for place in std::env::split_paths(path.unwrap_or(OsStr::new(DEFAULT_PATH))) {
        // An empty entry of PATH means the working folder, as does joining nothing to it.
        let file = folder.join(place).join(program);
        match judge(&file) {
            PathKind::Program => return Ok(file),
            PathKind::NotExecutable => closed = closed.or(Some(file)),
            PathKind::Nothing | PathKind::Folder => {}
        }
    }
    Err(match closed {
        Some(program) => ResolveError::NotExecutable { program },
        None => ResolveError::NotInPath {
            is_here: folder.join(program).is_file(),
            program: program.to_string_lossy().into_owned(),
        },
    })
}

enum PathKind {
    Program,
    Nothing,
    Folder,
    NotExecutable,
}

fn judge(file: &Path) -> PathKind {
    let Ok(about) = file.metadata() else { return PathKind::Nothing };
    if about.is_dir() {
        return PathKind::Folder;
    }
    let Ok(name) = CString::new(file.as_os_str().as_bytes()) else { return PathKind::Nothing };
    // SAFETY: `name` ends with a NUL and outlives the call. With the effective user, as exec does.
    let may = unsafe {
        libc::faccessat(libc::AT_FDCWD, name.as_ptr(), libc::X_OK, libc::AT_EACCESS) == 0
    };
    if may { PathKind::Program } else { PathKind::NotExecutable }
}
