//! Every public function of the crates that others use has an example.
//!
//! The functions are the lines `pub fn` in `src`, whether free or in an `impl`: the lint
//! `unreachable_pub` keeps `pub` off everything that users of the crate cannot reach. Modules that
//! `lib.rs` marks with `#[doc(hidden)]` are left out, and so are tests.
//!
//! A function has an example if some code calls it, and that code is in the documentation of the
//! function, of another item in the same file, or of a module around it up to the crate. To call is to
//! have the name before a `(`. Cargo runs the examples, so a call that is wrong does not stay.

use fathom_testkit::repository;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The crates that are of use without the rest of Fathom.
const CRATES: &[&str] = &["fathom-stats", "fathom-dtw", "fathom-bench"];

/// The sources of a crate, without tests.
struct Sources {
    root: PathBuf,
    texts: BTreeMap<PathBuf, String>,
}

impl Sources {
    fn of(name: &str) -> Sources {
        let root = repository::top().join("crates").join(name).join("src");
        let mut texts = BTreeMap::new();
        for path in repository::rust_files(&root).unwrap() {
            let text = without_tests(&fs::read_to_string(&path).unwrap());
            texts.insert(path, text);
        }
        let hidden = hidden(&texts[&root.join("lib.rs")]);
        texts.retain(|path, _| !hidden.contains(&first_part(&root, path)));
        Sources { root, texts }
    }

    /// The examples of the modules around a file: in their `//!`.
    fn around(&self, path: &Path) -> String {
        let mut code = String::new();
        for folder in path.ancestors().skip(1).take_while(|folder| folder.starts_with(&self.root)) {
            for module in [folder.join("lib.rs"), folder.with_extension("rs")] {
                code +=
                    &self.texts.get(&module).map_or(String::new(), |text| examples(text, "//!"));
            }
        }
        code
    }

    /// The functions without an example: "src/path.rs: window".
    fn lacking(&self) -> Vec<String> {
        let mut lacking = Vec::new();
        for (path, text) in &self.texts {
            let code = examples(text, "///") + &examples(text, "//!") + &self.around(path);
            for name in functions(text).into_iter().filter(|name| !calls(&code, name)) {
                let place = path.strip_prefix(repository::top()).unwrap();
                lacking.push(format!("{}: {name}", place.display()));
            }
        }
        lacking
    }
}

/// The module of the crate that a file belongs to.
fn first_part(root: &Path, path: &Path) -> String {
    let inside = path.strip_prefix(root).unwrap().with_extension("");
    inside.iter().next().unwrap().to_str().unwrap().to_string()
}

/// The modules that `lib.rs` hides: themselves, what it exports of them, or what a hidden module exports.
fn hidden(lib: &str) -> Vec<String> {
    let after = lib.split("#[doc(hidden)]\n").skip(1);
    let name = |text: &str| text.split([';', ':', ' ']).next().unwrap_or_default().to_string();
    after
        .flat_map(|text| {
            let item = text.lines().next().unwrap_or_default();
            if item.starts_with("pub mod ") && item.ends_with('{') {
                let body = text.split("\n}").next().unwrap_or_default();
                return body.split("pub use crate::").skip(1).map(name).collect();
            }
            let own = item.strip_prefix("pub mod ").or_else(|| item.strip_prefix("pub use "));
            own.map(name).into_iter().collect::<Vec<_>>()
        })
        .collect()
}

/// The source without what follows its first `#[cfg(test)]` at the left margin on a module in the file.
fn without_tests(text: &str) -> String {
    let tests = text.find("\n#[cfg(test)]\nmod tests {");
    text[..tests.unwrap_or(text.len())].to_string()
}

/// The code in doc comments that begin with this mark.
fn examples(text: &str, mark: &str) -> String {
    let mut code = String::new();
    let mut is_code = false;
    for line in text.lines() {
        match line.trim_start().strip_prefix(mark) {
            Some(line) if line.trim_start().starts_with("```") => {
                let kind = line.trim_start().trim_start_matches('`');
                is_code = !is_code && !kind.starts_with("text") && !kind.starts_with("ignore");
            }
            Some(line) if is_code => code = code + line + "\n",
            Some(_) => {}
            None => is_code = false,
        }
    }
    code
}

/// The names of public functions.
fn functions(text: &str) -> Vec<String> {
    let lines = text.lines().filter_map(|line| {
        let line = line.trim_start().strip_prefix("pub ")?;
        let line = line.strip_prefix("const ").unwrap_or(line);
        let line = line.strip_prefix("unsafe ").unwrap_or(line);
        line.strip_prefix("fn ")
    });
    let names = lines.map(|line| line.split(['(', '<']).next().unwrap().to_string());
    // A function that a macro makes is its user's.
    names.filter(|name| !name.starts_with('$')).collect()
}

/// Whether code calls a function of this name.
fn calls(code: &str, name: &str) -> bool {
    code.match_indices(name).any(|(at, _)| {
        let is_whole = !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let rest = &code[at + name.len()..];
        is_whole && (rest.starts_with('(') || rest.starts_with("::<"))
    })
}

#[test]
fn every_public_function_has_an_example() {
    for name in CRATES {
        let sources = Sources::of(name);
        let count: usize = sources.texts.values().map(|text| functions(text).len()).sum();
        assert!(count > 15, "{name} has {count} public functions: the scan is broken");
        let lacking = sources.lacking();
        assert!(lacking.is_empty(), "no example calls these:\n{}", lacking.join("\n"));
    }
}

#[test]
fn examples_and_functions_are_told_from_the_rest() {
    let source = "\
/// Says it. `other()` is elsewhere.
///
/// ```
/// assert!(said(1));
/// ```
pub const fn said(n: u8) -> bool { n > 0 }
pub(crate) fn inner() {}
/// ```text
/// other()
/// ```
pub fn other<T>() {}
";
    assert_eq!(functions(source), ["said", "other"]);
    let code = examples(source, "///");
    assert!(calls(&code, "said") && !calls(&code, "other") && !calls(&code, "aid"));
    assert_eq!(
        hidden("#[doc(hidden)]\npub mod a;\npub mod b;\n#[doc(hidden)]\npub use c::d;\n"),
        ["a", "c"]
    );
    let module = "#[doc(hidden)]\npub mod m {\n    pub use crate::a::b;\n    pub mod n {\n        pub use crate::c::{d, e};\n    }\n}\npub use f::g;\n";
    assert_eq!(hidden(module), ["a", "c"]);
}
