#![allow(unused)]

use fathom_bench_macros::bench;

#[bench(arg = [1])]
fn near(n: u8) {}

#[bench(sample_count = 100)]
fn far() {}

#[bench(ignored)]
fn near_alone() {}

fn main() {}
