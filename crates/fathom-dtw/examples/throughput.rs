//! Cells per second of each kernel: `cargo run --release -p fathom-dtw --example throughput
//! [LENGTH or KERNEL]...`. Time of the processor, and the best of several runs, as other programs
//! can only make it slower.
#![allow(unsafe_code, reason = "the time of the processor is asked of the system")]
#![allow(clippy::print_stdout, reason = "it prints its result")]
#![allow(clippy::cast_precision_loss, reason = "counts are far below 2^53")]

use fathom_dtw::{Kernel, Warp, WarpError};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let (mut lengths, mut kernels) = (Vec::new(), Vec::new());
    for argument in std::env::args().skip(1) {
        match Kernel::ALL.into_iter().find(|kernel| kernel.name() == argument) {
            Some(kernel) => kernels.push(kernel),
            None => lengths.push(argument.parse()?),
        }
    }
    if kernels.is_empty() {
        kernels.extend(Kernel::available());
    }
    if lengths.is_empty() {
        lengths = vec![1_000, 10_000, 30_000];
    }
    println!("{:>7}  {:9} {:>10} {:>12} {:>12}", "samples", "kernel", "", "seconds", "cells/s");
    for length in lengths {
        let (x, y) = (series(length, 1), series(length, 2));
        let mut distances = Vec::new();
        for &kernel in &kernels {
            let warp = Warp::new().kernel(kernel);
            let banded = warp.band(length / 10);
            let penalty = warp.penalty(0.1);
            let cells = length as f64 * length as f64;
            let (seconds, distance) = best(|| warp.distance(&x, &y))?;
            report(length, kernel, "distance", seconds, cells);
            let (seconds, aligned) = best(|| warp.align(&x, &y))?;
            report(length, kernel, "path", seconds, cells);
            let (seconds, _) = best(|| penalty.align(&x, &y))?;
            report(length, kernel, "penalty", seconds, cells);
            let (seconds, _) = best(|| banded.align(&x, &y))?;
            // A tenth to both sides.
            report(length, kernel, "band 10%", seconds, cells * 0.19);
            distances.extend([distance.to_bits(), aligned.distance.to_bits()]);
        }
        distances.dedup();
        println!("{length:>7}  all distances equal: {}", distances.len() == 1);
    }
    if let Some(peak) = peak_memory() {
        println!("peak memory: {peak}");
    }
    Ok(())
}

/// The shortest time of several, and the last result.
fn best<T>(mut run: impl FnMut() -> Result<T, WarpError>) -> Result<(f64, T), WarpError> {
    let (mut shortest, mut total) = (f64::INFINITY, 0.0);
    loop {
        let began = processor_seconds();
        let result = run()?;
        let seconds = processor_seconds() - began;
        shortest = shortest.min(seconds);
        total += seconds;
        if total > 1.0 {
            return Ok((shortest, result));
        }
    }
}

/// The processor time of this thread so far.
fn processor_seconds() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a timespec that may be written to; on failure it stays zero.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

fn report(length: usize, kernel: Kernel, what: &str, seconds: f64, cells: f64) {
    let name = kernel.name();
    println!("{length:>7}  {name:9} {what:>10} {seconds:>12.6} {:>12.3e}", cells / seconds);
}

/// A period with noise, a level that changes, and time that does not run evenly.
fn series(length: usize, seed: u64) -> Vec<f64> {
    let mut state = seed;
    let mut unit = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / (1_u64 << 31) as f64
    };
    let mut time = 0.0;
    let times: Vec<f64> = (0..length)
        .map(|_| {
            time += 0.5 + unit();
            time
        })
        .collect();
    let value = |at: &f64| {
        let at = at / time;
        (40.0 * std::f64::consts::PI * at).sin() + f64::from(u8::from(at > 0.5)) + 0.2 * unit()
    };
    times.iter().map(value).collect()
}

/// The most memory the process had, as Linux says it.
fn peak_memory() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().to_owned())
}
