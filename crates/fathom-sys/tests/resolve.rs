//! Names of programs mean the files a shell would take.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod harness;

use fathom_sys::resolve::{ResolveError, resolve};
use harness::Folder;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

fn found(program: &str, path: &str, folder: &Path) -> Result<PathBuf, ResolveError> {
    resolve(OsStr::new(program), Some(OsStr::new(path)), folder)
}

#[test]
fn names_are_looked_for_in_path_in_its_order() {
    let folder = Folder::new("resolve-order");
    let here = folder.file("");
    for place in ["a", "b"] {
        std::fs::create_dir(folder.file(place)).unwrap();
    }
    let second = folder.write("b/tool", "", 0o755);
    let path = format!("{}:{}", folder.file("a").display(), folder.file("b").display());
    assert_eq!(found("tool", &path, &here).unwrap(), second);
    // A folder of that name, or a file that may not be executed, is passed over.
    std::fs::create_dir(folder.file("a/tool")).unwrap();
    assert_eq!(found("tool", &path, &here).unwrap(), second);
    std::fs::remove_dir(folder.file("a/tool")).unwrap();
    let first = folder.write("a/tool", "", 0o644);
    assert_eq!(found("tool", &path, &here).unwrap(), second);
    std::fs::remove_file(&second).unwrap();
    let error = found("tool", &path, &here).unwrap_err();
    assert_eq!(error, ResolveError::NotExecutable { program: first.clone() });
    folder.write("a/tool", "", 0o755);
    assert_eq!(found("tool", &path, &here).unwrap(), first);
    // Relative and empty entries start from the working folder.
    assert_eq!(found("tool", "a", &here).unwrap(), first);
    assert_eq!(found("tool", ":nowhere", &folder.file("a")).unwrap(), first);
}

#[test]
fn paths_start_from_the_working_folder() {
    let folder = Folder::new("resolve-paths");
    let here = folder.file("");
    let tool = folder.write("tool", "", 0o755);
    let closed = folder.write("closed", "", 0o644);
    assert_eq!(
        found("./tool", "", &here).unwrap().canonicalize().unwrap(),
        tool.canonicalize().unwrap()
    );
    assert_eq!(found(tool.to_str().unwrap(), "", Path::new("/")).unwrap(), tool);
    let error = |program: &str| found(program, "/nowhere", &here).unwrap_err().to_string();
    assert!(
        error(closed.to_str().unwrap()).ends_with("closed is not executable. Run chmod +x on it.")
    );
    assert!(error("./").contains("is a folder"));
    assert!(error("./absent").starts_with("there is no program "));
    assert!(error("absent").contains("there is no program \"absent\" in PATH. Check its spelling"));
    assert!(error("tool").contains("write `./tool`"));
    assert_eq!(found("", "/bin", &here), Err(ResolveError::Empty));
    assert!(found("a\0b", "/bin", &here).is_err());
}

#[test]
fn without_path_the_usual_places_are_searched() {
    let shell = resolve(OsStr::new("sh"), None, Path::new("/")).unwrap();
    assert!(shell.is_absolute() && shell.ends_with("sh"));
}
