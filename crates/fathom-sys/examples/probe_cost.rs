//! What a sample of each probe costs, of a process that sleeps or of one given by its number:
//! `cargo run --release -p fathom-sys --features commands --example probe_cost [PID]`.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "an example talks and may fail")]

use fathom_record::trace::Value;
use fathom_record::{Span, Timestamp};
use fathom_sys::clock::monotonic;
use fathom_sys::cpu_time::thread;
use fathom_sys::probes::{Moment, ProcessTree, Target, sources};
use std::process::Command;

const SAMPLES: usize = 2000;

fn main() {
    let given = std::env::args().nth(1).map(|pid| pid.parse().unwrap());
    let mut sleeper = Command::new("sleep").arg("600").spawn().unwrap();
    let pid = given.unwrap_or(sleeper.id());
    let mut tree = ProcessTree::new(pid);
    // As if samples were taken every millisecond.
    let mut clock = Timestamp::ZERO;
    let looking = per_sample(|| {
        clock += Span::from_milliseconds(1);
        tree.refresh(clock);
    });
    println!("{:<18} {:>8} {:>10} {:>14}", "probe", "metrics", "us", "of a core");
    println!("{:<18} {:>8} {:>10.2} {:>13.3}%", "(tree, each ms)", "", looking.0, looking.1);
    for source in sources() {
        let mut probe = match source.open(Target::Running(pid)) {
            Ok(probe) => probe,
            Err(why) => {
                println!("{:<18} {why}", source.name());
                continue;
            }
        };
        let (us, share) = per_sample(|| {
            let moment = Moment { now: monotonic(), tree: &tree };
            probe.refresh(&moment);
            let mut values = vec![Value::Missing; probe.metrics().len()];
            let _ = probe.sample(&moment, &mut values);
        });
        let (name, metrics) = (source.name(), probe.metrics().len());
        println!("{name:<18} {metrics:>8} {us:>10.2} {share:>13.3}% (at 1 ms)");
    }
    sleeper.kill().unwrap();
    sleeper.wait().unwrap();
}

/// The mean processor time, in microseconds, and its share of a core at an interval of 1 ms.
fn per_sample(mut sample: impl FnMut()) -> (f64, f64) {
    let began = thread();
    for _ in 0..SAMPLES {
        sample();
    }
    let us = (thread() - began).nanoseconds_f64() / 1e3 / SAMPLES as f64;
    (us, us / 10.0)
}
