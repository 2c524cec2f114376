//! Aligns pairs of series by dtw_rs: `with-dtw-rs FILE LENGTH`.
//!
//! FILE has one value a line: x and y of the first pair, then of the next, LENGTH values each. Prints
//! one line of JSON, as `scripts/peers/warping.py` does: the median time of aligning all pairs, the
//! sums of |x - y| and of (x - y)² along each path, and the most memory the process held, before and
//! after.

use dtw_rs::{Solution, dtw_with_distance};
use std::error::Error;
use std::process::ExitCode;
use std::time::Instant;

/// Samples of the alignment that is not counted.
const WARM_UP: usize = 100;
/// Alignments are repeated until they took so long, in seconds.
const ENOUGH: f64 = 1.0;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [file, length] = words.as_slice() else {
        eprintln!("usage: with-dtw-rs FILE LENGTH");
        return ExitCode::from(2);
    };
    match measured(file, length) {
        Ok(line) => {
            println!("{line}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{file}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn measured(file: &str, length: &str) -> Result<String, Box<dyn Error>> {
    let length: usize = length.parse()?;
    let values: Vec<f64> =
        std::fs::read_to_string(file)?.lines().map(str::parse).collect::<Result<_, _>>()?;
    let series: Vec<&[f64]> = values.chunks_exact(length.max(1)).collect();
    let pairs: Vec<(&[f64], &[f64])> =
        series.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
    let first = |series: &[f64]| series[..WARM_UP.min(length)].to_vec();
    let (x, y) = *pairs.first().ok_or("there is no pair of series")?;
    aligned(&first(x), &first(y));
    let before = peak();
    let (mut taken, mut absolute, mut squares, mut steps) = (Vec::new(), Vec::new(), Vec::new(), 0);
    while taken.iter().sum::<f64>() < ENOUGH {
        absolute.clear();
        squares.clear();
        let mut seconds = 0.0;
        for (x, y) in &pairs {
            let began = Instant::now();
            let path = aligned(x, y);
            seconds += began.elapsed().as_secs_f64();
            let gaps = path.iter().map(|&(i, j)| x[i] - y[j]);
            absolute.push(gaps.clone().map(f64::abs).sum::<f64>());
            squares.push(gaps.map(|gap| gap * gap).sum::<f64>());
            steps = path.len();
        }
        taken.push(seconds);
    }
    let after = peak();
    taken.sort_unstable_by(f64::total_cmp);
    let median = taken[taken.len() / 2];
    let bytes = |bytes: Option<u64>| bytes.map_or("null".to_string(), |bytes| bytes.to_string());
    Ok(format!(
        "{{\"seconds\": {median}, \"runs\": {}, \"absolute\": {absolute:?}, \
         \"squares\": {squares:?}, \"pairs\": {steps}, \"before\": {}, \"after\": {}}}",
        taken.len(),
        bytes(before),
        bytes(after)
    ))
}

fn aligned(x: &[f64], y: &[f64]) -> Vec<(usize, usize)> {
    std::hint::black_box(dtw_with_distance(x, y, |a: &f64, b: &f64| (a - b).abs()).path())
}

/// The most memory this process held, in bytes, where Linux says so.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()? * 1024)
}
