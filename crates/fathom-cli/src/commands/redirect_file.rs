//! A file that leads a browser to a secret address.
//!
//! What a program is started with can be read by every user of the machine. So the browser is given
//! a file, which only this user can read, and the file knows the address.

use std::fs::{DirBuilder, OpenOptions, remove_dir, remove_file};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// It is deleted when this goes, with its folder.
#[derive(Debug)]
pub(super) struct RedirectFile {
    folder: PathBuf,
    file: PathBuf,
}

impl RedirectFile {
    /// Makes one, in the user's folder for such files where there is one.
    pub(super) fn to(address: &str) -> io::Result<RedirectFile> {
        let own = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
        let own = own.filter(|folder| folder.is_absolute());
        if let Some(made) = own.and_then(|folder| RedirectFile::in_folder(&folder, address).ok()) {
            return Ok(made);
        }
        RedirectFile::in_folder(&std::env::temp_dir(), address)
    }

    fn in_folder(place: &Path, address: &str) -> io::Result<RedirectFile> {
        let folder = place.join(format!("fathom-{:016x}", fathom_sys::seed::fresh()));
        // Fails if something of that name exists.
        DirBuilder::new().mode(0o700).create(&folder)?;
        let made = RedirectFile { file: folder.join("open.html"), folder };
        let mut file =
            OpenOptions::new().write(true).create_new(true).mode(0o600).open(&made.file)?;
        file.write_all(html(address).as_bytes())?;
        Ok(made)
    }

    pub(super) fn path(&self) -> &Path {
        &self.file
    }
}

impl Drop for RedirectFile {
    fn drop(&mut self) {
        // What cannot be deleted leads to a server that is gone.
        let _ = remove_file(&self.file);
        let _ = remove_dir(&self.folder);
    }
}

/// Addresses have names of hosts that the user typed.
fn html(address: &str) -> String {
    let address = address
        .replace('&', "&amp;")
        .replace('"', "&quot;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n<title>Fathom</title>\n\
         <meta http-equiv=\"refresh\" content=\"0; url={address}\">\n\
         <p><a href=\"{address}\">Open the page</a></p>\n</html>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn only_the_user_reads_it_and_it_goes() {
        let place = tempfile::tempdir().unwrap();
        let made = RedirectFile::in_folder(place.path(), "http://127.0.0.1:80/s\"<&/").unwrap();
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(made.path()), mode(&made.folder)), (0o600, 0o700));
        let text = std::fs::read_to_string(made.path()).unwrap();
        assert!(text.contains("url=http://127.0.0.1:80/s&quot;&lt;&amp;/\""), "{text}");
        drop(made);
        assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0);
    }
}
