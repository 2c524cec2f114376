//! Where results are kept: `target/fathom/SUITE/NAME.json`, next to the executable that made them.

use crate::duel::relink::LinkRecipe;
use fathom_record::SavedResult;
use fathom_record::whole_file::{self, NewFile};
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The name of a suite's last results.
pub(crate) const LATEST: &str = "latest";
/// The ending of kept executables.
const EXECUTABLE: &str = "bench";
/// The file in which a recipe is written down.
const RECIPE: &str = "recipe";

/// The folder `target/fathom` of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Results {
    folder: PathBuf,
}

impl Results {
    /// Those of the project that an executable was built in; `None` if cargo did not build it.
    #[must_use]
    pub fn of_executable(executable: &Path) -> Option<Results> {
        // Cargo marks its target folder for programs that make backups.
        let target = executable.ancestors().skip(1).find(|place| is_target(place))?;
        Some(Results { folder: target.join("fathom") })
    }

    /// Those of the project that a folder is in; `None` if there are none.
    #[must_use]
    pub fn of_project(folder: &Path) -> Option<Results> {
        let chosen = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
        let usual = folder.ancestors().map(|place| place.join("target"));
        let folder = chosen.into_iter().chain(usual).map(|target| target.join("fathom"));
        folder.into_iter().find(|place| place.is_dir()).map(|folder| Results { folder })
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The file of a suite's results under a name.
    #[must_use]
    pub fn file(&self, suite: &str, name: &str) -> PathBuf {
        self.folder.join(suite).join(format!("{name}.json"))
    }

    /// The executable that was kept with them.
    #[must_use]
    pub fn executable(&self, suite: &str, name: &str) -> PathBuf {
        self.folder.join(suite).join(format!("{name}.{EXECUTABLE}"))
    }

    /// What the linker of an executable that was kept with them was given.
    fn recipe(&self, suite: &str, name: &str) -> PathBuf {
        self.folder.join(suite).join(format!("{name}.link"))
    }

    /// Where executables of a suite are linked again.
    pub(crate) fn relinking_folder(&self, suite: &str) -> PathBuf {
        self.folder.join("link").join(suite)
    }

    /// Keeps what the linker was given, so that the executable can be linked again in other
    /// layouts whatever is built later.
    pub(crate) fn keep_recipe(
        &self,
        suite: &str,
        name: &str,
        recipe: &LinkRecipe,
    ) -> io::Result<()> {
        let folder = self.recipe(suite, name);
        if folder.exists() {
            std::fs::remove_dir_all(&folder)?;
        }
        recipe.keep_in(&folder)?.write(&folder.join(RECIPE))
    }

    /// Forgets it, where the executable is replaced by one that cannot be linked again.
    pub(crate) fn remove_recipe(&self, suite: &str, name: &str) {
        let _ = std::fs::remove_dir_all(self.recipe(suite, name));
    }

    /// What was kept.
    pub(crate) fn kept_recipe(&self, suite: &str, name: &str) -> io::Result<LinkRecipe> {
        LinkRecipe::read(&self.recipe(suite, name).join(RECIPE))
    }

    /// All that were kept, by suite and name, the last results first.
    pub fn all(&self) -> io::Result<Vec<SavedResult>> {
        let mut all = Vec::new();
        for suite in std::fs::read_dir(&self.folder)? {
            let suite = suite?;
            if !suite.file_type()?.is_dir() {
                continue;
            }
            for file in std::fs::read_dir(suite.path())? {
                let file = file?;
                let path = file.path();
                let (Some(name), true) = (
                    path.file_stem().and_then(OsStr::to_str),
                    path.extension() == Some(OsStr::new("json")),
                ) else {
                    continue;
                };
                let written = file.metadata()?.modified()?;
                let written = written.duration_since(SystemTime::UNIX_EPOCH);
                all.push(SavedResult {
                    suite: suite.file_name().to_string_lossy().into_owned(),
                    name: name.to_string(),
                    file: path,
                    written: written.map_or(0, |since| since.as_secs()),
                });
            }
        }
        all.sort_by_key(|kept| (kept.suite.clone(), kept.name != LATEST, kept.name.clone()));
        Ok(all)
    }

    /// The kept results that "SUITE@NAME", or "SUITE" for the latest, means.
    pub fn find(&self, address: &str) -> Option<SavedResult> {
        let (suite, name) = address.split_once('@').unwrap_or((address, LATEST));
        let all = self.all().ok()?;
        all.into_iter().find(|kept| kept.suite == suite && kept.name == name)
    }

    /// Whether results can be written under that name, so that it is known before measuring.
    pub fn check(&self, suite: &str, name: &str) -> io::Result<()> {
        std::fs::create_dir_all(self.folder.join(suite))?;
        Ok(whole_file::check(&self.file(suite, name))?)
    }

    /// Writes results, whole or not at all.
    pub fn write(&self, suite: &str, name: &str, json: &str) -> io::Result<PathBuf> {
        let file = self.file(suite, name);
        std::fs::create_dir_all(self.folder.join(suite))?;
        whole_file::write(&file, json.as_bytes())?;
        Ok(file)
    }

    /// Removes results, and the executable that was kept with them.
    pub fn remove(&self, suite: &str, name: &str) -> io::Result<()> {
        self.remove_recipe(suite, name);
        match std::fs::remove_file(self.executable(suite, name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        std::fs::remove_file(self.file(suite, name))
    }

    /// Keeps an executable with the results, so that it can be measured again next to another.
    pub fn keep_executable(&self, suite: &str, name: &str, from: &Path) -> io::Result<PathBuf> {
        let kept = self.executable(suite, name);
        std::fs::create_dir_all(self.folder.join(suite))?;
        let mut from = File::open(from)?;
        let mut new = NewFile::create(&kept)?;
        io::copy(&mut from, &mut new)?;
        new.file().set_permissions(from.metadata()?.permissions())?;
        new.complete(false)?;
        Ok(kept)
    }
}

/// Whether results can be kept under a name: it becomes the name of a file.
#[must_use]
pub fn is_plain_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.+".contains(c);
    !name.is_empty() && !name.starts_with('.') && name.chars().all(is_plain)
}

fn is_target(place: &Path) -> bool {
    place.join("CACHEDIR.TAG").is_file()
}

/// The name of a suite: that of its executable, without what cargo adds.
///
/// ```
/// use fathom_bench::for_the_program::results::suite_name;
/// use std::path::Path;
/// assert_eq!(suite_name(Path::new("target/release/deps/parser-0123456789abcdef")), "parser");
/// assert_eq!(suite_name(Path::new("parser-old")), "parser-old");
/// ```
#[must_use]
pub fn suite_name(executable: &Path) -> String {
    let stem = executable.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    match stem.rsplit_once('-') {
        Some((name, hash)) if hash.len() == 16 && hash.chars().all(|c| c.is_ascii_hexdigit()) => {
            name.to_string()
        }
        _ => stem,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_found_from_the_executable_and_from_the_project() {
        let project = tempfile::tempdir().unwrap();
        let deps = project.path().join("target/release/deps");
        std::fs::create_dir_all(&deps).unwrap();
        let executable = deps.join("parser-0123456789abcdef");
        assert_eq!(Results::of_executable(&executable), None);
        std::fs::write(project.path().join("target/CACHEDIR.TAG"), "").unwrap();
        let results = Results::of_executable(&executable).unwrap();
        assert_eq!(results.folder(), project.path().join("target/fathom"));

        let file = results.write("parser", "main", "{}").unwrap();
        results.write("parser", LATEST, "{ }").unwrap();
        std::fs::write(&executable, "program").unwrap();
        let kept = results.keep_executable("parser", "main", &executable).unwrap();
        assert_eq!(std::fs::read_to_string(kept).unwrap(), "program");
        results.check("parser", "main").unwrap();
        std::fs::create_dir(results.file("parser", "folder")).unwrap();
        assert!(results.check("parser", "folder").is_err());
        std::fs::remove_dir(results.file("parser", "folder")).unwrap();

        let all = results.all().unwrap();
        let addresses: Vec<String> = all.iter().map(SavedResult::address).collect();
        assert_eq!(addresses, ["parser@latest", "parser@main"]);
        assert_eq!(results.find("parser").unwrap().name, LATEST);
        assert_eq!(results.find("parser@main").unwrap().file, file);
        assert_eq!(results.find("parser@other"), None);
    }
}
