//! Every command for developers that a Markdown file names exists.
//!
//! Looked at in code are: the command of `fathom-testkit`, the scripts and the suites of `scripts/test`,
//! the packages and tests of `cargo ... -p PACKAGE --test NAME`, and the scripts of `npm run`.

use fathom_testkit::markdown::pages::pages;
use fathom_testkit::repository;
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

/// What a command prints, by lines.
fn lines_of(command: &mut Command) -> Vec<String> {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(String::from).collect()
}

/// What exists, asked once.
struct Known {
    testkit: Vec<String>,
    suites: Vec<String>,
    npm: Vec<String>,
}

impl Known {
    fn ask() -> Known {
        let top = repository::top();
        let package = fs::read_to_string(top.join("crates/fathom-ui/web/package.json")).unwrap();
        let package: Value = serde_json::from_str(&package).unwrap();
        Known {
            testkit: lines_of(Command::new(env!("CARGO_BIN_EXE_fathom-testkit")).arg("--list")),
            suites: lines_of(Command::new(top.join("scripts/test")).arg("--list")),
            npm: package["scripts"].as_object().unwrap().keys().cloned().collect(),
        }
    }

    /// What is wrong with the commands in a line of code.
    fn wrong(&self, code: &str) -> Vec<String> {
        // A description may follow the command, in its own column.
        let code = code.trim().split("   ").next().unwrap_or_default();
        let words = code.replace("&&", " ; ").replace(['`', '(', ')'], " ");
        let words: Vec<&str> = words.split_whitespace().collect();
        words
            .split(|word| *word == ";" || *word == "|")
            .filter_map(|command| self.wrong_command(command))
            .collect()
    }

    fn wrong_command(&self, words: &[&str]) -> Option<String> {
        let after =
            |name: &str| words.iter().position(|word| *word == name).map(|n| &words[n + 1..]);
        if let Some([package, ..]) = after("-p") {
            let folder = repository::top().join("crates").join(package);
            let is_ours = package.starts_with("fathom-");
            if is_ours && !folder.join("Cargo.toml").exists() {
                return Some(format!("there is no crate {package}"));
            }
            if let Some([test, ..]) = after("--test").filter(|_| is_ours)
                && test.chars().any(char::is_lowercase)
                && !folder.join(format!("tests/{test}.rs")).exists()
                && !folder.join(format!("tests/{test}/main.rs")).exists()
            {
                return Some(format!("{package} has no test {test}"));
            }
        }
        if words.contains(&"fathom-testkit")
            && let Some(rest) = after("--")
        {
            return self.wrong_testkit(rest);
        }
        if let Some(rest) = after("scripts/test") {
            return rest.iter().find_map(|name| self.wrong_suite(name));
        }
        if let Some([script, ..]) = after("run").filter(|_| words.contains(&"npm")) {
            let known = self.npm.iter().any(|name| name == script) || script.starts_with('-');
            return (!known).then(|| format!("package.json has no script {script}"));
        }
        let script = words.iter().find(|word| word.starts_with("scripts/"))?;
        let path = repository::top().join(script);
        let is_program = path.extension().is_none() && path.is_file();
        let mode = fs::metadata(&path).map_or(0, |found| found.permissions().mode());
        (is_program && mode & 0o111 == 0).then(|| format!("{script} cannot be executed"))
    }

    /// The words of a command of the testkit: those before its options.
    fn wrong_testkit(&self, words: &[&str]) -> Option<String> {
        let words: Vec<&str> =
            words.iter().copied().take_while(|word| !word.starts_with('-')).collect();
        let command = words.join(" ");
        let known = self.testkit.contains(&command) || command.is_empty();
        // NAME means any of them.
        let is_any = words.last().is_some_and(|word| *word == "NAME");
        (!known && !is_any).then(|| format!("fathom-testkit has no command \"{command}\""))
    }

    fn wrong_suite(&self, name: &str) -> Option<String> {
        let name = name.trim_matches(['"', '\'']).to_lowercase();
        let known = name.starts_with('-')
            || name.starts_with("name")
            || self.suites.iter().any(|suite| suite.to_lowercase().contains(&name));
        (!known).then(|| format!("scripts/test has no suite \"{name}\""))
    }
}

#[test]
fn every_command_for_developers_exists() {
    let known = Known::ask();
    let mut wrong = Vec::new();
    for page in pages().unwrap() {
        for piece in page.code() {
            let place = page.place(piece.line);
            wrong.extend(known.wrong(&piece.text).iter().map(|what| format!("{place}: {what}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn wrong_commands_are_noticed() {
    let known = Known::ask();
    for right in [
        "cargo run --release -p fathom-testkit -- calibrate intervals",
        "cargo run --release -p fathom-testkit -- traces --runs 50 --out DIR",
        "cargo run -p fathom-testkit -- performance",
        "cargo test -p fathom-testkit --test house",
        "scripts/test format --no-install",
        "npm run check && npm run test",
        "scripts/vectors",
        "    scripts/test --list      list the suites",
    ] {
        assert_eq!(known.wrong(right), Vec::<String>::new(), "{right}");
    }
    for wrong in [
        "cargo run --release -p fathom-testkit -- calibrate interval",
        "cargo run -p fathom-testkits -- calibrate intervals",
        "cargo run -p fathom-testkit -- performance moon",
        "cargo test -p fathom-testkit --test horse",
        "scripts/test formats",
        "npm run check && npm run chekc",
    ] {
        assert_eq!(known.wrong(wrong).len(), 1, "{wrong}");
    }
}

#[test]
fn every_calibration_has_its_line_for_developers() {
    let architecture = fs::read_to_string(repository::top().join("ARCHITECTURE.md")).unwrap();
    for command in Known::ask().testkit {
        let line = format!("-p fathom-testkit -- {command}");
        // The one that scripts/peers-inprocess runs is named there by its script.
        assert!(
            architecture.contains(&line) || command == "performance functions",
            "ARCHITECTURE.md does not name \"{command}\""
        );
    }
}
