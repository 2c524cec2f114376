//! `fathom ui` and `fathom report` as users meet them. What the page does is tried in a browser:
//! `crates/fathom-ui/web/tests`.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod harness;

use harness::*;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

const SHOP: &str = "testdata/traces/shop";
const WARMUP: &str = "testdata/series/warmup.csv";

/// Started, with the first line that it printed.
fn served(words: &[&str]) -> (Child, String) {
    let mut child = fathom(&["ui", "--no-open"])
        .args(words)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    (child, line.trim().to_string())
}

fn asked(address: &str, path: &str) -> String {
    let host = address.trim_start_matches("http://").split('/').next().unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn the_address_comes_first_and_answers_until_it_is_interrupted() {
    if !has_page() {
        return;
    }
    let (mut child, address) = served(&[SHOP]);
    assert!(address.starts_with("http://127.0.0.1:") && address.ends_with('/'), "{address}");
    let place = address.splitn(4, '/').nth(3).unwrap();
    let overview = asked(&address, &format!("/{place}api/overview"));
    assert!(overview.starts_with("HTTP/1.1 200"), "{overview}");
    assert!(overview.contains("latency_ms") && overview.contains("\"kind\":\"traces\""));
    assert!(asked(&address, "/api/overview").starts_with("HTTP/1.1 404"));
    let interrupted = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(interrupted.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// What is started can be seen by every user of the machine, with its arguments.
#[test]
fn the_secret_is_in_no_command_line() {
    use std::os::unix::fs::PermissionsExt;
    if !has_page() {
        return;
    }
    let folder = scratch("secret");
    let (opener, seen) = (folder.join("xdg-open"), folder.join("seen"));
    let script = "#!/bin/sh\nprintf '%s\\n' \"$@\" > \"$SEEN.tmp\"\nstat -c %a \"$1\" \"${1%/*}\" >> \"$SEEN.tmp\"\n\
                  cat \"$1\" >> \"$SEEN.tmp\"\nmv \"$SEEN.tmp\" \"$SEEN\"\n";
    std::fs::write(&opener, script).unwrap();
    std::fs::set_permissions(&opener, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut child = fathom(&["ui", SHOP])
        .env("PATH", format!("{}:/usr/bin:/bin", folder.display()))
        .env("XDG_RUNTIME_DIR", &folder)
        .env("SEEN", &seen)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut address = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
    let address = address.trim();
    while !seen.exists() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let seen = std::fs::read_to_string(seen).unwrap();
    let mut lines = seen.lines();
    let file = lines.next().unwrap();
    let secret = address.split('/').nth(3).unwrap();
    assert!(secret.len() == 32 && !file.contains(secret), "{file}");
    assert_eq!((lines.next(), lines.next()), (Some("600"), Some("700")), "{seen}");
    assert!(seen.contains(&format!("url={address}\"")), "{seen}");
    let interrupted = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(interrupted.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(!std::path::Path::new(file).exists(), "it is gone with the server");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2);
}

/// Stacks that do not fit into any memory simulate a system that gives no more threads: everybody
/// can set that, and as root no limit of processes would hold.
const NO_THREADS: (&str, &str) = ("RUST_MIN_STACK", "140737488355328");

#[test]
fn without_threads_it_answers_that_there_are_none() {
    if !has_page() {
        return;
    }
    let mut child = fathom(&["ui", "--no-open", SHOP])
        .env(NO_THREADS.0, NO_THREADS.1)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut address = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
    let address = address.trim();
    let place = address.splitn(4, '/').nth(3).unwrap();
    let overview = asked(address, &format!("/{place}api/overview"));
    assert!(overview.starts_with("HTTP/1.1 503"), "{overview}");
    assert!(overview.contains("cannot start a thread"), "{overview}");
    assert!(asked(address, &format!("/{place}")).starts_with("HTTP/1.1 200"));
    let interrupted = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(interrupted.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn without_threads_an_explanation_is_the_same() {
    let words = ["explain", SHOP, "--target", "latency_ms", "--window", "260..276"];
    let output = fathom(&words).env(NO_THREADS.0, NO_THREADS.1).output().unwrap();
    assert!(output.status.success(), "{}", transcript(&words, &output));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), stdout(&words));
}

#[test]
fn without_memory_it_says_so() {
    use std::fmt::Write as _;
    let folder = scratch("memory");
    let file = folder.join("run.csv");
    let mut text = "time,a,b,c,d,e,f,g,h\n".to_string();
    for n in 0..200_000 {
        let value = n % 97;
        let _ =
            writeln!(text, "{n},{value},{value},{value},{value},{value},{value},{value},{value}");
    }
    std::fs::write(&file, text).unwrap();
    let words = ["explain", file.to_str().unwrap(), "--target", "a", "--window", "5..9"];
    let output = Command::new("sh")
        .args(["-c", "ulimit -v 60000; exec \"$@\"", "sh"])
        .arg(env!("CARGO_BIN_EXE_fathom"))
        .args(words)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("error: ") && message.contains("memory"), "{message}");
}

/// A build without Node has none, and says so.
fn has_page() -> bool {
    // An address for documentation, which no machine has.
    let (code, message) = errors(&["ui", "--no-open", SHOP, "--bind", "192.0.2.1"]);
    assert_eq!(code, Some(2));
    !message.contains("Node")
}

#[test]
fn a_report_is_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("why.html");
    let path = file.to_str().unwrap();
    let words = ["report", SHOP, "--target", "latency_ms", "--window", "260..276", "-o", path];
    assert_eq!(stdout(&words), "");
    let html = std::fs::read_to_string(&file).unwrap();
    assert!(html.starts_with("<!doctype html>"), "{}", &html[..200]);
    assert!(html.contains("gc.pause_ms") && html.contains("latency_ms rises 56%"));
    assert!(!html.contains("http://") || !html.contains("src=\"http"));
    assert_eq!(stdout(&["report", WARMUP, "-o", path]), "");
    assert!(std::fs::read_to_string(&file).unwrap().contains("median"));
    let files: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(files.len(), 1, "{files:?}");
}

/// The JSON of an analysis by several methods opens with all of them.
#[test]
fn a_report_has_every_method_that_was_asked_for() {
    let folder = scratch("report-methods");
    let (json, page) = (folder.join("a.json"), folder.join("a.html"));
    let (json, page) = (json.to_str().unwrap(), page.to_str().unwrap());
    let methods = ["exact", "bca", "sign"];
    let asked = methods.iter().flat_map(|method| ["--method", method]);
    let words: Vec<&str> = ["analyze", WARMUP, "-q", "--export-json", json].into_iter().collect();
    stdout(&words.into_iter().chain(asked).collect::<Vec<_>>());
    stdout(&["report", json, "-o", page]);
    let html = std::fs::read_to_string(page).unwrap();
    for method in methods {
        // Once in the document without scripts, once in the data of the page.
        assert!(html.contains(&format!("<bdi>{method}</bdi>")), "{method}");
        assert!(html.contains(&format!("\"method\":\"{method}\"")), "{method}");
    }
}

#[test]
fn what_cannot_be_shown_is_said() {
    let mut all = String::new();
    let mut add = |words: &[&str]| {
        let (code, message) = errors(words);
        assert_eq!(code, Some(2), "{message}");
        let _ = writeln!(all, "$ fathom {}\n{message}", words.join(" "));
    };
    add(&["report", "nowhere/", "-o", "x.html"]);
    add(&["report", "testdata/prose.md", "-o", "x.html"]);
    add(&["report", WARMUP, SHOP, "-o", "x.html"]);
    add(&["report", SHOP, "-o", "x.html"]);
    add(&["report", SHOP, "--window", "1..2", "-o", "x.html"]);
    add(&["report", SHOP, "--correlator", "dtw", "-o", "x.html"]);
    add(&["report", SHOP, "--target", "nope", "-o", "x.html"]);
    add(&["report", SHOP, "--target", "latency_ms", "--window", "600..700", "-o", "x.html"]);
    add(&[
        "report",
        SHOP,
        "--target",
        "latency_ms",
        "--window",
        "260..276",
        "-o",
        "nowhere/x.html",
    ]);
    add(&["report", WARMUP, "--target", "x", "-o", "x.html"]);
    add(&["report", WARMUP, "--counter", "x", "-o", "x.html"]);
    add(&["report", WARMUP, "-o", "x.html", "--max-size", "0"]);
    insta::assert_snapshot!(all);
}

/// The JSON of an explanation replaces its traces and its question.
#[test]
fn an_answer_can_be_looked_at_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (json, one, other) = (path("why.json"), path("one.html"), path("other.html"));
    let question = ["--target", "latency_ms", "--window", "rows:260..276", "--correlator", "shape"];
    stdout(&[&["explain", SHOP, "--quiet", "--export-json", &json], &question[..]].concat());
    stdout(&["report", &json, "-o", &one]);
    stdout(&[&["report", SHOP, "-o", &other], &question[..]].concat());
    let read = |path: &str| std::fs::read_to_string(path).unwrap();
    // All but the minute in which they were made.
    let without_time = |html: String| -> String {
        html.split(" UTC").map(|part| &part[..part.len().saturating_sub(16)]).collect()
    };
    assert_eq!(without_time(read(&one)), without_time(read(&other)));
    let text = read(&json);
    // Before November 2026 there was only the command line.
    let old = |text: &str| {
        let mut document: serde_json::Value = serde_json::from_str(text).unwrap();
        assert!(document.as_object_mut().unwrap().remove("request").is_some());
        document.to_string()
    };
    std::fs::write(&json, old(&text)).unwrap();
    stdout(&["report", &json, "-o", &one]);
    assert_eq!(without_time(read(&one)), without_time(read(&other)));

    let mut all = String::new();
    let mut add = |words: &[&str], text: &str| {
        std::fs::write(&json, text).unwrap();
        let (code, message) = errors(words);
        let words = words.join(" ");
        let said = format!("$ fathom {words}\nexit {code:?}\n{message}\n");
        all.push_str(&said.replace(&json, "why.json").replace(&one, "why.html"));
    };
    add(&["report", &json, "-o", &one], &text.replacen("\"gc.pause_ms\"", "\"gone\"", 1));
    add(&["report", &json, "-o", &one], &text.replace("testdata", "else/where"));
    add(&["report", &json, "-o", &one], &old(&text.replace("--correlator shape", "--by shape")));
    add(&["report", &json, "-o", &one], &text.replace("\"version\": 4", "\"version\": 99"));
    add(&["report", &json, "--target", "x", "-o", &one], &text);
    add(&["ui", &json, "--target", "x"], &text);
    add(&["report", &json, "--counter", "requests", "-o", &one], &text);
    add(&["ui", SHOP, "--target", "x"], &text);
    add(&["ui", SHOP, "--target", "latency_ms", "--filter", "gc"], &text);
    add(&["ui", SHOP, "--window", "1..2"], &text);
    add(&["ui", SHOP, "--target", "latency_ms", "--window", "900..901"], &text);
    insta::assert_snapshot!(all);
}
