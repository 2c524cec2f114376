//! `fathom compare --bench` and what reads the results of benches. The program is a bench and the
//! test of `fathom` with that bench.
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
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output};

/// The file that gets a dot from every process that is a bench.
const STARTS: &str = "FATHOM_TEST_STARTS";

fn main() -> ExitCode {
    type Test = fn(&Builds);
    let tests: &[(&str, Test)] = &[
        ("a slower build is found", a_slower_build_is_found),
        ("the page answers first", the_page_answers_first),
        ("a gate decides", a_gate_decides),
        ("executions are repeated", executions_are_repeated),
        ("what breaks is named", what_breaks_is_named),
        ("what is no bench is refused", what_is_no_bench_is_refused),
        ("packages are told from executables", packages_are_told_from_executables),
        ("an interrupted program is not at fault", an_interrupted_program_is_not_at_fault),
        ("options of commands are refused", options_of_commands_are_refused),
        ("results are listed, shown and compared", results_are_listed_shown_and_compared),
    ];
    bench_program::main("functions", bench, || {
        let builds = Builds::make();
        for (name, test) in tests {
            println!("test {name}");
            test(&builds);
        }
    })
}

/// The bench; what its executable is called decides how much it does.
fn bench() -> ExitCode {
    if let Some(log) = std::env::var_os(STARTS) {
        let mut log = std::fs::OpenOptions::new().create(true).append(true).open(log).unwrap();
        log.write_all(b".").unwrap();
    }
    let name = std::env::current_exe().unwrap().file_name().unwrap().to_string_lossy().into_owned();
    let is_new = name.starts_with("new");
    let more = if is_new { 60 } else { 0 };
    let mut suite = Suite::new();
    suite.bench("same", || busy(black_box(400)));
    suite.bench("slower", move || busy(black_box(400 + more)));
    suite.bench(if is_new { "only new" } else { "only old" }, || ());
    suite.bench("panics", move || {
        assert!(!is_new, "out of cheese");
        busy(black_box(100))
    });
    suite.bench("dies", move || {
        if is_new {
            std::process::exit(7);
        }
        busy(black_box(100))
    });
    suite.bench("nothing", || ());
    suite.bench("ignored", || busy(black_box(100))).ignore();
    suite.bench("loud", || println!("printed by a bench"));
    suite.run()
}

/// Two builds in a project's target folder.
struct Builds {
    folder: tempfile::TempDir,
    old: PathBuf,
    new: PathBuf,
}

impl Builds {
    fn make() -> Builds {
        let folder = tempfile::tempdir().unwrap();
        let deps = folder.path().join("target/release/deps");
        std::fs::create_dir_all(&deps).unwrap();
        std::fs::write(folder.path().join("target/CACHEDIR.TAG"), "").unwrap();
        let this = std::env::current_exe().unwrap();
        let copy = |name: &str| {
            let path = deps.join(name);
            std::fs::copy(&this, &path).unwrap();
            path
        };
        let (old, new) = (copy("old-0123456789abcdef"), copy("new-0123456789abcdef"));
        Builds { folder, old, new }
    }

    fn fathom(&self, words: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_fathom"))
            .args(words)
            .env(AS_BENCH, "1")
            .env("NO_COLOR", "1")
            .env(STARTS, self.folder.path().join("starts"))
            .env_remove("CARGO_TARGET_DIR")
            .current_dir(self.folder.path())
            .output()
            .unwrap()
    }

    fn compare(&self, words: &[&str]) -> Output {
        let builds = [path(&self.old), path(&self.new)];
        let mut all = vec!["compare", "--bench", builds[0], builds[1]];
        all.extend(words);
        self.fathom(&all)
    }
}

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Without line breaks.
fn said(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn a_slower_build_is_found(builds: &Builds) {
    let words = ["--exact", "same", "slower", "loud", "--max-time", "1200ms", "--format", "json"];
    let output = builds.compare(&words);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output.stderr));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let of = |name: &str| {
        let all = found["comparisons"].as_array().unwrap();
        all.iter().find(|one| one["subject"] == format!("{name} (new)")).unwrap().clone()
    };
    // 15%, which no layout makes up for.
    assert_eq!(of("slower")["verdict"], "slower", "{}", of("slower"));
    let ratio = of("slower")["ratio"].as_f64().unwrap();
    assert!((1.08..1.22).contains(&ratio), "{ratio}");
    assert_ne!(of("same")["verdict"], "slower", "{}", of("same"));
    assert_eq!(of("same")["paired"], "executions");
    assert_eq!(of("same")["design"], "paired");
    assert_eq!(of("loud")["reference"], "loud (old)");
}

fn the_page_answers_first(builds: &Builds) {
    let output = builds.compare(&["--exact", "slower", "same", "only new", "--max-time", "1200ms"]);
    let text = said(&output.stdout);
    assert!(text.starts_with("1 of 2 functions is slower"), "{text}");
    assert!(text.contains("pairs of executions in"), "{text}");
    assert!(text.contains("warning: only in new, so not compared: only new"), "{text}");
    let zero = said(&builds.compare(&["--exact", "nothing", "--max-time", "1200ms"]).stdout);
    // Without optimisation nothing is optimised away.
    assert!(
        cfg!(debug_assertions) || zero.contains("nothing: it takes no longer than an empty loop"),
        "{zero}"
    );
    let one = said(&builds.compare(&["--exact", "slower", "--max-time", "1200ms"]).stdout);
    assert!(one.starts_with("slower (new) is "), "{one}");
}

fn a_gate_decides(builds: &Builds) {
    let gate = |words: &[&str]| {
        let mut all = vec!["--exact", "slower", "--max-time", "1200ms"];
        all.extend(words);
        builds.compare(&all).status.code().unwrap()
    };
    assert_eq!(gate(&["--fail-if-slower", "2%"]), 1);
    assert_eq!(gate(&["--fail-if-slower", "80%"]), 0);
}

fn what_breaks_is_named(builds: &Builds) {
    let output =
        builds.compare(&["--exact", "panics", "dies", "same", "--max-time", "1200ms", "-q"]);
    assert_eq!(output.status.code(), Some(4));
    let text = said(&output.stderr);
    assert!(text.contains("panics: in the new build it panicked: out of cheese"), "{text}");
    assert!(
        text.contains("dies: in the new build the process ended with exit status: 7"),
        "{text}"
    );
    assert!(said(&output.stdout).contains("same"), "the others go on");
}

/// Ctrl-C in a terminal reaches Fathom and the programs that it started, which end at once. Here it is TERM:
/// where tests run in the background of a script, INT is ignored.
fn an_interrupted_program_is_not_at_fault(builds: &Builds) {
    use std::os::unix::fs::PermissionsExt;
    let script = |name: &str, text: String| {
        let file = builds.folder.path().join(name);
        std::fs::write(&file, text).unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
        file
    };
    // It ends while it starts.
    let starting = script("starting", "#!/bin/sh\nkill -TERM $PPID\nexit 1\n".to_string());
    // It ends while it measures, in the third round.
    let old = path(&builds.old);
    let measuring = format!(
        "#!/bin/sh\necho >>rounds\n\
         [ \"$(wc -l <rounds)\" -ne 3 ] || {{ (sleep 0.05; kill -TERM $PPID $$) & }}\n\
         exec {old} \"$@\"\n"
    );
    let measuring = script("measuring", measuring);
    // It has closed its output, and Fathom sees that before the signal.
    let closing = "#!/bin/sh\nexec >&-\nsleep 0.2\nkill -TERM $PPID\nexit 1\n";
    let closing = script("closing", closing.to_string());
    for new in [&starting, &measuring, &closing] {
        let words = ["compare", "--bench", old, path(new), "--exact", "same", "--max-time", "20s"];
        let output = builds.fathom(&words);
        let text = said(&output.stderr) + &said(&output.stdout);
        assert_eq!(output.status.code(), Some(130), "{text}");
        assert!(text.contains("interrupted"), "{text}");
        assert!(!text.contains("not a bench") && !text.contains("ended with"), "{text}");
    }
}

fn what_is_no_bench_is_refused(builds: &Builds) {
    let compare = |old: &str, new: &str| {
        let output = builds.fathom(&["compare", "--bench", old, new]);
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(said(&output.stdout), "");
        said(&output.stderr)
    };
    let old = path(&builds.old);
    let text = compare("/bin/true", old);
    assert!(
        text.contains("/bin/true is not a bench built with fathom-bench: it wrote nothing"),
        "{text}"
    );
    let text = compare("/bin/false", old);
    assert!(text.contains("it wrote nothing and ended with exit status: 1"), "{text}");
    let text = compare("/bin/echo", old);
    assert!(text.contains("it wrote \"--fathom-worker\""), "{text}");
    let text = compare(old, "no/such/file");
    assert!(text.contains("cannot start"), "{text}");
    let text = said(&builds.compare(&["--exact", "ignored"]).stderr);
    assert!(text.contains("no function matches the filter"), "marked to be ignored: {text}");
    let text = said(&builds.compare(&["nowhere"]).stderr);
    assert!(
        text.contains("no function matches the filter; both builds have same, slower"),
        "{text}"
    );
    let text = said(&builds.compare(&["("]).stderr);
    assert!(text.contains("is not a valid regular expression"), "{text}");
}

fn packages_are_told_from_executables(builds: &Builds) {
    let scratch = tempfile::tempdir().unwrap();
    let package = scratch.path().join("package");
    std::fs::create_dir(&package).unwrap();
    let compare = |words: &[&str]| {
        let output = builds.fathom(&[&["compare", "--bench"], words].concat());
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert_eq!(said(&output.stdout), "");
        said(&output.stderr)
    };
    let (old, folder) = (path(&builds.old), path(&package));
    let text = compare(&[old, folder]);
    assert!(text.contains("package is a folder without a Cargo.toml. Give the folder"), "{text}");
    let text = compare(&[old, old, "--cargo-args=--locked"]);
    assert!(text.contains("--cargo-args is for what cargo builds"), "{text}");
    std::fs::write(package.join("Cargo.toml"), "[package]\nname = \"x\"\n[workspace]\n").unwrap();
    std::fs::create_dir(package.join("src")).unwrap();
    std::fs::write(package.join("src/lib.rs"), "").unwrap();
    let text = compare(&[old, folder]);
    assert!(text.contains("is a cargo package. Give two packages, which Fathom builds"), "{text}");
    let manifest = package.join("Cargo.toml");
    let text = compare(&[folder, path(&manifest), "--cargo-args=--no-run"]);
    assert!(text.contains("--cargo-args: without --no-run"), "{text}");
    let text = compare(&[folder, path(&manifest)]);
    assert!(text.contains("package has no benches: none of its packages has"), "{text}");
}

fn options_of_commands_are_refused(builds: &Builds) {
    for option in [&["--warmup", "3"][..], &["--on", "peak-memory"], &["--pairs", "20"], &["-N"]] {
        let output = builds.compare(option);
        assert_eq!(output.status.code(), Some(2), "{option:?}");
        assert!(said(&output.stderr).contains("cannot be used with"), "{option:?}");
    }
    let output = builds.fathom(&["compare", "--skip", "x", "true", "true"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output.stderr).contains("--exact and --skip choose functions"));
    let output = builds.fathom(&["compare", "--cargo-args=-p x", "true", "true"]);
    assert_eq!(output.status.code(), Some(2));
}

fn results_are_listed_shown_and_compared(builds: &Builds) {
    let sessions = builds.folder.path().join("sessions");
    let sessions = ["--session-dir", path(&sessions)];
    let run = |words: &[&str]| {
        let output = builds.fathom(words);
        assert_eq!(output.status.code(), Some(0), "{words:?}: {}", said(&output.stderr));
        said(&output.stdout)
    };
    run(&[
        "compare",
        "--bench",
        path(&builds.old),
        path(&builds.new),
        "--exact",
        "same",
        "--max-time",
        "1200ms",
        "--save",
        "kept",
    ]);
    for name in ["main", "later"] {
        let made = Command::new(&builds.new)
            .args(["--bench", "same", "--max-time", "100ms", "--save", name])
            .env(AS_BENCH, "1")
            .output()
            .unwrap();
        assert!(made.status.success(), "{}", said(&made.stderr));
    }
    let list = run(&[&["list"], &sessions[..]].concat());
    for address in ["new@latest", "new@kept", "new@later", "new@main"] {
        assert!(list.contains(address), "{list}");
    }
    let list = run(&[&["list", "--format", "json"], &sessions[..]].concat());
    let list: Value = serde_json::from_str(&list).unwrap();
    let benches: Vec<&str> =
        list["benches"].as_array().unwrap().iter().filter_map(|one| one["id"].as_str()).collect();
    // Those of before as well.
    let all = ["new@latest", "new@compared", "new@kept", "new@later", "new@main"];
    assert_eq!(benches, all);
    let shown = run(&["show", "new@kept"]);
    assert!(shown.contains("same (old)") && shown.contains("same (new)"), "{shown}");
    let shown = run(&["show", "new", "--format", "json"]);
    let shown: Value = serde_json::from_str(&shown).unwrap();
    assert_eq!(shown["subjects"][0]["name"], "same");
    assert!(run(&["show", "target/fathom/new/main.json"]).contains("same"));
    let compared = run(&["compare", "--files", "new@main", "new@later"]);
    assert!(compared.contains("from separate sessions"), "{compared}");
}

/// The answer is about builds, not about one pair of processes.
fn executions_are_repeated(builds: &Builds) {
    let log = builds.folder.path().join("starts");
    let _ = std::fs::remove_file(&log);
    let words = ["--exact", "same", "--max-time", "1200ms", "--format", "json"];
    let output = builds.compare(&words);
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let pairs = found["comparisons"][0]["pairs"].as_u64().unwrap();
    assert!(pairs >= 10, "{pairs}");
    // The first pair of processes says which functions there are.
    assert_eq!(std::fs::read(&log).unwrap().len() as u64, 2 * pairs + 2);
}
