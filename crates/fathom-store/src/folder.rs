//! Where sessions are kept when the user names no folder.

use crate::StoreError;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The user's data folder for Fathom: `$XDG_DATA_HOME/fathom`, else `$HOME/.local/share/fathom`.
///
/// `variable` looks up an environment variable. A relative path is ignored, as the XDG base
/// directory specification demands: it would mean another folder in every working directory.
///
/// ```
/// let folder = fathom_store::default_folder(|name| (name == "HOME").then(|| "/home/me".into()))?;
/// assert_eq!(folder, std::path::Path::new("/home/me/.local/share/fathom"));
/// # Ok::<(), fathom_store::StoreError>(())
/// ```
pub fn default_folder(variable: impl Fn(&str) -> Option<OsString>) -> Result<PathBuf, StoreError> {
    let absolute = |name| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    absolute("XDG_DATA_HOME")
        .or_else(|| absolute("HOME").map(|home| home.join(".local/share")))
        .map(|data: PathBuf| data.join(Path::new("fathom")))
        .ok_or(StoreError::NoFolder)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(variables: &[(&str, &str)]) -> Result<PathBuf, StoreError> {
        default_folder(|wanted| {
            let found = variables.iter().find(|(name, _)| *name == wanted);
            found.map(|(_, value)| OsString::from(value))
        })
    }

    #[test]
    fn the_data_folder_comes_before_the_home_folder() {
        let both = of(&[("XDG_DATA_HOME", "/data"), ("HOME", "/home/me")]).unwrap();
        assert_eq!(both, Path::new("/data/fathom"));
    }

    #[test]
    fn empty_and_relative_values_do_not_count() {
        for useless in ["", "data", "./data"] {
            let folder = of(&[("XDG_DATA_HOME", useless), ("HOME", "/home/me")]).unwrap();
            assert_eq!(folder, Path::new("/home/me/.local/share/fathom"));
        }
    }

    #[test]
    fn without_both_the_message_says_what_to_do() {
        let message = of(&[("HOME", "")]).unwrap_err().to_string();
        assert!(message.contains("--session-dir DIR"), "{message}");
        assert!(message.contains("--no-save"), "{message}");
    }
}
