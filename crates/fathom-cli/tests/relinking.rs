//! Benches that cargo builds and Fathom links again: with which linker, and what an interruption leaves.
//! The program is a bench and the test of `fathom` with that bench: the packages that cargo builds here
//! have no dependencies and start it.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking"
)]

#[path = "../../fathom-bench/tests/bench_program/mod.rs"]
mod bench_program;

use bench_program::{AS_BENCH, busy};
use fathom_bench::{Suite, black_box};
use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Output, Stdio};
use std::time::{Duration, Instant};

fn main() -> ExitCode {
    let tests: &[(&str, fn())] = &[
        ("a linker that shuffles gives layouts", a_linker_that_shuffles_gives_layouts),
        ("a linker that cannot shuffle pads", a_linker_that_cannot_shuffle_pads),
        ("a linker that can do neither is named", a_linker_that_can_do_neither_is_named),
        ("an interrupted linker leaves nothing", an_interrupted_linker_leaves_nothing),
        ("Fathom waits for a linker it leaves alone", fathom_waits_for_a_linker),
    ];
    bench_program::main("relinking", bench, || {
        for (name, test) in tests {
            println!("test {name}");
            test();
        }
    })
}

fn bench() -> ExitCode {
    let mut suite = Suite::new();
    suite.bench("same", || busy(black_box(400)));
    suite.run()
}

/// Two packages with the same bench, built with a linker that a test chooses.
struct Packages {
    scratch: tempfile::TempDir,
}

/// What is linked for a layout, and so by Fathom and not by cargo: the words it adds say so.
const IS_LAYOUT: &str = r#"case "$*" in *shuffle-sections*) true ;; *) false ;; esac"#;

impl Packages {
    /// Built with a linker that is this script, and with these flags.
    fn linked_by(script: &str, flags: &[&str]) -> Packages {
        let packages = Packages { scratch: tempfile::tempdir().unwrap() };
        let linker = packages.path("linker");
        std::fs::write(&linker, format!("#!/bin/sh\n{script}\nexec cc \"$@\"\n")).unwrap();
        std::fs::set_permissions(&linker, std::fs::Permissions::from_mode(0o755)).unwrap();
        let this = std::env::current_exe().unwrap();
        for name in ["old", "new"] {
            let write = |file: &str, text: String| {
                let path = packages.path(name).join(file);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, text).unwrap();
            };
            let manifest = "[package]\nname = \"tiny\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\
                            [[bench]]\nname = \"speed\"\nharness = false\n[workspace]\n";
            write("Cargo.toml", manifest.to_string());
            write("src/lib.rs", String::new());
            let main = format!(
                "use std::os::unix::process::CommandExt;\n\
                 fn main() {{\n    let words = std::env::args_os().skip(1);\n    \
                 panic!(\"{{}}\", std::process::Command::new({this:?}).args(words).exec());\n}}\n"
            );
            write("benches/speed.rs", main);
            let config =
                format!("[target.'cfg(all())']\nlinker = {linker:?}\nrustflags = {flags:?}\n");
            write(".cargo/config.toml", config);
        }
        packages
    }

    fn path(&self, name: &str) -> PathBuf {
        self.scratch.path().join(name)
    }

    fn compare(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
        command.args(["compare", "--bench", "old", "new", "--no-save"]).args(words);
        command.env(AS_BENCH, "1").env("NO_COLOR", "1").current_dir(self.scratch.path());
        for name in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_TARGET_DIR"] {
            command.env_remove(name);
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        fathom_sys::signals::at_default(&mut command);
        command
    }

    fn compared(&self, words: &[&str]) -> (Value, String) {
        let json = ["--layouts", "3", "--max-time", "300ms", "--format", "json"];
        let output = self.compare(&[&json[..], words].concat()).output().unwrap();
        let errors = said(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{errors}");
        (serde_json::from_slice(&output.stdout).unwrap(), errors)
    }

    /// The files that are in the way of the next comparison, or of the disk.
    fn layouts_left(&self) -> Vec<PathBuf> {
        files_below(self.scratch.path())
            .into_iter()
            .filter(|file| file.components().any(|part| part.as_os_str() == "layouts"))
            .collect()
    }

    /// Starts a comparison as a terminal does, and waits until the linker has been called for a layout as
    /// often as the script says.
    fn until_linking(&self) -> Child {
        let words = ["--layouts", "5", "--max-time", "500ms", "--exact", "same"];
        let mut child = self.compare(&words).process_group(0).spawn().unwrap();
        let began = Instant::now();
        while !self.path("waiting").exists() {
            assert!(began.elapsed() < Duration::from_secs(300), "the linker is never called");
            if child.try_wait().unwrap().is_some() {
                panic!("{}", both(&child.wait_with_output().unwrap()));
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        child
    }
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        if entry.file_type().unwrap().is_dir() {
            files.extend(files_below(&entry.path()));
        } else {
            files.push(entry.path());
        }
    }
    files
}

/// Without line breaks.
fn said(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn both(output: &Output) -> String {
    said(&output.stderr) + "\n" + &said(&output.stdout)
}

/// A linker that waits from its n-th call for a layout on, and says that it does. Two may run at once.
fn waiting_at(call: usize, seconds: u32) -> String {
    format!(
        "cd_to=${{0%/*}}\nif {IS_LAYOUT}; then\n  echo >>\"$cd_to/calls\"\n  \
         if [ \"$(wc -l <\"$cd_to/calls\")\" -ge {call} ]; then\n    : >\"$cd_to/waiting\"\n    \
         sleep {seconds}\n  fi\nfi"
    )
}

fn signal(to: &str) {
    assert!(Command::new("kill").args(["-TERM", "--", to]).status().unwrap().success());
}

/// The processes of a group, by their names.
fn group_of(leader: u32) -> Vec<String> {
    let of = |process: std::fs::DirEntry| {
        let stat = std::fs::read_to_string(process.path().join("stat")).ok()?;
        let (name, rest) = stat.rsplit_once(')')?;
        // State, parent, group.
        let mut rest = rest.split_whitespace();
        let is_zombie = rest.next()? == "Z";
        let group: u32 = rest.nth(1)?.parse().ok()?;
        (group == leader && !is_zombie).then(|| name.to_string())
    };
    std::fs::read_dir("/proc").unwrap().flatten().filter_map(of).collect()
}

fn arrangement_of(found: &Value) -> &Value {
    &found["comparisons"][0]["builds"]["arrangement"]
}

fn a_linker_that_shuffles_gives_layouts() {
    let packages = Packages::linked_by("", &[]);
    let (found, errors) = packages.compared(&[]);
    // Where the usual linker cannot shuffle it pads, which the next test is about.
    assert_eq!(found["comparisons"][0]["paired"], "layouts", "{found}\n{errors}");
    assert!(!errors.contains("only one layout"), "{errors}");
    assert_eq!(packages.layouts_left(), Vec::<PathBuf>::new());
}

/// GNU's linker knows no `--shuffle-sections`.
fn a_linker_that_cannot_shuffle_pads() {
    if !Path::new("/usr/bin/ld.bfd").exists() {
        println!("  skipped: there is no ld.bfd");
        return;
    }
    let packages = Packages::linked_by("", &["-Clink-arg=-fuse-ld=bfd"]);
    let (found, errors) = packages.compared(&[]);
    assert_eq!(found["comparisons"][0]["paired"], "layouts", "{found}\n{errors}");
    assert_eq!(*arrangement_of(&found), "padded", "{found}");
    let output = packages.compare(&["--layouts", "3", "--max-time", "300ms"]).output().unwrap();
    let page = both(&output);
    assert!(
        page.contains("code moved by random distances, because the linker cannot shuffle it"),
        "{page}"
    );
    assert_eq!(packages.layouts_left(), Vec::<PathBuf>::new());
}

/// A linker that refuses the option and assembles nothing.
fn a_linker_that_can_do_neither_is_named() {
    let refusing = format!(
        "{{ {IS_LAYOUT}; }} && {{ echo 'ld: error: no such option' >&2; exit 1; }}\n\
         [ \"$1\" != -c ] || {{ echo 'ld: error: this is no assembler' >&2; exit 1; }}"
    );
    let packages = Packages::linked_by(&refusing, &[]);
    let output = packages.compare(&["--layouts", "3", "--max-time", "1200ms"]).output().unwrap();
    let page = both(&output);
    assert_eq!(output.status.code(), Some(0), "{page}");
    assert!(page.contains("this layout only (") && page.contains("no such option"), "{page}");
    assert!(page.contains("only one layout of each build was measured"), "{page}");
    assert_eq!(packages.layouts_left(), Vec::<PathBuf>::new());
}

/// Ctrl-C in a terminal reaches the whole group. Here it is TERM: where tests run in the background of a
/// script, INT is ignored.
fn an_interrupted_linker_leaves_nothing() {
    // Each build is tried once, then the first layout is linked, then others.
    for call in [1, 3, 7] {
        let packages = Packages::linked_by(&waiting_at(call, 600), &[]);
        let child = packages.until_linking();
        let leader = child.id();
        signal(&format!("-{leader}"));
        let output = child.wait_with_output().unwrap();
        let page = both(&output);
        assert_eq!(output.status.code(), Some(130), "call {call}: {page}");
        assert!(page.contains("interrupted"), "call {call}: {page}");
        // It is not the linker's fault.
        assert!(!page.contains("cannot link") && !page.contains("only one"), "call {call}: {page}");
        let began = Instant::now();
        while !group_of(leader).is_empty() {
            assert!(began.elapsed() < Duration::from_secs(60), "{:?}", group_of(leader));
            std::thread::sleep(Duration::from_millis(10));
        }
        assert_eq!(packages.layouts_left(), Vec::<PathBuf>::new(), "call {call}");
    }
}

/// Who cancels a job in a pipeline sends the signal to Fathom alone.
fn fathom_waits_for_a_linker() {
    let packages = Packages::linked_by(&waiting_at(3, 1), &[]);
    let child = packages.until_linking();
    let leader = child.id();
    signal(&leader.to_string());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", both(&output));
    assert_eq!(group_of(leader), Vec::<String>::new());
    assert_eq!(packages.layouts_left(), Vec::<PathBuf>::new());
}
