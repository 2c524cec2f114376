#![allow(unused)]

use fathom_bench_macros::bench;

#[bench(threads = [2], args = [1])]
fn threads_args_and_bencher(bencher: &mut Bencher, n: u8) {}

#[bench(threads = [2])]
fn threads_and_bencher(bencher: &mut Bencher) {}

#[bench(compare = "x", threads = [2])]
fn compare_and_threads() {}

#[bench(compare = "x", args = [2])]
fn compare_and_args(n: u8) {}

#[bench(bytes = 1, items = 2)]
fn bytes_and_items() {}

#[bench(args = [1], items = 10 * 3)]
fn number_with_args(n: u8) {}

#[bench(bytes = |n| n)]
fn closure_without_args() {}

#[bench(items = move |n: &u8| *n)]
fn moving_closure_without_args() {}

fn main() {}
