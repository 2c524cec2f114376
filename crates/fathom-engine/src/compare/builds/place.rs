//! Where other revisions of a repository are checked out.

use crate::EngineError;
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// A folder in the user's cache, of the work tree with this top folder alone.
///
/// It is not in the work tree, not even in `target`: cargo would find the user's configuration,
/// toolchain file and workspace in the folders above, and so build the other revision with flags
/// that are not its own.
pub(super) fn for_work_tree(
    top: &Path,
    variable: impl Fn(&str) -> Option<OsString>,
) -> Result<PathBuf, EngineError> {
    let absolute = |name| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = absolute("XDG_CACHE_HOME")
        .or_else(|| absolute("HOME").map(|home| home.join(".cache")))
        .ok_or_else(|| {
            EngineError::usage(
                "no folder to check out another revision in: HOME is not set; set it, or \
                 XDG_CACHE_HOME",
            )
        })?;
    Ok(cache.join("fathom/revisions").join(own_name(top)))
}

/// A name that no other folder has.
pub(super) fn own_name(folder: &Path) -> String {
    // The name is for people, the number tells apart folders of the same name.
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    format!("{name}-{:016x}", fnv(folder.as_os_str().as_bytes()))
}

/// The Fowler-Noll-Vo hash: the same in every version of Fathom, unlike std's.
fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Files of cargo's settings that hold for the user's work tree and not for a tree in `place`,
/// because they are in folders above the one and not above the other.
pub(super) fn settings_left_behind(
    top: &Path,
    place: &Path,
    variable: impl Fn(&str) -> Option<OsString>,
) -> Vec<PathBuf> {
    let home = variable("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| variable("HOME").map(|home| Path::new(&home).join(".cargo")));
    top.ancestors()
        .skip(1)
        .filter(|folder| !place.starts_with(folder))
        .map(|folder| folder.join(".cargo"))
        .filter(|folder| home.as_ref() != Some(folder))
        .filter_map(|folder| {
            ["config.toml", "config"].map(|name| folder.join(name)).into_iter().find(|p| p.exists())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(top: &str, variables: &[(&str, &str)]) -> Result<PathBuf, EngineError> {
        for_work_tree(Path::new(top), |wanted| {
            let found = variables.iter().find(|(name, _)| *name == wanted);
            found.map(|(_, value)| OsString::from(value))
        })
    }

    #[test]
    fn each_work_tree_has_its_own_place_in_the_cache() {
        let home = [("HOME", "/home/me")];
        let one = place("/home/me/a/tool", &home).unwrap();
        let other = place("/home/me/b/tool", &home).unwrap();
        assert!(one.to_str().unwrap().starts_with("/home/me/.cache/fathom/revisions/tool-"));
        assert_ne!(one, other);
        assert_eq!(one, place("/home/me/a/tool", &home).unwrap());
        let cache = place("/a", &[("HOME", "/home/me"), ("XDG_CACHE_HOME", "/cache")]).unwrap();
        assert!(cache.starts_with("/cache/fathom/revisions"));
        // A relative path would mean another folder from everywhere.
        let relative = place("/a", &[("HOME", "/home/me"), ("XDG_CACHE_HOME", "cache")]).unwrap();
        assert!(relative.starts_with("/home/me/.cache"));
        let message = place("/a", &[]).unwrap_err().to_string();
        assert!(message.contains("XDG_CACHE_HOME"), "{message}");
    }

    #[test]
    fn the_hash_is_the_known_one() {
        assert_eq!(fnv(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
