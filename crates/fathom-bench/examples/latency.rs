//! How long does a result take, and how often is there one? Latency and throughput of one function.
//!
//!     cargo run --release -p fathom-bench --example latency -- --bench

use fathom_bench::{Suite, black_box};

/// Mixes the bits of a number; every line needs the one before.
#[inline]
fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// Two hundred steps, each of which needs the one before.
fn steps(mut x: u64) -> u64 {
    for _ in 0..200 {
        x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        x ^= x >> 29;
    }
    x
}

fn main() -> std::process::ExitCode {
    let mut suite = Suite::new();
    suite.group("mix", |suite| {
        suite.bench("one after the other", || mix(black_box(7)));
        suite.bench_chained("each on the last", 7, mix);
    });
    suite.group("200 steps", |suite| {
        suite.bench("one after the other", || steps(black_box(7)));
        suite.bench_chained("each on the last", 7, steps);
    });
    suite.run()
}
