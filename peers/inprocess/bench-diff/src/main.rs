//! `with-bench-diff WARM_UP_MS EXECUTIONS`: bench_diff, which alternates call by call.
//!
//! Prints a line of JSON, the second function over the first: its ratio of medians, its interval at
//! 95% and the p-value of its test, all by Welch on logarithms; and the medians in nanoseconds.

use bench_diff::stats_types::{AltHyp, Ci};
use bench_diff::{LatencyUnit, bench_diff, set_warmup_millis};
use std::hint::black_box;

const ALPHA: f64 = 0.05;

fn main() -> Result<(), String> {
    let arguments: Vec<Option<u64>> =
        std::env::args().skip(1).map(|text| text.parse().ok()).collect();
    let [Some(warm_up), Some(executions)] = arguments[..] else {
        return Err("usage: with-bench-diff WARM_UP_MS EXECUTIONS".to_string());
    };
    set_warmup_millis(warm_up);
    let (first, second) = (busy::first(), busy::second());
    let out = bench_diff(
        LatencyUnit::Nano,
        || _ = black_box(busy::busy(black_box(second))),
        || _ = black_box(busy::busy(black_box(first))),
        executions as usize,
    );
    let Ci(lower, upper) = out.welch_ratio_ci(ALPHA);
    println!(
        "{{\"ratio\": {}, \"lower\": {lower}, \"upper\": {upper}, \"p\": {}, \
         \"first_median\": {}, \"second_median\": {}}}",
        out.ratio_medians_f1_f2_from_lns(),
        out.welch_ln_test(AltHyp::Ne, ALPHA).p(),
        out.median_f2(),
        out.median_f1(),
    );
    Ok(())
}
