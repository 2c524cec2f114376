//! What `--bench OLD NEW` names: two executables, or two packages that cargo builds.

use crate::EngineError;
use std::path::{Path, PathBuf};

/// Two builds of a bench, or where they come from.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum BenchSources {
    /// Executables, compared as they are.
    Executables([PathBuf; 2]),
    /// The folders of two packages or workspaces.
    Packages([PathBuf; 2]),
}

/// One of them.
enum BenchSource {
    Executable(PathBuf),
    Package(PathBuf),
}

const MANIFEST: &str = "Cargo.toml";

impl BenchSources {
    /// What the two paths name.
    pub(super) fn of(
        old: &Path,
        new: &Path,
        cargo_args: Option<&str>,
    ) -> Result<BenchSources, EngineError> {
        use BenchSource::{Executable, Package};
        match (BenchSource::of(old)?, BenchSource::of(new)?) {
            (Package(old), Package(new)) => Ok(BenchSources::Packages([old, new])),
            (Executable(_), Executable(_)) if cargo_args.is_some() => Err(EngineError::usage(
                "--cargo-args is for what cargo builds, and --bench names two executables. Leave it \
                 out, or give the folders of two cargo packages",
            )),
            (Executable(old), Executable(new)) => Ok(BenchSources::Executables([old, new])),
            (Executable(_), Package(_)) => Err(mixed(old, new)),
            (Package(_), Executable(_)) => Err(mixed(new, old)),
        }
    }
}

impl BenchSource {
    fn of(path: &Path) -> Result<BenchSource, EngineError> {
        // As a path, so that a name without a slash is not looked for among the system's programs.
        let whole = std::path::absolute(path)
            .map_err(|error| EngineError::file(format!("{}: {error}", path.display()), error))?;
        if whole.is_dir() {
            if whole.join(MANIFEST).is_file() {
                return Ok(BenchSource::Package(whole));
            }
            return Err(EngineError::usage(format!(
                "{} is a folder without a Cargo.toml. Give the folder of a cargo package, or a bench \
                 executable as `cargo bench --no-run` prints it",
                path.display()
            )));
        }
        match whole.parent() {
            Some(folder) if whole.ends_with(MANIFEST) && whole.is_file() => {
                Ok(BenchSource::Package(folder.to_path_buf()))
            }
            _ => Ok(BenchSource::Executable(whole)),
        }
    }
}

/// The other layouts of a package would be compared with the one layout of an executable.
fn mixed(executable: &Path, package: &Path) -> EngineError {
    let (file, package) = (executable.display(), package.display());
    if !executable.exists() {
        return EngineError::usage(format!(
            "there is no {file}. Give the folder of a cargo package, as {package} is"
        ));
    }
    EngineError::usage(format!(
        "{file} is a file and {package} is a cargo package. Give two packages, which Fathom builds and \
         compares in many layouts, or two bench executables"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_told_from_executables() {
        let scratch = tempfile::tempdir().unwrap();
        let at = |name: &str| scratch.path().join(name);
        for name in ["one", "other", "none"] {
            std::fs::create_dir(at(name)).unwrap();
        }
        for name in ["one/Cargo.toml", "other/Cargo.toml", "bench", "bench2"] {
            std::fs::write(at(name), "").unwrap();
        }
        let of = |old: &str, new: &str, words| BenchSources::of(&at(old), &at(new), words);
        let packages = BenchSources::Packages([at("one"), at("other")]);
        assert_eq!(of("one", "other/Cargo.toml", Some("--locked")).unwrap(), packages);
        let files = BenchSources::Executables([at("bench"), at("bench2")]);
        assert_eq!(of("bench", "bench2", None).unwrap(), files);
        // One that is missing is the duel's to report.
        assert!(matches!(of("bench", "gone", None).unwrap(), BenchSources::Executables(_)));

        let error = |old: &str, new: &str, words| of(old, new, words).unwrap_err().to_string();
        let text = error("bench", "bench2", Some("--locked"));
        assert!(text.starts_with("--cargo-args is for what cargo builds"), "{text}");
        let text = error("none", "one", None);
        assert!(text.contains("none is a folder without a Cargo.toml"), "{text}");
        for (old, new) in [("bench", "one"), ("one", "bench")] {
            let text = error(old, new, None);
            assert!(text.contains("bench is a file and "), "{text}");
            assert!(text.contains("one is a cargo package. Give two packages"), "{text}");
        }
        let text = error("one", "gone", None);
        assert!(text.contains("there is no ") && text.contains("gone. Give the folder"), "{text}");
    }
}
