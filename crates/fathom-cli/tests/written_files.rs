//! Files that commands write: known to be writable before, whole or not there after, and never at
//! the cost of the answer.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod harness;

use harness::*;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output};

const SHOP: &str = "testdata/traces/shop";
const QUESTION: [&str; 4] = ["--target", "latency_ms", "--window", "260..276"];

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn said(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn what_cannot_be_written_is_said_before_anything_is_measured() {
    let folder = scratch("unwritable");
    let mark = folder.join("measured");
    std::fs::create_dir(folder.join("folder")).unwrap();
    std::fs::write(folder.join("file"), "").unwrap();
    symlink(folder.join("nothing"), folder.join("dangling")).unwrap();
    let touch = format!("touch {}", text(&mark));
    let measuring: [&[&str]; 3] = [
        &["run", "--no-save", "-r", "2", &touch],
        &["compare", "--no-save", "-r", "2", &touch, "true"],
        &["check", "--no-save", "-r", "2", "runtime < 10 s", "--", "touch", text(&mark)],
    ];
    let places = [
        ("none/x", "does not exist"),
        ("file/x", "is not a folder"),
        ("folder", "it is a folder"),
        ("dangling", "dangling link"),
    ];
    let options = ["json", "csv", "markdown", "asciidoc", "orgmode", "latex"];
    for (n, (place, why)) in places.iter().enumerate() {
        let file = folder.join(place);
        for (m, words) in measuring.iter().enumerate() {
            let option = format!("--export-{}", options[(n + m) % options.len()]);
            let mut all = words.to_vec();
            all.splice(1..1, [option.as_str(), text(&file)]);
            let output = run(&all);
            let (printed, message) = said(&output);
            assert_eq!(output.status.code(), Some(2), "{}", transcript(&all, &output));
            assert!(message.contains(why) && message.contains(text(&file)), "{message}");
            assert_eq!(printed, "");
            assert!(!mark.exists(), "{all:?} measured before it looked");
        }
    }
    let file = folder.join("none/x");
    let reading: [&[&str]; 5] = [
        &["analyze", RUNTIME, "--export-json", text(&file)],
        &[
            "explain",
            SHOP,
            "--target",
            "latency_ms",
            "--window",
            "260..276",
            "--export-csv",
            text(&file),
        ],
        &["show", "last", "--export-json", text(&file)],
        &["resume", "last", "--export-json", text(&file)],
        &["report", SHOP, "--target", "latency_ms", "--window", "260..276", "-o", text(&file)],
    ];
    for words in reading {
        let (code, message) = errors(words);
        assert_eq!(code, Some(2), "{message}");
        assert!(message.contains("does not exist. Create it, or choose another file"), "{message}");
    }
    assert_eq!(names(&folder), ["dangling", "file", "folder"], "a check leaves nothing");
}

#[test]
fn two_exports_do_not_share_a_file() {
    let folder = scratch("shared");
    let file = folder.join("x");
    let (code, message) =
        errors(&["analyze", RUNTIME, "--export-json", text(&file), "--export-csv", text(&file)]);
    assert_eq!(code, Some(2));
    assert!(message.contains("two exports would be written to"), "{message}");
    stdout(&["analyze", RUNTIME, "--export-json", "/dev/null", "--export-csv", "/dev/null"]);
}

#[test]
fn the_answer_is_printed_though_a_file_is_not_written() {
    let folder = scratch("printed");
    let good = folder.join("good.csv");
    let answers: [(&[&str], &str); 4] = [
        (&["analyze", RUNTIME], "median"),
        (&["run", "--no-save", "-r", "3", "true"], "true"),
        (&["explain", SHOP, QUESTION[0], QUESTION[1], QUESTION[2], QUESTION[3]], "gc.pause_ms"),
        (&["check", "--no-save", "-r", "3", "runtime < 100 s", "--", "true"], "runtime"),
    ];
    for (words, answer) in answers {
        let mut all = words.to_vec();
        // It can be opened, and then takes nothing: a disk that is full.
        all.splice(1..1, ["--export-json", "/dev/full", "--export-csv", text(&good)]);
        let output = run(&all);
        let (printed, message) = said(&output);
        assert_eq!(output.status.code(), Some(5), "{}", transcript(&all, &output));
        assert!(printed.contains(answer), "{}", transcript(&all, &output));
        assert!(message.contains("/dev/full cannot be written"), "{message}");
        assert!(!std::fs::read_to_string(&good).unwrap().is_empty(), "the other file is written");
        std::fs::remove_file(&good).unwrap();
    }
}

/// A limit on the size of files simulates a full disk: everybody can set it.
#[test]
fn a_full_disk_leaves_the_old_result_whole() {
    let folder = scratch("full");
    let (json, html) = (folder.join("old.json"), folder.join("old.html"));
    std::fs::write(&json, "old").unwrap();
    std::fs::write(&html, "old").unwrap();
    let commands =
        [["analyze", RUNTIME, "--export-json", text(&json)], ["report", WARMUP, "-o", text(&html)]];
    for words in commands {
        let output = Command::new("sh")
            .args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$@\"", "sh"])
            .arg(env!("CARGO_BIN_EXE_fathom"))
            .args(words)
            .current_dir(top())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(5), "{}", transcript(&words, &output));
    }
    assert_eq!(std::fs::read_to_string(&json).unwrap(), "old");
    assert_eq!(std::fs::read_to_string(&html).unwrap(), "old");
    assert_eq!(names(&folder), ["old.html", "old.json"], "no debris");
}

#[test]
fn links_are_replaced_and_not_followed() {
    let folder = scratch("links");
    let precious = folder.join("precious");
    std::fs::write(&precious, "precious").unwrap();
    for link in ["out.json", "out.html", "out.html.part", ".out.html.tmp"] {
        symlink(&precious, folder.join(link)).unwrap();
    }
    stdout(&["analyze", RUNTIME, "--export-json", text(&folder.join("out.json"))]);
    stdout(&["report", WARMUP, "-o", text(&folder.join("out.html"))]);
    assert_eq!(std::fs::read_to_string(&precious).unwrap(), "precious");
    for new in ["out.json", "out.html"] {
        assert!(folder.join(new).symlink_metadata().unwrap().is_file(), "{new}");
    }
}

#[test]
fn pipes_and_devices_are_written_to() {
    let folder = scratch("pipes");
    let words = ["analyze", RUNTIME, "--quiet", "--export-json", "/dev/stdout"];
    let both = stdout(&words);
    let dash = stdout(&["analyze", RUNTIME, "--quiet", "--export-json", "-"]);
    assert_eq!(both.replace("/dev/stdout", "-"), dash);
    // Redirected to a file, it is the file's: nothing of it is overwritten.
    let file = std::fs::File::create(folder.join("redirected")).unwrap();
    assert!(fathom(&words).stdout(file).status().unwrap().success());
    assert_eq!(std::fs::read_to_string(folder.join("redirected")).unwrap(), both);

    let pipe = folder.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || std::fs::read_to_string(pipe).unwrap()
    });
    stdout(&["analyze", RUNTIME, "--export-json", text(&pipe)]);
    let read: serde_json::Value = serde_json::from_str(&reader.join().unwrap()).unwrap();
    assert!(read["subjects"].is_array() || read["schema"].is_string(), "{read}");
    assert!(!pipe.symlink_metadata().unwrap().is_file(), "it is still a pipe");
}

#[test]
fn a_foreign_manifest_does_not_lead_out_of_the_folder() {
    let folder = scratch("foreign");
    let traces = folder.join("traces");
    stdout(&["import", "testdata/traces/shop/run-1.csv", "-o", text(&traces)]);
    let manifest = traces.join("manifest.json");
    let good = std::fs::read_to_string(&manifest).unwrap();
    let escaped = text(&folder).to_string() + "/escaped";
    for name in ["../../escaped", "../escaped", &escaped, "a/b", "..", "a\u{0}b"] {
        for old in ["\"id\": \"run-1\"", "\"name\": \"csv\""] {
            let field = old.split(':').next().unwrap();
            let new = format!("{field}: {}", serde_json::to_string(name).unwrap());
            let bad = good.replacen(old, &new, 1);
            if bad == good {
                assert_eq!(field, "\"name\"", "the manifest has another form: {good}");
                continue;
            }
            std::fs::write(&manifest, bad).unwrap();
            let out = folder.join("out/deep");
            let (code, message) = errors(&["export", text(&traces), "-o", text(&out)]);
            assert_eq!(code, Some(2), "{name}: {message}");
            assert!(message.contains("become file names"), "{message}");
            assert!(!out.exists());
            for words in
                [vec!["show", text(&traces)], [&["explain", text(&traces)], &QUESTION[..]].concat()]
            {
                assert_eq!(errors(&words).0, Some(2), "{name}");
            }
        }
    }
    assert_eq!(names(&folder), ["traces"]);
}

#[test]
fn an_export_replaces_nothing() {
    let folder = scratch("export-old");
    let (traces, out) = (folder.join("traces"), folder.join("out"));
    stdout(&["import", "testdata/traces/shop/run-1.csv", "-o", text(&traces)]);
    stdout(&["export", text(&traces), "-o", text(&out)]);
    let (code, message) = errors(&["export", text(&traces), "-o", text(&out)]);
    assert_eq!(code, Some(2));
    assert!(message.contains("choose another folder"), "{message}");
    // The table, and what it cannot say.
    assert_eq!(names(&out), ["fathom-export.json", "run-1.csv.csv"]);
}

/// Names that a spreadsheet would compute, in CSV that is written and read again.
#[test]
fn formulas_in_names_stay_text_and_come_back() {
    let folder = scratch("formulas");
    let (source, traces, out) = (folder.join("run.csv"), folder.join("traces"), folder.join("out"));
    std::fs::write(&source, "time,=1+1,@b,-5\n0,1,2,3\n1,-4,5,6\n2,7,8,9\n").unwrap();
    stdout(&["import", text(&source), "-o", text(&traces)]);
    stdout(&["export", text(&traces), "-o", text(&out)]);
    let is_table = |name: &String| name.ends_with(".csv");
    let file = out.join(names(&out).into_iter().find(is_table).unwrap());
    let csv = std::fs::read_to_string(&file).unwrap();
    assert!(csv.lines().next().unwrap().contains("'=1+1,'@b,-5"), "{csv}");
    assert!(csv.contains(",-4"), "numbers stay numbers: {csv}");
    let again = folder.join("again");
    stdout(&["import", text(&file), "-o", text(&again)]);
    let manifest = std::fs::read_to_string(again.join("manifest.json")).unwrap();
    assert!(manifest.contains("\"=1+1\"") && manifest.contains("\"@b\""), "{manifest}");

    let timed = ["run", "--no-save", "-r", "3", "-n", "=cmd|' /C calc'!A0", "true"];
    let csv = stdout(&[&timed[..], &["--format", "csv", "-q"]].concat());
    assert!(csv.lines().nth(1).unwrap().starts_with("'=cmd|"), "{csv}");
    let named = ["run", "--no-save", "-r", "3", "-n", "<b>x</b>\u{202e}y", "true"];
    let markdown = stdout(&[&named[..], &["--format", "markdown", "-q"]].concat());
    assert!(markdown.contains("&lt;b&gt;x&lt;/b&gt;\u{fffd}y"), "{markdown}");
    let page = stdout(&named);
    assert!(page.contains("<b>x</b>\u{fffd}y") && !page.contains('\u{202e}'), "{page}");
}

/// Commands that only write files clean up when they are asked to end, and say so by their status.
#[test]
fn a_command_that_is_asked_to_end_leaves_the_old_file() {
    let folder = scratch("written-interrupted");
    let result = folder.join("result.json");
    std::fs::write(&result, "old").unwrap();
    for signal in ["-INT", "-TERM", "-HUP"] {
        let mut child = fathom(&["analyze", "-", "--export-json", text(&result)])
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        // It waits for its input, which `wait` would close. A signal before it is ready would end it as it
        // ends any program.
        let input = child.stdin.take();
        let status = format!("/proc/{}/status", child.id());
        while !std::fs::read_to_string(&status).unwrap().contains("Threads:\t2") {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let pid = child.id().to_string();
        std::process::Command::new("kill").args([signal, &pid]).status().unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130), "{signal}");
        drop(input);
        assert_eq!(names(&folder), ["result.json"]);
        assert_eq!(std::fs::read_to_string(&result).unwrap(), "old");
    }
}
