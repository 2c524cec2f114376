//! criterion, as it is used: one run saves a baseline, the next compares itself to it.
//!
//! Each run takes the iterations from BUSY_FIRST; the study gives it another number the second time.

use criterion::Criterion;
use std::hint::black_box;

fn main() {
    let iterations = busy::first();
    let mut criterion = Criterion::default().configure_from_args();
    criterion.bench_function("work", |bencher| bencher.iter(|| busy::busy(black_box(iterations))));
    criterion.final_summary();
}
