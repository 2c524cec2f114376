//! What is known about a measured program before it runs.

use std::path::Path;

use super::tree::read_text;

/// How far above a program CMake's cache is looked for: `build/tools/name/program`.
const FOLDERS_ABOVE: usize = 3;

/// Whether a program looks like a debug build; then the warning and its remedy, in one line.
///
/// `program` is the resolved path of the program itself: a debug build seldom is what one wants
/// to time. Only the build system's own traces count:
///
/// - cargo puts programs of its `dev` profile directly into `target/debug`, `examples` or `deps`
///   of it, whatever the target folder is called, and keeps `.fingerprint` there;
/// - CMake keeps `CMAKE_BUILD_TYPE` in `CMakeCache.txt` above the program, or, with generators
///   for several configurations, puts the program into a folder `Debug`.
///
/// Debug information in the program says nothing: release builds have it too, for profilers. Nor
/// does an empty build type, because many projects then set one of their own.
///
/// ```
/// use fathom_sys::host::program::looks_like_debug_build;
/// let warning = looks_like_debug_build("/home/me/app/target/debug/app".as_ref()).unwrap();
/// assert_eq!(
///     warning,
///     "/home/me/app/target/debug/app looks like a debug build. Build it with `cargo build --release`."
/// );
/// assert_eq!(looks_like_debug_build("/home/me/app/target/release/app".as_ref()), None);
/// ```
#[must_use]
pub fn looks_like_debug_build(program: &Path) -> Option<String> {
    // A link into a build folder is as slow as what it leads to.
    let resolved = program.canonicalize().unwrap_or_else(|_| program.to_path_buf());
    let remedy = if is_cargo_debug(&resolved) {
        "Build it with `cargo build --release`."
    } else if is_cmake_debug(&resolved) {
        "Configure with `cmake -DCMAKE_BUILD_TYPE=Release` and build again."
    } else if is_cmake_debug_configuration(&resolved) {
        "Build it with `cmake --build . --config Release`."
    } else {
        return None;
    };
    Some(format!("{} looks like a debug build. {remedy}", program.display()))
}

fn is_cargo_debug(program: &Path) -> bool {
    let Some(mut folder) = program.parent() else { return false };
    if is_named(folder, "examples") || is_named(folder, "deps") {
        let Some(above) = folder.parent() else { return false };
        folder = above;
    }
    if !is_named(folder, "debug") {
        return false;
    }
    // target/debug, or target/x86_64-unknown-linux-musl/debug.
    let mut above = folder.ancestors().skip(1).take(2);
    above.any(|folder| is_named(folder, "target")) || folder.join(".fingerprint").is_dir()
}

fn is_cmake_debug(program: &Path) -> bool {
    let Some(cache) = cmake_cache(program) else { return false };
    let is_debug =
        cached(&cache, "CMAKE_BUILD_TYPE").is_some_and(|kind| kind.eq_ignore_ascii_case("debug"));
    // Some projects optimise their debug builds.
    let is_optimised = ["CMAKE_C_FLAGS_DEBUG", "CMAKE_CXX_FLAGS_DEBUG"]
        .iter()
        .filter_map(|key| cached(&cache, key))
        .flat_map(str::split_whitespace)
        .any(|flag| flag.starts_with("-O") && flag != "-O0" && flag != "-Og");
    is_debug && !is_optimised
}

fn is_cmake_debug_configuration(program: &Path) -> bool {
    program.parent().is_some_and(|folder| is_named(folder, "Debug"))
        && cmake_cache(program).is_some_and(|cache| {
            cached(&cache, "CMAKE_CONFIGURATION_TYPES")
                .is_some_and(|kinds| kinds.split(';').any(|kind| kind == "Debug"))
        })
}

/// The nearest cache above a program.
fn cmake_cache(program: &Path) -> Option<String> {
    let mut folders = program.ancestors().skip(1).take(FOLDERS_ABOVE + 1);
    folders.find_map(|folder| read_text(&folder.join("CMakeCache.txt")))
}

/// The value of a line KEY:TYPE=value.
fn cached<'a>(cache: &'a str, key: &str) -> Option<&'a str> {
    cache.lines().find_map(|line| {
        let (_, value) = line.strip_prefix(key)?.strip_prefix(':')?.split_once('=')?;
        Some(value.trim())
    })
}

fn is_named(folder: &Path, name: &str) -> bool {
    folder.file_name().is_some_and(|found| found == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn cargo_by_its_folders() {
        for debug in [
            "/w/target/debug/app",
            "/w/target/debug/examples/app",
            "/w/target/debug/deps/app-0123",
            "/w/target/aarch64-unknown-linux-gnu/debug/app",
        ] {
            assert!(is_cargo_debug(debug.as_ref()), "{debug}");
        }
        for other in [
            "/w/target/release/app",
            "/w/target/debug/tools/bin/app",
            "/w/debug/app",
            "/usr/lib/debug/app",
            "/w/target/x/y/debug/app",
            "app",
            "/",
            "",
        ] {
            assert!(!is_cargo_debug(other.as_ref()), "{other}");
        }
    }

    #[test]
    fn cargo_by_its_traces_and_through_links() {
        let top = tempfile::tempdir().unwrap();
        let folder = top.path().join("elsewhere/debug");
        fs::create_dir_all(folder.join(".fingerprint")).unwrap();
        fs::write(folder.join("app"), "").unwrap();
        let link = top.path().join("app");
        std::os::unix::fs::symlink(folder.join("app"), &link).unwrap();
        let warning = looks_like_debug_build(&link).unwrap();
        assert!(warning.starts_with(&*link.to_string_lossy()), "{warning}");
        assert!(warning.ends_with(". Build it with `cargo build --release`."), "{warning}");
    }

    #[test]
    fn cmake_by_its_cache() {
        let top = tempfile::tempdir().unwrap();
        let program = top.path().join("build/tools/app");
        fs::create_dir_all(program.parent().unwrap()).unwrap();
        let cache = top.path().join("build/CMakeCache.txt");
        let warned = |text: &str| {
            fs::write(&cache, text).unwrap();
            looks_like_debug_build(&program)
        };
        let warning = warned("# comment\nCMAKE_BUILD_TYPE:STRING=Debug\n").unwrap();
        assert!(warning.contains("-DCMAKE_BUILD_TYPE=Release"), "{warning}");
        assert!(warned("CMAKE_BUILD_TYPE:STRING=debug\nCMAKE_C_FLAGS_DEBUG:STRING=-g\n").is_some());
        for fine in [
            "CMAKE_BUILD_TYPE:STRING=RelWithDebInfo\n",
            "CMAKE_BUILD_TYPE:STRING=\n",
            "CMAKE_BUILD_TYPE:STRING=Debug\nCMAKE_CXX_FLAGS_DEBUG:STRING=-g -O2\n",
            "CMAKE_CONFIGURATION_TYPES:STRING=Debug;Release\n",
            "\u{0}\u{1}",
        ] {
            assert_eq!(warned(fine), None, "{fine}");
        }
    }

    #[test]
    fn cmake_with_several_configurations() {
        let top = tempfile::tempdir().unwrap();
        let text = "CMAKE_CONFIGURATION_TYPES:STRING=Debug;Release;RelWithDebInfo\n";
        fs::write(top.path().join("CMakeCache.txt"), text).unwrap();
        for (name, is_debug) in [("Debug", true), ("Release", false)] {
            fs::create_dir(top.path().join(name)).unwrap();
            let warning = looks_like_debug_build(&top.path().join(name).join("app"));
            assert_eq!(warning.is_some(), is_debug, "{name}");
        }
    }

    #[test]
    fn a_release_build_with_debug_information_is_fine() {
        let top = tempfile::tempdir().unwrap();
        let program = top.path().join("app");
        fs::write(&program, b"\x7fELF .debug_info .debug_line").unwrap();
        assert_eq!(looks_like_debug_build(&program), None);
    }
}
