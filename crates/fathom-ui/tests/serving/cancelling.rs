//! Work that nobody waits for any more ends.

use super::made_up::MadeUp;
use super::running::Running;
use serde_json::{Value, json};
use std::io::Read;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

const READING_TAKES: Duration = Duration::from_millis(4);

fn names(count: usize) -> Vec<String> {
    (0..count).map(|n| format!("m{n}")).collect()
}

fn question(score_in: &str) -> Value {
    json!({
        "target": "m0", "run": "run-1", "windows": [[60, 80]], "baseline": null, "segments": "auto",
        "pattern": null, "common": null, "normalise": false, "penalty": 0,
        "correlator": "combined", "score_in": score_in,
    })
}

fn slow(metrics: usize) -> MadeUp {
    let names = names(metrics);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    MadeUp::new(&["run-1", "run-2"], &names, 200).slowly(READING_TAKES)
}

#[test]
fn hanging_up_stops_the_work() {
    let made_up = slow(1500);
    let reads = made_up.reads();
    let running = Running::traces(made_up.opened());
    let mut stream =
        running.asking("POST", "api/explain").json(&question("every")).send(running.at);
    let mut first = [0; 64];
    stream.read_exact(&mut first).unwrap();
    drop(stream);
    let hung_up = Instant::now();
    // Until nothing was read for as long as many readings take.
    let mut so_far = reads.load(Ordering::Relaxed);
    let mut quiet_since = Instant::now();
    while quiet_since.elapsed() < 50 * READING_TAKES {
        std::thread::sleep(READING_TAKES);
        let now = reads.load(Ordering::Relaxed);
        if now != so_far {
            (so_far, quiet_since) = (now, Instant::now());
        }
        assert!(hung_up.elapsed() < Duration::from_secs(20), "it goes on");
    }
    assert!(so_far < 1500, "all was read: {so_far}");
    // And the next question is answered.
    let series = running.get("api/series?run=run-1&metric=m0&columns=10");
    assert_eq!(series.status, 200);
}

#[test]
fn progress_is_told_but_not_too_often() {
    let running = Running::traces(slow(150).opened());
    let began = Instant::now();
    let lines = running.post("api/explain", &question("every")).lines();
    let most = began.elapsed().as_secs_f64() * 20.0 + 2.0;
    let told: Vec<&Value> = lines.iter().filter(|line| line["type"] == "progress").collect();
    assert!(!told.is_empty() && told.len() as f64 <= most, "{} of {most}", told.len());
    for line in told {
        assert!(line["stage"] == "aligning" || line["stage"] == "scoring", "{line}");
        assert!(line["done"].as_u64() <= line["of"].as_u64(), "{line}");
    }
    let rankings: Vec<&Value> = lines.iter().filter(|line| line["type"] == "ranking").collect();
    let provisional: Vec<bool> =
        rankings.iter().map(|line| line["provisional"].as_bool().unwrap()).collect();
    assert_eq!(provisional, [true, true, false]);
    // Aligned by now: from one run each, then from all.
    let again = running.post("api/explain", &question("every")).lines();
    let again: Vec<bool> = again.iter().filter_map(|line| line["provisional"].as_bool()).collect();
    assert_eq!(again, [true, false]);
    let nearest = running.post("api/explain", &question("nearest")).lines();
    let nearest: Vec<bool> =
        nearest.iter().filter_map(|line| line["provisional"].as_bool()).collect();
    assert_eq!(nearest, [false]);
}

#[test]
fn the_server_stops_while_it_works() {
    let mut running = Running::traces(slow(3000).opened());
    let mut stream =
        running.asking("POST", "api/explain").json(&question("every")).send(running.at);
    // One that only waits, as browsers keep them.
    let idle = std::net::TcpStream::connect(running.at).unwrap();
    let mut first = [0; 64];
    stream.read_exact(&mut first).unwrap();
    let asked = Instant::now();
    running.stop();
    assert!(asked.elapsed() < Duration::from_secs(8), "{:?}", asked.elapsed());
    let mut rest = String::new();
    stream.read_to_string(&mut rest).unwrap();
    assert!(rest.contains("fathom ui was stopped"), "{rest}");
    drop(idle);
}
