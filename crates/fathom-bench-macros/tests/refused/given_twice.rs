#![allow(unused)]

use fathom_bench_macros::bench;

#[bench(args = [1], args = [2])]
fn args(n: u8) {}

#[bench(ignore, name = "x", ignore)]
fn ignore() {}

fn main() {}
