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
    let mut child = Command::new(env!("CARGO_BIN_EXE_fathom"))
        .args(["ui", "--no-open"])
        .args(words)
        .current_dir(top())
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

/// A build without Node has none, and says so.
fn has_page() -> bool {
    let (code, message) = errors(&["ui", "--no-open", "nowhere/"]);
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

#[test]
fn what_cannot_be_shown_is_said() {
    let mut all = String::new();
    let mut add = |words: &[&str]| {
        let (code, message) = errors(words);
        assert_eq!(code, Some(2), "{message}");
        let _ = writeln!(all, "$ fathom {}\n{message}", words.join(" "));
    };
    add(&["report", "nowhere/", "-o", "x.html"]);
    add(&["report", "README.md", "-o", "x.html"]);
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
    let folder = scratch("explanation");
    let file = folder.join("why.json");
    let words = ["explain", SHOP, "--target", "latency_ms", "--window", "260..276"];
    let path = file.to_str().unwrap();
    stdout(&[&words[..], &["--quiet", "--export-json", path]].concat());
    let (code, message) = errors(&["report", path, "-o", "x.html"]);
    assert_eq!(code, Some(2));
    let _ =
        writeln!(all, "$ fathom report why.json -o x.html\n{}", message.replace(path, "why.json"));
    insta::assert_snapshot!(all);
}
