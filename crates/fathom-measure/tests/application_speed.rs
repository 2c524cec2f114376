//! How many lines a second are heard. Nothing is asserted of it; to see it:
//!
//!     cargo test --release -p fathom-measure --test application_speed -- --ignored --nocapture
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use fathom_measure::recording::application::{
    AppMetric, AppSource, ApplicationPlan, Heard, PassOn, ROOM,
};
use std::io::Write;
use std::sync::mpsc::sync_channel;
use std::time::{Duration, Instant};

const LINES: u32 = 1_000_000;

/// A name, what is sought, whether all of JSON is, and the lines.
type Case<'a> = (&'a str, &'a [&'a str], bool, &'a dyn Fn(u32) -> String);

/// Writes lines as fast as they are taken; how long that took, and what was heard.
fn measure(metrics: &[&str], json: bool, line: &dyn Fn(u32) -> String) -> (Duration, Heard) {
    let plan = ApplicationPlan {
        metrics: AppMetric::parse_all(metrics).unwrap(),
        json,
        sources: vec![AppSource::Output(PassOn::Nowhere)],
        interval: Duration::from_millis(10),
    };
    let lines: Vec<u8> = (0..LINES).flat_map(|n| line(n).into_bytes()).collect();
    let mut prepared = plan.prepare().unwrap();
    let mut output = prepared.take_output().unwrap();
    let (sender, said) = sync_channel(ROOM);
    let listening = prepared.start(&sender).unwrap();
    drop(sender);
    let collector = std::thread::spawn(move || said.iter().count());
    let began = Instant::now();
    output.write_all(&lines).unwrap();
    drop(output);
    let heard = listening.finish().remove(0);
    let took = began.elapsed();
    let rows = collector.join().unwrap() as u64;
    assert_eq!((heard.lines, rows + heard.dropped), (u64::from(LINES), heard.matched));
    (took, heard)
}

#[test]
#[ignore = "a measurement"]
fn lines_per_second() {
    let text = |n: u32| format!("progress: {n}.0 s, {n}.5 tps, lat 12.{n} ms stddev 3.5\n");
    let plain = |n: u32| format!("INFO [main] 2024-05-01 12:00:00 request {n} was served well\n");
    let json = |n: u32| {
        format!("{{\"ts\": {n}, \"tps\": {n}.5, \"lat\": {{\"p50\": 1.5, \"p99\": {n}}}}}\n")
    };
    let tps = ["tps=([0-9.]+) tps"];
    let two = ["tps=([0-9.]+) tps", "lat[ms]=lat ([0-9.]+)"];
    let cases: [Case<'_>; 6] = [
        ("one regex, in every line", &tps, false, &text),
        ("two regexes, in every line", &two, false, &text),
        ("one regex, in no line", &tps, false, &plain),
        ("last-number", &["n=last-number"], false, &text),
        ("json:PATH", &["n=json:lat.p99"], false, &json),
        ("all of JSON lines, three numbers", &[], true, &json),
    ];
    for (name, metrics, json, line) in cases {
        let (took, heard) = measure(metrics, json, line);
        println!(
            "{name}: {:.2} million lines/s, {} ns of processor time per line, {} rows dropped\n  {:?}",
            f64::from(LINES) / took.as_secs_f64() / 1e6,
            heard.cpu.divided_by(u64::from(LINES)).nanoseconds(),
            heard.dropped,
            heard.notes
        );
    }
}
