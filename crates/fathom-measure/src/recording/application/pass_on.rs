//! Standard output that is read and still reaches the user.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Where the recorded standard output is copied to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum PassOn {
    /// Nowhere.
    #[default]
    Nowhere,
    /// To Fathom's own standard output.
    Output,
    /// To Fathom's own standard error, if its standard output has a report on it.
    Errors,
    /// To a file, which is emptied before.
    File(PathBuf),
}

/// Passes bytes on until that fails once.
#[derive(Debug)]
pub(super) struct Tee {
    to: Option<To>,
    failure: Option<String>,
}

#[derive(Debug)]
enum To {
    Output,
    Errors,
    File(File, PathBuf),
}

impl Tee {
    pub(super) fn open(pass_on: &PassOn) -> Result<Tee, (PathBuf, io::Error)> {
        let to = match pass_on {
            PassOn::Nowhere => None,
            PassOn::Output => Some(To::Output),
            PassOn::Errors => Some(To::Errors),
            PassOn::File(path) => {
                let file = File::create(path).map_err(|error| (path.clone(), error))?;
                Some(To::File(file, path.clone()))
            }
        };
        Ok(Tee { to, failure: None })
    }

    /// Passes on. After a failure nothing more: the program must not fail because its reader did.
    pub(super) fn pass(&mut self, bytes: &[u8]) {
        let Some(to) = &mut self.to else { return };
        if let Err(error) = to.write(bytes) {
            self.failure = Some(format!(
                "Fathom stopped copying it to {}: {error}",
                to.path().map_or("Fathom's own output".into(), Path::to_string_lossy)
            ));
            self.to = None;
        }
    }

    /// Why passing on ended before the program did.
    pub(super) fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }
}

impl To {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            To::Output => write_now(&mut io::stdout().lock(), bytes),
            To::Errors => write_now(&mut io::stderr().lock(), bytes),
            To::File(file, _) => file.write_all(bytes),
        }
    }

    fn path(&self) -> Option<&Path> {
        match self {
            To::File(_, path) => Some(path),
            To::Output | To::Errors => None,
        }
    }
}

fn write_now(stream: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    stream.write_all(bytes)?;
    stream.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_gets_every_byte() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("copy");
        std::fs::write(&path, "old old old").unwrap();
        let mut tee = Tee::open(&PassOn::File(path.clone())).unwrap();
        tee.pass(b"a\xff");
        tee.pass(b"\r\nb");
        assert_eq!(std::fs::read(&path).unwrap(), b"a\xff\r\nb");
        assert_eq!(tee.failure(), None);
        let nowhere = PassOn::File(folder.path().join("no/such/folder"));
        assert_eq!(Tee::open(&nowhere).unwrap_err().1.kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn a_failure_ends_it_and_is_told() {
        let full = Path::new("/dev/full");
        if !full.exists() {
            return;
        }
        let mut tee = Tee::open(&PassOn::File(full.to_path_buf())).unwrap();
        tee.pass(b"a");
        tee.pass(b"b");
        let failure = tee.failure().unwrap();
        assert!(failure.starts_with("Fathom stopped copying it to /dev/full: "), "{failure}");
    }
}
