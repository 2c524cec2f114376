//! Sessions for real: kept run by run, shown, resumed, killed, full, damaged.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod harness;

use harness::*;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

/// How many runs the only session has.
fn runs_kept(folder: &Path) -> u64 {
    let output = run(&in_folder(folder, &["list", "--format", "json"]));
    document(&output)["sessions"][0]["runs"].as_u64().unwrap_or(0)
}

fn wait_for_runs(folder: &Path, count: u64) {
    for _ in 0..600 {
        if runs_kept(folder) >= count {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("no {count} runs in half a minute");
}

#[test]
fn a_run_is_measured_kept_listed_and_shown() {
    let folder = scratch("kept");
    let output =
        run(&in_folder(&folder, &["run", "-r", "3", "--format", "json", "--save", "x", "true"]));
    assert!(output.status.success());
    let report = document(&output);
    assert_eq!((&report["schema"], &report["session"]), (&"fathom/1".into(), &1.into()));
    let subject = &report["subjects"][0];
    assert_eq!((&subject["n"], &subject["metric"]), (&3.into(), &"wall-time".into()));
    assert_eq!(subject["stopped"], "fixed");
    assert!(subject["resources"]["peak-memory"]["median"].as_f64().unwrap() > 1e5);

    let list = document(&run(&in_folder(&folder, &["list", "--format", "json"])));
    let session = &list["sessions"][0];
    assert_eq!((&session["id"], &session["runs"]), (&1.into(), &3.into()));
    assert_eq!((&session["finished"], &session["subjects"][0]), (&true.into(), &"true".into()));
    let human = stdout(&in_folder(&folder, &["list"]));
    assert!(human.contains("3 runs") && human.contains("[x]"), "{human}");

    for name in ["1", "x", "last"] {
        let shown = document(&run(&in_folder(
            &folder,
            &["show", "--format", "json", "--include-values", name],
        )));
        assert_eq!(shown["subjects"][0]["estimates"], subject["estimates"], "{name}");
        assert_eq!(shown["command_line"], report["command_line"]);
    }
    let (code, text) = errors(&in_folder(&folder, &["show", "7"]));
    assert_eq!(code, Some(2));
    assert!(text.contains('7') && text.contains('1'), "{text}");
    let (code, text) = errors(&in_folder(&folder, &["resume", "1"]));
    assert_eq!(code, Some(2));
    assert!(text.contains("finished"), "{text}");
}

#[test]
fn what_was_wrong_with_the_machine_is_shown_again_first() {
    let folder = scratch("warned");
    let program = folder.join("target/debug/tool");
    std::fs::create_dir_all(program.parent().unwrap()).unwrap();
    std::fs::copy("/bin/true", &program).unwrap();
    let program = program.display().to_string();
    let sessions = folder.join("sessions");
    for words in [vec!["run", "-r", "8", &program], vec!["compare", "-r", "6", &program, "true"]] {
        let measured =
            document(&run(&in_folder(&sessions, &[&words[..], &["--format", "json"]].concat())));
        let warnings = measured["warnings"].as_array().unwrap();
        let is_of_build = |text: &str| {
            let words: Vec<&str> = text.split_whitespace().collect();
            words.join(" ").contains("looks like a debug build")
        };
        assert!(is_of_build(warnings[0].as_str().unwrap()), "{warnings:?}");
        let shown = document(&run(&in_folder(&sessions, &["show", "last", "--format", "json"])));
        assert_eq!(&shown["warnings"], &measured["warnings"]);
        let text = stdout(&in_folder(&sessions, &["show", "last"]));
        assert!(text.starts_with("warning: ") && is_of_build(&text), "{text}");
        let page = folder.join("report.html");
        let page = page.to_str().unwrap();
        run(&in_folder(&sessions, &["report", "last", "-o", page]));
        let page = std::fs::read_to_string(page).unwrap();
        assert!(is_of_build(&page));
        // A short answer does not lose it either.
        let short = run(&in_folder(&sessions, &["show", "-q", "last"]));
        assert!(is_of_build(&String::from_utf8_lossy(&short.stderr)));
    }
}

#[test]
fn nothing_is_kept_if_nothing_is_to_be_kept() {
    let folder = scratch("unkept");
    let inner = folder.join("sessions");
    run(&in_folder(&inner, &["run", "-r", "2", "--no-save", "true"]));
    assert!(!inner.exists());
    // Results of benches are listed, too, and this project may have some: so not from inside it.
    let elsewhere = tempfile::tempdir().unwrap();
    let list = fathom(&in_folder(&inner, &["list"])).current_dir(&elsewhere).output().unwrap();
    let text = transcript(&["list"], &list);
    assert!(text.contains("No sessions yet"), "{text}");
    assert!(!inner.exists(), "listing makes no store");
    assert_eq!(errors(&in_folder(&inner, &["show", "last"])).0, Some(2));
}

#[test]
fn ctrl_c_shows_what_was_measured() {
    for (folder, words) in [
        (scratch("interrupted-run"), &["run", "-m", "1000", "sleep 0.02"][..]),
        (scratch("interrupted-compare"), &["compare", "sleep 0.02", "sleep 0.03", "-r", "1000"]),
    ] {
        let child = fathom(&in_folder(&folder, words))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        wait_for_runs(&folder, 50);
        assert!(
            std::process::Command::new("kill")
                .args(["-INT", &child.id().to_string()])
                .status()
                .unwrap()
                .success()
        );
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130));
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains("sleep 0.02") && text.contains("interrupted"), "{text}");
        let hint = String::from_utf8_lossy(&output.stderr).to_string();
        assert!(hint.contains("fathom resume 1"), "{hint}");
        let shown = run(&in_folder(&folder, &["show"]));
        assert!(shown.status.success());
    }
}

/// A kill loses at most the run in progress; the rest is shown and resumed.
#[test]
fn a_kill_loses_nothing_and_can_be_resumed() {
    let seed = std::process::id();
    println!("seed {seed}");
    for (folder, words, total) in [
        (scratch("killed-run"), &["run", "-r", "40", "sleep 0.01"][..], 40),
        (
            scratch("killed-compare"),
            &["compare", "-w", "0", "-r", "24", "sleep 0.01", "sleep 0.015"],
            48,
        ),
    ] {
        let mut child = fathom(&in_folder(&folder, words)).stdout(Stdio::null()).spawn().unwrap();
        wait_for_runs(&folder, 5 + u64::from(seed % 10));
        child.kill().unwrap();
        child.wait().unwrap();
        let kept = runs_kept(&folder);
        let list = document(&run(&in_folder(&folder, &["list", "--format", "json"])));
        assert_eq!(
            (&list["sessions"][0]["finished"], &list["sessions"][0]["live"]),
            (&false.into(), &false.into())
        );
        let resumed = run(&in_folder(&folder, &["resume", "--format", "json"]));
        assert!(resumed.status.success(), "{}", String::from_utf8_lossy(&resumed.stderr));
        let after = runs_kept(&folder);
        assert!(after >= total && after >= kept, "{kept} then {after} of {total}");
        let shown = document(&run(&in_folder(&folder, &["show", "--format", "json"])));
        let resumed = document(&resumed);
        assert_eq!(shown["subjects"], resumed["subjects"]);
        assert_eq!(shown["comparisons"], resumed["comparisons"]);
        if words[0] == "compare" {
            assert_eq!(shown["comparisons"][0]["verdict"], "slower");
        } else {
            assert_eq!(shown["subjects"][0]["n"], 40);
        }
    }
}

/// Relative paths mean the folder that the session was started in; that of the sessions is one of the
/// user's, now.
#[test]
fn a_session_is_resumed_from_another_folder() {
    use std::os::unix::fs::PermissionsExt;
    let folder = scratch("elsewhere");
    let (work, elsewhere) = (folder.join("work"), folder.join("elsewhere"));
    std::fs::create_dir_all(&work).unwrap();
    std::fs::create_dir_all(&elsewhere).unwrap();
    std::fs::write(work.join("in.txt"), "hello\n").unwrap();
    let program = work.join("copy");
    std::fs::write(&program, "#!/bin/sh\nsleep 0.02\nread line; echo \"$line from $PWD\"\n")
        .unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let words = ["run", "-r", "30", "--input", "in.txt", "--stdout", "out.txt", "./copy"];
    let mut command = fathom(&[&words[..], &["--session-dir", "../sessions"]].concat());
    let mut child = command.current_dir(&work).stdout(Stdio::null()).spawn().unwrap();
    let sessions = folder.join("sessions");
    wait_for_runs(&sessions, 3);
    child.kill().unwrap();
    child.wait().unwrap();
    std::fs::remove_file(work.join("out.txt")).unwrap();
    let words = ["resume", "--format", "json", "--session-dir", "../sessions"];
    let resumed = fathom(&words).current_dir(&elsewhere).output().unwrap();
    assert!(resumed.status.success(), "{}", String::from_utf8_lossy(&resumed.stderr));
    assert_eq!(document(&resumed)["subjects"][0]["n"], 30);
    let written = std::fs::read_to_string(work.join("out.txt")).unwrap();
    assert_eq!(written, format!("hello from {}\n", work.canonicalize().unwrap().display()));
    assert_eq!(
        std::fs::read_dir(&elsewhere).unwrap().count(),
        0,
        "something was written elsewhere"
    );
}

#[test]
fn a_live_session_is_not_resumed() {
    let folder = scratch("live");
    let mut child = fathom(&in_folder(&folder, &["run", "-r", "1000", "sleep 0.02"]))
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    wait_for_runs(&folder, 2);
    let (code, text) = errors(&in_folder(&folder, &["resume"]));
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(code, Some(5));
    assert!(text.contains("process"), "{text}");
}

#[test]
fn two_at_once_keep_all_runs() {
    let folder = scratch("two");
    let start = || {
        fathom(&in_folder(&folder, &["run", "-r", "60", "true"]))
            .stdout(Stdio::null())
            .spawn()
            .unwrap()
    };
    let mut both = [start(), start()];
    assert!(both.iter_mut().all(|child| child.wait().unwrap().success()));
    let list = document(&run(&in_folder(&folder, &["list", "--format", "json"])));
    let counts: Vec<u64> = list["sessions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["runs"].as_u64().unwrap())
        .collect();
    assert_eq!(counts, [60, 60]);
}

/// When the disk is full the numbers are shown, what was kept stays, and the exit code is 2.
#[test]
fn a_full_disk_costs_no_number() {
    let folder = scratch("full");
    assert!(run(&in_folder(&folder, &["run", "-q", "-r", "1", "true"])).status.success());
    let binary = env!("CARGO_BIN_EXE_fathom");
    // A limit on the size of files, in KiB, is as good as a full disk.
    let script = format!(
        "ulimit -f 160; exec {binary} run --session-dir {} -r 5000 -p : true",
        folder.display()
    );
    let output = std::process::Command::new("bash").args(["-c", &script]).output().unwrap();
    let (text, error) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(5), "{text}{error}");
    assert!(text.contains("true takes"), "{text}{error}");
    assert!(error.contains("--session-dir"), "{error}");
    let list = document(&run(&in_folder(&folder, &["list", "--format", "json"])));
    assert!(list["sessions"][1]["runs"].as_u64().unwrap() > 10, "{list}");
}

#[test]
fn a_damaged_store_is_reported_and_salvaged() {
    let folder = scratch("damaged");
    assert!(run(&in_folder(&folder, &["run", "-q", "-r", "400", "true"])).status.success());
    let path = folder.join("sessions.db");
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 3000].fill(0xa5);
    std::fs::write(&path, bytes).unwrap();
    let output = run(&in_folder(&folder, &["list", "--format", "json"]));
    assert!(output.status.success());
    let report = String::from_utf8_lossy(&output.stderr).to_string();
    assert!(report.contains("damaged"), "{report}");
    let kept = document(&output)["sessions"][0]["runs"].as_u64().unwrap();
    assert!((1..400).contains(&kept), "{kept}");
    let again = run(&in_folder(&folder, &["list"]));
    assert_eq!(String::from_utf8_lossy(&again.stderr), "", "once is enough");
    assert!(run(&in_folder(&folder, &["run", "-q", "-r", "2", "true"])).status.success());
}

#[test]
fn a_baseline_is_saved_and_compared_with() {
    let folder = scratch("baseline");
    let save = ["run", "-q", "--save", "main", "-r", "25", "-n", "job", "sleep 0.01"];
    assert!(run(&in_folder(&folder, &save)).status.success());
    let words = [
        "compare",
        "--assume-independent",
        "--baseline",
        "main",
        "-r",
        "25",
        "-n",
        "job",
        "--format",
        "json",
        "sleep 0.03",
    ];
    let found = document(&run(&in_folder(&folder, &words)));
    assert_eq!(found["comparisons"][0]["verdict"], "slower");
    assert_eq!(found["comparisons"][0]["design"], "unpaired");
    // Without a command, the baseline's own.
    let again = ["compare", "--baseline", "main", "-r", "25", "--format", "json"];
    let found = document(&run(&in_folder(&folder, &again)));
    let ratio = found["comparisons"][0]["ratio"].as_f64().unwrap();
    assert!((0.5..2.0).contains(&ratio), "{found}");
    // And shown again.
    let shown = document(&run(&in_folder(&folder, &["show", "--format", "json"])));
    assert_eq!(shown["comparisons"], found["comparisons"]);
    let (code, text) = errors(&in_folder(&folder, &["compare", "--baseline", "nobody", "true"]));
    assert_eq!(code, Some(2));
    assert!(text.contains("nobody") && text.contains("main"), "{text}");
}

/// What belongs to a session in the folder of sessions.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
    let mut names: Vec<String> = entries
        .flat_map(|entry| match entry.path().is_dir() {
            true => names(&entry.path()),
            false => vec![entry.file_name().into_string().unwrap()],
        })
        .filter(|name| !name.starts_with("sessions."))
        .collect();
    names.sort();
    names
}

#[test]
fn sessions_are_deleted_with_all_that_belongs_to_them() {
    let folder = scratch("deleted");
    for name in ["a", "b", "c"] {
        let words = ["run", "-q", "-r", "2", "--save", name, "true"];
        assert!(run(&in_folder(&folder, &words)).status.success());
    }
    let check = ["check", "-q", "runtime < 10 s", "-r", "2", "--", "true"];
    // Two executions decide nothing.
    assert_eq!(run(&in_folder(&folder, &check)).status.code(), Some(3));
    assert!(names(&folder).len() > 4, "{:?}", names(&folder));

    // One that is missing keeps the others from being deleted.
    let (code, text) = errors(&in_folder(&folder, &["delete", "1", "nobody"]));
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("nobody") && text.contains("3 (c)"), "{text}");
    assert_eq!(runs_kept(&folder), 2);

    let said = stdout(&in_folder(&folder, &["delete", "b", "1", "a", "last"]));
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 3, "{said}");
    assert!(lines[0].starts_with("Deleted session 2 [b]: fathom run "), "{said}");
    assert!(lines[0].ends_with("--save b true (2 runs)"), "{said}");
    assert!(lines[1].starts_with("Deleted session 1 [a]"), "{said}");
    assert!(lines[2].starts_with("Deleted session 4: fathom check"), "{said}");
    let list = document(&run(&in_folder(&folder, &["list", "--format", "json"])));
    let left: Vec<i64> = list["sessions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["id"].as_i64().unwrap())
        .collect();
    assert_eq!(left, [3]);
    assert_eq!(names(&folder), ["3.json"]);
    assert_eq!(errors(&in_folder(&folder, &["show", "b"])).0, Some(2));
    // A number is never given again.
    assert!(run(&in_folder(&folder, &["run", "-q", "-r", "1", "true"])).status.success());
    assert!(run(&in_folder(&folder, &["show", "5"])).status.success());
    assert_eq!(errors(&in_folder(&folder.join("none"), &["delete", "1"])).0, Some(2));
    assert_eq!(errors(&["delete"]).0, Some(2));
}

#[test]
fn a_live_session_is_not_deleted() {
    let folder = scratch("live-deleted");
    assert!(run(&in_folder(&folder, &["run", "-q", "-r", "1", "true"])).status.success());
    let mut child = fathom(&in_folder(&folder, &["run", "-r", "1000", "sleep 0.02"]))
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    wait_for_live(&folder);
    let (code, text) = errors(&in_folder(&folder, &["delete", "1", "2"]));
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(code, Some(5), "{text}");
    assert!(text.contains("is measuring session 2"), "{text}");
    let said = stdout(&in_folder(&folder, &["delete", "1", "2"]));
    assert_eq!(said.lines().count(), 2, "{said}");
}

fn wait_for_live(folder: &Path) {
    for _ in 0..600 {
        let list = document(&run(&in_folder(folder, &["list", "--format", "json"])));
        if list["sessions"][1]["runs"].as_u64().unwrap_or(0) > 0 {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("no second session in half a minute");
}

#[test]
fn a_name_that_is_taken_needs_force() {
    let folder = scratch("taken");
    let save = |words: &[&str]| {
        let all = [&["run", "-q", "-r", "25", "--save", "main"], words].concat();
        run(&in_folder(&folder, &all))
    };
    assert!(save(&["true"]).status.success());
    let mark = folder.join("ran");
    let touch = format!("touch {}", mark.display());
    let refused = save(&[&touch]);
    let text = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(2), "{text}");
    assert!(text.contains("belongs to session 1") && text.contains("--force"), "{text}");
    assert!(!mark.exists(), "it is refused before anything runs");
    // The other session keeps its runs and its number.
    assert!(save(&["--force", "sleep 0.01"]).status.success());
    let list = document(&run(&in_folder(&folder, &["list", "--format", "json"])));
    let of = |n: usize, field: &str| list["sessions"][n][field].clone();
    assert_eq!((of(0, "name"), of(1, "name")), (serde_json::Value::Null, "main".into()));
    assert_eq!((of(0, "runs"), of(1, "id")), (25.into(), 2.into()));
    // A comparison may take the name of its own baseline, and is shown with that baseline later.
    let words =
        ["compare", "--baseline", "main", "--save", "main", "--force", "-r", "25", "sleep 0.02"];
    let words: Vec<&str> = words.into_iter().chain(["--assume-independent"]).collect();
    let found = document(&run(&in_folder(&folder, &[&words[..], &["--format", "json"]].concat())));
    assert_eq!(found["comparisons"][0]["verdict"], "slower");
    let shown = document(&run(&in_folder(&folder, &["show", "main", "--format", "json"])));
    assert_eq!(shown["session"], 3);
    assert_eq!(shown["comparisons"][0]["verdict"], "slower");
    assert_eq!(errors(&["run", "--force", "true"]).0, Some(2), "--force is about --save");
}
