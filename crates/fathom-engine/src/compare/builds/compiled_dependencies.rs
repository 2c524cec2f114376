//! Dependencies that the build of the work tree compiled, for the build of the other revision.
//!
//! Both have a target folder of their own, since cargo does not tell the packages of two trees
//! apart. But most of a first build is packages of registries, which are the same for both where
//! the lock files agree. Cargo keeps what it compiled of a package under a hash of its version,
//! features, profile, flags and compiler, so a copy under the same hash is used where the other
//! revision needs just that, and lies idle where it does not.
//!
//! Whatever goes wrong here costs the time to compile a package and nothing else: a package is
//! copied whole or not at all, cargo examines every copy as if it had compiled it, and every
//! doubtful package is left to cargo.

use super::lock_file;
use super::package_list::PackageList;
use fathom_sys::file_lock;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::{File, FileTimes};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// What cargo compiled of packages whose sources are the same for every tree.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct CompiledDependencies {
    /// By cargo's name for it.
    packages: BTreeMap<String, BTreeSet<Unit>>,
    /// Names of packages whose code, or that of a package they use, is in a folder of the tree.
    of_folders: BTreeSet<String>,
}

/// One compilation, or one run of a build script.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Unit {
    /// The folder of its profile: `target/release`.
    profile: PathBuf,
    hash: String,
}

/// The three folders of a profile in which cargo keeps a unit. The one that says that the unit is
/// complete comes last.
const FOLDERS: [&str; 3] = ["deps", "build", FINGERPRINTS];
const FINGERPRINTS: &str = ".fingerprint";

/// The beginning of the name of a copy that is not complete.
const PARTIAL: &str = ".fathom-partial-";

impl CompiledDependencies {
    /// Reads cargo's messages about a build of the tree with this top folder.
    pub(super) fn read(messages: &[u8], packages: &PackageList, top: &Path) -> Self {
        let mut found = CompiledDependencies::default();
        let text = std::fs::read_to_string(packages.lock_file()).unwrap_or_default();
        let Some(of_folders) = lock_file::of_folders(&text) else { return found };
        found.of_folders = of_folders;
        let mut of_tree = BTreeSet::new();
        for line in messages.split(|byte| *byte == b'\n') {
            let Ok(message) = serde_json::from_slice::<Value>(line) else { continue };
            let Some(id) = message["package_id"].as_str() else { continue };
            // Vendored packages have the name of a registry and are part of the tree.
            let manifest = message["manifest_path"].as_str().map(Path::new);
            let is_of_tree = id.starts_with("path+") || id.contains("(path+");
            if is_of_tree || manifest.is_some_and(|path| path.starts_with(top)) {
                of_tree.insert(id.to_string());
                continue;
            }
            let files = message["filenames"].as_array().into_iter().flatten();
            let files = files.chain(message.get("out_dir")).filter_map(Value::as_str);
            let units = files.filter_map(|file| Unit::of(Path::new(file)));
            found.packages.entry(id.to_string()).or_default().extend(units);
        }
        found.packages.retain(|id, _| !of_tree.contains(id));
        found
    }

    /// Copies what is not there yet from cargo's folder to another, and gives the number of units.
    pub(super) fn copy(&self, from: &Path, to: &Path) -> usize {
        let folders: BTreeSet<&Path> =
            self.packages.values().flatten().map(|unit| unit.profile.as_path()).collect();
        let profiles: BTreeMap<&Path, Profile> = folders
            .into_iter()
            .filter_map(|folder| Some((folder, Profile::open(folder, from, to)?)))
            .collect();
        let mut copied = 0;
        for units in self.packages.values() {
            let found: Option<Vec<(&Profile, &Entries)>> = units
                .iter()
                .map(|unit| {
                    let profile = profiles.get(unit.profile.as_path())?;
                    Some((profile, profile.entries.get(&unit.hash)?))
                })
                .collect();
            // All units of a package or none, since they belong together.
            let Some(found) = found else { continue };
            let is_sure = |(profile, entries): &(&Profile, &Entries)| {
                !self.is_of_folder(entries) && !profile.names_itself(entries, from)
            };
            if found.iter().all(is_sure) {
                let done = found.iter().filter(|(profile, entries)| profile.copy(entries));
                copied += done.count();
            }
        }
        copied
    }

    /// Also if cargo kept no fingerprint, or several.
    fn is_of_folder(&self, entries: &Entries) -> bool {
        entries.package().is_none_or(|name| self.of_folders.contains(name))
    }
}

impl Unit {
    /// The unit that this file belongs to: `.../deps/libx-HASH.rlib` or `.../build/x-HASH/out`.
    fn of(file: &Path) -> Option<Unit> {
        let unit = |entry: &Path, profile: &Path| {
            let hash = hash(entry.file_name()?)?.to_string();
            Some(Unit { profile: profile.to_path_buf(), hash })
        };
        let folder = file.parent()?;
        if folder.file_name()? == "deps" {
            return unit(file, folder.parent()?);
        }
        let above = folder.parent()?;
        (above.file_name()? == "build").then(|| unit(folder, above.parent()?))?
    }
}

/// The hash at the end of a name, before its extensions.
fn hash(name: &OsStr) -> Option<&str> {
    let stem = name.to_str()?.split('.').next()?;
    let (_, hash) = stem.rsplit_once('-')?;
    let is_hash = hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hash.then_some(hash)
}

/// What the folders of a profile hold of a unit, in the order of [`FOLDERS`].
#[derive(Debug, Clone, Default)]
struct Entries([Vec<PathBuf>; FOLDERS.len()]);

impl Entries {
    /// The name of its package.
    fn package(&self) -> Option<&str> {
        let [fingerprint] = &self.0[FOLDERS.len() - 1][..] else { return None };
        fingerprint.to_str()?.rsplit_once('-').map(|(name, _)| name)
    }
}

/// A folder of a profile, locked as cargo locks it while it builds, and its copy.
struct Profile {
    from: PathBuf,
    to: PathBuf,
    /// By hash.
    entries: BTreeMap<String, Entries>,
    _lock: File,
}

impl Profile {
    /// Nothing if cargo is building in it.
    fn open(folder: &Path, from: &Path, to: &Path) -> Option<Profile> {
        let to = to.join(folder.strip_prefix(from).ok()?);
        let lock = File::options().read(true).write(true).open(folder.join(".cargo-lock")).ok()?;
        if !file_lock::try_lock(&lock).ok()? {
            return None;
        }
        let mut entries: BTreeMap<String, Entries> = BTreeMap::new();
        for (number, name) in FOLDERS.into_iter().enumerate() {
            let Ok(listed) = std::fs::read_dir(folder.join(name)) else { continue };
            for entry in listed.flatten() {
                let name = PathBuf::from(entry.file_name());
                if let Some(hash) = hash(name.as_os_str()) {
                    entries.entry(hash.to_string()).or_default().0[number].push(name);
                }
            }
        }
        Some(Profile { from: folder.to_path_buf(), to, entries, _lock: lock })
    }

    /// Whether a build script left a file that holds the path of the folder it was written in.
    /// Cargo corrects its own records of a build script when they have moved, but not such files:
    /// CMake refuses to work in a folder that was copied.
    fn names_itself(&self, entries: &Entries, from: &Path) -> bool {
        let path = from.as_os_str().as_bytes();
        let builds = entries.0[1].iter().map(|name| self.from.join("build").join(name).join("out"));
        builds.filter(|folder| folder.exists()).any(|folder| holds(&folder, path).unwrap_or(true))
    }

    /// Copies a unit, unless it is there or that fails.
    fn copy(&self, entries: &Entries) -> bool {
        let fingerprints = self.to.join(FINGERPRINTS);
        let mut names = entries.0[FOLDERS.len() - 1].iter();
        if names.any(|name| fingerprints.join(name).exists()) {
            return false;
        }
        let of_folder = |(folder, names): (&str, &Vec<PathBuf>)| -> io::Result<()> {
            let [from, to] = [&self.from, &self.to].map(|profile| profile.join(folder));
            std::fs::create_dir_all(&to)?;
            names.iter().try_for_each(|name| copy_whole(&from.join(name), &to, name))
        };
        FOLDERS.into_iter().zip(&entries.0).try_for_each(of_folder).is_ok()
    }
}

/// Copies a file or folder into another folder. It gets its name when it is complete.
fn copy_whole(from: &Path, to: &Path, name: &Path) -> io::Result<()> {
    let partial = to.join(format!("{PARTIAL}{}", name.display()));
    let to = to.join(name);
    discard(&partial);
    let done = copy(from, &partial).and_then(|()| {
        // What has the name has no fingerprint, so cargo would replace it as well.
        discard(&to);
        std::fs::rename(&partial, &to)
    });
    if done.is_err() {
        discard(&partial);
    }
    done
}

/// Removes a file or folder, if there is one.
fn discard(path: &Path) {
    let _ = std::fs::remove_dir_all(path);
    let _ = std::fs::remove_file(path);
}

/// Copies a file or folder with the times by which cargo sees that nothing changed. Never a hard
/// link: cargo and compilers write into files of theirs, and would change the work tree's.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let about = std::fs::symlink_metadata(from)?;
    if about.is_dir() {
        std::fs::create_dir(to)?;
        for entry in std::fs::read_dir(from)? {
            let name = entry?.file_name();
            copy(&from.join(&name), &to.join(&name))?;
        }
        return Ok(());
    }
    if !about.is_file() {
        // A link may lead back to where it was made.
        return Err(io::Error::other("neither a file nor a folder"));
    }
    std::fs::copy(from, to)?;
    // Some files are read-only, and their times can be set nevertheless.
    File::open(to)?.set_times(FileTimes::new().set_modified(about.modified()?))
}

/// Whether a file in a folder holds these bytes.
fn holds(folder: &Path, bytes: &[u8]) -> io::Result<bool> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        let is_found = if entry.file_type()?.is_dir() {
            holds(&path, bytes)?
        } else {
            std::fs::read(&path)?.windows(bytes.len()).any(|window| window == bytes)
        };
        if is_found {
            return Ok(true);
        }
    }
    Ok(false)
}
