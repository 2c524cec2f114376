//! What cargo knows of the packages in a folder.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The packages of a workspace, or the one that stands alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PackageList {
    /// By cargo's name for it, which has its place in it.
    pub(super) names: BTreeMap<String, String>,
    pub(super) has_benches: bool,
    pub(super) workspace_folder: PathBuf,
    pub(super) target_folder: PathBuf,
    /// Where cargo keeps what it compiles; another folder only if the user configured one.
    pub(super) build_folder: PathBuf,
    /// The folders of packages that they use.
    used: BTreeSet<PathBuf>,
}

impl PackageList {
    /// Reads the answer of `cargo metadata`.
    pub(super) fn read(json: &[u8]) -> Option<PackageList> {
        let all: Value = serde_json::from_slice(json).ok()?;
        let folder = |name: &str| all[name].as_str().map(PathBuf::from);
        let packages = all["packages"].as_array()?;
        let mut list = PackageList {
            names: BTreeMap::new(),
            has_benches: false,
            workspace_folder: folder("workspace_root")?,
            target_folder: folder("target_directory")?,
            // Cargo before 1.91 has only one of them.
            build_folder: folder("build_directory").or_else(|| folder("target_directory"))?,
            used: BTreeSet::new(),
        };
        for package in packages {
            let text = |name: &str| package[name].as_str().map(str::to_string);
            list.names.insert(text("id")?, text("name")?);
            let targets = package["targets"].as_array()?;
            let kinds = targets.iter().filter_map(|target| target["kind"].as_array()).flatten();
            list.has_benches |= kinds.into_iter().any(|kind| kind == "bench");
            let used = package["dependencies"].as_array()?.iter();
            list.used.extend(used.filter_map(|one| one["path"].as_str().map(PathBuf::from)));
        }
        Some(list)
    }

    /// Folders of packages outside of `top` that are used.
    pub(super) fn outside(&self, top: &Path) -> Vec<&Path> {
        self.used.iter().map(PathBuf::as_path).filter(|path| !path.starts_with(top)).collect()
    }

    pub(super) fn lock_file(&self) -> PathBuf {
        self.workspace_folder.join("Cargo.lock")
    }
}
