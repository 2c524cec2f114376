//! The benches of two builds: of the user's work tree as it is and of another revision, built in a
//! git worktree of its own; or of two packages.

mod cargo;
mod cargo_arguments;
mod compiled_dependencies;
mod git;
mod lock_file;
mod package_list;
mod packages;
mod pairing;
mod place;
mod relinking;
mod revision;
mod side;
#[cfg(test)]
mod tests;
mod times;
mod worktree;

pub(crate) use cargo_arguments::CargoArguments;
pub(crate) use packages::{PackagesRequest, build_packages};
pub(crate) use pairing::Pair;

use crate::EngineError;
use cargo::Cargo;
use compiled_dependencies::CompiledDependencies;
use fathom_bench::for_the_program::duel::Relinking;
use package_list::PackageList;
use revision::Revision;
use side::{Side, put_together};
use std::path::Path;
use worktree::Worktree;

/// What to build.
#[derive(Debug, Clone)]
pub(crate) struct Request<'a> {
    /// The folder that the user works in.
    pub(crate) folder: &'a Path,
    /// The revision to compare with.
    pub(crate) revision: &'a str,
    pub(crate) arguments: &'a CargoArguments,
    /// Where to check it out; in the user's cache if not said.
    pub(crate) place: Option<&'a Path>,
    /// Cargo says nothing unless it fails.
    pub(crate) is_quiet: bool,
    /// Whether benches are linked again in other layouts.
    pub(crate) in_layouts: bool,
}

/// Both are built. Another revision is checked out until this is dropped, because benches may read
/// files of their package.
#[derive(Debug)]
pub(crate) struct Builds {
    /// What the old build and the new one are called.
    pub(crate) labels: [String; 2],
    /// Benches that both have; at least one.
    pub(crate) pairs: Vec<Pair>,
    /// How each pair's old bench and new bench are linked again, or why they are not; empty if
    /// nobody asked.
    pub(crate) relinkings: Vec<[Result<Relinking, String>; 2]>,
    /// What the user should know of how they were built, or of what is left out.
    pub(crate) warnings: Vec<String>,
    _tree: Option<Worktree>,
}

/// Builds both; `say` gets a line before each build, because cargo's own messages follow.
pub(crate) fn build(
    request: &Request<'_>,
    say: &mut dyn FnMut(&str),
) -> Result<Builds, EngineError> {
    let revision = Revision::resolve(request.folder, request.revision)?;
    let variable = |name: &str| std::env::var_os(name);
    let place = match request.place {
        Some(place) => place.to_path_buf(),
        None => place::for_work_tree(&revision.top, variable)?,
    };
    // The user's own first: it takes less time, and is more often in a state that does not build.
    let name = "the work tree";
    let new = Cargo {
        folder: request.folder,
        what: name,
        arguments: request.arguments,
        is_quiet: request.is_quiet,
    };
    let new_packages = new.packages()?;
    say(&format!("building {name}"));
    let new_built = new.build(&new_packages, None)?;

    let tree = Worktree::at(&revision, &place)?;
    let mut warnings = tree.warnings.clone();
    let name = revision.to_string();
    let old = Cargo { folder: tree.folder(), what: &name, ..new.clone() };
    let old_packages =
        old.packages().map_err(|failure| explained(failure, &new_packages, &revision))?;
    borrow_lock_file(&new_packages, &old_packages)?;
    for file in place::settings_left_behind(&revision.top, tree.top(), variable) {
        warnings.push(format!(
            "{} holds for the work tree, and not for {name}, which is built elsewhere; put it into \
             the repository or into cargo's home",
            file.display()
        ));
    }
    say(&format!("building {name}"));
    // One for all revisions: what they have in common is built once. But not one for several
    // repositories or for the work tree as well: cargo names what it compiles of a package by the
    // package's place in its workspace, so it does not tell the packages of two trees apart.
    let own = place.file_name().unwrap_or_default();
    let target_folder = new_packages.target_folder.join("fathom/revisions").join(own);
    CompiledDependencies::read(&new_built.messages, &new_packages, &revision.top)
        .copy(&new_packages.build_folder, &target_folder);
    let old_built = old
        .build(&old_packages, Some(&target_folder))
        .map_err(|failure| explained(failure, &new_packages, &revision))?;

    let paired = pairing::pair(old_built.benches, new_built.benches);
    let sides = [
        Side { cargo: old, packages: &old_packages, target_folder: Some(&target_folder) },
        Side { cargo: new, packages: &new_packages, target_folder: None },
    ];
    let labels = [revision.name.clone(), "work tree".to_string()];
    let mut builds = put_together(sides, labels, paired, request.in_layouts, say)?;
    warnings.append(&mut builds.warnings);
    Ok(Builds { warnings, _tree: Some(tree), ..builds })
}

/// A repository without a Cargo.lock leaves the versions of dependencies to the day of the build;
/// both are to have the same.
fn borrow_lock_file(new: &PackageList, old: &PackageList) -> Result<(), EngineError> {
    let (from, to) = (new.lock_file(), old.lock_file());
    if to.exists() || !from.exists() {
        return Ok(());
    }
    std::fs::copy(&from, &to).map_err(|error| {
        EngineError::usage(format!("{} cannot be copied: {error}", from.display()))
    })?;
    Ok(())
}

/// A reason that cargo's messages do not name, if there may be one.
fn explained(failure: EngineError, packages: &PackageList, revision: &Revision) -> EngineError {
    let outside = packages.outside(&revision.top);
    let line = outside.first().map(|path| {
        format!(
            "the work tree uses {}, which is not in the repository; a relative path to it does not \
             lead there from where {revision} is built",
            path.display()
        )
    });
    failure.with_advice(line)
}
