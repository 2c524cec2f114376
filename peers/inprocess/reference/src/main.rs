//! `reference SECONDS BATCH_SECONDS ITERATIONS...`: how long a call with so many iterations takes.
//!
//! Batches of all of them in turn, the order turned round each time, until the time is over. Prints a
//! line for each: iterations, median nanoseconds per call, and the median over the rounds of the ratio
//! to the first.
//!
//! Nothing is subtracted for the loop: each call waits for the one before, and the loop's own
//! instructions run while it waits.

use std::hint::black_box;
use std::time::{Duration, Instant};

const USAGE: &str = "usage: reference SECONDS BATCH_SECONDS ITERATIONS...";

fn main() -> Result<(), String> {
    let arguments: Option<Vec<f64>> =
        std::env::args().skip(1).map(|text| text.parse().ok()).collect();
    let arguments = arguments.ok_or(USAGE)?;
    let [seconds, batch, counts @ ..] = &arguments[..] else {
        return Err(USAGE.to_string());
    };
    let counts: Vec<u64> = counts.iter().map(|&count| count as u64).collect();
    let calls: Vec<u64> = counts.iter().map(|&count| calls_within(*batch, count)).collect();
    let mut rounds: Vec<Vec<f64>> = vec![Vec::new(); counts.len()];
    let time = Duration::try_from_secs_f64(*seconds).map_err(|error| error.to_string())?;
    let end = Instant::now() + time;
    let mut order: Vec<usize> = (0..counts.len()).collect();
    while Instant::now() < end {
        for &which in &order {
            rounds[which].push(per_call(counts[which], calls[which]));
        }
        order.reverse();
    }
    for (which, count) in counts.iter().enumerate() {
        let ratios = rounds[which].iter().zip(&rounds[0]).map(|(own, first)| own / first).collect();
        println!("{count} {} {}", median(rounds[which].clone()), median(ratios));
    }
    Ok(())
}

/// Nanoseconds per call.
fn per_call(iterations: u64, calls: u64) -> f64 {
    let began = Instant::now();
    for _ in 0..calls {
        black_box(busy::busy(black_box(iterations)));
    }
    began.elapsed().as_secs_f64() * 1e9 / calls as f64
}

/// How many calls take so many seconds.
fn calls_within(seconds: f64, iterations: u64) -> u64 {
    let mut calls = 1;
    loop {
        let taken = per_call(iterations, calls) * calls as f64 * 1e-9;
        if taken > 0.2 * seconds {
            return ((calls as f64 * seconds / taken) as u64).max(1);
        }
        calls *= 2;
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    match values.len() {
        0 => f64::NAN,
        n => 0.5 * (values[(n - 1) / 2] + values[n / 2]),
    }
}
