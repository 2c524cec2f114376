//! How long do functions take? Groups, arguments, inputs of their own, work per second.
//!
//!     cargo run --release -p fathom-bench --example times -- --bench

use fathom_bench::{Suite, Throughput, black_box};

fn main() -> std::process::ExitCode {
    let text = "one two three ".repeat(1000);
    let bytes = text.len() as u64;
    let mut suite = Suite::new();

    suite.group("text", |suite| {
        let text = text.as_str();
        suite
            .bench("words", move || black_box(text).split(' ').count())
            .throughput(Throughput::Bytes(bytes));
        suite
            .bench("uppercase", move || black_box(text).to_uppercase())
            .throughput(Throughput::Bytes(bytes));
    });

    suite
        .bench_args("sum", [10_u64, 1000, 100_000], |n| (0..*n).fold(0, |a, b| a ^ black_box(b)))
        .throughput(|n| Throughput::Items(*n));

    // Every call sorts a vector of its own; making and dropping them is not timed.
    suite.bench_with_setup("sort", || scrambled(1000), |numbers| numbers.sort_unstable());

    // The input is taken, and the result is dropped after the timing.
    suite.bench_consuming("into boxed slice", || scrambled(1000), Vec::into_boxed_slice);

    suite.run()
}

fn scrambled(n: u64) -> Vec<u64> {
    (0..n).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 7).collect()
}
