//! What it takes to link the benches of both builds again, in other layouts.

use super::cargo::{BuiltBench, Cargo};
use fathom_bench::for_the_program::duel::{CargoBench, Relinking};
use std::ffi::OsString;
use std::path::Path;

/// Has cargo compile a bench once more, for a linker that only takes notes; why that failed, if it
/// did. `target_folder` is the one that the bench was built in, if it is not cargo's usual one, and
/// `place` is a folder for what Fathom writes.
pub(super) fn relinking(
    cargo: &Cargo<'_>,
    bench: &BuiltBench,
    target_folder: Option<&Path>,
    place: &Path,
) -> Result<Relinking, String> {
    let folder = place.join("link").join(&bench.package).join(&bench.target);
    let toolchain = cargo.arguments.toolchain.as_deref();
    let of_cargo = CargoBench {
        cargo: ["cargo"].into_iter().chain(toolchain).map(OsString::from).collect(),
        folder: cargo.folder.to_path_buf(),
        package: bench.package.clone(),
        target: bench.target.clone(),
        words: cargo.arguments.words().into_iter().map(String::from).collect(),
        target_folder: target_folder.map(Path::to_path_buf),
    };
    of_cargo.relinking(&folder)
}
