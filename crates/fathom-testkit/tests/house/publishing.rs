//! Every crate that is published has what its page in the registry shows, and errors that can grow.

use fathom_testkit::repository;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The registry's categories that we use. It refuses crates with others.
const CATEGORIES: &[&str] = &[
    "algorithms",
    "command-line-utilities",
    "data-structures",
    "database",
    "development-tools::procedural-macro-helpers",
    "development-tools::profiling",
    "development-tools::testing",
    "mathematics",
    "os::linux-apis",
    "parser-implementations",
    "science",
    "text-processing",
    "visualization",
];

/// The crates that are of use without the rest of Fathom: their READMEs have an example that runs.
const FOR_OTHERS: &[&str] = &["fathom-stats", "fathom-dtw", "fathom-bench", "fathom-property"];

/// What the documentation of `fathom-bench` shows. Everything else there is for `fathom`, and hidden.
const SHOWN_BY_BENCH: &[&str] = &[
    "Added",
    "AddedForArgs",
    "Bencher",
    "Comparing",
    "CountingAllocator",
    "Executor",
    "Measurement",
    "ProcessCpuTime",
    "Suite",
    "ThreadCpuTime",
    "Throughput",
    "bench",
    "black_box",
    "criterion",
    "type_name",
];

/// The manifests of the crates that are published.
pub(super) fn published() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--no-deps"])
        .current_dir(repository::top())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut packages = metadata["packages"].as_array().unwrap().clone();
    // An empty list of registries is how "never" is said.
    packages.retain(|package| package["publish"].is_null());
    assert!(packages.len() > 15, "{} crates are published", packages.len());
    packages
}

fn folder(package: &Value) -> PathBuf {
    Path::new(package["manifest_path"].as_str().unwrap()).parent().unwrap().to_path_buf()
}

fn words(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect()
}

/// What a manifest lacks, or has too much of.
fn flaws(package: &Value) -> Vec<String> {
    let mut flaws = Vec::new();
    let fields = ["description", "license", "repository", "homepage", "documentation", "readme"];
    for field in fields.iter().chain(&["rust_version"]) {
        if package[field].as_str().is_none_or(str::is_empty) {
            flaws.push(format!("it has no {field}"));
        }
    }
    let is_keyword = |word: &&str| {
        word.len() <= 20
            && word.starts_with(|c: char| c.is_ascii_alphanumeric())
            && word.chars().all(|c| c.is_ascii_alphanumeric() || "-_+".contains(c))
    };
    let keywords = words(&package["keywords"]);
    if keywords.is_empty() || keywords.len() > 5 || !keywords.iter().all(is_keyword) {
        flaws.push(format!("one to five keywords of up to 20 letters, not {keywords:?}"));
    }
    let categories = words(&package["categories"]);
    if categories.is_empty() || !categories.iter().all(|slug| CATEGORIES.contains(slug)) {
        flaws.push(format!("its categories {categories:?} are not all in CATEGORIES"));
    }
    flaws
}

#[test]
fn every_published_crate_has_what_the_registry_shows() {
    let mut wrong = Vec::new();
    let mut descriptions = BTreeSet::new();
    for package in published() {
        let name = package["name"].as_str().unwrap();
        wrong.extend(flaws(&package).iter().map(|flaw| format!("{name}: {flaw}")));
        let description = package["description"].to_string();
        if !descriptions.insert(description) {
            wrong.push(format!("{name}: another crate has its description"));
        }
        for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
            let whole = fs::read(repository::top().join(licence)).unwrap();
            if fs::read(folder(&package).join(licence)).ok() != Some(whole) {
                wrong.push(format!("{name}: link {licence} to the one at the top"));
            }
        }
        if !folder(&package).join("README.md").is_file() {
            wrong.push(format!("{name}: README.md is missing"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn manifests_that_the_registry_refuses_are_noticed() {
    let package = &published()[0];
    assert_eq!(flaws(package), Vec::<String>::new());
    let mut bad = package.clone();
    bad["repository"] = Value::Null;
    bad["keywords"] = serde_json::json!(["a", "b", "c", "d", "e", "f"]);
    bad["categories"] = serde_json::json!(["benchmarks"]);
    assert_eq!(flaws(&bad).len(), 3, "{:?}", flaws(&bad));
}

#[test]
fn readmes_for_others_have_an_example_that_runs() {
    for name in FOR_OTHERS {
        let folder = repository::top().join("crates").join(name);
        let readme = fs::read_to_string(folder.join("README.md")).unwrap();
        assert!(readme.contains("```rust"), "{name}: README.md has no example");
        let library = fs::read_to_string(folder.join("src/lib.rs")).unwrap();
        let test = "#[cfg(doctest)]\n#[doc = include_str!(\"../README.md\")]";
        assert!(library.contains(test), "{name}: no doc test runs the example in README.md");
        assert!(readme.lines().count() < 60, "{name}: README.md is long; link to the docs instead");
    }
}

#[test]
fn the_harness_shows_what_users_need() {
    let library = repository::top().join("crates/fathom-bench/src/lib.rs");
    let library = fs::read_to_string(library).unwrap();
    let lines: Vec<&str> = library.lines().collect();
    let mut shown = BTreeSet::new();
    for (n, line) in lines.iter().enumerate() {
        if n > 0 && lines[n - 1] == "#[doc(hidden)]" {
            continue;
        }
        // Hidden, or listed above.
        if let Some(module) = line.strip_prefix("pub mod ") {
            shown.insert(module.trim_end_matches([' ', '{', ';']).to_string());
        }
        let Some(path) = line.strip_prefix("pub use ") else { continue };
        let names = path.trim_end_matches(';').rsplit("::").next().unwrap();
        shown.extend(names.trim_matches(['{', '}']).split(", ").map(str::to_string));
    }
    assert_eq!(Vec::from_iter(&shown), SHOWN_BY_BENCH);
}

/// The steps of docs/releasing.md in which crates are published.
fn steps() -> Vec<Vec<String>> {
    let page = fs::read_to_string(repository::top().join("docs/releasing.md")).unwrap();
    let is_step = |line: &&str| line.starts_with(|c: char| c.is_ascii_digit());
    let steps = page.lines().filter(is_step).map(|line| {
        let names = line.split('`').filter(|word| word.starts_with("fathom-"));
        names.map(str::to_string).collect::<Vec<String>>()
    });
    steps.filter(|names| !names.is_empty()).collect()
}

#[test]
fn crates_are_published_after_what_they_depend_on() {
    let steps = steps();
    let step_of = |name: &str| steps.iter().position(|names| names.iter().any(|n| n == name));
    for package in published() {
        let name = package["name"].as_str().unwrap();
        let step = step_of(name);
        assert!(step.is_some(), "docs/releasing.md does not publish {name}");
        for dependency in package["dependencies"].as_array().unwrap() {
            let used = dependency["name"].as_str().unwrap();
            if dependency["kind"] != "dev" && used.starts_with("fathom-") {
                assert!(step_of(used) < step, "docs/releasing.md: {used} goes before {name}");
            }
        }
    }
}

#[test]
fn version_changelog_and_addresses_agree() {
    let check = |words: &[&str]| {
        let script = repository::top().join("scripts/release-check");
        let mut command = Command::new(script);
        command.args(words).env_remove("GITHUB_REPOSITORY").env_remove("GITHUB_SERVER_URL");
        command.output().unwrap()
    };
    let output = check(&[]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output = check(&["v99.0.0"]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("the tag is v99.0.0, but the version in Cargo.toml is"), "{said}");
}

/// The public error enums of a file that lack `#[non_exhaustive]`.
fn closed_errors(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut closed = Vec::new();
    for (n, line) in lines.iter().enumerate() {
        let Some(rest) = line.trim_start().strip_prefix("pub enum ") else { continue };
        let name = rest.split([' ', '<', '{']).next().unwrap();
        // Its attributes and comments: all lines up to the end of what is before.
        let before: Vec<&str> = lines[..n]
            .iter()
            .rev()
            .take_while(|line| !matches!(line.trim(), "" | "}") && !line.trim().ends_with(';'))
            .copied()
            .collect();
        let has = |word: &str| {
            before.iter().any(|line| !line.trim_start().starts_with("//") && line.contains(word))
        };
        if (name.ends_with("Error") || has("Error")) && !has("#[non_exhaustive]") {
            closed.push(name.to_string());
        }
    }
    closed
}

#[test]
fn public_errors_can_grow() {
    let mut closed = Vec::new();
    for package in published() {
        for path in repository::rust_files(&folder(&package).join("src")).unwrap() {
            let text = fs::read_to_string(&path).unwrap();
            let place = path.strip_prefix(repository::top()).unwrap_or(&path).display();
            closed.extend(closed_errors(&text).iter().map(|name| format!("{place}: {name}")));
        }
    }
    assert!(closed.is_empty(), "add #[non_exhaustive]:\n{}", closed.join("\n"));
}

#[test]
fn errors_that_cannot_grow_are_noticed() {
    let text = "\
/// Fine.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GoodError {}

/// Not #[non_exhaustive].
#[derive(Debug, thiserror::Error)]
pub enum Refusal {}
pub enum BadError {}

#[derive(Debug)]
pub enum Colour {}
pub(crate) enum OwnError {}
";
    assert_eq!(closed_errors(text), ["Refusal", "BadError"]);
}

/// The build script of `fathom-ui` in a folder of its own, on a machine without Node.
struct BuildScript {
    folder: PathBuf,
}

impl BuildScript {
    fn new() -> BuildScript {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("build-script");
        let _ = fs::remove_dir_all(&folder);
        let ours = repository::top().join("crates/fathom-ui");
        for path in ["web/src/fixtures", "prebuilt", "out", "empty"] {
            fs::create_dir_all(folder.join(path)).unwrap();
        }
        for name in [
            ".npmrc",
            "index.html",
            "package-lock.json",
            "package.json",
            "svelte.config.js",
            "tsconfig.json",
            "vite.config.ts",
            "src/main.ts",
        ] {
            fs::write(folder.join("web").join(name), name).unwrap();
        }
        let compiled = Command::new(std::env::var_os("RUSTC").unwrap_or("rustc".into()))
            .args(["--edition", "2024", "-o"])
            .arg(folder.join("script"))
            .arg(ours.join("build.rs"))
            .output()
            .unwrap();
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        BuildScript { folder }
    }

    fn write(&self, path: &str, text: &str) {
        fs::write(self.folder.join(path), text).unwrap();
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.folder.join(path)).unwrap()
    }

    fn run(&self, web: &str) -> Output {
        Command::new(self.folder.join("script"))
            .current_dir(&self.folder)
            .env("OUT_DIR", self.folder.join("out"))
            .env("PATH", self.folder.join("empty"))
            .env("FATHOM_WEB", web)
            .output()
            .unwrap()
    }

    /// What it embeds, and what it says.
    fn embeds(&self, web: &str) -> (String, String) {
        let output = self.run(web);
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{said}");
        (self.read("out/page.html"), said)
    }
}

#[test]
fn a_prebuilt_page_is_embedded_only_if_it_fits_its_sources() {
    let script = BuildScript::new();
    let (page, said) = script.embeds("");
    assert!(page.is_empty() && said.contains("without its page: node cannot"), "{said}");
    assert!(!script.run("require").status.success(), "there is no page");

    // As scripts/package leaves it. The digest of the page is that of another one at first.
    script.write("prebuilt/page.html", "<p>page</p>");
    script.write("prebuilt/page.digests", &script.read("out/page.digests"));
    let (page, said) = script.embeds("");
    assert!(page.is_empty() && said.contains("built from other sources"), "{said}");
    let sources = script.read("out/page.digests").lines().next().unwrap().to_string();
    // FNV-1a of the length in eight bytes and the text, computed here a second time.
    let text = b"<p>page</p>";
    let bytes = (text.len() as u64).to_le_bytes().into_iter().chain(*text);
    let digest = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |digest, byte| {
        (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    script.write("prebuilt/page.digests", &format!("{sources}\npage {digest:016x}\n"));
    assert_eq!(script.embeds("require").0, "<p>page</p>");
    assert!(script.embeds("skip").0.is_empty());

    // Tests are not part of the page, everything else is.
    script.write("web/src/main.test.ts", "test");
    script.write("web/src/fixtures/data.json", "{}");
    assert_eq!(script.embeds("").0, "<p>page</p>");
    script.write("web/src/main.ts", "changed");
    let (page, said) = script.embeds("");
    assert!(page.is_empty() && said.contains("built from other sources"), "{said}");
    assert!(!script.run("require").status.success(), "the page is stale");
}
