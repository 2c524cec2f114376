//! The benches of two packages that the user names, such as those of two checkouts. Each is built
//! where it is, with its own settings and toolchain, as the user would build it.

use super::cargo::Cargo;
use super::compiled_dependencies::CompiledDependencies;
use super::pairing::pair;
use super::side::{Side, put_together};
use super::{Builds, CargoArguments, place};
use crate::EngineError;
use std::path::Path;

/// What to build.
#[derive(Debug, Clone)]
pub(crate) struct PackagesRequest<'a> {
    /// The folders of the old one and the new one.
    pub(crate) folders: [&'a Path; 2],
    pub(crate) arguments: &'a CargoArguments,
    /// Cargo says nothing unless it fails.
    pub(crate) is_quiet: bool,
    /// Whether benches are linked again in other layouts.
    pub(crate) in_layouts: bool,
}

/// Builds both; `say` gets a line before each build, because cargo's own messages follow.
pub(crate) fn build_packages(
    request: &PackagesRequest<'_>,
    say: &mut dyn FnMut(&str),
) -> Result<Builds, EngineError> {
    let names = request.folders.map(|folder| folder.display().to_string());
    let cargo = |side: usize| Cargo {
        folder: request.folders[side],
        what: &names[side],
        arguments: request.arguments,
        is_quiet: request.is_quiet,
    };
    let [old, new] = [cargo(0), cargo(1)];
    let [old_packages, new_packages] = [old.packages()?, new.packages()?];
    // In one folder the second build could replace the first: cargo does not tell the packages of
    // two checkouts apart.
    let is_shared = old_packages.target_folder == new_packages.target_folder
        || old_packages.build_folder == new_packages.build_folder;
    let own_folder = is_shared.then(|| {
        let own = place::own_name(&old_packages.workspace_folder);
        new_packages.target_folder.join("fathom/packages").join(own)
    });
    say(&format!("building {}", new.what));
    let new_built = new.build(&new_packages, None)?;
    if let Some(folder) = &own_folder {
        CompiledDependencies::read(
            &new_built.messages,
            &new_packages,
            &new_packages.workspace_folder,
        )
        .copy(&new_packages.build_folder, folder);
    }
    say(&format!("building {}", old.what));
    let old_built = old.build(&old_packages, own_folder.as_deref())?;
    let paired = pair(old_built.benches, new_built.benches).also_by_target();
    let sides = [
        Side { cargo: old, packages: &old_packages, target_folder: own_folder.as_deref() },
        Side { cargo: new, packages: &new_packages, target_folder: None },
    ];
    let labels = ["old", "new"].map(String::from);
    put_together(sides, labels, paired, request.in_layouts, say)
}
