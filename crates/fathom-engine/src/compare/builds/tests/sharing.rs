//! Dependencies are compiled once for both revisions where that is surely right.

use super::{Repository, both};
use crate::compare::builds::Builds;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

impl Repository {
    /// One whose package prints the words of its parts and of `outer`, a package of a registry
    /// that uses another, `inner`. The registry is a folder, so that no network is needed.
    fn with_registry() -> Repository {
        let repository = Repository::new();
        repository.publish("inner", "", "pub fn word() -> &'static str { \"inner\" }\n");
        repository.publish(
            "outer",
            "[dependencies]\ninner = \"*\"\n",
            "pub fn word() -> String { format!(\"outer of {}\", inner::word()) }\n",
        );
        let registry = repository.scratch.join("registry");
        repository.write(
            ".cargo/config.toml",
            &format!(
                "[source.crates-io]\nreplace-with = \"here\"\n[source.here]\ndirectory = {registry:?}\n"
            ),
        );
        repository.write(
            "Cargo.toml",
            &(repository.manifest("tiny", &["speed"]) + "[dependencies]\nouter = \"*\"\n"),
        );
        repository.write(".gitignore", "/target\nCargo.lock\n");
        repository.write("src/lib.rs", &with_outer("first"));
        repository.write("benches/speed.rs", "fn main() { print!(\"{}\", tiny::word()); }\n");
        repository.commit("first");
        repository
    }

    /// Adds a package to the registry.
    fn publish(&self, name: &str, manifest: &str, code: &str) {
        let folder = self.scratch.join("registry").join(name);
        std::fs::create_dir_all(folder.join("src")).unwrap();
        let build = if folder.join("build.rs").exists() { "build = \"build.rs\"\n" } else { "" };
        let manifest = self.manifest(name, &[]) + build + manifest;
        std::fs::write(folder.join("Cargo.toml"), manifest).unwrap();
        std::fs::write(folder.join("src/lib.rs"), code).unwrap();
        std::fs::write(folder.join(".cargo-checksum.json"), "{\"files\":{}}").unwrap();
    }

    /// Gives a package of the registry a build script. It must be published again.
    fn write_build_script(&self, name: &str, code: &str) {
        let folder = self.scratch.join("registry").join(name);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("build.rs"), code).unwrap();
    }
}

fn with_outer(word: &str) -> String {
    format!("pub fn word() -> String {{ format!(\"{word} with {{}}\", outer::word()) }}\n")
}

/// When a library was compiled, for the other revision and for the work tree.
fn compiled(builds: &Builds, library: &str) -> [SystemTime; 2] {
    let pair = &builds.pairs[0];
    [&pair.old, &pair.new].map(|bench| {
        let [file] = &libraries(bench.executable.parent().unwrap(), library)[..] else {
            panic!("{library} of {bench}")
        };
        std::fs::metadata(file).unwrap().modified().unwrap()
    })
}

fn libraries(folder: &Path, library: &str) -> Vec<PathBuf> {
    let start = format!("lib{library}-");
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .filter(|path| path.extension().is_some_and(|extension| extension == "rlib"))
        .filter(|path| path.file_name().unwrap().to_str().unwrap().starts_with(&start))
        .collect()
}

#[test]
fn packages_of_registries_are_compiled_once() {
    let repository = Repository::with_registry();
    repository.write("src/lib.rs", &with_outer("second"));
    let builds = repository.build("main").unwrap();
    let words = ("first with outer of inner".to_string(), "second with outer of inner".to_string());
    assert_eq!(both(&builds), words);
    for library in ["outer", "inner"] {
        let [old, new] = compiled(&builds, library);
        assert_eq!(old, new, "{library}");
    }
    // The packages of the two trees have the same name for cargo, and yet are two.
    let [old, new] = compiled(&builds, "tiny");
    assert_ne!(old, new);
    drop(builds);
    // The second time nothing is left to share, and nothing is compiled.
    let builds = repository.build("main").unwrap();
    let [again, _] = compiled(&builds, "tiny");
    assert_eq!(again, old);
}

#[test]
fn what_an_interrupted_copy_left_is_replaced() {
    let repository = Repository::with_registry();
    let builds = repository.build("main").unwrap();
    let profile = builds.pairs[0].old.executable.parent().unwrap().parent().unwrap().to_path_buf();
    let [outer] = &libraries(&profile.join("deps"), "outer")[..] else { panic!("outer") };
    drop(builds);
    // As if Fathom had been killed before it copied the fingerprint.
    let fingerprints = std::fs::read_dir(profile.join(".fingerprint")).unwrap();
    for entry in fingerprints.map(|entry| entry.unwrap()) {
        let name = entry.file_name().into_string().unwrap();
        if name.starts_with("outer-") {
            std::fs::remove_dir_all(entry.path()).unwrap();
            let partial = profile.join(".fingerprint").join(format!(".fathom-partial-{name}"));
            std::fs::create_dir(&partial).unwrap();
            std::fs::write(partial.join("lib-outer"), "half").unwrap();
        }
    }
    std::fs::write(outer, "half").unwrap();
    let builds = repository.build("main").unwrap();
    assert_eq!(both(&builds).0, "first with outer of inner");
    let [old, new] = compiled(&builds, "outer");
    assert_eq!(old, new);
}

#[test]
fn a_package_that_uses_a_folder_of_the_tree_is_compiled_for_each() {
    let repository = Repository::with_registry();
    let manifest = repository.manifest("tiny", &["speed"])
        + "[dependencies]\nouter = \"*\"\n[patch.crates-io]\ninner = { path = \"inner\" }\n";
    repository.write("Cargo.toml", &manifest);
    repository.write("inner/Cargo.toml", &repository.manifest("inner", &[]));
    repository.write("inner/src/lib.rs", "pub fn word() -> &'static str { \"old patch\" }\n");
    repository.commit("patched");
    repository.write("inner/src/lib.rs", "pub fn word() -> &'static str { \"new patch\" }\n");
    let builds = repository.build("main").unwrap();
    let words = ["old", "new"].map(|word| format!("first with outer of {word} patch"));
    assert_eq!(both(&builds), words.into());
    let [old, new] = compiled(&builds, "outer");
    assert_ne!(old, new);
}

#[test]
fn vendored_packages_are_those_of_their_tree() {
    let repository = Repository::with_registry();
    let (from, to) = (repository.scratch.join("registry"), repository.top.join("vendor"));
    std::fs::rename(from, &to).unwrap();
    repository.write(
        ".cargo/config.toml",
        "[source.crates-io]\nreplace-with = \"here\"\n[source.here]\ndirectory = \"vendor\"\n",
    );
    repository.commit("vendored");
    // Edited in place: the same version, as cargo sees it, with other code.
    repository.write("vendor/inner/src/lib.rs", "pub fn word() -> &'static str { \"edited\" }\n");
    let builds = repository.build("main").unwrap();
    let words = ["inner", "edited"].map(|word| format!("first with outer of {word}"));
    assert_eq!(both(&builds), words.into());
}

/// Prints where the build script of `outer` worked, which its users learn from cargo.
const TELLS_ITS_FOLDER: &str = "fn main() { println!(\"cargo:rustc-env=TOLD={}\", \
                                std::env::var(\"DEP_OUTER_FOLDER\").unwrap()); }\n";

#[test]
fn build_scripts_are_shared_unless_their_files_name_their_folder() {
    let repository = Repository::with_registry();
    let script = |writes: &str| {
        let code = format!(
            "fn main() {{\n    let folder = std::env::var(\"OUT_DIR\").unwrap();\n    \
             println!(\"cargo:folder={{folder}}\");\n    {writes}\n}}\n"
        );
        repository.write_build_script("outer", &code);
        let code = "pub fn word() -> &'static str { \
                    include_str!(concat!(env!(\"OUT_DIR\"), \"/word\")) }\n";
        repository.publish("outer", "links = \"outer\"\n", code);
    };
    script("std::fs::write(format!(\"{folder}/word\"), \"plain\").unwrap();");
    repository.write("build.rs", TELLS_ITS_FOLDER);
    let code = "pub fn word() -> String { format!(\"{} {}\", outer::word(), env!(\"TOLD\")) }\n";
    repository.write("src/lib.rs", code);
    repository.commit("a build script");
    let builds = repository.build("main").unwrap();
    let [old, new] = compiled(&builds, "outer");
    assert_eq!(old, new);
    // Cargo corrects the path, so that its users do not look into the work tree's folder.
    let (old, new) = both(&builds);
    assert!(old.starts_with("plain /") && old.contains("fathom/revisions"), "{old}");
    assert!(new.starts_with("plain /") && !new.contains("fathom/revisions"), "{new}");
    drop(builds);

    let repository = Repository::with_registry();
    let code = "fn main() {\n    let folder = std::env::var(\"OUT_DIR\").unwrap();\n    \
                std::fs::create_dir_all(format!(\"{folder}/cmake\")).unwrap();\n    \
                std::fs::write(format!(\"{folder}/cmake/cache\"), &folder).unwrap();\n}\n";
    repository.write_build_script("outer", code);
    let code = "pub fn word() -> &'static str { \
                include_str!(concat!(env!(\"OUT_DIR\"), \"/cmake/cache\")) }\n";
    repository.publish("outer", "", code);
    let builds = repository.build("main").unwrap();
    let (old, new) = both(&builds);
    assert!(old.contains("fathom/revisions") && !new.contains("fathom/revisions"), "{old} {new}");
    let [old, new] = compiled(&builds, "outer");
    assert_ne!(old, new);
}

#[test]
fn nothing_is_copied_while_cargo_builds() {
    use crate::compare::builds::cargo::Cargo;
    use crate::compare::builds::compiled_dependencies::CompiledDependencies;
    let repository = Repository::with_registry();
    let cargo = Cargo {
        folder: &repository.top,
        what: "it",
        arguments: &crate::compare::builds::CargoArguments::default(),
        is_quiet: true,
    };
    // A folder of its own, since all tests may share the usual one.
    let mut packages = cargo.packages().unwrap();
    packages.build_folder = repository.scratch.join("built");
    let built = cargo.build(&packages, Some(&packages.build_folder)).unwrap();
    let compiled = CompiledDependencies::read(&built.messages, &packages, &repository.top);
    let to = repository.scratch.join("copy");
    let held = std::fs::File::open(packages.build_folder.join("release/.cargo-lock")).unwrap();
    assert!(fathom_sys::file_lock::try_lock(&held).unwrap());
    assert_eq!(compiled.copy(&packages.build_folder, &to), 0);
    assert!(!to.exists());
    drop(held);
    assert_eq!(compiled.copy(&packages.build_folder, &to), 2);
    assert_eq!(compiled.copy(&packages.build_folder, &to), 0);
}

#[test]
fn a_build_folder_for_all_trees_does_not_mix_them_up() {
    let repository = Repository::with_registry();
    let shared = repository.scratch.join("shared");
    let config = repository.top.join(".cargo/config.toml");
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, text + &format!("[build]\nbuild-dir = {shared:?}\n")).unwrap();
    repository.commit("a folder for all builds");
    repository.write("src/lib.rs", &with_outer("second"));
    for _ in 0..2 {
        let builds = repository.build("main").unwrap();
        let words = ["first", "second"].map(|word| format!("{word} with outer of inner"));
        assert_eq!(both(&builds), words.into());
        let [old, new] = compiled(&builds, "outer");
        assert_eq!(old, new);
    }
}
