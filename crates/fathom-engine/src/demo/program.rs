//! How this program is called: the tour's commands are to be copied, and they measure this program.

use crate::EngineError;
use std::ffi::OsStr;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// How this program was called, if the same words still lead to it; else `fathom`, if that does; else
/// its path.
///
/// # Errors
/// The program is at no path any more, or its path is not text.
pub fn program_as_typed() -> Result<String, EngineError> {
    // Words need not be text: `args` would panic.
    let typed = std::env::args_os().next().and_then(|word| word.into_string().ok());
    let typed = typed.unwrap_or_default();
    let own = std::fs::metadata("/proc/self/exe").ok();
    let search = std::env::var_os("PATH");
    let leads_here = |name: &str| {
        let found = resolved(name, search.as_deref()).and_then(|path| std::fs::metadata(path).ok());
        found.zip(own.as_ref()).is_some_and(|(found, own)| is_same(&found, own))
    };
    if let Some(name) = ["fathom", &typed].into_iter().find(|name| leads_here(name)) {
        return Ok(name.to_string());
    }
    let path = std::env::current_exe().ok().filter(|path| path.exists());
    path.and_then(|path| path.into_os_string().into_string().ok()).ok_or_else(|| {
        EngineError::cannot_be_done(
            "this program cannot find its own file, which the tour measures. Start it by its path",
        )
    })
}

/// Where a name leads, as a shell looks for it.
fn resolved(name: &str, search: Option<&OsStr>) -> Option<PathBuf> {
    if name.is_empty() {
        return None;
    }
    if name.contains('/') {
        return Some(PathBuf::from(name));
    }
    let folders = std::env::split_paths(search?);
    folders.map(|folder| folder.join(name)).find(|path| is_program(path))
}

fn is_program(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|found| found.is_file() && found.mode() & 0o111 != 0)
}

fn is_same(one: &Metadata, other: &Metadata) -> bool {
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_name_is_found_as_a_shell_finds_it() {
        let folder = tempfile::tempdir().unwrap();
        let [empty, full] = ["empty", "full"].map(|name| folder.path().join(name));
        for place in [&empty, &full] {
            std::fs::create_dir(place).unwrap();
        }
        std::fs::write(empty.join("tool"), "no program").unwrap();
        std::fs::write(full.join("tool"), "#!/bin/sh\n").unwrap();
        std::fs::set_permissions(full.join("tool"), PermissionsExt::from_mode(0o755)).unwrap();
        let search = std::env::join_paths([&empty, &full]).unwrap();
        let found = |name: &str| resolved(name, Some(&search));
        assert_eq!(found("tool"), Some(full.join("tool")));
        assert_eq!(found("./tool"), Some(PathBuf::from("./tool")));
        assert_eq!((found("other"), found("")), (None, None));
    }

    #[test]
    fn the_answer_leads_to_this_program() {
        let name = program_as_typed().unwrap();
        let path = resolved(&name, std::env::var_os("PATH").as_deref()).unwrap();
        let own = std::fs::metadata("/proc/self/exe").unwrap();
        assert!(is_same(&std::fs::metadata(path).unwrap(), &own));
    }
}
