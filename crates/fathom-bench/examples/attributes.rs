//! Functions that an attribute collects, with what they ask of the allocator.
//!
//!     cargo run --release -p fathom-bench --example attributes -- --bench
#![forbid(unsafe_code)]

use fathom_bench::{Bencher, CountingAllocator, Suite, bench, black_box};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator::new();

#[bench]
fn parse() -> Result<f64, std::num::ParseFloatError> {
    black_box("3.14159").parse()
}

#[bench(args = [10, 1000], items = |n| *n)]
fn collect(n: u64) -> Vec<u64> {
    (0..black_box(n)).collect()
}

#[bench(types = [Vec<u8>, std::collections::VecDeque<u8>])]
fn extend<T: Default + Extend<u8>>() -> T {
    let mut made = T::default();
    made.extend(black_box(0..100));
    made
}

// A function that needs something first makes it, and hands a closure over.
#[bench]
fn lookup(bencher: &mut Bencher<'static>) {
    let table: Vec<u64> = (0..1000).map(|i| i * i).collect();
    bencher.iter(move || table.binary_search(&black_box(250_000)));
}

// Functions with the same `compare` are compared; the first is the reference.
#[bench(compare = "concatenation")]
fn format() -> String {
    format!("{}{}", black_box("one"), black_box("two"))
}

#[bench(compare = "concatenation")]
fn push() -> String {
    let mut text = String::with_capacity(6);
    text.push_str(black_box("one"));
    text.push_str(black_box("two"));
    text
}

fn main() -> std::process::ExitCode {
    Suite::of_attributes().run()
}
