//! divan: two functions in one run, compared by those who read the table.

use divan::Bencher;
use std::hint::black_box;

fn main() {
    divan::main();
}

#[divan::bench]
fn first(bencher: Bencher<'_, '_>) {
    let iterations = busy::first();
    bencher.bench_local(|| busy::busy(black_box(iterations)));
}

#[divan::bench]
fn second(bencher: Bencher<'_, '_>) {
    let iterations = busy::second();
    bencher.bench_local(|| busy::busy(black_box(iterations)));
}
